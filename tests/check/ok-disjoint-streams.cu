// bug: none
// line: 0
// kernel: -
// note: four non-blocking streams work at once on disjoint parts of one buffer and share what they only read
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void part(const float* w, const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * w[i % 16];
}

int main() {
    const int n = 2000, k = 4, len = n / k;
    float *h, *r, *w, *in, *out;
    CHECK(cudaMallocHost(&h, n * 4));
    CHECK(cudaMallocHost(&r, n * 4));
    CHECK(cudaMalloc(&w, 64));
    CHECK(cudaMalloc(&in, n * 4));
    CHECK(cudaMalloc(&out, n * 4));
    for (int i = 0; i < n; ++i) h[i] = 1.0f;
    CHECK(cudaMemcpy(w, h, 64, cudaMemcpyHostToDevice));
    cudaStream_t s[k];
    for (auto& x : s) CHECK(cudaStreamCreateWithFlags(&x, cudaStreamNonBlocking));
    for (int j = 0; j < k; ++j) {
        CHECK(cudaMemcpyAsync(in + j * len, h + j * len, len * 4, cudaMemcpyHostToDevice, s[j]));
        part<<<4, 128, 0, s[j]>>>(w, in + j * len, out + j * len, len);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(r + j * len, out + j * len, len * 4, cudaMemcpyDeviceToHost, s[j]));
    }
    for (auto& x : s) CHECK(cudaStreamSynchronize(x));
    int bad = 0;
    for (int i = 0; i < n; ++i) bad += r[i] != 1.0f;
    for (auto& x : s) CHECK(cudaStreamDestroy(x));
    CHECK(cudaFree(w));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFreeHost(h));
    CHECK(cudaFreeHost(r));
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
