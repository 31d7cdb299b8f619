// Shared memory: how many wavefronts does one load or store take?
#include "probe.h"

// A store and a load in which neighbouring lanes are S elements apart.
#define STRIDE(V, S)                       \
    KERNEL(V, stride_##V##_##S) {          \
        __shared__ V tile[32 * S];         \
        const int lane = threadIdx.x % 32; \
        tile[lane * S] = in[lane];         \
        __syncthreads();                   \
        out[GID] = tile[(31 - lane) * S];  \
    }
#define STRIDES(V) \
    STRIDE(V, 1) STRIDE(V, 2) STRIDE(V, 4) STRIDE(V, 8) STRIDE(V, 16) STRIDE(V, 32) STRIDE(V, 33)
STRIDES(int)
STRIDES(int2)
STRIDES(int4)
STRIDE(int, 3)
STRIDE(int2, 3)
STRIDE(int4, 3)
STRIDE(int, 24)
STRIDES(char)
STRIDES(short)

// The same with an index of any kind; the store goes to lane order first, so that only the load asks.
#define LOAD(V, name, index)                                                  \
    KERNEL(V, load_##V##_##name) {                                            \
        __shared__ V tile[1024];                                              \
        for (int i = threadIdx.x; i < 1024; i += blockDim.x) tile[i] = in[i]; \
        __syncthreads();                                                      \
        const int lane = threadIdx.x % 32;                                    \
        out[GID] = tile[index];                                               \
    }
LOAD(int, one_word, 5)
LOAD(int, word_of_parameter, n)
LOAD(int, two_words_of_a_bank, lane % 2 * 32)
LOAD(int, two_words_of_two_banks, lane % 2)
LOAD(int, pairs, lane / 2)
LOAD(int, pairs_stride_2, lane / 2 * 2)
LOAD(int, pairs_stride_32, lane / 2 * 32)
LOAD(int, halves_same, lane % 16)
LOAD(int, halves_conflict, lane % 16 + lane / 16 * 32)
LOAD(int, reversed, 31 - lane)
LOAD(int, scrambled, (lane * 37 + lane * lane * 11) % 1024)
LOAD(int, rotated, (lane + 5) % 32)
LOAD(int2, one_word, 5)
LOAD(int2, pairs, lane / 2)
LOAD(int2, halves_same, lane % 16)
LOAD(int2, halves_conflict, lane % 16 + lane / 16 * 16)
LOAD(int2, halves_far, lane % 16 + lane / 16 * 512)
LOAD(int2, even_odd, lane % 2 * 16 + lane / 2)
LOAD(int2, stride_2_in_halves, lane % 16 * 2 + lane / 16)
LOAD(int2, two_of_a_bank, lane % 2 * 16)
LOAD(int2, scrambled, (lane * 37 + lane * lane * 11) % 1024)
LOAD(int4, one_word, 5)
LOAD(int4, pairs, lane / 2)
LOAD(int4, quarters_same, lane % 8)
LOAD(int4, quarters_far, lane % 8 + lane / 8 * 128)
LOAD(int4, halves_same, lane % 16)
LOAD(int4, two_of_a_bank, lane % 2 * 8)
LOAD(int4, even_odd, lane % 2 * 16 + lane / 2)
LOAD(int4, scrambled, (lane * 37 + lane * lane * 11) % 1024)
LOAD(char, one_byte, 5)
LOAD(char, stride_4, lane * 4)
LOAD(char, two_words_of_a_bank, lane % 2 * 128)
LOAD(short, two_words_of_a_bank, lane % 2 * 64)
LOAD(double, lane, lane)

// Only some lanes load and store.
#define SOME(V, name, condition, index)                                       \
    KERNEL(V, some_##V##_##name) {                                            \
        __shared__ V tile[1024];                                              \
        for (int i = threadIdx.x; i < 1024; i += blockDim.x) tile[i] = in[i]; \
        __syncthreads();                                                      \
        const int lane = threadIdx.x % 32;                                    \
        if (condition) out[GID] = tile[index];                                \
    }
SOME(int, low, lane < 16, lane)
SOME(int, even, lane % 2 == 0, lane)
SOME(int, even_stride_2, lane % 2 == 0, lane * 2)
SOME(int, low_stride_2, lane < 16, lane * 2)
SOME(int, four_stride_32, lane < 4, lane * 32)
SOME(int, first, lane == 0, lane)
SOME(int2, low, lane < 16, lane)
SOME(int2, even, lane % 2 == 0, lane)
SOME(int2, even_stride_2, lane % 2 == 0, lane * 2)
SOME(int2, middle, lane >= 8 && lane < 24, lane)
SOME(int2, first, lane == 0, lane)
SOME(int2, first_of_halves, lane % 16 == 0, lane)
SOME(int2, eight, lane < 8, lane)
SOME(int4, low, lane < 16, lane)
SOME(int4, eight, lane < 8, lane)
SOME(int4, even, lane % 2 == 0, lane)
SOME(int4, every_fourth, lane % 4 == 0, lane)
SOME(int4, first, lane == 0, lane)
SOME(int4, first_of_quarters, lane % 8 == 0, lane)

#define STORE(V, name, condition, index)                                       \
    KERNEL(V, store_##V##_##name) {                                            \
        __shared__ V tile[1024];                                               \
        for (int i = threadIdx.x; i < 1024; i += blockDim.x) tile[i] = in[i];  \
        __syncthreads();                                                       \
        const int lane = threadIdx.x % 32;                                     \
        if (threadIdx.x < 32 && (condition)) tile[index] = in[2048];           \
        __syncthreads();                                                       \
        for (int i = threadIdx.x; i < 1024; i += blockDim.x) out[i] = tile[i]; \
    }
STORE(int, one_word, true, 5)
STORE(int, pairs, true, lane / 2)
STORE(int, two_of_a_bank, true, lane % 2 * 32)
STORE(int, even, lane % 2 == 0, lane)
STORE(int, first, lane == 0, lane)
STORE(int2, one_word, true, 5)
STORE(int2, halves_same, true, lane % 16)
STORE(int2, low, lane < 16, lane)
STORE(int2, even, lane % 2 == 0, lane)
STORE(int4, one_word, true, 5)
STORE(int4, eight, lane < 8, lane)
STORE(int4, every_fourth, lane % 4 == 0, lane)
STORE(int4, quarters_same, true, lane % 8)
STORE(char, one_byte, true, 5)
STORE(char, lane, true, lane)
STORE(short, stride_2, true, lane * 2)

#define ATOMIC(T, name, statement)                                             \
    KERNEL(T, atomic_##T##_##name) {                                           \
        __shared__ T tile[1024];                                               \
        for (int i = threadIdx.x; i < 1024; i += blockDim.x) tile[i] = 0;      \
        __syncthreads();                                                       \
        const int lane = threadIdx.x % 32;                                     \
        const T value = in[lane];                                              \
        statement;                                                             \
        __syncthreads();                                                       \
        for (int i = threadIdx.x; i < 1024; i += blockDim.x) out[i] = tile[i]; \
    }
ATOMIC(int, add_one_address, atomicAdd(&tile[5], value))
ATOMIC(int, add_constant, atomicAdd(&tile[5], 1))
ATOMIC(int, add_lanes, atomicAdd(&tile[lane], value))
ATOMIC(int, add_pairs, atomicAdd(&tile[lane / 2], value))
ATOMIC(int, add_four, atomicAdd(&tile[lane % 4], value))
ATOMIC(int, add_stride_32, atomicAdd(&tile[lane * 32], value))
ATOMIC(int, add_threads, atomicAdd(&tile[threadIdx.x], value))
ATOMIC(int, add_result, out[2048 + GID] = atomicAdd(&tile[lane], value) >= 0)
ATOMIC(int, add_one_result, out[2048 + GID] = atomicAdd(&tile[5], value) >= 0)
ATOMIC(int, max_lanes, atomicMax(&tile[lane], value))
ATOMIC(int, max_one, atomicMax(&tile[5], value))
ATOMIC(int, or_lanes, atomicOr(&tile[lane], value))
ATOMIC(int, exchange, atomicExch(&tile[threadIdx.x], value))
ATOMIC(int, compare_swap, atomicCAS(&tile[threadIdx.x], 0, value))
ATOMIC(unsigned, inc_lanes, atomicInc(&tile[lane], 100))
ATOMIC(float, add_lanes, atomicAdd(&tile[threadIdx.x], value))
ATOMIC(float, add_one_address, atomicAdd(&tile[5], 1.0f))
ATOMIC(double, add_lanes, atomicAdd(&tile[threadIdx.x], value))
typedef unsigned long long u64;
ATOMIC(u64, add_lanes, atomicAdd(&tile[lane], value))

int main() {
    for (auto& probe : probes()) probe();
}
