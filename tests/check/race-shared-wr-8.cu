// bug: race-shared-wr
// line: 13,15
// kernel: k
// note: the next tile goes into the slot that is being read
#include <cstdio>
#include <cuda_runtime.h>
__global__ void k(const float* in, float* out, int rounds) {
    __shared__ float ring[2][64];
    int t = threadIdx.x; float s = 0;
    ring[0][t] = in[t];
    for (int r = 0; r < rounds; ++r) {
        __syncthreads();
        if (r + 1 < rounds) ring[r & 1][t] = in[(r + 1) * 64 + t];
        int o = 63 - t;
        s += ring[r & 1][o];
    }
    out[t] = s;
}
int main() {
    float *a, *b; cudaMalloc(&a, 1024); cudaMalloc(&b, 256); cudaMemset(a, 0, 1024);
    k<<<1, 64>>>(a, b, 4);
    float h[64]; cudaMemcpy(h, b, 256, cudaMemcpyDeviceToHost); std::printf("%f %s\n", h[0], cudaGetErrorString(cudaGetLastError()));
    cudaFree(a); cudaFree(b);
}
