// Monte Carlo with a state a thread, which 100,000 threads make for themselves: far jumps must be quick.
// RUN: lockstep run %s
// LIMIT: 60
// OUT: ^3\.141397$
#include <curand_kernel.h>

#include <cstdio>

__global__ void setup(curandState* states, int count) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread < count) curand_init(1234, thread, 0, &states[thread]);
}

__global__ void throw_darts(curandState* states, int count, unsigned* inside) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= count) return;
    curandState state = states[thread];
    unsigned hits = 0;
    for (int i = 0; i < 100; ++i) {
        const float x = curand_uniform(&state), y = curand_uniform(&state);
        hits += x * x + y * y <= 1;
    }
    states[thread] = state;
    atomicAdd(inside, hits);
}

int main() {
    const int count = 100000;
    curandState* states = nullptr;
    unsigned* inside = nullptr;
    cudaMalloc(&states, count * sizeof *states);
    cudaMallocManaged(&inside, sizeof *inside);
    *inside = 0;
    setup<<<(count + 255) / 256, 256>>>(states, count);
    throw_darts<<<(count + 255) / 256, 256>>>(states, count, inside);
    cudaDeviceSynchronize();
    std::printf("%f\n", 4.0 * *inside / (count * 100.0));
    cudaFree(states);
    cudaFree(inside);
}
