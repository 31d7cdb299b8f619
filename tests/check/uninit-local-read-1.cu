// bug: uninit-local-read
// line: 13
// kernel: histogram
// note: the thread's own counters are never set to zero
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void histogram(const unsigned char* x, int n, int* out) {
    int mine[16];
    for (int i = threadIdx.x; i < n; i += blockDim.x) mine[x[i] & 15] += 1;
    for (int b = 0; b < 16; ++b) atomicAdd(&out[b], mine[b]);
}

int main() {
    unsigned char h[256];
    for (int i = 0; i < 256; ++i) h[i] = static_cast<unsigned char>(i * 37);
    unsigned char* x;
    int *out, r[16];
    CHECK(cudaMalloc(&x, sizeof h));
    CHECK(cudaMalloc(&out, sizeof r));
    CHECK(cudaMemset(out, 0, sizeof r));
    CHECK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    histogram<<<1, 32>>>(x, 256, out);
    CHECK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    std::printf("%d\n", r[0]);
    return 0;
}
