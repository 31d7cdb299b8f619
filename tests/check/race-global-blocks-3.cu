// bug: race-global-blocks
// line: 19,26
// kernel: sum_all
// note: last-block pattern without the fence: the ticket is taken with no __threadfence after the partial sum was stored
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__device__ unsigned ticket;

__global__ void sum_all(const float* x, float* partial, float* out, int n) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        float s = 0;
        for (int i = blockIdx.x; i < n; i += gridDim.x) s += x[i];
        partial[blockIdx.x] = s;
        last = atomicAdd(&ticket, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float s = 0;
        for (int b = 0; b < gridDim.x; ++b)
            s += partial[b];
        *out = s;
    }
}

int main() {
    const int n = 512, nb = 8;
    std::vector<float> h(n, 1.0f);
    float *x, *p, *out, got = 0;
    CHECK(cudaMalloc(&x, n * 4));
    CHECK(cudaMalloc(&p, nb * 4));
    CHECK(cudaMalloc(&out, 4));
    CHECK(cudaMemcpy(x, h.data(), n * 4, cudaMemcpyHostToDevice));
    sum_all<<<nb, 32>>>(x, p, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&got, out, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(p));
    CHECK(cudaFree(out));
    std::printf("%g\n", got);
    return got != n;
}
