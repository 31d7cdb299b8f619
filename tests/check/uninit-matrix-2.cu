// bug: uninit-global-read
// line: 16
// kernel: k
// note: an accumulator tile is loaded from memory that nobody has written
#include <cstdio>
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
__global__ void k(const half* a, const half* b, float* c) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::col_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::load_matrix_sync(fc, c, 16, wmma::mem_row_major);
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
