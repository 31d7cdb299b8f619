// bug: race-global-blocks
// line: 16,21
// kernel: hand
// note: the releasing store has a block's scope although the reader is in another block
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <cuda/atomic>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void hand(int* data, int* flag, int* out) {
    if (threadIdx.x) return;
    if (blockIdx.x == 0) {
        *data = 7;
        cuda::atomic_ref<int, cuda::thread_scope_block>(*flag).store(1, cuda::memory_order_release);
    } else {
        while (cuda::atomic_ref<int, cuda::thread_scope_device>(*flag).load(cuda::memory_order_acquire) == 0) {
        }
        *out = *data;
    }
}

int main() {
    int *p, r;
    CHECK(cudaMalloc(&p, 12));
    CHECK(cudaMemset(p, 0, 12));
    hand<<<2, 32>>>(p, p + 1, p + 2);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&r, p + 2, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(p));
    std::printf("%d\n", r);
    return 0;
}
