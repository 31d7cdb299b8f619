// bug: none
// line: 0
// kernel: -
// note: cuda::barrier with memcpy_async: the copy of the whole group is waited for on the barrier, and arrive and wait stand apart
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/barrier>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

#pragma nv_diag_suppress static_var_with_dynamic_init
namespace cg = cooperative_groups;

__global__ void tiles(const int* in, int* out, int rounds) {
    __shared__ int buf[128];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    cg::thread_block block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&bar, block.size());
    block.sync();
    int t = threadIdx.x, acc = 0;
    for (int k = 0; k < rounds; ++k) {
        cuda::memcpy_async(block, buf, in + k * 128, sizeof(int) * 128, bar);
        auto token = bar.arrive();
        int extra = k * t;
        bar.wait(std::move(token));
        acc += buf[127 - t] + extra;
        bar.arrive_and_wait();
    }
    out[t] = acc;
}

int main() {
    const int rounds = 3;
    std::vector<int> h(128 * rounds, 2), r(128);
    int *in, *out;
    CHECK(cudaMalloc(&in, h.size() * 4));
    CHECK(cudaMalloc(&out, 512));
    CHECK(cudaMemcpy(in, h.data(), h.size() * 4, cudaMemcpyHostToDevice));
    tiles<<<1, 128>>>(in, out, rounds);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, 512, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", r[10]);
    return r[10] != 6 + 30;
}
