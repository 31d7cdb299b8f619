// What a program's constructors and the stubs of its kernels call: code that clang generates for HIP.
#include <cstring>
#include <mutex>

#include "hip/same.h"

using namespace lockstep::hip;
using lockstep::runtime::registry;
namespace session_ns = lockstep::session;

namespace {

// What clang places in the section .hipFatBinSegment.
struct FatbinWrapper {
    unsigned magic;
    unsigned version;
    const void* data;
    void* unused;
};

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

void** __hipRegisterFatBinary(const void* wrapper) {
    const std::lock_guard lock(registry().mutex());
    return reinterpret_cast<void**>(registry().add_image(static_cast<const FatbinWrapper*>(wrapper)->data));
}

void __hipUnregisterFatBinary(void** handle) { __cudaUnregisterFatBinary(handle); }

void __hipRegisterFunction(void** handle, const void* host_function, char* device_function, const char* name,
                           int threads, uint3* thread, uint3* block, dim3* block_shape, dim3* grid_shape,
                           int* size) {
    __cudaRegisterFunction(handle, static_cast<const char*>(host_function), device_function, name, threads,
                           thread, block, block_shape, grid_shape, size);
}

void __hipRegisterVar(void** handle, void* host, char* device_name, const char* name, int external,
                      size_t size, int constant, int global) {
    __cudaRegisterVar(handle, static_cast<char*>(host), device_name, name, external, size, constant, global);
}

// Host and device code both go through a pointer to memory that is the runtime library's to allocate. Host
// code may read it before any call into this library.
void __hipRegisterManagedVar(void** handle, void** pointer, void* initial, const char* name, size_t size,
                             unsigned) {
    if (cudaMallocManaged(pointer, size, cudaMemAttachGlobal) != cudaSuccess) return;
    std::memcpy(*pointer, initial, size);
    session_ns::RegisteredVariable variable;
    variable.host = pointer;
    variable.name = name;
    variable.size = size;
    variable.managed_pointer = pointer;
    variable.device_pointer = true;
    const std::lock_guard lock(registry().mutex());
    reinterpret_cast<session_ns::Image*>(handle)->variables.push_back(std::move(variable));
}

void __hipRegisterSurface(void**, void*, char*, char* name, int, int) {
    lockstep::runtime::report(
        fmt::format("surface reference {}: lockstep has surface objects for HIP, no references", name));
}

void __hipRegisterTexture(void** handle, void* host, char*, char* name, int type, int normalised,
                          int external) {
    __cudaRegisterTexture(handle, static_cast<const textureReference*>(host), nullptr, name, type, normalised,
                          external);
}

hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared, hipStream_t stream) {
    __cudaPushCallConfiguration(grid, block, shared, reinterpret_cast<CUstream_st*>(stream));
    return hipSuccess;
}

hipError_t __hipPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, hipStream_t* stream) {
    return error_of(__cudaPopCallConfiguration(grid, block, shared, stream));
}
}
#pragma GCC visibility pop
