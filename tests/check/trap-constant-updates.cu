// bug: none
// line: 0
// kernel: shade
// note: a __constant__ table and a __device__ variable are changed between launches in the same stream
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__constant__ float table[16];
__device__ int calls;

__global__ void shade(float* out) {
    out[threadIdx.x] += table[threadIdx.x % 16];
    if (threadIdx.x == 0) calls = calls + 1;
}

int main() {
    float h[16], *out, r[32];
    int c = 0;
    cudaStream_t s;
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CHECK(cudaMallocAsync(&out, sizeof(r), s));
    CHECK(cudaMemsetAsync(out, 0, sizeof(r), s));
    for (int k = 0; k < 3; ++k) {
        for (auto& v : h) v = float(k);
        CHECK(cudaMemcpyToSymbolAsync(table, h, sizeof(h), 0, cudaMemcpyHostToDevice, s));
        shade<<<1, 32, 0, s>>>(out);
    }
    CHECK(cudaMemcpyAsync(r, out, sizeof(r), cudaMemcpyDeviceToHost, s));
    CHECK(cudaFreeAsync(out, s));
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaMemcpyFromSymbol(&c, calls, sizeof(c)));
    CHECK(cudaStreamDestroy(s));
    std::printf("%g %d\n", r[0], c);
    return c != 3;
}
