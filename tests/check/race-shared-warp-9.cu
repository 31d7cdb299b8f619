// bug: race-shared-warp
// line: 16,18
// kernel: sub
// note: a group of equal keys hands its total on behind its own sync, but a lane also looks at that of the next group
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void sub(const int* key, int* out) {
    __shared__ int total[32];
    int lane = threadIdx.x, k = key[lane];
    unsigned same = __match_any_sync(0xffffffffu, k);
    if (lane == __ffs(same) - 1) total[k] = __popc(same);
    __syncwarp(same);
    out[lane] = total[k] + total[(k + 1) % 4];
}

int main() {
    std::vector<int> h(32);
    for (int i = 0; i < 32; ++i) h[i] = i % 4;
    int *key, *out;
    CHECK(cudaMalloc(&key, 128));
    CHECK(cudaMalloc(&out, 128));
    CHECK(cudaMemcpy(key, h.data(), 128, cudaMemcpyHostToDevice));
    sub<<<1, 32>>>(key, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, 128, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(key));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[0]);
    return 0;
}
