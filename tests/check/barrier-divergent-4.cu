// bug: barrier-divergent
// line: 20
// kernel: sweep
// note: a cooperative-groups block barrier stands in a branch that only the odd lanes take
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

namespace cg = cooperative_groups;

__global__ void sweep(int* x, int n) {
    cg::thread_block block = cg::this_thread_block();
    unsigned t = block.thread_rank();
    if (t % 2) {
        x[t] += 1;
        block.sync();
    } else {
        x[t] += 2;
    }
    if (t < n) x[t] *= 3;
}

int main() {
    std::vector<int> r(64);
    int* x;
    CHECK(cudaMalloc(&x, 256));
    CHECK(cudaMemset(x, 0, 256));
    sweep<<<1, 64>>>(x, 64);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), x, 256, cudaMemcpyDeviceToHost));
    int bad = 0;
    for (int i = 0; i < 64; ++i) bad += r[i] != (i % 2 ? 3 : 6);
    CHECK(cudaFree(x));
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
