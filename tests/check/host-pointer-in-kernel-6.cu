// bug: host-pointer-in-kernel
// line: 14
// kernel: saxpy
// note: new float[] is passed where the device copy was meant: the names differ by one letter
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void saxpy(int n, float a, const float* x, float* y) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        y[i] = a * x[i] + y[i];
}

int main() {
    const int n = 1 << 12;
    float *hx = new float[n], *hy = new float[n], *dx, *dy;
    for (int i = 0; i < n; ++i) hx[i] = hy[i] = 1.0f;
    CHECK(cudaMalloc(&dx, n * 4));
    CHECK(cudaMalloc(&dy, n * 4));
    CHECK(cudaMemcpy(dx, hx, n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dy, hy, n * 4, cudaMemcpyHostToDevice));
    saxpy<<<4, 128>>>(n, 2.0f, hx, dy);
    cudaError_t e = cudaMemcpy(hy, dy, n * 4, cudaMemcpyDeviceToHost);
    std::printf("%s %g\n", cudaGetErrorString(e), hy[0]);
    cudaFree(dx);
    cudaFree(dy);
    delete[] hx;
    delete[] hy;
    return 0;
}
