// bug: race-shared-wr
// line: 19,21
// kernel: load
// note: cuda::memcpy_async into shared memory is read behind a barrier, but nobody waits for the copy
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

namespace cg = cooperative_groups;

__global__ void load(const int* in, int* out) {
    __shared__ int s[256];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, s, in, sizeof(s));
    block.sync();
    out[threadIdx.x] = s[255 - threadIdx.x];
    cg::wait(block);
}

int main() {
    std::vector<int> h(256, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, 1024));
    CHECK(cudaMalloc(&out, 1024));
    CHECK(cudaMemcpy(in, h.data(), 1024, cudaMemcpyHostToDevice));
    load<<<1, 256>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, 1024, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[0]);
    return 0;
}
