// Another block shape under an unchanged program on a real GPU: `lockstep sweep --on gpu --block` compiles
// this with it by nvcc or hipcc, in front of the vendor's runtime as a shared library, whose launches it
// takes. C++11, as the program's own options may say.
//
// LOCKSTEP_BLOCK is the block, 256 or 32x8x4; LOCKSTEP_KERNELS a regular expression for the demangled names
// of the kernels that get it, all if it is empty. The extents of a launch stay: grid times block, rounded up
// (session/block-override.cc does the same on a simulated GPU).
#ifdef __HIPCC__
#include <hip/hip_runtime.h>
#else
#include <cuda_runtime.h>
#endif
#include <cxxabi.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <regex>
#include <string>

namespace {

[[noreturn]] void give_up(const char* what) {
    std::fprintf(stderr, "lockstep: %s\n", what);
    std::exit(1);
}

template <class Function>
Function* next(Function*, const char* name) {
    auto* const found = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
    if (!found) give_up("the program's runtime library has no such launch: is it the vendor's shared one?");
    return found;
}

std::string value(const char* variable) {
    const char* const text = std::getenv(variable);
    return text ? text : "";
}

std::string demangled(const char* name) {
    int failed = 0;
    char* const text = abi::__cxa_demangle(name, nullptr, nullptr, &failed);
    const std::string result = failed ? name : text;
    std::free(text);
    return result;
}

dim3 wanted_block() {
    unsigned x = 1, y = 1, z = 1;
    if (std::sscanf(value("LOCKSTEP_BLOCK").c_str(), "%ux%ux%u", &x, &y, &z) < 1 || !x || !y || !z)
        give_up("LOCKSTEP_BLOCK is no shape of a block");
    return dim3(x, y, z);
}

// Mangled; null: it is not known.
const char* name_of(const void* kernel) {
#ifdef __HIPCC__
    return hipKernelNameRefByPtr(kernel, nullptr);
#else
    const char* name = nullptr;
    return cudaFuncGetName(&name, kernel) == cudaSuccess ? name : nullptr;
#endif
}

bool is_chosen(const void* kernel) {
    static const std::string pattern = value("LOCKSTEP_KERNELS");
    if (pattern.empty()) return true;
    static std::mutex mutex;
    static std::map<const void*, bool> known;
    const std::lock_guard<std::mutex> lock(mutex);
    const auto before = known.find(kernel);
    if (before != known.end()) return before->second;
    static const std::regex names(pattern);
    const char* const name = name_of(kernel);
    if (!name) give_up("a kernel's name is not known");
    return known[kernel] = std::regex_search(demangled(name), names);
}

void reshape(const void* kernel, dim3& grid, dim3& block) {
    if (!is_chosen(kernel)) return;
    static const dim3 wanted = wanted_block();
    const auto blocks = [](unsigned grid_size, unsigned block_size, unsigned wanted_size) {
        const unsigned long long extent = 1ull * grid_size * block_size;
        return static_cast<unsigned>((extent + wanted_size - 1) / wanted_size);
    };
    grid = dim3(blocks(grid.x, block.x, wanted.x), blocks(grid.y, block.y, wanted.y),
                blocks(grid.z, block.z, wanted.z));
    block = wanted;
}

}  // namespace

#ifdef __HIPCC__

extern "C" hipError_t hipLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                      std::size_t shared, hipStream_t stream) {
    using HipLaunch = hipError_t(const void*, dim3, dim3, void**, std::size_t, hipStream_t);
    static HipLaunch* const original = next(static_cast<HipLaunch*>(nullptr), "hipLaunchKernel");
    reshape(kernel, grid, block);
    return original(kernel, grid, block, arguments, shared, stream);
}

#else

using Launch = cudaError_t(const void*, dim3, dim3, void**, std::size_t, cudaStream_t);

extern "C" {

cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                             cudaStream_t stream) {
    static Launch* const original = next(static_cast<Launch*>(nullptr), "cudaLaunchKernel");
    reshape(kernel, grid, block);
    return original(kernel, grid, block, arguments, shared, stream);
}

// What <<< >>> is, from CUDA 13 on; the kernel is a handle, which cudaFuncGetName takes as well.
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared, cudaStream_t stream) {
    static Launch* const original = next(static_cast<Launch*>(nullptr), "__cudaLaunchKernel");
    reshape(kernel, grid, block);
    return original(kernel, grid, block, arguments, shared, stream);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* configuration, const void* kernel,
                                void** arguments) {
    using ExLaunch = cudaError_t(const cudaLaunchConfig_t*, const void*, void**);
    static ExLaunch* const original = next(static_cast<ExLaunch*>(nullptr), "cudaLaunchKernelExC");
    cudaLaunchConfig_t changed = *configuration;
    reshape(kernel, changed.gridDim, changed.blockDim);
    return original(&changed, kernel, arguments);
}

}  // extern "C"

#endif
