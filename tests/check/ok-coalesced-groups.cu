// bug: none
// line: 0
// kernel: -
// note: aggregated atomics by the coalesced group of a branch, and labeled partitions of it
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

namespace cg = cooperative_groups;

__device__ int claim(int* counter) {
    auto g = cg::coalesced_threads();
    int base = 0;
    if (g.thread_rank() == 0) base = atomicAdd(counter, int(g.size()));
    return g.shfl(base, 0) + int(g.thread_rank());
}

__global__ void keep_odd(const int* x, int n, int* out, int* counter) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] % 2) out[claim(counter)] = x[i];
}

int main() {
    const int n = 777;
    std::vector<int> h(n), r(n);
    for (int i = 0; i < n; ++i) h[i] = i;
    int *x, *out, *c, got = 0;
    CHECK(cudaMalloc(&x, n * 4));
    CHECK(cudaMalloc(&out, n * 4));
    CHECK(cudaMalloc(&c, 4));
    CHECK(cudaMemset(c, 0, 4));
    CHECK(cudaMemcpy(x, h.data(), n * 4, cudaMemcpyHostToDevice));
    keep_odd<<<7, 128>>>(x, n, out, c);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&got, c, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(r.data(), out, got * 4, cudaMemcpyDeviceToHost));
    long long s = 0;
    for (int i = 0; i < got; ++i) s += r[i];
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    CHECK(cudaFree(c));
    std::printf("%d\n", got);
    return got != 388 || s != 388ll * 388;
}
