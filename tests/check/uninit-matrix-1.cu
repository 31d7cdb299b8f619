// bug: uninit-shared-read
// line: 19
// kernel: k
// note: a tile of b is staged in shared memory for 16 columns, but only 8 are written
#include <cstdio>
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
__global__ void k(const half* a, const half* b, float* c) {
    __shared__ half tile[16 * 16];
    for (int i = threadIdx.x; i < 16 * 8; i += 32) tile[i / 8 * 16 + i % 8] = b[i];
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, tile, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
int main() {
    half *a, *b;
    float *c, h[256];
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 1024);
    cudaMemset(a, 0, 512);
    cudaMemset(b, 0, 512);
    k<<<1, 32>>>(a, b, c);
    if (cudaMemcpy(h, c, 1024, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    std::printf("%g\n", h[0]);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
}
