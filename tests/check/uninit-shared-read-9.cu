// bug: uninit-shared-read
// line: 29
// kernel: blur
// note: the halo of a tile is loaded without its corners, which the stencil reads
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void blur(const float* in, float* out, int width) {
    __shared__ float tile[18][18];
    int x = threadIdx.x, y = threadIdx.y;
    int gx = blockIdx.x * 16 + x, gy = blockIdx.y * 16 + y;
    auto at = [&](int cx, int cy) {
        cx = min(max(cx, 0), width - 1), cy = min(max(cy, 0), width - 1);
        return in[cy * width + cx];
    };
    tile[y + 1][x + 1] = at(gx, gy);
    if (x == 0) tile[y + 1][0] = at(gx - 1, gy);
    if (x == 15) tile[y + 1][17] = at(gx + 1, gy);
    if (y == 0) tile[0][x + 1] = at(gx, gy - 1);
    if (y == 15) tile[17][x + 1] = at(gx, gy + 1);
    __syncthreads();
    float sum = 0;
    for (int dy = 0; dy < 3; ++dy)
        for (int dx = 0; dx < 3; ++dx)
            sum += tile[y + dy][x + dx];
    out[gy * width + gx] = sum / 9;
}

int main() {
    const int width = 64;
    std::vector<float> h(width * width, 1.f);
    float *in, *out;
    CHECK(cudaMalloc(&in, h.size() * 4));
    CHECK(cudaMalloc(&out, h.size() * 4));
    CHECK(cudaMemcpy(in, h.data(), h.size() * 4, cudaMemcpyHostToDevice));
    blur<<<dim3(4, 4), dim3(16, 16)>>>(in, out, width);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, h.size() * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%f\n", h[0]);
    return 0;
}
