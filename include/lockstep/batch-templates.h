/* The C++ side of batch-api.h: pointers to any type, one attribute or place for all, and the shape that
 * CUDA 13 has given to CUDA 12's copies. */
#ifndef LOCKSTEP_BATCH_TEMPLATES_H
#define LOCKSTEP_BATCH_TEMPLATES_H
#include "cuda_runtime_api.h"

template <class T, class U>
static inline __host__ cudaError_t cudaMemcpyBatchAsync(T* const* dsts, U* const* srcs, const size_t* sizes,
                                                        size_t count, struct cudaMemcpyAttributes* attrs,
                                                        size_t* attrsIdxs, size_t numAttrs, size_t* failIdx,
                                                        cudaStream_t stream) {
    return ::cudaMemcpyBatchAsync((void**)dsts, (void**)srcs, (size_t*)sizes, count, attrs, attrsIdxs,
                                  numAttrs, failIdx, stream);
}
template <class T, class U>
static inline __host__ cudaError_t cudaMemcpyBatchAsync(T* const* dsts, U* const* srcs, const size_t* sizes,
                                                        size_t count, struct cudaMemcpyAttributes* attrs,
                                                        size_t* attrsIdxs, size_t numAttrs,
                                                        cudaStream_t stream) {
    return cudaMemcpyBatchAsync(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, (size_t*)0, stream);
}
template <class T, class U>
static inline __host__ cudaError_t cudaMemcpyBatchAsync(T* const* dsts, U* const* srcs, const size_t* sizes,
                                                        size_t count, struct cudaMemcpyAttributes attributes,
                                                        size_t* failIdx, cudaStream_t stream) {
    size_t first = 0;
    return cudaMemcpyBatchAsync(dsts, srcs, sizes, count, &attributes, &first, 1, failIdx, stream);
}
template <class T, class U>
static inline __host__ cudaError_t cudaMemcpyBatchAsync(T* const* dsts, U* const* srcs, const size_t* sizes,
                                                        size_t count, struct cudaMemcpyAttributes attributes,
                                                        cudaStream_t stream) {
    return cudaMemcpyBatchAsync(dsts, srcs, sizes, count, attributes, (size_t*)0, stream);
}
static inline __host__ cudaError_t cudaMemcpy3DBatchAsync(size_t numOps, struct cudaMemcpy3DBatchOp* opList,
                                                          unsigned long long flags, cudaStream_t stream) {
    return ::cudaMemcpy3DBatchAsync(numOps, opList, 0, flags, stream);
}
template <class T>
static inline __host__ cudaError_t cudaMemPrefetchBatchAsync(T** dptrs, size_t* sizes, size_t count,
                                                             struct cudaMemLocation location,
                                                             unsigned long long flags, cudaStream_t stream) {
    size_t first = 0;
    return ::cudaMemPrefetchBatchAsync((void**)dptrs, sizes, count, &location, &first, 1, flags, stream);
}
template <class T>
static inline __host__ cudaError_t cudaMemPrefetchBatchAsync(T** dptrs, size_t* sizes, size_t count,
                                                             struct cudaMemLocation* locations,
                                                             size_t* firsts, size_t number,
                                                             unsigned long long flags, cudaStream_t stream) {
    return ::cudaMemPrefetchBatchAsync((void**)dptrs, sizes, count, locations, firsts, number, flags, stream);
}
template <class T>
static inline __host__ cudaError_t cudaMemDiscardBatchAsync(T** dptrs, size_t* sizes, size_t count,
                                                            unsigned long long flags, cudaStream_t stream) {
    return ::cudaMemDiscardBatchAsync((void**)dptrs, sizes, count, flags, stream);
}
template <class T>
static inline __host__ cudaError_t cudaMemDiscardAndPrefetchBatchAsync(T** dptrs, size_t* sizes, size_t count,
                                                                       struct cudaMemLocation location,
                                                                       unsigned long long flags,
                                                                       cudaStream_t stream) {
    size_t first = 0;
    return ::cudaMemDiscardAndPrefetchBatchAsync((void**)dptrs, sizes, count, &location, &first, 1, flags,
                                                 stream);
}
template <class T>
static inline __host__ cudaError_t cudaMemDiscardAndPrefetchBatchAsync(T** dptrs, size_t* sizes, size_t count,
                                                                       struct cudaMemLocation* locations,
                                                                       size_t* firsts, size_t number,
                                                                       unsigned long long flags,
                                                                       cudaStream_t stream) {
    return ::cudaMemDiscardAndPrefetchBatchAsync((void**)dptrs, sizes, count, locations, firsts, number,
                                                 flags, stream);
}
#endif
