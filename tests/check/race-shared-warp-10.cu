// bug: race-shared-warp
// line: 19,20
// kernel: shift
// note: in one interval lanes of a warp move what their neighbours write
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void shift(const int* in, int* out) {
    __shared__ int row[65];
    int t = threadIdx.x;
    row[t] = in[t];
    if (t == 0) row[64] = 0;
    __syncthreads();
    int next = t < 32 ? row[t + 1] : 0;
    if (t < 32) row[t] = next;
    if (t < 31) row[t + 1] += 1;
    __syncthreads();
    out[t] = row[t];
}

int main() {
    const int n = 64;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    shift<<<1, 64>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
