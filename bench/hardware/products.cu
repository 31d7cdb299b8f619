// Other products by tensor cores, and by plain arithmetic through shared memory, than those of
// tests/validation/programs, whose header it takes: for who looks for causes.
#include <mma.h>

#include "tensor.h"
namespace wmma = nvcuda::wmma;
template <class T, class Sum, int M, int N_, int Kt, class LA, class LB>
__global__ void global_product(const T* A, const T* B, Sum* C, int N, int K) {
    const int warp = threadIdx.x / 32, row = (blockIdx.y * (blockDim.x / 32) + warp) * M,
              column = blockIdx.x * N_;
    wmma::fragment<wmma::matrix_a, M, N_, Kt, T, LA> a;
    wmma::fragment<wmma::matrix_b, M, N_, Kt, T, LB> b;
    wmma::fragment<wmma::accumulator, M, N_, Kt, Sum> c;
    wmma::fill_fragment(c, Sum(0));
    constexpr bool ra = std::is_same<LA, wmma::row_major>::value,
                   rb = std::is_same<LB, wmma::row_major>::value;
    for (int k = 0; k < K; k += Kt) {
        wmma::load_matrix_sync(a, ra ? A + row * K + k : A + k * N + row, ra ? K : N);
        wmma::load_matrix_sync(b, rb ? B + k * N + column : B + column * K + k, rb ? N : K);
        wmma::mma_sync(c, a, b, c);
    }
    wmma::store_matrix_sync(C + row * N + column, c, N, wmma::mem_row_major);
}
// One load of a fragment alone: what stands around it.
template <class T, int M, int N_, int Kt, class Use, class L>
__global__ void one_load(const T* A, T* C, int pitch) {
    wmma::fragment<Use, M, N_, Kt, T, L> a;
    wmma::load_matrix_sync(a, A + blockIdx.x * 4096, pitch);
    for (int i = 0; i < a.num_elements; ++i) C[threadIdx.x * a.num_elements + i] = a.x[i];
}
template <class T, int Count, int Rows>
__global__ void double_like(const T* A, const T* B, T* C, int N, int K) {
    __shared__ T a_tile[Rows][20], b_tile[Rows][20];
    T d[2][2] = {};
    const int row = threadIdx.x / 8 * 2 % Rows, column = threadIdx.x % 8 * 2;
    for (int k = 0; k < K; k += 16) {
        for (int i = threadIdx.x; i < Rows * 16; i += 128) {
            a_tile[i / 16][i % 16] = A[(blockIdx.y * Rows + i / 16) * K + k + i % 16];
            b_tile[i / 16][i % 16] = B[(blockIdx.x * Rows + i / 16) * K + k + i % 16];
        }
        __syncthreads();
#pragma unroll
        for (int s = 0; s < 16; ++s)
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 2; ++j) d[i][j] += a_tile[row + i][s] * b_tile[column + j][s];
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            C[(blockIdx.y * Rows + row + i) * N + blockIdx.x * 16 + column + j] = d[i][j];
}
constexpr int tile = 64, depth = 32;
template <int Stages, int Threads>
__global__ void async_product(const __half* A, const __half* B, float* C, int N, int K) {
    extern __shared__ __align__(16) char memory[];
    auto* st = reinterpret_cast<__half(*)[2][tile][depth + 8]>(memory);
    float d[4][4] = {};
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const __half *fa = A + blockIdx.y * tile * K, *fb = B + blockIdx.x * tile * K;
    const auto fill = [&](int k) {
        if (k < K)
            for (int i = threadIdx.x; i < tile * depth / 8; i += Threads) {
                const int r = i / 4, s = i % 4 * 8;
                auto& g = st[k / depth % Stages];
                asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(&g[0][r][s])),
                             "l"(fa + r * K + k + s));
                asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(&g[1][r][s])),
                             "l"(fb + r * K + k + s));
            }
        asm volatile("cp.async.commit_group;" ::: "memory");
    };
    for (int i = 0; i < Stages - 1; ++i) fill(i * depth);
    for (int k = 0; k < K; k += depth) {
        asm volatile("cp.async.wait_group %0;" ::"n"(Stages - 2) : "memory");
        __syncthreads();
        fill(k + (Stages - 1) * depth);
        auto& g = st[k / depth % Stages];
#pragma unroll
        for (int s = 0; s < depth; s += 16) {
            std::uint32_t a[4], b[4];
            load_matrices(a, &g[0][warp % 4 * 16 + lane % 16][s + lane / 16 * 8]);
#pragma unroll
            for (int j = 0; j < 2; ++j) {
                load_matrices(b, &g[1][j * 16 + lane % 8 + lane / 16 * 8][s + lane / 8 % 2 * 8]);
                mma_f16(d[j * 2], a, b[0], b[1]);
                mma_f16(d[j * 2 + 1], a, b[2], b[3]);
            }
        }
    }
    for (int j = 0; j < 4; ++j)
        for (int e = 0; e < 4; ++e)
            C[(blockIdx.y * tile + warp % 4 * 16 + lane / 4 + e / 2 * 8) * N + blockIdx.x * tile + j * 8 +
              lane % 4 * 2 + e % 2] = d[j][e];
}
int main() {
    const __half *a = to_device(small_numbers<__half>(256 * 1024, 1)),
                 *b = to_device(small_numbers<__half>(256 * 1024, 99));
    const auto* s8 = to_device(small_numbers<signed char>(256 * 512, 5));
    const auto* f64 = to_device(small_numbers<double>(128 * 512, 7));
    const auto* f32 = to_device(small_numbers<float>(128 * 512, 7));
    const auto* bf = to_device(small_numbers<__nv_bfloat16>(256 * 512, 3));
    float* c;
    CHECK(cudaMalloc(&c, 1 << 21));
    using R = wmma::row_major;
    using L = wmma::col_major;
    auto* ci = (int*)c;
    auto* cd = (double*)c;
    global_product<__half, float, 16, 16, 16, R, R><<<dim3(8, 8), 32>>>(a, b, c, 128, 512);
    global_product<__half, float, 16, 16, 16, R, L><<<dim3(8, 8), 32>>>(a, b, c, 128, 512);
    global_product<__half, float, 16, 16, 16, L, R><<<dim3(8, 4), 64>>>(a, b, c, 128, 512);
    global_product<__half, __half, 16, 16, 16, R, R><<<dim3(8, 2), 128>>>(a, b, (__half*)c, 128, 256);
    global_product<__nv_bfloat16, float, 32, 8, 16, R, R><<<dim3(16, 2), 64>>>(bf, bf, c, 128, 256);
    global_product<__half, float, 8, 32, 16, R, L><<<dim3(4, 4), 128>>>(a, b, c, 128, 256);
    global_product<signed char, int, 16, 16, 16, R, L><<<dim3(8, 2), 128>>>(s8, s8, ci, 128, 256);
    global_product<signed char, int, 16, 16, 16, R, R><<<dim3(8, 2), 128>>>(s8, s8, ci, 128, 256);
    global_product<double, double, 8, 8, 4, R, L><<<dim3(8, 2), 128>>>(f64, f64, cd, 64, 256);
    one_load<__half, 16, 16, 16, wmma::matrix_a, R><<<1, 32>>>(a, (__half*)c, 64);
    one_load<__half, 16, 16, 16, wmma::matrix_a, L><<<1, 32>>>(a, (__half*)c, 64);
    one_load<__half, 16, 16, 16, wmma::matrix_b, R><<<1, 32>>>(a, (__half*)c, 64);
    one_load<__half, 16, 16, 16, wmma::matrix_b, L><<<1, 32>>>(a, (__half*)c, 64);
    one_load<signed char, 16, 16, 16, wmma::matrix_a, R><<<1, 32>>>(s8, (signed char*)c, 64);
    one_load<signed char, 16, 16, 16, wmma::matrix_b, R><<<1, 32>>>(s8, (signed char*)c, 64);
    double_like<double, 2, 16><<<dim3(2, 2), 128>>>(f64, f64, cd, 64, 512);
    double_like<double, 4, 32><<<dim3(2, 2), 128>>>(f64, f64, cd, 64, 512);
    double_like<double, 8, 64><<<dim3(1, 1), 128>>>(f64, f64, cd, 64, 512);
    double_like<float, 2, 16><<<dim3(2, 2), 128>>>(f32, f32, c, 64, 512);
    double_like<float, 4, 32><<<dim3(2, 2), 128>>>(f32, f32, c, 64, 512);
    double_like<float, 8, 64><<<dim3(1, 1), 128>>>(f32, f32, c, 64, 512);
    const int one = sizeof(__half) * 2 * tile * (depth + 8);
    async_product<2, 128><<<dim3(2, 2), 128, 2 * one>>>(a, b, c, 128, 512);
    async_product<3, 128><<<dim3(2, 2), 128, 3 * one>>>(a, b, c, 128, 512);
    async_product<4, 128><<<dim3(2, 2), 128, 4 * one>>>(a, b, c, 128, 512);
    async_product<3, 256><<<dim3(1, 1), 256, 3 * one>>>(a, b, c, 128, 1024);
    CHECK(cudaDeviceSynchronize());
}
