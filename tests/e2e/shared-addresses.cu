// Addresses of shared and local memory have 32 bits: of a wider register the hardware takes the low ones.
// RUN: lockstep run %s
// OUT: ^shared-addresses ok$
#include "support/check.h"

// p[~i] with an unsigned i: the 64-bit address is 16 GiB behind the array, its low 32 bits are in it.
__global__ void behind(int* out) {
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    int* p = s + 40;
    unsigned i = threadIdx.x / 2;
    out[threadIdx.x] = p[~i];
}

__device__ unsigned long long far_address(const void* shared, int step) {
    return __cvta_generic_to_shared(shared) + (1ull + step) * (1ull << 32);
}

__global__ void high_bits(int* out) {
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    asm volatile("st.shared.u32 [%0], %1;" ::"l"(far_address(&s[t], 0)), "r"(t * 3) : "memory");  // contiguous
    __syncthreads();
    asm volatile("red.shared.add.u32 [%0], %1;" ::"l"(far_address(&s[63 - t], t)), "r"(1) : "memory");
    int old, straight, scattered, same;
    asm volatile("atom.shared.add.u32 %0, [%1], 1;" : "=r"(old) : "l"(far_address(&s[t], t)) : "memory");
    __syncthreads();
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(straight) : "l"(far_address(&s[t], 4)) : "memory");
    asm volatile("ld.shared.u32 %0, [%1+4];" : "=r"(scattered) : "l"(far_address(&s[(t * 7) % 63], t)) : "memory");
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(same) : "l"(far_address(&s[5], 1)) : "memory");
    out[t] = straight;
    out[64 + t] = scattered;
    out[128 + t] = same;
    out[192 + t] = old;
}

__global__ void copied(const int* in, int* out) {
    __shared__ int s[64];
    const int t = threadIdx.x;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"l"(far_address(&s[t], 0)), "l"(in + t) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    out[t] = s[63 - t];
}

int main() {
    int* out = device_zeros<int>(256);
    behind<<<1, 64>>>(out);
    auto got = to_host(out, 64);
    for (int t = 0; t < 64; ++t) EXPECT_AT(t, got[t], 39 - t / 2);
    high_bits<<<1, 64>>>(out);
    got = to_host(out, 256);
    for (int t = 0; t < 64; ++t) {
        EXPECT_AT(t, got[t], t * 3 + 2);
        EXPECT_AT(t, got[64 + t], ((t * 7) % 63 + 1) * 3 + 2);
        EXPECT_AT(t, got[128 + t], 5 * 3 + 2);
    }
    int* in = device_zeros<int>(64);
    std::vector<int> values(64);
    for (int t = 0; t < 64; ++t) values[t] = t * t;
    CUDA(cudaMemcpy(in, values.data(), 256, cudaMemcpyHostToDevice));
    copied<<<1, 64>>>(in, out);
    got = to_host(out, 64);
    for (int t = 0; t < 64; ++t) EXPECT_AT(t, got[t], (63 - t) * (63 - t));
    return finish("shared-addresses");
}
