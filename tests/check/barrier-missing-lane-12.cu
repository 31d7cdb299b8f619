// bug: barrier-missing-lane
// line: 17
// kernel: sum
// note: the mask of the shuffle was taken before some of its lanes left
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void sum(const int* in, int* out) {
    int t = threadIdx.x;
    unsigned mask = __activemask();
    if (in[t] == 0 || t % 8 == 7) return;
    int v = in[t];
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(mask, v, d);
    if (t == 0) out[0] = v;
}

int main() {
    const int n = 32;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    sum<<<1, 32>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
