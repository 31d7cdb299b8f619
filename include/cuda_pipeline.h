/* nvcuda::experimental::pipeline: copies to shared memory in batches. */
#ifndef LOCKSTEP_CUDA_PIPELINE_H
#define LOCKSTEP_CUDA_PIPELINE_H
#define _CUDA_PIPELINE_H_
#include "cuda_pipeline_primitives.h"

#if defined(__CUDA__) && defined(__cplusplus)
#if LOCKSTEP_ARCH >= 700
#include "cuda_awbarrier.h"
#endif
#include <type_traits>

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
namespace nvcuda {
namespace experimental {

class pipeline {
  public:
    __device__ __forceinline__ pipeline() : batches_(0) {}
    pipeline(const pipeline&) = delete;
    pipeline& operator=(const pipeline&) = delete;

    __device__ __forceinline__ size_t commit() {
        __pipeline_commit();
        return batches_++;
    }
    __device__ __forceinline__ void commit_and_wait() {
        commit();
        __pipeline_wait_prior(0);
    }
    __device__ __forceinline__ void wait(size_t batch) {
        __pipeline_wait_prior(batches_ > batch + 1 ? batches_ - batch - 1 : 0);
    }
    template <unsigned N>
    __device__ __forceinline__ void wait_prior() {
        __pipeline_wait_prior(N);
    }
#if LOCKSTEP_ARCH >= 700
    __device__ __forceinline__ void arrive_on(awbarrier& barrier) { __pipeline_arrive_on(&barrier.barrier_); }
#endif

  private:
    size_t batches_;
};

namespace lockstep_pipeline {

/* Only from global to shared memory there are such copies; all others are done at once. */
__device__ __forceinline__ void copy(void* to, const void* from, size_t bytes, size_t zeros = 0) {
    if (__isShared(to) && __isGlobal(from)) return __pipeline_memcpy_async(to, from, bytes, zeros);
    for (size_t i = 0; i < bytes; ++i)
        static_cast<char*>(to)[i] = i < bytes - zeros ? static_cast<const char*>(from)[i] : 0;
}
template <size_t Size, size_t Align>
__device__ __forceinline__ void copy_value(char* to, const char* from) {
    constexpr size_t step = Align >= 16 ? 16 : Align;
    for (size_t i = 0; i < Size; i += step) {
        if (step >= 4)
            copy(to + i, from + i, step);
        else
            __builtin_memcpy(__builtin_assume_aligned(to + i, step), __builtin_assume_aligned(from + i, step),
                             step);
    }
}

}  // namespace lockstep_pipeline

template <class T>
__device__ __forceinline__ void memcpy_async(T& dst, const T& src, pipeline&) {
    static_assert(std::is_trivially_copyable<T>::value, "only trivially copyable values are copied so");
    lockstep_pipeline::copy_value<sizeof(T), alignof(T)>(reinterpret_cast<char*>(&dst),
                                                         reinterpret_cast<const char*>(&src));
}

template <size_t N, class T>
__device__ __forceinline__ auto segment(T* pointer) -> T (*)[N] {
    return reinterpret_cast<T(*)[N]>(pointer);
}
template <class T, size_t DstN, size_t SrcN>
__device__ __forceinline__ void memcpy_async(T (*dst)[DstN], const T (*src)[SrcN], pipeline&) {
    static_assert(std::is_trivially_copyable<T>::value, "only trivially copyable values are copied so");
    static_assert(sizeof(*dst) == 4 || sizeof(*dst) == 8 || sizeof(*dst) == 16,
                  "4, 8 or 16 bytes are copied");
    static_assert(sizeof(*src) <= sizeof(*dst), "the source is larger than the destination");
    lockstep_pipeline::copy(*dst, *src, sizeof(*dst), sizeof(*dst) - sizeof(*src));
}

}  // namespace experimental
}  // namespace nvcuda
#pragma clang attribute pop
#endif
#endif
