// Products of matrices by tensor cores as programs write them: wmma from global and from shared memory,
// mma.sync fed by ldmatrix, with and without cp.async and bank conflicts, in other types, and a block of
// attention.
#include <mma.h>

#include "tensor.h"

namespace wmma = nvcuda::wmma;

// C = A B, all row by row. Each warp has a tile of 16 x 16.
__global__ void wmma_global(const __half* A, const __half* B, float* C, int N, int K) {
    const int warp = threadIdx.x / 32;
    const int row = (blockIdx.y * 2 + warp / 2) * 16, column = (blockIdx.x * 2 + warp % 2) * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
    wmma::fill_fragment(c, 0.0f);
    for (int k = 0; k < K; k += 16) {
        wmma::load_matrix_sync(a, A + row * K + k, K);
        wmma::load_matrix_sync(b, B + k * N + column, N);
        wmma::mma_sync(c, a, b, c);
    }
    wmma::store_matrix_sync(C + row * N + column, c, N, wmma::mem_row_major);
}

// Blocks of 64 x 64 through shared memory; a warp has 32 x 32.
template <class T, class Sum>
__global__ void wmma_tiled(const T* A, const T* B, Sum* C, int N, int K) {
    constexpr int depth = 32, pad = 16 / sizeof(T), piece = 16 / sizeof(T);
    __shared__ __align__(32) T a_tile[64][depth + pad], b_tile[depth][64 + pad];
    const int warp = threadIdx.x / 32, row = blockIdx.y * 64, column = blockIdx.x * 64;
    wmma::fragment<wmma::accumulator, 16, 16, 16, Sum> c[2][2];
    for (auto& line : c)
        for (auto& one : line) wmma::fill_fragment(one, Sum(0));
    for (int k = 0; k < K; k += depth) {
        for (int i = threadIdx.x * piece; i < 64 * depth; i += blockDim.x * piece) {
            const int r = i / depth, s = i % depth;
            *reinterpret_cast<uint4*>(&a_tile[r][s]) =
                *reinterpret_cast<const uint4*>(A + (row + r) * K + k + s);
            const int t = i / 64, u = i % 64;
            *reinterpret_cast<uint4*>(&b_tile[t][u]) =
                *reinterpret_cast<const uint4*>(B + (k + t) * N + column + u);
        }
        __syncthreads();
        for (int s = 0; s < depth; s += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::row_major> a[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, T, wmma::row_major> b[2];
            for (int i = 0; i < 2; ++i) {
                wmma::load_matrix_sync(a[i], &a_tile[warp / 2 * 32 + i * 16][s], depth + pad);
                wmma::load_matrix_sync(b[i], &b_tile[s][warp % 2 * 32 + i * 16], 64 + pad);
            }
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 2; ++j) wmma::mma_sync(c[i][j], a[i], b[j], c[i][j]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            wmma::store_matrix_sync(C + (row + warp / 2 * 32 + i * 16) * N + column + warp % 2 * 32 + j * 16,
                                    c[i][j], N, wmma::mem_row_major);
}

// ---- mma.sync: blocks of 128 x 128, eight warps of 64 x 32. B is stored by columns.

constexpr int tile = 128, depth = 32;

template <int Pad>
struct Stage {
    __half a[tile][depth + Pad], b[tile][depth + Pad];
};

template <int Pad>
__device__ void multiply(const Stage<Pad>& stage, float (&d)[4][4][4]) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int row = warp / 4 * 64, column = warp % 4 * 32;
#pragma unroll
    for (int k = 0; k < depth; k += 16) {
        std::uint32_t a[4][4], b[2][4];
#pragma unroll
        for (int i = 0; i < 4; ++i)
            load_matrices(a[i], &stage.a[row + i * 16 + lane % 16][k + lane / 16 * 8]);
#pragma unroll
        for (int j = 0; j < 2; ++j)
            load_matrices(b[j], &stage.b[column + j * 16 + lane % 8 + lane / 16 * 8][k + lane / 8 % 2 * 8]);
#pragma unroll
        for (int i = 0; i < 4; ++i)
#pragma unroll
            for (int j = 0; j < 4; ++j) mma_f16(d[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
    }
}

__device__ void store_sums(float* C, int N, const float (&d)[4][4][4]) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int row = blockIdx.y * tile + warp / 4 * 64 + lane / 4;
    const int column = blockIdx.x * tile + warp % 4 * 32 + lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
#pragma unroll
            for (int h = 0; h < 2; ++h)
                *reinterpret_cast<float2*>(C + (row + i * 16 + h * 8) * N + column + j * 8) =
                    make_float2(d[i][j][h * 2], d[i][j][h * 2 + 1]);
}

template <int Pad>
__global__ void mma_tiled(const __half* A, const __half* B, float* C, int N, int K) {
    __shared__ __align__(16) Stage<Pad> stage;
    float d[4][4][4] = {};
    const __half *from_a = A + blockIdx.y * tile * K, *from_b = B + blockIdx.x * tile * K;
    for (int k = 0; k < K; k += depth) {
#pragma unroll
        for (int i = threadIdx.x; i < tile * depth / 8; i += 256) {
            const int r = i / (depth / 8), s = i % (depth / 8) * 8;
            *reinterpret_cast<uint4*>(&stage.a[r][s]) =
                *reinterpret_cast<const uint4*>(from_a + r * K + k + s);
            *reinterpret_cast<uint4*>(&stage.b[r][s]) =
                *reinterpret_cast<const uint4*>(from_b + r * K + k + s);
        }
        __syncthreads();
        multiply(stage, d);
        __syncthreads();
    }
    store_sums(C, N, d);
}

// The same with two stages that are filled while others are multiplied.
__global__ void mma_cp_async(const __half* A, const __half* B, float* C, int N, int K) {
    extern __shared__ __align__(16) char memory[];
    auto* stages = reinterpret_cast<Stage<8>*>(memory);
    constexpr int count = 3;
    float d[4][4][4] = {};
    const __half *from_a = A + blockIdx.y * tile * K, *from_b = B + blockIdx.x * tile * K;
    const auto fill = [&](int k) {
        if (k < K) {
            Stage<8>& stage = stages[k / depth % count];
#pragma unroll
            for (int i = threadIdx.x; i < tile * depth / 8; i += 256) {
                const int r = i / (depth / 8), s = i % (depth / 8) * 8;
                asm volatile(
                    "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(&stage.a[r][s])),
                    "l"(from_a + r * K + k + s));
                asm volatile(
                    "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(&stage.b[r][s])),
                    "l"(from_b + r * K + k + s));
            }
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
    };
    fill(0);
    fill(depth);
    for (int k = 0; k < K; k += depth) {
        asm volatile("cp.async.wait_group 1;" ::: "memory");
        __syncthreads();
        fill(k + 2 * depth);
        multiply(stages[k / depth % count], d);
    }
    store_sums(C, N, d);
}

// ---- other types: blocks of 64 x 64, four warps of 32 x 32, words of shared memory straight into registers.
// A row of A, or a column of B, has `words` words of 4 bytes in all.

template <class Sum, void (*Product)(Sum (&)[4], const std::uint32_t (&)[4], std::uint32_t, std::uint32_t)>
__device__ void multiply_words(const std::uint32_t* A, const std::uint32_t* B, Sum* C, int N, int words) {
    __shared__ std::uint32_t a_tile[64][20], b_tile[64][20];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int row = warp / 2 * 32 + lane / 4, column = warp % 2 * 32 + lane / 4;
    Sum d[2][4][4] = {};
    for (int k = 0; k < words; k += 16) {
        for (int i = threadIdx.x; i < 64 * 4; i += 128) {
            const int r = i / 4, s = i % 4 * 4;
            *reinterpret_cast<uint4*>(&a_tile[r][s]) =
                *reinterpret_cast<const uint4*>(A + (blockIdx.y * 64 + r) * words + k + s);
            *reinterpret_cast<uint4*>(&b_tile[r][s]) =
                *reinterpret_cast<const uint4*>(B + (blockIdx.x * 64 + r) * words + k + s);
        }
        __syncthreads();
#pragma unroll
        for (int s = lane % 4; s < 16; s += 8) {
            std::uint32_t a[2][4], b[4][2];
#pragma unroll
            for (int i = 0; i < 2; ++i)
#pragma unroll
                for (int r = 0; r < 4; ++r) a[i][r] = a_tile[row + i * 16 + r % 2 * 8][s + r / 2 * 4];
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                b[j][0] = b_tile[column + j * 8][s];
                b[j][1] = b_tile[column + j * 8][s + 4];
            }
#pragma unroll
            for (int i = 0; i < 2; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j) Product(d[i][j], a[i], b[j][0], b[j][1]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
            for (int e = 0; e < 4; ++e)
                C[(blockIdx.y * 64 + row + i * 16 + e / 2 * 8) * N + blockIdx.x * 64 + warp % 2 * 32 + j * 8 +
                  lane % 4 * 2 + e % 2] = d[i][j][e];
}
__global__ void mma_tf32_tiled(const std::uint32_t* A, const std::uint32_t* B, float* C, int N, int words) {
    multiply_words<float, mma_tf32>(A, B, C, N, words);
}
__global__ void mma_bf16_tiled(const std::uint32_t* A, const std::uint32_t* B, float* C, int N, int words) {
    multiply_words<float, mma_bf16>(A, B, C, N, words);
}
__global__ void mma_s8_tiled(const std::uint32_t* A, const std::uint32_t* B, int* C, int N, int words) {
    multiply_words<int, mma_s8>(A, B, C, N, words);
}

__global__ void mma_f64_tiled(const double* A, const double* B, double* C, int N, int K) {
    __shared__ double a_tile[32][20], b_tile[32][20];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int row = warp / 2 * 16 + lane / 4, column = warp % 2 * 16 + lane / 4;
    double d[2][2][2] = {};
    for (int k = 0; k < K; k += 16) {
        for (int i = threadIdx.x; i < 32 * 16; i += 128) {
            a_tile[i / 16][i % 16] = A[(blockIdx.y * 32 + i / 16) * K + k + i % 16];
            b_tile[i / 16][i % 16] = B[(blockIdx.x * 32 + i / 16) * K + k + i % 16];
        }
        __syncthreads();
#pragma unroll
        for (int s = lane % 4; s < 16; s += 4)
#pragma unroll
            for (int i = 0; i < 2; ++i)
#pragma unroll
                for (int j = 0; j < 2; ++j)
                    mma_f64(d[i][j], a_tile[row + i * 8][s], b_tile[column + j * 8][s]);
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            for (int e = 0; e < 2; ++e)
                C[(blockIdx.y * 32 + row + i * 8) * N + blockIdx.x * 32 + warp % 2 * 16 + j * 8 +
                  lane % 4 * 2 + e] = d[i][j][e];
}

// ---- attention: 64 queries a block, 16 a warp, of 64 elements; keys and values 64 at a time.

__global__ void attention(const __half* Q, const __half* K, const __half* V, float* O, int keys) {
    __shared__ __align__(16) __half k_tile[64][72], v_tile[64][72];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int query = blockIdx.x * 64 + warp * 16 + lane / 4;
    std::uint32_t q[4][4];
#pragma unroll
    for (int k = 0; k < 4; ++k)
#pragma unroll
        for (int r = 0; r < 4; ++r)
            q[k][r] = *reinterpret_cast<const std::uint32_t*>(Q + (query + r % 2 * 8) * 64 + k * 16 +
                                                              r / 2 * 8 + lane % 4 * 2);
    float o[8][4] = {}, most[2] = {-1e30f, -1e30f}, sum[2] = {};
    for (int block = 0; block < keys; block += 64) {
        __syncthreads();
        for (int i = threadIdx.x; i < 64 * 8; i += 128) {
            const int r = i / 8, s = i % 8 * 8;
            *reinterpret_cast<uint4*>(&k_tile[r][s]) =
                *reinterpret_cast<const uint4*>(K + (block + r) * 64 + s);
            *reinterpret_cast<uint4*>(&v_tile[r][s]) =
                *reinterpret_cast<const uint4*>(V + (block + r) * 64 + s);
        }
        __syncthreads();
        float s[8][4] = {};
#pragma unroll
        for (int k = 0; k < 4; ++k)
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                std::uint32_t b[4];
                load_matrices(b, &k_tile[j * 16 + lane % 8 + lane / 16 * 8][k * 16 + lane / 8 % 2 * 8]);
                mma_f16(s[j * 2], q[k], b[0], b[1]);
                mma_f16(s[j * 2 + 1], q[k], b[2], b[3]);
            }
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            float next = most[h];
#pragma unroll
            for (int j = 0; j < 8; ++j) next = fmaxf(next, fmaxf(s[j][h * 2], s[j][h * 2 + 1]));
            next = fmaxf(next, __shfl_xor_sync(~0u, next, 1));
            next = fmaxf(next, __shfl_xor_sync(~0u, next, 2));
            const float scale = exp2f(most[h] - next);
            most[h] = next;
            sum[h] *= scale;
#pragma unroll
            for (int j = 0; j < 8; ++j)
#pragma unroll
                for (int e = h * 2; e < h * 2 + 2; ++e) {
                    s[j][e] = exp2f(s[j][e] - next);
                    sum[h] += s[j][e];
                    o[j][e] *= scale;
                }
        }
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            std::uint32_t p[4];
#pragma unroll
            for (int r = 0; r < 4; ++r) {
                const __half2 pair =
                    __floats2half2_rn(s[k * 2 + r / 2][r % 2 * 2], s[k * 2 + r / 2][r % 2 * 2 + 1]);
                p[r] = *reinterpret_cast<const std::uint32_t*>(&pair);
            }
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                std::uint32_t b[4];
                load_turned(b, &v_tile[k * 16 + lane % 16][j * 16 + lane / 16 * 8]);
                mma_f16(o[j * 2], p, b[0], b[1]);
                mma_f16(o[j * 2 + 1], p, b[2], b[3]);
            }
        }
    }
#pragma unroll
    for (int h = 0; h < 2; ++h) {
        sum[h] += __shfl_xor_sync(~0u, sum[h], 1);
        sum[h] += __shfl_xor_sync(~0u, sum[h], 2);
#pragma unroll
        for (int j = 0; j < 8; ++j)
            *reinterpret_cast<float2*>(O + (query + h * 8) * 64 + j * 8 + lane % 4 * 2) =
                make_float2(o[j][h * 2] / sum[h], o[j][h * 2 + 1] / sum[h]);
    }
}

int main() {
    const auto halves = small_numbers<__half>(256 * 512, 1);
    const __half *a = to_device(halves), *b = to_device(small_numbers<__half>(256 * 512, 99));
    const auto bytes = small_numbers<signed char>(64 * 1024, 5);
    const auto doubles = small_numbers<double>(64 * 256, 7);
    const auto floats = small_numbers<float>(64 * 512, 8);
    const auto brains = small_numbers<__nv_bfloat16>(64 * 512, 8);
    float* c;
    CHECK(cudaMalloc(&c, 256 * 256 * 8));
    const auto words = [](auto* p) { return reinterpret_cast<const std::uint32_t*>(p); };

    wmma_global<<<dim3(4, 4), 128>>>(a, b, c, 128, 256);
    print_hash("wmma_global", c, 128 * 128);
    wmma_tiled<__half, float><<<dim3(2, 2), 128>>>(a, b, c, 128, 512);
    print_hash("wmma_tiled f16", c, 128 * 128);
    auto* s8 = to_device(bytes);
    auto* sums = reinterpret_cast<int*>(c);
    wmma_tiled<signed char, int><<<dim3(1, 1), 128>>>(s8, s8, sums, 64, 1024);
    print_hash("wmma_tiled s8", sums, 64 * 64);
    mma_tiled<8><<<dim3(2, 1), 256>>>(a, b, c, 256, 512);
    print_hash("mma_tiled", c, 128 * 256);
    mma_tiled<0><<<dim3(2, 1), 256>>>(a, b, c, 256, 512);
    print_hash("mma_tiled conflicts", c, 128 * 256);
    const int memory = 3 * sizeof(Stage<8>);
    CHECK(cudaFuncSetAttribute(mma_cp_async, cudaFuncAttributeMaxDynamicSharedMemorySize, memory));
    mma_cp_async<<<dim3(2, 2), 256, memory>>>(a, b, c, 256, 512);
    print_hash("mma_cp_async", c, 256 * 256);
    auto* tf32 = to_device(floats);
    mma_tf32_tiled<<<dim3(1, 1), 128>>>(words(tf32), words(tf32), c, 64, 512);
    print_hash("mma_tf32_tiled", c, 64 * 64);
    auto* bf16 = to_device(brains);
    mma_bf16_tiled<<<dim3(1, 1), 128>>>(words(bf16), words(bf16), c, 64, 256);
    print_hash("mma_bf16_tiled", c, 64 * 64);
    mma_s8_tiled<<<dim3(1, 1), 128>>>(words(s8), words(s8), sums, 64, 256);
    print_hash("mma_s8_tiled", sums, 64 * 64);
    auto* f64 = to_device(doubles);
    mma_f64_tiled<<<dim3(2, 2), 128>>>(f64, f64, reinterpret_cast<double*>(c), 64, 256);
    print_hash("mma_f64_tiled", reinterpret_cast<double*>(c), 64 * 64);
    attention<<<4, 128>>>(a, b, b + 1024, c, 512);
    print_hash("attention", c, 256 * 64);
}
