// bug: race-global-blocks
// line: 18,18
// kernel: count
// note: a plain read-modify-write of a global counter by one thread of each block
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Totals { unsigned long long seen; };

__global__ void count(const int* x, int n, Totals* t) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int c = __syncthreads_count(i < n && x[i] > 3);
    if (threadIdx.x == 0)
        t->seen += c;
}

int main() {
    const int n = 1000;
    std::vector<int> h(n, 4);
    int* x;
    Totals *t, got;
    CHECK(cudaMalloc(&x, n * 4));
    CHECK(cudaMalloc(&t, sizeof(Totals)));
    CHECK(cudaMemset(t, 0, sizeof(Totals)));
    CHECK(cudaMemcpy(x, h.data(), n * 4, cudaMemcpyHostToDevice));
    count<<<8, 128>>>(x, n, t);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&got, t, sizeof(Totals), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(t));
    std::printf("%llu\n", got.seen);
    return 0;
}
