// bug: none
// line: 0
// kernel: scan
// note: a block of 50 threads scans in each warp with the mask of the lanes that exist, in shared memory and by shuffles
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void scan(const int* in, int* out, int n) {
    __shared__ int s[64];
    int t = threadIdx.x, lane = t & 31;
    unsigned here = __ballot_sync(__activemask(), t < n);
    if (t >= n) return;
    int v = in[t];
    for (int d = 1; d < 32; d <<= 1) {
        int u = __shfl_up_sync(here, v, d);
        if (lane >= d) v += u;
    }
    s[t] = v;
    __syncwarp(here);
    out[t] = s[t & 32] + v;
}

int main() {
    const int n = 45;
    std::vector<int> h(64, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, 256));
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMemcpy(in, h.data(), 256, cudaMemcpyHostToDevice));
    scan<<<1, 50>>>(in, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[n - 1]);
    return h[n - 1] != 14;
}
