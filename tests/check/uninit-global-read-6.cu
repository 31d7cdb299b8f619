// bug: uninit-global-read
// line: 25
// kernel: finish
// note: partial sums of a grid that is smaller than the array of partials: the second kernel adds slots that nobody wrote
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void partial(const float* x, int n, float* p) {
    __shared__ float s[4];
    float v = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += x[i];
    for (int o = 16; o; o >>= 1) v += __shfl_down_sync(~0u, v, o);
    if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) p[blockIdx.x] = s[0] + s[1] + s[2] + s[3];
}

__global__ void finish(const float* p, int n, float* out) {
    float v = 0.0f;
    for (int i = threadIdx.x; i < n; i += 32)
        v += p[i];
    for (int o = 16; o; o >>= 1) v += __shfl_down_sync(~0u, v, o);
    if (threadIdx.x == 0) *out = v;
}

int main() {
    const int n = 4000, blocks = 24;
    std::vector<float> h(n, 1.0f);
    float *x, *p, *out, r;
    CHECK(cudaMalloc(&x, n * 4));
    CHECK(cudaMalloc(&p, 32 * 4));
    CHECK(cudaMalloc(&out, 4));
    CHECK(cudaMemcpy(x, h.data(), n * 4, cudaMemcpyHostToDevice));
    partial<<<blocks, 128>>>(x, n, p);
    finish<<<1, 32>>>(p, 32, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&r, out, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(p));
    CHECK(cudaFree(out));
    std::printf("%g\n", r);
    return 0;
}
