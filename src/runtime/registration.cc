// What a program's constructors and the stubs of its kernels call: code that nvcc and clang generate.
#include <algorithm>
#include <cstring>
#include <mutex>
#include <vector>

#include "runtime/call.h"

using namespace lockstep::runtime;
namespace session_ns = lockstep::session;

namespace {

// What nvcc and clang place in the section .nvFatBinSegment.
struct FatbinWrapper {
    int magic;
    int version;
    const void* data;
    void** parts;  // version 2: the fat binaries that were linked, and a null
};
constexpr int linked_version = 2;
constexpr int wrapper_magic = 0x466243b1;

session_ns::Image* image_of(void** handle) { return reinterpret_cast<session_ns::Image*>(handle); }

void add_variable(void** handle, session_ns::RegisteredVariable variable) {
    const std::lock_guard lock(registry().mutex());
    variable.managed_shadow = !variable.managed_pointer && registry().in_managed_range(variable.host);
    image_of(handle)->variables.push_back(std::move(variable));
}

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void* fat_cubin) {
    const auto* wrapper = static_cast<const FatbinWrapper*>(fat_cubin);
    const std::lock_guard lock(registry().mutex());
    const void* data = wrapper->magic == wrapper_magic ? wrapper->data : fat_cubin;
    session_ns::Image* const image = registry().add_image(data);
    if (wrapper->magic == wrapper_magic && wrapper->version == linked_version && wrapper->parts)
        for (void** part = wrapper->parts; *part; ++part) image->parts.push_back(*part);
    return reinterpret_cast<void**>(image);
}

void __cudaRegisterFatBinaryEnd(void** handle) {
    const std::lock_guard lock(registry().mutex());
    // Host code may read a managed variable before any call into this library, and finds its initial value
    // there.
    const auto& variables = image_of(handle)->variables;
    if (std::any_of(variables.begin(), variables.end(), [](const auto& v) { return v.managed_shadow; }))
        __cudaInitModule(handle);
}

void __cudaUnregisterFatBinary(void** handle) {
    const std::lock_guard lock(registry().mutex());
    if (session_ns::Process* all = existing_process())
        for (std::size_t number = 0; number < all->device_count(); ++number)
            all->device(number).modules().forget_image(*image_of(handle));
    registry().remove_image(image_of(handle));
}

void __cudaRegisterFunction(void** handle, const char* host_function, char*, const char* name, int, uint3*,
                            uint3*, dim3*, dim3*, int*) {
    const std::lock_guard lock(registry().mutex());
    image_of(handle)->functions[host_function] = name;
}

void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, size_t size, int constant,
                       int) {
    session_ns::RegisteredVariable variable;
    variable.host = host;
    variable.name = name;
    variable.size = size;
    variable.constant = constant != 0;
    add_variable(handle, std::move(variable));
}

void __cudaRegisterManagedVar(void** handle, void** host_pointer, char*, const char* name, int, size_t size,
                              int, int) {
    session_ns::RegisteredVariable variable;
    variable.host = host_pointer;
    variable.name = name;
    variable.size = size;
    variable.managed_pointer = host_pointer;
    add_variable(handle, std::move(variable));
}

void __cudaRegisterTexture(void** handle, const struct textureReference* host, const void**, const char* name,
                           int, int normalised, int) {
    session_ns::RegisteredVariable variable;
    variable.host = host;
    variable.name = name;
    variable.size = sizeof(cudaTextureObject_t);
    variable.texture = true;
    variable.reads_floats = normalised != 0;
    add_variable(handle, std::move(variable));
}

void __cudaRegisterSurface(void** handle, const struct surfaceReference* host, const void**, const char* name,
                           int, int) {
    session_ns::RegisteredVariable variable;
    variable.host = host;
    variable.name = name;
    variable.size = sizeof(cudaSurfaceObject_t);
    variable.texture = true;
    add_variable(handle, std::move(variable));
}

void __lockstepRegisterManagedRange(void* begin, void* end) {
    const std::lock_guard lock(registry().mutex());
    registry().add_managed_range(address_of(begin), address_of(end));
}

char __cudaInitModule(void** handle) {
    return call("managed variables", Waits::no, [&](Device& current) {
               return current.modules().load_image(*image_of(handle));
           }) == cudaSuccess;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, struct CUstream_st* stream) {
    this_thread().configurations.push_back({grid, block, shared, stream});
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
    std::vector<CallConfiguration>& configurations = this_thread().configurations;
    if (configurations.empty())
        return finish("<<<>>>", Outcome(static_cast<Status>(cudaErrorMissingConfiguration),
                                        "the launch has no configuration"));
    const CallConfiguration top = configurations.back();
    configurations.pop_back();
    *grid = top.grid;
    *block = top.block;
    *shared = top.shared;
    *static_cast<cudaStream_t*>(stream) = top.stream;
    return cudaSuccess;
}

// The handle of a kernel is its host stub: unlike what a device knows of it, that survives
// cudaDeviceReset.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host_function) {
    *kernel = static_cast<cudaKernel_t>(const_cast<void*>(host_function));
    return cudaSuccess;
}
}
