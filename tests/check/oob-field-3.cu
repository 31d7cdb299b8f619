// bug: oob-field
// line: 14
// kernel: mm
// note: k runs to 16 in rows of 17 elements, and the column of the last one is beyond its row: both tiles are fields of one structure
#include <cstdio>
#include <cuda_runtime.h>
struct Stage { float a[16][17]; float b[16][17]; };
__global__ void mm(const float* A, const float* B, float* C, int n) {
    __shared__ Stage st;
    int x = threadIdx.x, y = threadIdx.y;
    st.a[y][x] = A[y * n + x]; st.b[y][x] = B[y * n + x];
    __syncthreads();
    float acc = 0;
    for (int k = 0; k <= 16; ++k) acc += st.a[y][k] * (k < 16 ? st.b[k][x] : st.b[k - 1][x + 17]);
    C[y * n + x] = acc;
}
int main() {
    float *a, *b, *c; cudaMalloc(&a, 1024); cudaMalloc(&b, 1024); cudaMalloc(&c, 1024);
    cudaMemset(a, 0, 1024); cudaMemset(b, 0, 1024);
    mm<<<1, dim3(16, 16)>>>(a, b, c, 16);
    float h[256]; cudaMemcpy(h, c, 1024, cudaMemcpyDeviceToHost); std::printf("%f %s\n", h[0], cudaGetErrorString(cudaGetLastError()));
    cudaFree(a); cudaFree(b); cudaFree(c);
}
