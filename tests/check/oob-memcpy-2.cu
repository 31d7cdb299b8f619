// bug: oob-memcpy
// line: 18
// kernel: -
// note: the height of the 2-D copy is that of the source image; the destination on the device has one row less
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

int main() {
    const int w = 30, rows = 9;
    std::vector<unsigned char> h(w * rows, 1), r(w * (rows - 1));
    unsigned char* d;
    size_t pitch = 0;
    CHECK(cudaMallocPitch(&d, &pitch, w, rows - 1));
    cudaMemcpy2D(d, pitch, h.data(), w, w, rows, cudaMemcpyHostToDevice);
    cudaGetLastError();
    CHECK(cudaMemcpy2D(d, pitch, h.data(), w, w, rows - 1, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy2D(r.data(), w, d, pitch, w, rows - 1, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d));
    std::printf("%d\n", r[0]);
    return r[0] != 1;
}
