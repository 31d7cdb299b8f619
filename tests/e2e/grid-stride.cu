// Grid-stride loops: right for every launch shape, sizes that nothing divides, and grids far larger than the
// data.
// RUN: lockstep run %s
// OUT: ^grid-stride ok$
#include "support/check.h"

__global__ void saxpy(float a, const float* x, float* y, size_t n) {
    for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < n;
         i += static_cast<size_t>(blockDim.x) * gridDim.x)
        y[i] += a * x[i];
}

int main() {
    const size_t n = 10007;
    std::vector<float> x(n);
    for (size_t i = 0; i < n; ++i) x[i] = static_cast<float>(i % 97);
    float *device_x = to_device(x), *y = device_zeros<float>(n + 64);
    float total = 0;
    const unsigned shapes[][2] = {{1, 1}, {1, 32}, {3, 96}, {7, 33}, {64, 256}, {1000, 64}, {2, 1024}};
    for (auto& shape : shapes) {
        saxpy<<<shape[0], shape[1]>>>(2.0f, device_x, y, n);
        total += 2.0f;
        auto h = to_host(y, n + 64);
        for (size_t i = 0; i < n + 64; ++i) EXPECT_AT(i, h[i], i < n ? total * x[i] : 0.0f);
    }
    return finish("grid-stride");
}
