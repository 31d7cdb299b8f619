// bug: use-after-free
// line: 14
// kernel: scale
// note: the scratch of the pool was given back in stream order with cudaFreeAsync before the launch that still writes it
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void scale(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 3 * in[i];
}

int main() {
    const int n = 500;
    std::vector<int> h(n, 2), r(n);
    cudaStream_t s;
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    int *in, *out;
    CHECK(cudaMallocAsync(&in, n * sizeof(int), s));
    CHECK(cudaMallocAsync(&out, n * sizeof(int), s));
    CHECK(cudaMemcpyAsync(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice, s));
    scale<<<4, 128, 0, s>>>(in, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(r.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost, s));
    CHECK(cudaFreeAsync(out, s));
    scale<<<4, 128, 0, s>>>(in, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaFreeAsync(in, s));
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaStreamDestroy(s));
    int bad = 0;
    for (int i = 0; i < n; ++i) bad += r[i] != 6;
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
