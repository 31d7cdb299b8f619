// wgmma on matrices that lie in shared memory as each layout wants them: how often, and what it reads.
#include "warpgroup.h"

// `rounds` times four products, one behind the other, and a wait. A and B are taken from the same bytes: all
// shapes fit.
template <class Sum, int Count, class Product>
__device__ void repeat(Sum* out, const uint4* in, int rounds, Product product) {
    extern __shared__ __align__(1024) uint4 memory[];
    for (int i = threadIdx.x; i < 2048; i += blockDim.x) memory[i] = in[i];
    group_stored();
    Sum d[Count] = {};
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        group_fence();
#pragma unroll
        for (int k = 0; k < 4; ++k) product(d, reinterpret_cast<const char*>(memory) + k * 32);
        group_commit();
        group_wait();
    }
    Sum sum = 0;
#pragma unroll
    for (int i = 0; i < Count; ++i) sum += d[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
#define RATE(name, Sum, count, product)                                                       \
    __global__ void name(Sum* out, const uint4* in, int rounds) {                             \
        repeat<Sum, count>(out, in, rounds, [&](Sum(&d)[count], const char* p) { product; }); \
    }
#define LINES(p) descriptor(p, 16, 1024, 1)
RATE(group_n8, float, 4, wgmma_f16(d, LINES(p), LINES(p)))
RATE(group_n16, float, 8, wgmma_f16(d, LINES(p), LINES(p)))
RATE(group_n32, float, 16, wgmma_f16(d, LINES(p), LINES(p)))
RATE(group_n64, float, 32, wgmma_f16(d, LINES(p), LINES(p)))
RATE(group_n128, float, 64, wgmma_f16(d, LINES(p), LINES(p)))
RATE(group_n256, float, 128, wgmma_f16(d, LINES(p), LINES(p)))
RATE(group_tf32, float, 32, wgmma_tf32(d, LINES(p), LINES(p)))
RATE(group_e4m3, float, 32, wgmma_e4m3(d, LINES(p), LINES(p)))
RATE(group_s8, int, 32, wgmma_s8(d, LINES(p), LINES(p)))
RATE(group_turned, float, 32, wgmma_f16_turned(d, LINES(p), descriptor(p, 8192, 1024, 1)))
RATE(group_span_64, float, 32, wgmma_f16(d, descriptor(p, 16, 512, 2), descriptor(p, 16, 512, 2)))
RATE(group_span_32, float, 32, wgmma_f16(d, descriptor(p, 16, 256, 3), descriptor(p, 16, 256, 3)))
RATE(group_span_16, float, 32, wgmma_f16(d, descriptor(p, 128, 256, 0), descriptor(p, 128, 256, 0)))
// Rows far apart, with nothing exchanged: eight of them in the same banks?
RATE(group_far_apart, float, 32, wgmma_f16(d, descriptor(p, 1024, 128, 0), descriptor(p, 1024, 128, 0)))

__global__ void group_registers(float* out, const uint4* in, int rounds) {
    const uint4 word = in[threadIdx.x];
    const std::uint32_t a[4] = {word.x, word.y, word.z, word.w};
    repeat<float, 32>(out, in, rounds, [&](float(&d)[32], const char* p) { wgmma_bf16(d, a, LINES(p)); });
}

// Each product is waited for.
template <int N>
__global__ void group_waited(float* out, const uint4* in, int rounds) {
    extern __shared__ __align__(1024) uint4 memory[];
    for (int i = threadIdx.x; i < 2048; i += blockDim.x) memory[i] = in[i];
    group_stored();
    float d[N / 2] = {};
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        group_fence();
        wgmma_f16(d, LINES(memory), LINES(memory));
        group_commit();
        group_wait();
    }
    float sum = 0;
#pragma unroll
    for (int i = 0; i < N / 2; ++i) sum += d[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
    const auto halves = small_numbers<__half>(2048 * 8, 3);
    const auto* in = reinterpret_cast<const uint4*>(to_device(halves));
    float* out;
    CHECK(cudaMalloc(&out, 1 << 16));
    const auto go = [&](const char* name, auto kernel, auto* results, int groups, int rounds) {
        CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
        kernel<<<1, groups * 128, 40960>>>(results, in, rounds);
        print_hash(name, results, static_cast<std::size_t>(groups * 128));
    };
    go("group_n8", group_n8, out, 1, 64);
    go("group_n16", group_n16, out, 1, 64);
    go("group_n32", group_n32, out, 1, 64);
    go("group_n64", group_n64, out, 1, 64);
    go("group_n64 two", group_n64, out, 2, 32);
    go("group_n128", group_n128, out, 1, 32);
    go("group_n256", group_n256, out, 1, 16);
    go("group_tf32", group_tf32, out, 1, 64);
    go("group_e4m3", group_e4m3, out, 1, 64);
    go("group_s8", group_s8, reinterpret_cast<int*>(out), 1, 64);
    go("group_turned", group_turned, out, 1, 64);
    go("group_span_64", group_span_64, out, 1, 64);
    go("group_span_32", group_span_32, out, 1, 64);
    go("group_span_16", group_span_16, out, 1, 64);
    go("group_far_apart", group_far_apart, out, 1, 64);
    go("group_registers", group_registers, out, 1, 64);
    go("group_waited 8", group_waited<8>, out, 1, 64);
    go("group_waited 64", group_waited<64>, out, 1, 64);
    go("group_waited 256", group_waited<256>, out, 1, 32);
    go("group_waited 64 two", group_waited<64>, out, 2, 64);
}
