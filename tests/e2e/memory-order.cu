// Fences and volatile: a message passed between blocks and between the warps of one.
// ALSO: nvcc
// RUN: lockstep run %s
// OUT: ^memory-order ok$
// LIMIT: 60
#include "support/check.h"

// Later blocks wait for earlier ones. A GPU starts blocks in order, so this ends.
__global__ void relay(volatile int* flags, int* data) {
    if (threadIdx.x != 0) return;
    int b = blockIdx.x;
    if (b > 0)
        while (flags[b - 1] == 0) {
        }
    __threadfence();
    data[b] = b == 0 ? 1 : static_cast<volatile int*>(data)[b - 1] + b;
    __threadfence();
    flags[b] = 1;
}

__global__ void between_warps(int* out) {
    __shared__ volatile int ready, message;
    if (threadIdx.x == 0) ready = 0;
    __syncthreads();
    int warp = threadIdx.x / 32;
    if (warp == 3 && threadIdx.x % 32 == 0) {
        message = 99;
        __threadfence_block();
        ready = 1;
    }
    while (ready == 0) {
    }
    __threadfence_block();
    out[threadIdx.x] = message;
}

int main() {
    const int blocks = 64;
    int *flags = device_zeros<int>(blocks), *data = device_zeros<int>(blocks);
    relay<<<blocks, 32>>>(flags, data);
    auto d = to_host(data, blocks);
    for (int b = 0; b < blocks; ++b) EXPECT_AT(b, d[b], 1 + b * (b + 1) / 2);
    int* out = device_zeros<int>(128);
    between_warps<<<1, 128>>>(out);
    auto o = to_host(out, 128);
    for (int t = 0; t < 128; ++t) EXPECT_AT(t, o[t], 99);
    return finish("memory-order");
}
