// bug: endless-loop
// line: 18
// kernel: handoff
// note: the barrier object expects 64 arrivals, but only 32 threads arrive: the wait never ends
#include <cstdio>
#include <cuda/barrier>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void handoff(int* out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int v;
    if (threadIdx.x == 0) { init(&bar, 64); v = 9; }
    __syncthreads();
    if (threadIdx.x < 32) bar.arrive_and_wait();
    out[threadIdx.x] = v;
}

int main() {
    int *out, h[64];
    CHECK(cudaMalloc(&out, 256));
    handoff<<<1, 64>>>(out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h, out, 256, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
    return h[3] != 9;
}
