// bug: none
// line: 0
// kernel: filter
// note: lanes that have something take places by one atomic for all of them
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <cooperative_groups.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

namespace cg = cooperative_groups;

__device__ int places(int* counter) {
    auto here = cg::coalesced_threads();
    int first = 0;
    if (here.thread_rank() == 0) first = atomicAdd(counter, here.size());
    return here.shfl(first, 0) + here.thread_rank();
}

__global__ void filter(const int* in, int* out, int* counter, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 3 == 1) out[places(counter)] = in[i];
}

int main() {
    const int n = 1000;
    std::vector<int> h(n);
    for (int i = 0; i < n; ++i) h[i] = i;
    int *in, *out, *counter;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMalloc(&counter, sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(counter, 0, sizeof(int)));
    filter<<<4, 256>>>(in, out, counter, n);
    CHECK(cudaGetLastError());
    int count;
    CHECK(cudaMemcpy(&count, counter, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(h.data(), out, count * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(counter));
    std::printf("%d\n", count);
    return 0;
}
