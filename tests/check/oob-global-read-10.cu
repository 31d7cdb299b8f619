// bug: oob-global-read
// line: 16
// kernel: stencil
// note: the left neighbour of the first element of the first row is one element before the array
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void stencil(const float* u, float* v, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width || y >= height) return;
    int i = y * width + x;
    float left = u[i - 1];
    v[i] = x > 0 ? u[i] - left : u[i];
}

int main() {
    const int n = 256;
    std::vector<float> h(n, 1);
    float *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(float)));
    CHECK(cudaMalloc(&out, n * sizeof(float)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(float)));
    stencil<<<dim3(1, 8), 32>>>(in, out, 32, 8);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
