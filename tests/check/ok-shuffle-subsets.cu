// bug: none
// line: 0
// kernel: -
// note: shuffles and votes in diverged branches, each with the mask of exactly the lanes that are there
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void subsets(const int* x, int* out) {
    int lane = threadIdx.x & 31, i = threadIdx.x;
    int v = x[i];
    if (lane < 12) {
        v += __shfl_down_sync(0xfffu, v, 4, 4);
        v += __any_sync(0xfffu, lane == 3);
    } else if (lane < 20) {
        unsigned m = __activemask() & 0x000ff000u;
        m = __match_any_sync(0x000ff000u, lane & 1) & 0x000ff000u;
        v = __popc(m);
        __syncwarp(0x000ff000u);
    } else {
        v = __reduce_max_sync(0xfff00000u, v);
    }
    __syncwarp();
    out[i] = v;
}

int main() {
    std::vector<int> h(64), r(64);
    for (int i = 0; i < 64; ++i) h[i] = i;
    int *x, *out;
    CHECK(cudaMalloc(&x, 256));
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMemcpy(x, h.data(), 256, cudaMemcpyHostToDevice));
    subsets<<<1, 64>>>(x, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, 256, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    std::printf("%d %d %d\n", r[0], r[13], r[30]);
    return r[13] != 4 || r[30] != 31 || r[62] != 63;
}
