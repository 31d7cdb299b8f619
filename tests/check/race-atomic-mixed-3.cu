// bug: race-atomic-mixed
// line: 16,18
// kernel: bins
// note: thread 0 clears the shared bins with plain stores while the others already count with atomics
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void bins(const float* x, int n, int* out) {
    __shared__ int count[16];
    if (threadIdx.x == 0)
        for (int k = 0; k < 16; ++k)
            count[k] = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(&count[int(x[i]) & 15], 1);
    __syncthreads();
    if (threadIdx.x < 16) atomicAdd(&out[threadIdx.x], count[threadIdx.x]);
}

int main() {
    const int n = 640;
    std::vector<float> h(n);
    for (int i = 0; i < n; ++i) h[i] = float(i % 16);
    std::vector<int> r(16);
    float* x;
    int* out;
    CHECK(cudaMalloc(&x, n * 4));
    CHECK(cudaMalloc(&out, 64));
    CHECK(cudaMemset(out, 0, 64));
    CHECK(cudaMemcpy(x, h.data(), n * 4, cudaMemcpyHostToDevice));
    bins<<<1, 128>>>(x, n, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, 64, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    std::printf("%d\n", r[3]);
    return 0;
}
