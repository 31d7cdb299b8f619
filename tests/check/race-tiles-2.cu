// bug: race-shared-warp
// line: 13,15
// kernel: k
// note: tiles of eight lanes meet, but a lane reads what its neighbour tile wrote
#include <cstdio>
#include <cuda_runtime.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(const int* in, int* out) {
    __shared__ int s[32];
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = threadIdx.x;
    s[t] = in[t];
    tile.sync();
    out[t] = s[(t + 8) % 32];
}
int main() {
    int *a, *b, h[256];
    cudaMalloc(&a, 1024 * 4);
    cudaMalloc(&b, 1024 * 4);
    cudaMemset(a, 0, 1024 * 4);
    cudaMemset(b, 0, 1024 * 4);
    k<<<1, 32>>>(a, b);
    if (cudaMemcpy(h, b, 1024, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    std::printf("%d\n", h[0]);
    cudaFree(a);
    cudaFree(b);
}
