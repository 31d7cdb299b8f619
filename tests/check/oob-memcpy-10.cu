// bug: oob-memcpy
// line: 19
// kernel: -
// note: the rows of a two-dimensional copy are wider than the host array has
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

int main() {
    const int width = 100, height = 10;
    float* image;
    size_t pitch;
    CHECK(cudaMallocPitch(&image, &pitch, width * sizeof(float), height));
    CHECK(cudaMemset2D(image, pitch, 0, width * sizeof(float), height));
    std::vector<float> h(width * height);
    CHECK(cudaMemcpy2D(h.data(), pitch, image, pitch, width * sizeof(float), height, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(image));
    std::printf("%f\n", h[0]);
    return 0;
}
