// bug: unchecked-launch-error
// line: 21
// kernel: heavy
// note: the block was made larger than __launch_bounds__ allows, and nobody asks for the error
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void __launch_bounds__(128) heavy(float* p) {
    p[blockIdx.x * blockDim.x + threadIdx.x] = sqrtf(float(threadIdx.x));
}

int main() {
    const int n = 1024;
    float *p, r[4];
    CHECK(cudaMalloc(&p, n * 4));
    CHECK(cudaMemset(p, 0, n * 4));
    heavy<<<n / 256, 256>>>(p);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(r, p, sizeof(r), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(p));
    std::printf("%g\n", r[1]);
    return 0;
}
