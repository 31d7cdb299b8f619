// bug: race-host
// line: 28,31
// kernel: step
// note: the host reads the error of the last step before it has waited for the kernel
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void step(float* x, float* error, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float next = x[i] * 0.5f;
    atomicAdd(error, x[i] - next);
    x[i] = next;
}
int main() {
    const int n = 1024;
    float *x, *error;
    CHECK(cudaMallocManaged(&x, n * sizeof(float)));
    CHECK(cudaMallocManaged(&error, sizeof(float)));
    for (int i = 0; i < n; ++i) x[i] = 1.0f;
    *error = 0;
    int steps = 0;
    do {
        step<<<n / 256, 256>>>(x, error, n);
        CHECK(cudaGetLastError());
        ++steps;
    } while (*error < 100.0f && steps < 4);
    CHECK(cudaDeviceSynchronize());
    std::printf("%d\n", steps);
    CHECK(cudaFree(x));
    CHECK(cudaFree(error));
    return 0;
}
