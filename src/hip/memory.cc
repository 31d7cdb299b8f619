// Memory and copies, where HIP's functions have another shape than CUDA's, or more flags.
#include "hip/same.h"

using namespace lockstep::hip;
using namespace lockstep::runtime;

namespace {

// How the caches of GPU and CPU keep memory coherent: here they are one memory.
constexpr unsigned coherence_flags = hipHostMallocNumaUser | hipHostMallocCoherent | hipHostMallocNonCoherent;

cudaMemoryType type_of(const void* pointer) {
    cudaPointerAttributes attributes{};
    if (pointer && cudaPointerGetAttributes(&attributes, pointer) == cudaSuccess) return attributes.type;
    return cudaMemoryTypeUnregistered;
}
bool is_pinned(const void* pointer) { return type_of(pointer) == cudaMemoryTypeHost; }
bool is_device_memory(const void* pointer) {
    const cudaMemoryType type = type_of(pointer);
    return type == cudaMemoryTypeDevice || type == cudaMemoryTypeManaged;
}

CUmemorytype driver_type(hipMemoryType type) {
    switch (type) {
        case hipMemoryTypeHost: return CU_MEMORYTYPE_HOST;
        case hipMemoryTypeArray: return CU_MEMORYTYPE_ARRAY;
        case hipMemoryTypeManaged:
        case hipMemoryTypeUnified: return CU_MEMORYTYPE_UNIFIED;
        default: return CU_MEMORYTYPE_DEVICE;
    }
}

CUDA_MEMCPY2D driver_copy(const hip_Memcpy2D& copy) {
    static_assert(sizeof(CUDA_MEMCPY2D) == sizeof(hip_Memcpy2D));
    auto result = converted<CUDA_MEMCPY2D>(copy);
    result.srcMemoryType = driver_type(copy.srcMemoryType);
    result.dstMemoryType = driver_type(copy.dstMemoryType);
    return result;
}

}  // namespace

extern "C" {

hipError_t hipHostMalloc(void** pointer, size_t size, unsigned flags) {
    return error_of(cudaHostAlloc(pointer, size, flags & ~coherence_flags));
}
hipError_t hipHostAlloc(void** pointer, size_t size, unsigned flags) {
    return hipHostMalloc(pointer, size, flags);
}
hipError_t hipExtHostAlloc(void** pointer, size_t size, unsigned flags) {
    return hipHostMalloc(pointer, size, flags);
}

hipError_t hipHostRegister(void* pointer, size_t size, unsigned flags) {
    // Bit 3 is CUDA's "read only" in one reading of HIP, and a matter of coherence in the other.
    return error_of(cudaHostRegister(pointer, size, flags & ~unsigned{hipExtHostRegisterCoarseGrained}));
}

hipError_t hipExtMallocWithFlags(void** pointer, size_t size, unsigned flags) {
    if (flags > hipDeviceMallocContiguous)
        return error_of(finish("hipExtMallocWithFlags", unknown_flags(flags)));
    return error_of(cudaMalloc(pointer, size));
}

// AMD's runtime frees what it has allocated, whichever of them is called, and programs have come to rely on it.
hipError_t hipFree(void* pointer) {
    return error_of(is_pinned(pointer) ? cudaFreeHost(pointer) : cudaFree(pointer));
}
hipError_t hipHostFree(void* pointer) {
    return error_of(is_device_memory(pointer) ? cudaFree(pointer) : cudaFreeHost(pointer));
}
hipError_t hipFreeHost(void* pointer) { return hipHostFree(pointer); }

hipError_t hipMemPtrGetInfo(void* pointer, size_t* size) {
    use_driver();
    return error_of(cuMemGetAddressRange(nullptr, size, address_of(pointer)));
}

hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* pointer) {
    if (!attributes) return error_of(finish("hipPointerGetAttributes", null_pointer("attributes")));
    cudaPointerAttributes cuda{};
    const cudaError_t error = cudaPointerGetAttributes(&cuda, pointer);
    if (error != cudaSuccess) return error_of(error);
    *attributes = {static_cast<hipMemoryType>(cuda.type),
                   cuda.device,
                   cuda.devicePointer,
                   cuda.hostPointer,
                   cuda.type == cudaMemoryTypeManaged,
                   0};
    return hipSuccess;
}

hipError_t hipMemAdvise(const void* pointer, size_t size, hipMemoryAdvise advice, int device) {
    // Of coherence as well.
    if (advice == hipMemAdviseSetCoarseGrain || advice == hipMemAdviseUnsetCoarseGrain) return hipSuccess;
    return error_of(cudaMemAdvise(pointer, size, static_cast<cudaMemoryAdvise>(advice), device));
}

hipError_t hipMemcpyWithStream(void* to, const void* from, size_t size, hipMemcpyKind kind,
                               hipStream_t stream) {
    const auto in = converted<cudaStream_t>(stream);
    const cudaError_t error = cudaMemcpyAsync(to, from, size, converted<cudaMemcpyKind>(kind), in);
    return error_of(error != cudaSuccess ? error : cudaStreamSynchronize(in));
}

hipError_t hipMemcpyParam2D(const hip_Memcpy2D* copy) {
    if (!copy) return error_of(finish("hipMemcpyParam2D", null_pointer("copy")));
    use_driver();
    const CUDA_MEMCPY2D cuda = driver_copy(*copy);
    return error_of(cuMemcpy2D(&cuda));
}

hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D* copy, hipStream_t stream) {
    if (!copy) return error_of(finish("hipMemcpyParam2DAsync", null_pointer("copy")));
    use_driver();
    const CUDA_MEMCPY2D cuda = driver_copy(*copy);
    return error_of(cuMemcpy2DAsync(&cuda, converted<CUstream>(stream)));
}

hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags) {
    constexpr unsigned fences =
        hipEventDisableSystemFence | hipEventReleaseToDevice | hipEventReleaseToSystem;
    return error_of(cudaEventCreateWithFlags(reinterpret_cast<cudaEvent_t*>(event), flags & ~fences));
}
}
