// Reductions of vectors to one number, the same bits on every run: blocks leave partial results in memory,
// and one more block combines them in a fixed order. What is reduced is a struct with
//     Value, Result            what is combined, and what is given back
//     identity(), load(i), combine(a, b), finish(value)
#pragma once
#include "cublas/context.h"

namespace lockstep::cublas {

constexpr int reduce_threads = 256;
constexpr int reduce_blocks_most = 256;

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 300
template <class V>
__device__ V shuffle_down(V value, int offset) {
    static_assert(sizeof(V) % 4 == 0, "shuffles move words");
    int words[sizeof(V) / 4];
    memcpy(words, &value, sizeof(V));
#pragma unroll
    for (int& word : words) word = __shfl_down_sync(0xffffffffu, word, offset);
    memcpy(&value, words, sizeof(V));
    return value;
}
#endif

// (Steps are loops, not unrolled: a vector is read once, and then it is a few steps. What combines may be
// much code.)
//
// The value of the block's `reduce_threads` threads together, in thread 0. Generations differ in how lanes
// exchange values, not in the order of combining.
template <class Reduction>
__device__ typename Reduction::Value reduce_block(const Reduction& reduction,
                                                  typename Reduction::Value value) {
    using Value = typename Reduction::Value;
    constexpr int warps = reduce_threads / 32;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    __shared__ __align__(16) char memory[sizeof(Value) * reduce_threads];
    Value* shared = reinterpret_cast<Value*>(memory);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 300
#pragma unroll 1
    for (int offset = 16; offset > 0; offset /= 2)
        value = reduction.combine(value, shuffle_down(value, offset));
    if (lane == 0) shared[warp] = value;
    __syncthreads();
    if (warp == 0) {
        value = lane < warps ? shared[lane] : reduction.identity();
#pragma unroll 1
        for (int offset = warps / 2; offset > 0; offset /= 2)
            value = reduction.combine(value, shuffle_down(value, offset));
    }
#else
    shared[threadIdx.x] = value;
    __syncthreads();
#pragma unroll 1
    for (int offset = 16; offset > 0; offset /= 2) {
        if (lane < offset)
            shared[threadIdx.x] = reduction.combine(shared[threadIdx.x], shared[threadIdx.x + offset]);
        __syncthreads();
    }
#pragma unroll 1
    for (int offset = warps / 2; offset > 0; offset /= 2) {
        if (lane == 0 && warp < offset)
            shared[threadIdx.x] = reduction.combine(shared[threadIdx.x], shared[threadIdx.x + offset * 32]);
        __syncthreads();
    }
    value = shared[0];
#endif
    return value;
}

// One block: gives the result. Several: each leaves its part.
template <class Reduction>
__global__ void reduce_blocks(Reduction reduction, int n, typename Reduction::Value* partial,
                              typename Reduction::Result* result) {
    auto value = reduction.identity();
    const long long stride = static_cast<long long>(gridDim.x) * reduce_threads;
    for (long long i = blockIdx.x * static_cast<long long>(reduce_threads) + threadIdx.x; i < n; i += stride)
        value = reduction.combine(value, reduction.load(static_cast<int>(i)));
    value = reduce_block(reduction, value);
    if (threadIdx.x != 0) return;
    if (gridDim.x == 1)
        *result = reduction.finish(value);
    else
        partial[blockIdx.x] = value;
}

template <class Reduction>
__global__ void reduce_partials(Reduction reduction, int blocks, const typename Reduction::Value* partial,
                                typename Reduction::Result* result) {
    auto value = reduction.identity();
    for (int i = threadIdx.x; i < blocks; i += reduce_threads) value = reduction.combine(value, partial[i]);
    value = reduce_block(reduction, value);
    if (threadIdx.x == 0) *result = reduction.finish(value);
}

template <class Reduction>
Status reduce(cublasHandle_t handle, const Reduction& reduction, int n, typename Reduction::Result* result) {
    using Value = typename Reduction::Value;
    constexpr std::size_t header = 256;  // the result, where the host gets it
    auto* memory = static_cast<char*>(workspace(handle, header + reduce_blocks_most * sizeof(Value)));
    if (!memory) return CUBLAS_STATUS_ALLOC_FAILED;
    auto* partial = reinterpret_cast<Value*>(memory + header);
    // Several elements a thread: fewer parts to combine.
    const int blocks = blocks_for(n, reduce_threads * 4, reduce_blocks_most);
    return give_result(handle, result, memory, [&](typename Reduction::Result* out) {
        LOCKSTEP_TRY(
            launch(handle, reduce_blocks<Reduction>, blocks, reduce_threads, reduction, n, partial, out));
        if (blocks == 1) return CUBLAS_STATUS_SUCCESS;
        return launch(handle, reduce_partials<Reduction>, 1, reduce_threads, reduction, blocks, partial, out);
    });
}

}  // namespace lockstep::cublas
