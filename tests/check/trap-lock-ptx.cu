// bug: none
// line: 0
// kernel: tally
// note: a lock by acquiring and releasing PTX atomics
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__device__ bool take(int* lock) {
    int old;
    asm volatile("atom.acquire.gpu.global.cas.b32 %0, [%1], 0, 1;" : "=r"(old) : "l"(lock) : "memory");
    return old == 0;
}
__device__ void leave(int* lock) { asm volatile("st.release.gpu.global.b32 [%0], 0;" ::"l"(lock) : "memory"); }

__global__ void tally(const int* in, long long* total, int* lock) {
    bool done = false;
    while (!done) {
        if (take(lock)) {
            *total += in[blockIdx.x * blockDim.x + threadIdx.x];
            leave(lock);
            done = true;
        }
    }
}

int main() {
    const int n = 128;
    std::vector<int> h(n, 1);
    int *in, *lock;
    long long* total;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&total, 8));
    CHECK(cudaMalloc(&lock, 4));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(total, 0, 8));
    CHECK(cudaMemset(lock, 0, 4));
    tally<<<4, 32>>>(in, total, lock);
    CHECK(cudaGetLastError());
    long long sum;
    CHECK(cudaMemcpy(&sum, total, 8, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(total));
    CHECK(cudaFree(lock));
    std::printf("%lld\n", sum);
    return 0;
}
