/* The C++ side of the runtime API: overloads that save casts, and the occupancy searches that are built on
 * the C functions. */
#ifndef LOCKSTEP_RUNTIME_TEMPLATES_H
#define LOCKSTEP_RUNTIME_TEMPLATES_H
#include "cuda_runtime_api.h"
#include "lockstep/batch-templates.h"
#include "lockstep/graph-templates.h"

/* Memory */
/* CUDA 13 has given these names to what CUDA 12 calls their second version: programs written for either
 * compile. */
static inline __host__ cudaError_t cudaMemPrefetchAsync(const void* p, size_t size,
                                                        struct cudaMemLocation location, unsigned int flags,
                                                        cudaStream_t stream = 0) {
    return ::cudaMemPrefetchAsync_v2(p, size, location, flags, stream);
}
static inline __host__ cudaError_t cudaMemAdvise(const void* p, size_t size, enum cudaMemoryAdvise advice,
                                                 struct cudaMemLocation location) {
    return ::cudaMemAdvise_v2(p, size, advice, location);
}
template <class T>
static inline __host__ cudaError_t cudaMalloc(T** p, size_t size) {
    return ::cudaMalloc((void**)(void*)p, size);
}
template <class T>
static inline __host__ cudaError_t cudaMallocHost(T** p, size_t size, unsigned int flags = 0) {
    return ::cudaHostAlloc((void**)(void*)p, size, flags);
}
template <class T>
static inline __host__ cudaError_t cudaHostAlloc(T** p, size_t size, unsigned int flags) {
    return ::cudaHostAlloc((void**)(void*)p, size, flags);
}
template <class T>
static inline __host__ cudaError_t cudaMallocManaged(T** p, size_t size,
                                                     unsigned int flags = cudaMemAttachGlobal) {
    return ::cudaMallocManaged((void**)(void*)p, size, flags);
}
template <class T>
static inline __host__ cudaError_t cudaMallocPitch(T** p, size_t* pitch, size_t width, size_t height) {
    return ::cudaMallocPitch((void**)(void*)p, pitch, width, height);
}
template <class T>
static inline __host__ cudaError_t cudaMallocAsync(T** p, size_t size, cudaStream_t stream) {
    return ::cudaMallocAsync((void**)(void*)p, size, stream);
}
template <class T>
static inline __host__ cudaError_t cudaMallocAsync(T** p, size_t size, cudaMemPool_t pool,
                                                   cudaStream_t stream) {
    return ::cudaMallocFromPoolAsync((void**)(void*)p, size, pool, stream);
}
template <class T>
static inline __host__ cudaError_t cudaMallocFromPoolAsync(T** p, size_t size, cudaMemPool_t pool,
                                                           cudaStream_t stream) {
    return ::cudaMallocFromPoolAsync((void**)(void*)p, size, pool, stream);
}
template <class T>
static inline __host__ cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
    return ::cudaHostGetDevicePointer((void**)(void*)device, host, flags);
}
template <class T>
static inline __host__ cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* p, size_t length = 0,
                                                            unsigned int flags = cudaMemAttachSingle) {
    return ::cudaStreamAttachMemAsync(stream, (void*)p, length, flags);
}

/* Symbols: a variable may be named itself, rather than its address. */
template <class T>
static inline __host__ cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* src, size_t count,
                                                      size_t offset = 0,
                                                      enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return ::cudaMemcpyToSymbol((const void*)&symbol, src, count, offset, kind);
}
template <class T>
static inline __host__ cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* src, size_t count,
                                                           size_t offset = 0,
                                                           enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                           cudaStream_t stream = 0) {
    return ::cudaMemcpyToSymbolAsync((const void*)&symbol, src, count, offset, kind, stream);
}
template <class T>
static inline __host__ cudaError_t cudaMemcpyFromSymbol(void* dst, const T& symbol, size_t count,
                                                        size_t offset = 0,
                                                        enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return ::cudaMemcpyFromSymbol(dst, (const void*)&symbol, count, offset, kind);
}
template <class T>
static inline __host__ cudaError_t
cudaMemcpyFromSymbolAsync(void* dst, const T& symbol, size_t count, size_t offset = 0,
                          enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
    return ::cudaMemcpyFromSymbolAsync(dst, (const void*)&symbol, count, offset, kind, stream);
}
template <class T>
static inline __host__ cudaError_t cudaGetSymbolAddress(void** p, const T& symbol) {
    return ::cudaGetSymbolAddress(p, (const void*)&symbol);
}
template <class T>
static inline __host__ cudaError_t cudaGetSymbolSize(size_t* size, const T& symbol) {
    return ::cudaGetSymbolSize(size, (const void*)&symbol);
}

/* Events */
static inline __host__ cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
    return ::cudaEventCreateWithFlags(event, flags);
}

/* Launches and functions */
template <class T>
static inline __host__ cudaError_t cudaLaunchKernel(T* func, dim3 grid, dim3 block, void** args,
                                                    size_t shared = 0, cudaStream_t stream = 0) {
    return ::cudaLaunchKernel((const void*)func, grid, block, args, shared, stream);
}
template <class T>
static inline __host__ cudaError_t cudaLaunchCooperativeKernel(T* func, dim3 grid, dim3 block, void** args,
                                                               size_t shared = 0, cudaStream_t stream = 0) {
    return ::cudaLaunchCooperativeKernel((const void*)func, grid, block, args, shared, stream);
}
#if __cplusplus >= 201103L
template <class... Expected, class... Actual>
static inline __host__ cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config,
                                                      void (*kernel)(Expected...), Actual&&... actual) {
    return [&](Expected... converted) {
        void* args[sizeof...(Expected) + 1] = {(void*)&converted...};
        return ::cudaLaunchKernelExC(config, (const void*)kernel, args);
    }(static_cast<Actual&&>(actual)...);
}
#endif
template <class T>
static inline __host__ cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, T* func) {
    return ::cudaFuncGetAttributes(attributes, (const void*)func);
}
template <class T>
static inline __host__ cudaError_t cudaFuncSetAttribute(T* func, enum cudaFuncAttribute attribute,
                                                        int value) {
    return ::cudaFuncSetAttribute((const void*)func, attribute, value);
}
template <class T>
static inline __host__ cudaError_t cudaFuncSetCacheConfig(T* func, enum cudaFuncCache config) {
    return ::cudaFuncSetCacheConfig((const void*)func, config);
}
template <class T>
static inline __host__ cudaError_t cudaFuncSetSharedMemConfig(T* func, enum cudaSharedMemConfig config) {
    return ::cudaFuncSetSharedMemConfig((const void*)func, config);
}
template <class T>
static inline __host__ cudaError_t cudaFuncGetName(const char** name, T* func) {
    return ::cudaFuncGetName(name, (const void*)func);
}

/* Occupancy */
template <class T>
static inline __host__ cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, T* func,
                                                                        const cudaLaunchConfig_t* config) {
    return ::cudaOccupancyMaxPotentialClusterSize(size, (const void*)func, config);
}
template <class T>
static inline __host__ cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, T* func,
                                                                  const cudaLaunchConfig_t* config) {
    return ::cudaOccupancyMaxActiveClusters(clusters, (const void*)func, config);
}
template <class T>
static inline __host__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T func,
                                                                                 int block_size,
                                                                                 size_t dynamic_shared) {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void*)func, block_size,
                                                           dynamic_shared);
}
template <class T>
static inline __host__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, T func, int block_size, size_t dynamic_shared, unsigned int flags) {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void*)func, block_size,
                                                                    dynamic_shared, flags);
}
template <class T>
static inline __host__ cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, T* func,
                                                                             int blocks, int block_size) {
    return ::cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void*)func, blocks, block_size);
}

/* Tries every multiple of the warp size, from the largest block down, and keeps the first that has most
 * threads an SM. */
template <class SharedOfBlock, class T>
static inline __host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int* min_grid_size, int* block_size, T func, SharedOfBlock shared_of_block, int block_size_limit = 0,
    unsigned int flags = 0) {
    if (!min_grid_size || !block_size || !func) return cudaErrorInvalidValue;
    int device = 0, sms = 0, warp = 0, device_limit = 0, threads_per_sm = 0;
    struct cudaFuncAttributes attributes;
    cudaError_t status = ::cudaGetDevice(&device);
    if (status == cudaSuccess)
        status = ::cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    if (status == cudaSuccess) status = ::cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
    if (status == cudaSuccess)
        status = ::cudaDeviceGetAttribute(&device_limit, cudaDevAttrMaxThreadsPerBlock, device);
    if (status == cudaSuccess)
        status = ::cudaDeviceGetAttribute(&threads_per_sm, cudaDevAttrMaxThreadsPerMultiProcessor, device);
    if (status == cudaSuccess) status = ::cudaFuncGetAttributes(&attributes, (const void*)func);
    if (status != cudaSuccess) return status;

    int limit = attributes.maxThreadsPerBlock < device_limit ? attributes.maxThreadsPerBlock : device_limit;
    if (block_size_limit > 0 && block_size_limit < limit) limit = block_size_limit;
    int best_threads = 0, best_block = 0, best_blocks = 0;
    for (int aligned = (limit + warp - 1) / warp * warp; aligned > 0; aligned -= warp) {
        int candidate = aligned < limit ? aligned : limit, blocks = 0;
        status = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
            &blocks, (const void*)func, candidate, shared_of_block(candidate), flags);
        if (status != cudaSuccess) return status;
        if (blocks * candidate > best_threads) {
            best_threads = blocks * candidate;
            best_block = candidate;
            best_blocks = blocks;
        }
        if (best_threads == threads_per_sm) break;
    }
    *min_grid_size = best_blocks * sms;
    *block_size = best_block;
    return cudaSuccess;
}
template <class SharedOfBlock, class T>
static inline __host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(
    int* min_grid_size, int* block_size, T func, SharedOfBlock shared_of_block, int block_size_limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        min_grid_size, block_size, func, shared_of_block, block_size_limit, cudaOccupancyDefault);
}
struct __lockstep_constant_shared {
    size_t bytes;
    __host__ size_t operator()(int) const { return bytes; }
};
template <class T>
static inline __host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* min_grid_size,
                                                                               int* block_size, T func,
                                                                               size_t dynamic_shared = 0,
                                                                               int block_size_limit = 0,
                                                                               unsigned int flags = 0) {
    __lockstep_constant_shared shared = {dynamic_shared};
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(min_grid_size, block_size, func, shared,
                                                                   block_size_limit, flags);
}
template <class T>
static inline __host__ cudaError_t cudaOccupancyMaxPotentialBlockSize(int* min_grid_size, int* block_size,
                                                                      T func, size_t dynamic_shared = 0,
                                                                      int block_size_limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeWithFlags(min_grid_size, block_size, func, dynamic_shared,
                                                       block_size_limit, cudaOccupancyDefault);
}

/* Small constructors */
static inline __host__ struct cudaPitchedPtr make_cudaPitchedPtr(void* p, size_t pitch, size_t xsize,
                                                                 size_t ysize) {
    struct cudaPitchedPtr r = {p, pitch, xsize, ysize};
    return r;
}
static inline __host__ struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
    struct cudaPos r = {x, y, z};
    return r;
}
static inline __host__ struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
    struct cudaExtent r = {width, height, depth};
    return r;
}

#endif
