// bug: barrier-missing-lane
// line: 15
// kernel: masks
// note: neighbours name each other in masks that are not the same: lane 1 names more than lane 0
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void masks(const int* in, int* out) {
    int lane = threadIdx.x;
    unsigned mine = lane % 2 ? 7u << (lane & ~1) & 0xffffffffu : 3u << lane;
    out[lane] = __shfl_xor_sync(mine | 1u << lane, in[lane], 1);
}

int main() {
    std::vector<int> h(32, 2);
    int *in, *out;
    CHECK(cudaMalloc(&in, 128));
    CHECK(cudaMalloc(&out, 128));
    CHECK(cudaMemcpy(in, h.data(), 128, cudaMemcpyHostToDevice));
    masks<<<1, 32>>>(in, out);
    cudaError_t e = cudaMemcpy(h.data(), out, 128, cudaMemcpyDeviceToHost);
    std::printf("%s %d\n", cudaGetErrorString(e), h[0]);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
