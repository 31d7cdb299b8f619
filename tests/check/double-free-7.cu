// bug: double-free
// line: 35
// kernel: -
// note: the cleanup on the error path frees the staging buffer, which the common exit frees again
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void fill(float* p, int n) {
    int i = threadIdx.x;
    if (i < n) p[i] = 1.0f;
}

static cudaError_t work(float* a, float* b, int n) {
    fill<<<1, 64>>>(a, n);
    cudaError_t e = cudaMemcpy(b, a, n * sizeof(float), cudaMemcpyDefault);
    if (e == cudaSuccess && n < 100) {
        cudaFree(b);
        e = cudaErrorInvalidValue;
    }
    return e;
}

int main() {
    float *a, *b, r = 0;
    CHECK(cudaMalloc(&a, 64 * 4));
    CHECK(cudaMalloc(&b, 64 * 4));
    cudaError_t e = work(a, b, 64);
    CHECK(cudaMemcpy(&r, a, 4, cudaMemcpyDeviceToHost));
    std::printf("%s %g\n", cudaGetErrorString(e), r);
    cudaFree(a);
    cudaError_t f = cudaFree(b);
    std::printf("%s\n", cudaGetErrorString(f));
    return 0;
}
