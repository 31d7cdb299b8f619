// bug: use-after-free-stream
// line: 21,22
// kernel: k
// note: memory of a pool is freed in one stream while another still reads it
#include <cstdio>
#include <cuda_runtime.h>
__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
__global__ void use(const int* p, int* q) { q[threadIdx.x] = p[threadIdx.x] + 1; }
int main() {
    int *p, *q, h[64];
    cudaStream_t s, t;
    cudaEvent_t e;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaEventCreate(&e);
    cudaMalloc(&q, 256);
    cudaMallocAsync(&p, 256, s);
    fill<<<1, 64, 0, s>>>(p);
    cudaEventRecord(e, s);
    cudaStreamWaitEvent(t, e);
    use<<<1, 64, 0, t>>>(p, q);
    cudaFreeAsync(p, s);
    cudaMemcpyAsync(h, q, 256, cudaMemcpyDeviceToHost, t);
    cudaStreamSynchronize(t);
    std::printf("%d\n", h[0]);
    if (cudaStreamSynchronize(s) != cudaSuccess) return 1;
    cudaFree(q);
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
    cudaEventDestroy(e);
}
