// A program whose cost is to grow: growth BLOCKS THREADS LAUNCHES. STATEMENTS (a macro) is the length of its
// kernel.
#include <cstdio>
#include <cstdlib>

#ifndef STATEMENTS
#define STATEMENTS 8
#endif

// Straight code that no compiler shortens: each statement depends on the last.
template <int N>
__device__ float chain(float value, float other) {
    if constexpr (N == 0) {
        return value;
    } else {
        const float half = chain<N / 2>(value, other);
        return N % 2 ? chain<N / 2>(half, other) * other + half : chain<N / 2>(half, other);
    }
}
template <>
__device__ float chain<1>(float value, float other) {
    return value * other + 1.5f;
}

__global__ void step(float* data) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i % (1u << 20)] = chain<STATEMENTS>(data[i % (1u << 20)], 0.5f + threadIdx.x);
}

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    const unsigned blocks = std::atoi(argv[1]), threads = std::atoi(argv[2]), launches = std::atoi(argv[3]);
    float* data = nullptr;
    if (cudaMalloc(&data, sizeof(float) << 20) || cudaMemset(data, 0, sizeof(float) << 20)) return 1;
    for (unsigned l = 0; l < launches; ++l) step<<<blocks, threads>>>(data);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error) std::printf("%s\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}
