// bug: none
// line: 0
// kernel: -
// note: a lock of cuda::atomic with acquire and release guards plain accesses to a table; several threads of a block take it in turn
#include <cstdio>
#include <cuda/atomic>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Lock {
    cuda::atomic<int, cuda::thread_scope_device> word;
    __device__ void take() {
        int want = 0;
        while (!word.compare_exchange_weak(want, 1, cuda::memory_order_acquire, cuda::memory_order_relaxed)) want = 0;
    }
    __device__ void give() { word.store(0, cuda::memory_order_release); }
};

struct Best { float v; int at; };

__global__ void best(const float* x, int n, Lock* lock, Best* b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x % 16 == 0 && i < n) {
        lock->take();
        if (x[i] > b->v) { b->v = x[i]; b->at = i; }
        lock->give();
    }
}

int main() {
    const int n = 640;
    std::vector<float> h(n);
    for (int i = 0; i < n; ++i) h[i] = float((i * 37) % 641);
    float* x;
    Lock* lock;
    Best *b, got{-1.0f, -1};
    CHECK(cudaMalloc(&x, n * 4));
    CHECK(cudaMalloc(&lock, sizeof(Lock)));
    CHECK(cudaMalloc(&b, sizeof(Best)));
    CHECK(cudaMemset(lock, 0, sizeof(Lock)));
    CHECK(cudaMemcpy(b, &got, sizeof(Best), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(x, h.data(), n * 4, cudaMemcpyHostToDevice));
    best<<<10, 64>>>(x, n, lock, b);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&got, b, sizeof(Best), cudaMemcpyDeviceToHost));
    float m = -1;
    for (int i = 0; i < n; i += 16) m = h[i] > m ? h[i] : m;
    CHECK(cudaFree(x));
    CHECK(cudaFree(lock));
    CHECK(cudaFree(b));
    std::printf("%g at %d\n", got.v, got.at);
    return got.v != m;
}
