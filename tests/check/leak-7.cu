// bug: leak
// line: 20
// kernel: -
// note: managed memory is replaced by the swap in the loop and one of the two buffers is freed twice over by name only
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void step(const float* a, float* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[i] + 1.0f;
}

int main() {
    const int n = 256;
    float *a = nullptr, *b = nullptr;
    CHECK(cudaMallocManaged(&a, n * sizeof(float)));
    CHECK(cudaMallocManaged(&b, n * sizeof(float)));
    for (int i = 0; i < n; ++i) a[i] = 0.0f;
    for (int k = 0; k < 3; ++k) {
        step<<<2, 128>>>(a, b, n);
        CHECK(cudaDeviceSynchronize());
        std::swap(a, b);
    }
    std::printf("%g\n", a[0]);
    CHECK(cudaFree(a));
    return 0;
}
