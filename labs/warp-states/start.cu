// Every thread improves its own number step by step, and all wait for each other after each step. The first
// warp of a block has longer steps.
#include <cstdio>
#include <vector>

constexpr int blocks = 132, block = 256, steps = 16;

__host__ __device__ unsigned improve(unsigned x, int step, int thread) {
    const int rounds = thread < 32 ? 40 : 4;
    for (int k = 0; k < rounds; ++k) x = x * 1664525u + 1013904223u + step;
    return x;
}

// Your task: warps that do not wait for the slowest of them 16 times. Who needs whose numbers here?
__global__ void refine(unsigned* values) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int step = 0; step < steps; ++step) {
        values[i] = improve(values[i], step, threadIdx.x);
        __syncthreads();
    }
}

int main() {
    std::vector<unsigned> host(blocks * block), result(host.size());
    for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<unsigned>(i);
    unsigned* values;
    cudaMalloc(&values, host.size() * sizeof(unsigned));
    cudaMemcpy(values, host.data(), host.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
    refine<<<blocks, block>>>(values);
    cudaMemcpy(result.data(), values, host.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
    cudaFree(values);
    int wrong = 0;
    for (size_t i = 0; i < host.size(); ++i) {
        unsigned x = host[i];
        for (int step = 0; step < steps; ++step) x = improve(x, step, i % block);
        wrong += x != result[i];
    }
    std::printf("%d of %zu numbers are wrong\n", wrong, host.size());
    return wrong != 0;
}
