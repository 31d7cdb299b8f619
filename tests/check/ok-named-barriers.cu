// bug: none
// line: 0
// kernel: -
// note: producer and consumer warps hand a shared cell to and fro with bar.arrive and bar.sync of two named barriers
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__device__ void bar_sync(int id) { asm volatile("bar.sync %0, 64;" ::"r"(id) : "memory"); }
__device__ void bar_arrive(int id) { asm volatile("bar.arrive %0, 64;" ::"r"(id) : "memory"); }

__global__ void relay(const int* in, int* out, int rounds) {
    __shared__ int cell[32];
    int lane = threadIdx.x & 31;
    const int full = 1, empty = 2;
    if (threadIdx.x < 32) {
        for (int k = 0; k < rounds; ++k) {
            if (k > 0) bar_sync(empty);
            cell[lane] = in[k * 32 + lane];
            bar_arrive(full);
        }
    } else {
        for (int k = 0; k < rounds; ++k) {
            bar_sync(full);
            out[k * 32 + lane] = cell[31 - lane];
            if (k + 1 < rounds) bar_arrive(empty);
        }
    }
}

int main() {
    const int rounds = 5, n = rounds * 32;
    std::vector<int> h(n), r(n);
    for (int i = 0; i < n; ++i) h[i] = i;
    int *in, *out;
    CHECK(cudaMalloc(&in, n * 4));
    CHECK(cudaMalloc(&out, n * 4));
    CHECK(cudaMemcpy(in, h.data(), n * 4, cudaMemcpyHostToDevice));
    relay<<<1, 64>>>(in, out, rounds);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, n * 4, cudaMemcpyDeviceToHost));
    int bad = 0;
    for (int i = 0; i < n; ++i) bad += r[i] != i / 32 * 32 + 31 - i % 32;
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
