// bug: race-global-blocks
// line: 22,25
// kernel: scan
// note: a chained scan: the sum is stored after its flag, so that who sees the flag may not see the sum
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void scan(const int* in, int* out, volatile int* flags, int* sums) {
    __shared__ int before;
    int b = blockIdx.x, t = threadIdx.x;
    int mine = in[b * 32 + t];
    for (int d = 16; d; d /= 2) mine += __shfl_down_sync(~0u, mine, d);
    if (t == 0) {
        before = 0;
        if (b) {
            while (!flags[b - 1]) {}
            __threadfence();
            before = sums[b - 1];
        }
        flags[b] = 1;
        sums[b] = before + mine;
        __threadfence();
    }
    __syncthreads();
    out[b * 32 + t] = before;
}

int main() {
    const int n = 128;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    int *flags, *sums;
    CHECK(cudaMalloc(&flags, 4 * sizeof(int)));
    CHECK(cudaMalloc(&sums, 4 * sizeof(int)));
    CHECK(cudaMemset(flags, 0, 4 * sizeof(int)));
    scan<<<4, 32>>>(in, out, flags, sums);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(flags));
    CHECK(cudaFree(sums));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
