// bug: index-overflow
// line: 13
// kernel: fill
// note: batch times plane is uniform, and overflows for the last batch
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void fill(float* planes, int plane, int batch) {
    int i = threadIdx.x;
    planes[batch * plane + i] = 1.0f;
}

int main() {
    float* planes;
    CHECK(cudaMalloc(&planes, 1 << 20));
    for (int batch : {0, 70000}) fill<<<1, 32>>>(planes, 1 << 16, batch);
    cudaDeviceSynchronize();
    cudaFree(planes);
    return 0;
}
