// Numbers are copied to the GPU, worked on, and copied back: in one piece, from memory of malloc's.
#include <cstdio>
#include <cstdlib>

constexpr int count = 1 << 20, block = 256, rounds = 100;

__host__ __device__ float improve(float x) {
    for (int k = 0; k < rounds; ++k) x = 0.5f * x + 1;
    return x;
}

__global__ void work(float* data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = improve(data[i]);
}

// Your task: pinned memory, and pieces in several streams, so that copies in both directions and kernels
// overlap.
int main() {
    float *host = static_cast<float*>(std::malloc(count * sizeof(float))), *device;
    for (int i = 0; i < count; ++i) host[i] = static_cast<float>(i % 1000);
    cudaMalloc(&device, count * sizeof(float));
    cudaMemcpy(device, host, count * sizeof(float), cudaMemcpyHostToDevice);
    work<<<count / block, block>>>(device, count);
    cudaMemcpy(host, device, count * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < count; ++i) wrong += host[i] != improve(static_cast<float>(i % 1000));
    std::printf("%d of %d numbers are wrong\n", wrong, count);
    cudaFree(device);
    std::free(host);
    return wrong != 0;
}
