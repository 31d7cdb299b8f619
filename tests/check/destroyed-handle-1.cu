// bug: destroyed-handle
// line: 31
// kernel: -
// note: the stream of the pool's worker is used after the pool has destroyed it
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void work(int* p) { p[threadIdx.x] = 1; }

struct Pool {
    cudaStream_t s;
    Pool() { cudaStreamCreate(&s); }
    ~Pool() { cudaStreamDestroy(s); }
};

int main() {
    int *p, h[32];
    cudaStream_t keep;
    CHECK(cudaMalloc(&p, 128));
    CHECK(cudaMemset(p, 0, 128));
    {
        Pool pool;
        keep = pool.s;
        work<<<1, 32, 0, keep>>>(p);
        CHECK(cudaStreamSynchronize(keep));
    }
    cudaError_t e = cudaMemsetAsync(p, 0, 64, keep);
    std::printf("%s\n", cudaGetErrorString(e));
    CHECK(cudaMemcpy(h, p, 128, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(p));
    std::printf("%d\n", h[0]);
    return 0;
}
