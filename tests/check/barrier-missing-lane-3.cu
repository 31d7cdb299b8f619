// bug: barrier-missing-lane
// line: 20
// kernel: tile_max
// note: half of each 8-lane tile has left the loop when the rest shuffles with the whole tile
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

namespace cg = cooperative_groups;

__global__ void tile_max(const double* x, const int* len, double* out) {
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = threadIdx.x;
    double v = x[t];
    for (int k = 0; k < len[t]; ++k) {
        double o = tile.shfl_xor(v, 1 << (k % 3));
        v = o > v ? o : v;
    }
    out[t] = v;
}

int main() {
    std::vector<double> h(32), r(32);
    std::vector<int> len(32);
    for (int i = 0; i < 32; ++i) { h[i] = i; len[i] = i % 8 < 4 ? 2 : 3; }
    double *x, *out;
    int* dl;
    CHECK(cudaMalloc(&x, 256));
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMalloc(&dl, 128));
    CHECK(cudaMemcpy(x, h.data(), 256, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dl, len.data(), 128, cudaMemcpyHostToDevice));
    tile_max<<<1, 32>>>(x, dl, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, 256, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    CHECK(cudaFree(dl));
    std::printf("%g\n", r[0]);
    return 0;
}
