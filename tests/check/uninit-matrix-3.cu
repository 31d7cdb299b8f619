// bug: uninit-shared-read
// line: 13
// kernel: k
// note: ldmatrix reads sixteen rows of a tile of which eight are written
#include <cstdio>
#include <cuda_runtime.h>
__global__ void k(const unsigned* in, unsigned* out) {
    __shared__ __align__(16) unsigned tile[16][4];
    int lane = threadIdx.x;
    tile[lane / 4][lane % 4] = in[lane];
    __syncwarp();
    unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&tile[lane % 16][0])), x, y;
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(x), "=r"(y) : "r"(at) : "memory");
    out[lane] = x + y;
}
int main() {
    unsigned *in, *out, h[32];
    cudaMalloc(&in, 128);
    cudaMalloc(&out, 128);
    cudaMemset(in, 1, 128);
    k<<<1, 32>>>(in, out);
    if (cudaMemcpy(h, out, 128, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    std::printf("%u\n", h[3]);
    cudaFree(in);
    cudaFree(out);
}
