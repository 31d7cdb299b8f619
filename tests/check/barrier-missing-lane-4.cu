// bug: barrier-missing-lane
// line: 17
// kernel: halves
// note: lanes 16..31 call __syncwarp with the mask of the lower half, which does not name them
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void halves(const int* in, int* out) {
    __shared__ int s[32];
    int t = threadIdx.x;
    unsigned mask = 0x0000ffffu;
    s[t] = in[t];
    __syncwarp(mask);
    out[t] = s[t ^ 8];
}

int main() {
    std::vector<int> h(32), r(32);
    for (int i = 0; i < 32; ++i) h[i] = i;
    int *in, *out;
    CHECK(cudaMalloc(&in, 128));
    CHECK(cudaMalloc(&out, 128));
    CHECK(cudaMemcpy(in, h.data(), 128, cudaMemcpyHostToDevice));
    halves<<<1, 32>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, 128, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", r[0]);
    return 0;
}
