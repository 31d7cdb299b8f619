// bug: none
// line: 0
// kernel: scan
// note: block sums are scanned in a second launch and added in a third
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void scan(const int* in, int* out, int* sums) {
    __shared__ int box[2][64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t, from = 0;
    box[0][t] = in[i];
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        box[1 - from][t] = box[from][t] + (t >= d ? box[from][t - d] : 0);
        from = 1 - from;
        __syncthreads();
    }
    out[i] = box[from][t];
    if (t == 63) sums[blockIdx.x] = box[from][t];
}
__global__ void offsets(int* sums, int n) {
    int sum = 0;
    for (int i = 0; i < n; ++i) {
        int next = sums[i];
        sums[i] = sum;
        sum += next;
    }
}
__global__ void add(int* out, const int* sums) { out[blockIdx.x * 64 + threadIdx.x] += sums[blockIdx.x]; }

int main() {
    const int n = 256;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    int* sums;
    CHECK(cudaMalloc(&sums, 4 * sizeof(int)));
    scan<<<4, 64>>>(in, out, sums); offsets<<<1, 1>>>(sums, 4); add<<<4, 64>>>(out, sums);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(sums));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
