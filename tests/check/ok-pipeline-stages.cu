// bug: none
// line: 0
// kernel: -
// note: two stages of cuda::pipeline, each read after consumer_wait and given back by consumer_release
#include <cstdio>
#include <cuda_runtime.h>
#include <cuda/pipeline>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(const int* in, int* out, int rounds) {
    __shared__ int stage[2][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int fetch = 0, r = 0; r < rounds; ++r) {
        for (; fetch < rounds && fetch < r + 2; ++fetch) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, stage[fetch % 2], in + fetch * 64, sizeof(int) * 64, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += stage[r % 2][63 - threadIdx.x];
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}
int main() {
    int *a, *b, h[256];
    cudaMalloc(&a, 1024 * 4);
    cudaMalloc(&b, 1024 * 4);
    cudaMemset(a, 0, 1024 * 4);
    cudaMemset(b, 0, 1024 * 4);
    k<<<1, 64>>>(a, b, 4);
    if (cudaMemcpy(h, b, 1024, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    std::printf("%d\n", h[0]);
    cudaFree(a);
    cudaFree(b);
}
