// bug: none
// line: 0
// kernel: worker
// note: a persistent kernel whose blocks take tiles from a counter; thread 0 fetches, the block reads it between two barriers
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void worker(int* next, int tiles, const int* in, int* out) {
    __shared__ int tile;
    __shared__ int s[64];
    while (true) {
        if (threadIdx.x == 0) tile = atomicAdd(next, 1);
        __syncthreads();
        int mine = tile;
        if (mine >= tiles) return;
        s[threadIdx.x] = in[mine * 64 + threadIdx.x];
        __syncthreads();
        out[mine * 64 + threadIdx.x] = s[63 - threadIdx.x];
    }
}

int main() {
    const int tiles = 9;
    std::vector<int> h(tiles * 64);
    for (int i = 0; i < tiles * 64; ++i) h[i] = i;
    int *next, *in, *out;
    CHECK(cudaMalloc(&next, 4));
    CHECK(cudaMalloc(&in, h.size() * 4));
    CHECK(cudaMalloc(&out, h.size() * 4));
    CHECK(cudaMemset(next, 0, 4));
    CHECK(cudaMemcpy(in, h.data(), h.size() * 4, cudaMemcpyHostToDevice));
    worker<<<3, 64>>>(next, tiles, in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, h.size() * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(next));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[0]);
    return h[0] != 63;
}
