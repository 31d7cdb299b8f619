// bug: oob-shared
// line: 17
// kernel: warp_hist
// note: each warp has its own row of bins, but the block has one warp more than the array has rows
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

constexpr int BINS = 16, WARPS = 4;

__global__ void warp_hist(const unsigned char* x, int n, int* out) {
    __shared__ int bins[WARPS][BINS];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane < BINS) bins[warp][lane] = 0;
    __syncwarp();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        if (warp < WARPS) atomicAdd(&bins[warp][x[i] % BINS], 1);
    __syncthreads();
    if (threadIdx.x < BINS) {
        int s = 0;
        for (int w = 0; w < WARPS; ++w) s += bins[w][threadIdx.x];
        atomicAdd(&out[threadIdx.x], s);
    }
}

int main() {
    const int n = 4096;
    std::vector<unsigned char> h(n);
    for (int i = 0; i < n; ++i) h[i] = (unsigned char)(i * 13);
    unsigned char* x;
    int *out, r[BINS];
    CHECK(cudaMalloc(&x, n));
    CHECK(cudaMalloc(&out, sizeof(r)));
    CHECK(cudaMemcpy(x, h.data(), n, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, sizeof(r)));
    warp_hist<<<4, 160>>>(x, n, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    std::printf("%d\n", r[0]);
    return 0;
}
