// bug: race-global-blocks
// line: 18,19
// kernel: wave
// note: wavefront over tiles: the flags are only relaxed, and there is no fence
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

#include <cuda/atomic>
__global__ void wave(int* table, int* flags, int tiles) {
    int x = blockIdx.x;
    using flag = cuda::atomic_ref<int, cuda::thread_scope_device>;
    if (threadIdx.x == 0 && x) while (!flag(flags[x - 1]).load(cuda::memory_order_relaxed)) {}
    __syncthreads();
    int before = x ? table[x * 32 - 32 + threadIdx.x] : 0;
    table[x * 32 + threadIdx.x] = 1 + before;
    __syncthreads();
    if (threadIdx.x == 0) flag(flags[x]).store(1, cuda::memory_order_relaxed);
}

int main() {
    const int n = 128;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    int* flags;
    CHECK(cudaMalloc(&flags, 16 * sizeof(int)));
    CHECK(cudaMemset(flags, 0, 16 * sizeof(int)));
    wave<<<4, 32>>>(out, flags, 4);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(flags));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
