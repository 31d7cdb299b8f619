// The smallest useful program: what it takes to start one is what a cold and a warm start cost.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void scale(float* data, float factor) { data[blockIdx.x * blockDim.x + threadIdx.x] *= factor; }

int main() {
    float host[256], *device = nullptr;
    for (int i = 0; i < 256; ++i) host[i] = static_cast<float>(i);
    if (cudaMalloc(&device, sizeof host) != cudaSuccess) return 1;
    cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
    scale<<<2, 128>>>(device, 2.0f);
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 256; ++i)
        if (host[i] != 2.0f * static_cast<float>(i)) return 1;
    std::puts("ok");
}
