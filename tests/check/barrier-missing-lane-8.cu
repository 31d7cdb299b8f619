// bug: barrier-missing-lane
// line: 19
// kernel: head
// note: __syncwarp of the upper half in a branch that only lanes 24 to 31 take
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void head(const int* in, int* out) {
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t >= 24) {
        s[t] += 1;
        __syncwarp(0xffff0000u);
        s[t - 24] = s[31];
    }
    __syncthreads();
    out[t] = s[t];
}

int main() {
    std::vector<int> h(32, 5);
    int *in, *out;
    CHECK(cudaMalloc(&in, 128));
    CHECK(cudaMalloc(&out, 128));
    CHECK(cudaMemcpy(in, h.data(), 128, cudaMemcpyHostToDevice));
    head<<<1, 32>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, 128, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[0]);
    return 0;
}
