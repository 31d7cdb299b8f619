// bug: race-global-blocks
// line: 23,24
// kernel: scan
// note: each block adds the last element of the one before, which may not be there yet
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void scan(const int* in, int* out) {
    __shared__ int box[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    box[t] = in[i];
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int left = t >= d ? box[t - d] : 0;
        __syncthreads();
        box[t] += left;
        __syncthreads();
    }
    int before = blockIdx.x ? out[blockIdx.x * 64 - 1] : 0;
    out[i] = box[t] + before;
}

int main() {
    const int n = 256;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    scan<<<4, 64>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
