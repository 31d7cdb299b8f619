// bug: race-shared-wr
// line: 16,19
// kernel: split
// note: the named barrier of the two consumer warps does not hold the producer warp, which stores the next value before they have read the present one
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void split(const int* in, int* out, int rounds) {
    __shared__ int cell[32];
    int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    for (int k = 0; k < rounds; ++k) {
        if (warp == 0) cell[lane] = in[k * 32 + lane];
        __syncthreads();
        if (warp > 0) {
            int v = cell[31 - lane];
            asm volatile("bar.sync 1, 64;" ::: "memory");
            out[(k * 2 + warp - 1) * 32 + lane] = v + warp;
        }
    }
}

int main() {
    const int rounds = 3;
    std::vector<int> h(32 * rounds, 5), r(64 * rounds);
    int *in, *out;
    CHECK(cudaMalloc(&in, h.size() * 4));
    CHECK(cudaMalloc(&out, r.size() * 4));
    CHECK(cudaMemcpy(in, h.data(), h.size() * 4, cudaMemcpyHostToDevice));
    split<<<1, 96>>>(in, out, rounds);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, r.size() * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", r[0]);
    return r[0] != 6;
}
