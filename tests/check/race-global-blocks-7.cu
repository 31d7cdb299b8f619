// bug: race-global-blocks
// line: 16,16
// kernel: tally
// note: a spin lock without any fence: the plain accesses that it should guard are not ordered between blocks
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__device__ int lock_word;
struct Acc { int n; int sum; };

__device__ void add(Acc* a, int v) {
    a->n += 1;
    a->sum += v;
}

__global__ void tally(const int* x, Acc* a) {
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock_word, 0, 1) != 0) {}
        add(a, x[blockIdx.x]);
        atomicExch(&lock_word, 0);
    }
}

int main() {
    const int nb = 10;
    std::vector<int> h(nb, 2);
    int* x;
    Acc *a, got;
    CHECK(cudaMalloc(&x, nb * 4));
    CHECK(cudaMalloc(&a, sizeof(Acc)));
    CHECK(cudaMemset(a, 0, sizeof(Acc)));
    CHECK(cudaMemcpy(x, h.data(), nb * 4, cudaMemcpyHostToDevice));
    tally<<<nb, 32>>>(x, a);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&got, a, sizeof(Acc), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(a));
    std::printf("%d %d\n", got.n, got.sum);
    return 0;
}
