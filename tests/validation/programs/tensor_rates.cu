// Matrix instructions from registers alone, and fed from shared memory by ldmatrix: how often an SM starts
// one.
#include "tensor.h"

// `rounds` times four products, of which only each fourth waits for the one before.
#define RATE(name, T, per_product, product)                                \
    __global__ void name(T* out, const std::uint32_t* in, int rounds) {    \
        T d[4][per_product] = {};                                          \
        std::uint32_t a[4], b[2];                                          \
        for (int i = 0; i < 4; ++i) a[i] = in[threadIdx.x + 32 * i];       \
        for (int i = 0; i < 2; ++i) b[i] = in[threadIdx.x + 32 * i + 128]; \
        _Pragma("unroll 4") for (int r = 0; r < rounds; ++r) {             \
            _Pragma("unroll") for (int c = 0; c < 4; ++c) product;         \
        }                                                                  \
        T sum = 0;                                                         \
        for (int c = 0; c < 4; ++c)                                        \
            for (int i = 0; i < per_product; ++i) sum += d[c][i];          \
        out[blockIdx.x * blockDim.x + threadIdx.x] = sum;                  \
    }
RATE(rate_f16, float, 4, mma_f16(d[c], a, b[0], b[1]))
RATE(rate_f16_short, float, 4, mma_f16_short(d[c], a[0], a[1], b[0]))
RATE(rate_bf16, float, 4, mma_bf16(d[c], a, b[0], b[1]))
RATE(rate_tf32, float, 4, mma_tf32(d[c], a, b[0], b[1]))
RATE(rate_s8, int, 4, mma_s8(d[c], a, b[0], b[1]))
RATE(rate_f64, double, 2, mma_f64(d[c], a[0], b[0]))

// A chain: each product waits for the one before.
__global__ void chain_f16(float* out, const std::uint32_t* in, int rounds) {
    float d[4] = {};
    std::uint32_t a[4], b[2];
    for (int i = 0; i < 4; ++i) a[i] = in[threadIdx.x + 32 * i];
    for (int i = 0; i < 2; ++i) b[i] = in[threadIdx.x + 32 * i + 128];
#pragma unroll 4
    for (int r = 0; r < rounds; ++r) mma_f16(d, a, b[0], b[1]);
    out[blockIdx.x * blockDim.x + threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}

// Every fragment from shared memory: three ldmatrix of four matrices for eight products.
__global__ void fed_f16(float* out, const __half* in, int rounds) {
    __shared__ __align__(16) __half tile[64][72];
    for (int i = threadIdx.x; i < 64 * 64; i += blockDim.x) tile[i / 64][i % 64] = in[i];
    __syncthreads();
    const int lane = threadIdx.x % 32;
    float d[2][4][4] = {};
    for (int r = 0; r < rounds; ++r) {
        const int k = r % 4 * 16;
        std::uint32_t a[2][4], b[2][4];
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            load_matrices(a[i], &tile[i * 16 + lane % 16][k + lane / 16 * 8]);
            load_matrices(b[i], &tile[32 + i * 16 + lane % 8 + lane / 16 * 8][k + lane / 8 % 2 * 8]);
        }
#pragma unroll
        for (int i = 0; i < 2; ++i)
#pragma unroll
            for (int j = 0; j < 4; ++j) mma_f16(d[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
    }
    float sum = 0;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
            for (int e = 0; e < 4; ++e) sum += d[i][j][e];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
    std::vector<__half> halves = small_numbers<__half>(64 * 64, 1);
    const __half* in = to_device(halves);
    const auto* words = reinterpret_cast<const std::uint32_t*>(in);
    void* out;
    CHECK(cudaMalloc(&out, 1 << 20));
    const auto go = [&](const char* name, auto kernel, auto* results, auto* input, int warps, int rounds) {
        const int blocks = 2;
        kernel<<<blocks, warps * 32>>>(results, input, rounds);
        print_hash(name, results, static_cast<std::size_t>(blocks * warps * 32));
    };
    auto* f = static_cast<float*>(out);
    go("rate_f16", rate_f16, f, words, 4, 128);
    go("rate_f16", rate_f16, f, words, 8, 128);
    go("rate_f16_short", rate_f16_short, f, words, 8, 128);
    go("rate_bf16", rate_bf16, f, words, 8, 128);
    go("rate_tf32", rate_tf32, f, words, 8, 128);
    go("rate_s8", rate_s8, static_cast<int*>(out), words, 8, 128);
    go("rate_f64", rate_f64, static_cast<double*>(out), words, 8, 128);
    go("chain_f16", chain_f16, f, words, 1, 256);
    go("chain_f16", chain_f16, f, words, 16, 128);
    go("fed_f16", fed_f16, f, in, 4, 64);
    go("fed_f16", fed_f16, f, in, 16, 64);
}
