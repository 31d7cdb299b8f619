// Two runs of a program without races give the same bits, on one thread and on many.
// RUN: for threads in 1 2 5 1; do LOCKSTEP_THREADS=$threads lockstep run %s; done | sort | uniq -c
// OUT: ^ *4 sum [0-9a-f]+$
#include <cmath>
#include <cstring>

#include "support/check.h"

__global__ void mix(float* out, int n) {
    __shared__ float partial[256];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += sinf(i * 0.001f) / (1.0f + sqrtf(static_cast<float>(i)));
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (threadIdx.x < s) partial[threadIdx.x] += partial[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

int main() {
    float* out = device_zeros<float>(64);
    mix<<<64, 256>>>(out, 100000);
    unsigned long long hash = 1469598103934665603ull;
    for (float x : to_host(out, 64)) {
        unsigned bits = 0;
        std::memcpy(&bits, &x, 4);
        hash = (hash ^ bits) * 1099511628211ull;
    }
    std::printf("sum %016llx\n", hash);
}
