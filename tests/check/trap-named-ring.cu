// bug: none
// line: 0
// kernel: ring
// note: producers and consumers meet at named barriers, full and empty, for two slots
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__device__ __forceinline__ void arrive(int id) { asm volatile("bar.arrive %0, 64;" ::"r"(id) : "memory"); }
__device__ __forceinline__ void wait(int id) { asm volatile("bar.sync %0, 64;" ::"r"(id) : "memory"); }

__global__ void ring(const int* in, int* out) {
    __shared__ int slot[2][32];
    int t = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (int i = 0; i < 8; ++i) {
            if (i >= 2) wait(3 + i % 2);
            slot[i % 2][t] = in[t] + i;
            arrive(1 + i % 2);
        }
    } else {
        int sum = 0;
        for (int i = 0; i < 8; ++i) {
            wait(1 + i % 2);
            sum += slot[i % 2][31 - t];
            if (i < 6) arrive(3 + i % 2);
        }
        out[t] = sum;
    }
}

int main() {
    const int n = 64;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    ring<<<1, 64>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
