// bug: oob-memcpy
// line: 22
// kernel: -
// note: a 3-D copy whose extent counts elements where a pitched pointer needs bytes is twice too wide
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

int main() {
    const size_t w = 16, h = 8, d = 4;
    std::vector<double> src(w * h * d, 1.0);
    cudaPitchedPtr dst;
    CHECK(cudaMalloc3D(&dst, make_cudaExtent(w * sizeof(double), h, d)));
    cudaMemcpy3DParms p{};
    p.srcPtr = make_cudaPitchedPtr(src.data(), w * sizeof(double), w, h);
    p.dstPtr = dst;
    p.extent = make_cudaExtent(w * sizeof(double), h, d + 1);
    p.kind = cudaMemcpyHostToDevice;
    cudaError_t e = cudaMemcpy3D(&p);
    std::printf("%s\n", cudaGetErrorString(e));
    CHECK(cudaFree(dst.ptr));
    return 0;
}
