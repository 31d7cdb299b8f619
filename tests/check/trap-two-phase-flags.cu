// bug: none
// line: 0
// kernel: wave
// note: wavefront over tiles: each waits for the flags of its left and upper neighbours, released and acquired
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

#include <cuda/atomic>
__global__ void wave(int* table, int* flags, int tiles) {
    int x = blockIdx.x % tiles, y = blockIdx.x / tiles;
    using flag = cuda::atomic_ref<int, cuda::thread_scope_device>;
    if (threadIdx.x == 0) {
        if (x) while (!flag(flags[y * tiles + x - 1]).load(cuda::memory_order_acquire)) {}
        if (y) while (!flag(flags[(y - 1) * tiles + x]).load(cuda::memory_order_acquire)) {}
    }
    __syncthreads();
    int at = (y * tiles + x) * 32 + threadIdx.x;
    table[at] = 1 + (x ? table[at - 32] : 0) + (y ? table[at - 32 * tiles] : 0);
    __syncthreads();
    if (threadIdx.x == 0) flag(flags[y * tiles + x]).store(1, cuda::memory_order_release);
}

int main() {
    const int n = 512;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    int* flags;
    CHECK(cudaMalloc(&flags, 16 * sizeof(int)));
    CHECK(cudaMemset(flags, 0, 16 * sizeof(int)));
    wave<<<16, 32>>>(out, flags, 4);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(flags));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
