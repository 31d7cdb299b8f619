// bug: uninit-shared-read
// line: 11
// kernel: k
// note: both neighbours are loaded, one is taken: the first thread takes the one on its left, which nobody writes
#include <cstdio>
#include <cuda_runtime.h>
__global__ void k(const float* in, float* out) {
    __shared__ float s[66];
    int t = threadIdx.x; s[t + 1] = in[t];
    __syncthreads();
    float l = s[t], r = s[t + 2];
    out[t] = 0.5f * (in[t] > 0.5f ? r : l);
}
int main() {
    float hv[64]; for (int i = 0; i < 64; ++i) hv[i] = i % 2;
    float *a, *b; cudaMalloc(&a, 256); cudaMalloc(&b, 256); cudaMemcpy(a, hv, 256, cudaMemcpyHostToDevice);
    k<<<1, 64>>>(a, b);
    float h[64]; cudaMemcpy(h, b, 256, cudaMemcpyDeviceToHost); std::printf("%f %s\n", h[1], cudaGetErrorString(cudaGetLastError()));
    cudaFree(a); cudaFree(b);
}
