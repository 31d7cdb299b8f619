// bug: race-atomic-mixed
// line: 17,22
// kernel: push
// note: the lock is taken with atomicCAS but given back with a plain store
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__device__ int locked;
__device__ long long total;

__device__ void unlock() {
    __threadfence();
    locked = 0;
}

__global__ void push(const int* x) {
    if (threadIdx.x == 0) {
        while (atomicCAS(&locked, 0, 1) != 0) {}
        __threadfence();
        *(volatile long long*)&total = *(volatile long long*)&total + x[blockIdx.x];
        unlock();
    }
}

int main() {
    const int nb = 12;
    std::vector<int> h(nb, 3);
    int* x;
    long long got = 0;
    CHECK(cudaMalloc(&x, nb * 4));
    CHECK(cudaMemcpy(x, h.data(), nb * 4, cudaMemcpyHostToDevice));
    push<<<nb, 32>>>(x);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyFromSymbol(&got, total, 8));
    CHECK(cudaFree(x));
    std::printf("%lld\n", got);
    return got != 36;
}
