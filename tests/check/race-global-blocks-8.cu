// bug: race-global-blocks
// line: 17,23
// kernel: k
// note: the fence before the ticket is __threadfence_block: it orders nothing for other blocks
#include <cstdio>
#include <cuda_runtime.h>
__device__ unsigned ticket;
__global__ void k(const float* in, float* part, float* out, int n) {
    __shared__ float s[128]; __shared__ bool last; int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int o = 64; o > 0; o >>= 1) {
        if (t < o) s[t] += s[t + o];
        __syncthreads();
    }
    if (t == 0) {
        part[blockIdx.x] = s[0];
        __threadfence_block();
        last = atomicAdd(&ticket, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        float a = 0; for (int b = 0; b < gridDim.x; ++b) a += part[b];
        out[0] = a; ticket = 0;
    }
}
int main() {
    float *a, *p, *o; cudaMalloc(&a, 4000); cudaMalloc(&p, 32); cudaMalloc(&o, 4); cudaMemset(a, 0, 4000);
    k<<<8, 128>>>(a, p, o, 1000);
    float h; cudaMemcpy(&h, o, 4, cudaMemcpyDeviceToHost); std::printf("%f %s\n", h, cudaGetErrorString(cudaGetLastError())); cudaFree(a); cudaFree(p); cudaFree(o);
}
