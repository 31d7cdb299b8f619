// Block barriers: count, and, or; barriers in loops and in uniform branches; blocks whose size is not a
// multiple of 32.
// ALSO: nvcc
// RUN: lockstep run %s
// OUT: ^barriers ok$
#include "support/check.h"

__global__ void counting(int* out) {
    int t = threadIdx.x;
    int* o = out + (blockIdx.x * blockDim.x + t) * 5;
    o[0] = __syncthreads_count(t % 3 == 0);
    o[1] = __syncthreads_and(t >= 0) != 0;
    o[2] = __syncthreads_and(t != 40) != 0;
    o[3] = __syncthreads_or(t == static_cast<int>(blockDim.x) - 1) != 0;
    o[4] = __syncthreads_or(t < 0) != 0;
}

// The barrier count depends on the block, so blocks pass different numbers of barriers.
__global__ void rotate(int* out, int n) {
    __shared__ int values[256];
    int t = threadIdx.x;
    values[t] = t;
    __syncthreads();
    int rounds = blockIdx.x % 4 + 1;
    for (int round = 0; round < rounds; ++round) {
        int next = values[(t + 1) % n];
        __syncthreads();
        values[t] = next;
        __syncthreads();
    }
    if (blockIdx.x % 2) {
        int swapped = values[n - 1 - t];
        __syncthreads();
        values[t] = swapped;
    }
    __syncthreads();
    out[blockIdx.x * n + t] = values[t];
}

// Half of the block produces, half consumes, through named barriers.
__global__ void hand_over(int* out) {
    __shared__ int box[64];
    int t = threadIdx.x;
    for (int round = 0; round < 3; ++round) {
        if (t < 64) {
            box[t] = t * 10 + round;
            asm volatile("bar.arrive 1, 128;" ::: "memory");
            asm volatile("bar.sync 2, 128;" ::: "memory");
        } else {
            asm volatile("bar.sync 1, 128;" ::: "memory");
            out[round * 64 + t - 64] = box[127 - t];
            asm volatile("bar.arrive 2, 128;" ::: "memory");
        }
    }
}

int main() {
    for (int n : {32, 64, 100, 129, 256}) {
        const int blocks = 5;
        int* out = device_zeros<int>(blocks * n * 5);
        counting<<<blocks, n>>>(out);
        auto c = to_host(out, blocks * n * 5);
        for (int i = 0; i < blocks * n; ++i) {
            EXPECT_AT(i, c[i * 5 + 0], (n + 2) / 3);
            EXPECT_AT(i, c[i * 5 + 1], 1);
            EXPECT_AT(i, c[i * 5 + 2], n <= 40);
            EXPECT_AT(i, c[i * 5 + 3], 1);
            EXPECT_AT(i, c[i * 5 + 4], 0);
        }
        rotate<<<blocks, n>>>(out, n);
        auto r = to_host(out, blocks * n);
        for (int b = 0; b < blocks; ++b)
            for (int t = 0; t < n; ++t) {
                int from = b % 2 ? n - 1 - t : t;
                EXPECT_AT(b * n + t, r[b * n + t], (from + b % 4 + 1) % n);
            }
        CUDA(cudaFree(out));
    }
    int* out = device_zeros<int>(192);
    hand_over<<<1, 128>>>(out);
    auto h = to_host(out, 192);
    for (int i = 0; i < 192; ++i) EXPECT_AT(i, h[i], (63 - i % 64) * 10 + i / 64);
    return finish("barriers");
}
