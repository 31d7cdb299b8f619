// bug: index-overflow
// line: 13
// kernel: touch
// note: row times pitch is more than an int holds
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void touch(const char* image, int rows, int pitch, int* sum) {
    int row = rows - 1 - threadIdx.x;
    int at = row * pitch;
    if (image[at] == 7) atomicAdd(sum, 1);
}

int main() {
    const int rows = 40000, pitch = 65536;
    char* image;
    int *sum, r = 0;
    CHECK(cudaMalloc(&image, 1 << 20));
    CHECK(cudaMalloc(&sum, 4));
    CHECK(cudaMemset(image, 0, 1 << 20));
    CHECK(cudaMemset(sum, 0, 4));
    touch<<<1, 32>>>(image, rows, pitch, sum);
    cudaMemcpy(&r, sum, 4, cudaMemcpyDeviceToHost);
    cudaFree(image);
    cudaFree(sum);
    std::printf("%d\n", r);
    return 0;
}
