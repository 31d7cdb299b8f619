// bug: none
// line: 0
// kernel: bucket
// note: lanes with the same key find each other by __match_any_sync; the leader adds once and hands the base to its group by shared memory behind a __syncwarp of the group
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void bucket(const int* key, int* count, int* place) {
    __shared__ int base[64];
    int t = threadIdx.x, lane = t & 31, warp = t / 32;
    int k = key[blockIdx.x * blockDim.x + t];
    unsigned same = __match_any_sync(0xffffffffu, k);
    int leader = __ffs(same) - 1;
    if (lane == leader) base[warp * 32 + leader] = atomicAdd(&count[k], __popc(same));
    __syncwarp(same);
    place[blockIdx.x * blockDim.x + t] = base[warp * 32 + leader] + __popc(same & ((1u << lane) - 1));
}

int main() {
    const int n = 256;
    std::vector<int> h(n), p(n);
    for (int i = 0; i < n; ++i) h[i] = i * i % 5;
    int *key, *count, *place;
    CHECK(cudaMalloc(&key, n * 4));
    CHECK(cudaMalloc(&count, 5 * 4));
    CHECK(cudaMalloc(&place, n * 4));
    CHECK(cudaMemset(count, 0, 5 * 4));
    CHECK(cudaMemcpy(key, h.data(), n * 4, cudaMemcpyHostToDevice));
    bucket<<<4, 64>>>(key, count, place);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(p.data(), place, n * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(key));
    CHECK(cudaFree(count));
    CHECK(cudaFree(place));
    std::printf("%d\n", p[n - 1]);
    return 0;
}
