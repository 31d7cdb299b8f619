// bug: oob-global-read
// line: 14
// kernel: gather
// note: the pointer is moved back by one halo element; thread 0 of block 0 reads the four bytes before the allocation
#include <cstdio>
#include <cuda_fp16.h>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__device__ float at(const __half2* p, int k) {
    __half2 v = p[k];
    return __low2float(v) + __high2float(v);
}

__global__ void gather(const __half2* in, float* out, int n) {
    const __half2* p = in - 1;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = at(p, i) + at(p, i + 1);
}

int main() {
    const int n = 200;
    std::vector<__half2> h(n);
    std::vector<float> r(n);
    for (int i = 0; i < n; ++i) h[i] = __floats2half2_rn(float(i % 8), 1.0f);
    __half2* in;
    float* out;
    CHECK(cudaMalloc(&in, n * sizeof(__half2)));
    CHECK(cudaMalloc(&out, n * sizeof(float)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(__half2), cudaMemcpyHostToDevice));
    gather<<<(n + 63) / 64, 64>>>(in, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost));
    int bad = 0;
    for (int i = 1; i < n; ++i) bad += r[i] != float(i % 8 + (i - 1) % 8 + 2);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
