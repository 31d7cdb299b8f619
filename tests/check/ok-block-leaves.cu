// bug: none
// line: 0
// kernel: -
// note: a block whose first element is past the end leaves as a whole before the barriers
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void reverse(const short* in, short* out, int n) {
    __shared__ short s[64];
    if (blockIdx.x * 64 >= n) return;
    int i = blockIdx.x * 64 + threadIdx.x;
    s[threadIdx.x] = i < n ? in[i] : short(0);
    __syncthreads();
    int here = min(64, n - int(blockIdx.x) * 64);
    if (threadIdx.x < here) out[i] = s[here - 1 - threadIdx.x];
}

int main() {
    const int n = 100;
    std::vector<short> h(n), r(n);
    for (int i = 0; i < n; ++i) h[i] = short(i);
    short *in, *out;
    CHECK(cudaMalloc(&in, n * 2));
    CHECK(cudaMalloc(&out, n * 2));
    CHECK(cudaMemcpy(in, h.data(), n * 2, cudaMemcpyHostToDevice));
    reverse<<<6, 64>>>(in, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, n * 2, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", r[0]);
    return r[0] != 63 || r[64] != 99;
}
