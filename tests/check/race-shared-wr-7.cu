// bug: race-shared-wr
// line: 12,15
// kernel: k
// note: waits for all but the newest group, and reads what the newest copies
#include <cstdio>
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
__global__ void k(const float* in, float* out) {
    __shared__ float buf[2][128];
    int t = threadIdx.x;
    for (int s = 0; s < 2; ++s) {
        __pipeline_memcpy_async(&buf[s][t], &in[s * 128 + t], 4); __pipeline_commit();
    }
    __pipeline_wait_prior(1);
    float v = buf[1][t] + buf[0][t];
    out[t] = v;
    __pipeline_wait_prior(0);
}
int main() {
    float *a, *b; cudaMalloc(&a, 1024); cudaMalloc(&b, 512); cudaMemset(a, 0, 1024);
    k<<<1, 128>>>(a, b);
    float h[128]; cudaMemcpy(h, b, 512, cudaMemcpyDeviceToHost); std::printf("%f %s\n", h[0], cudaGetErrorString(cudaGetLastError()));
    cudaFree(a); cudaFree(b);
}
