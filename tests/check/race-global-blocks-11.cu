// bug: race-global-blocks
// line: 17,22
// kernel: relay
// note: a relaxed atomic_ref flag hands data to another block: relaxed orders nothing
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <cuda/atomic>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void relay(int* data, int* flag, int* out) {
    cuda::atomic_ref<int, cuda::thread_scope_device> f(*flag);
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        data[0] = 41;
        f.store(1, cuda::memory_order_relaxed);
    } else {
        while (f.load(cuda::memory_order_acquire) == 0) {
        }
        out[0] = data[0] + 1;
    }
}

int main() {
    int *data, *flag, *out, r;
    CHECK(cudaMalloc(&data, 4));
    CHECK(cudaMalloc(&flag, 4));
    CHECK(cudaMalloc(&out, 4));
    CHECK(cudaMemset(data, 0, 4));
    CHECK(cudaMemset(flag, 0, 4));
    relay<<<2, 32>>>(data, flag, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&r, out, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(data));
    CHECK(cudaFree(flag));
    CHECK(cudaFree(out));
    std::printf("%d\n", r);
    return 0;
}
