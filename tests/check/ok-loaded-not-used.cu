// bug: none
// line: 0
// kernel: -
// note: the tile loop stages zeros at the edge, a shared scalar is set by one thread before the barrier, and bank padding is never read
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void transpose(const float* in, float* out, int w, int h) {
    __shared__ float tile[16][17];
    __shared__ float gain;
    if (threadIdx.x == 0 && threadIdx.y == 0) gain = 2.0f;
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < w && y < h) tile[threadIdx.y][threadIdx.x] = in[y * w + x];
    __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x;
    y = blockIdx.x * 16 + threadIdx.y;
    float v = gain * tile[threadIdx.x][threadIdx.y];
    if (x < h && y < w) out[y * h + x] = v;
}

int main() {
    const int w = 37, h = 21;
    std::vector<float> a(w * h), r(w * h);
    for (int i = 0; i < w * h; ++i) a[i] = float(i);
    float *in, *out;
    CHECK(cudaMalloc(&in, w * h * 4));
    CHECK(cudaMalloc(&out, w * h * 4));
    CHECK(cudaMemcpy(in, a.data(), w * h * 4, cudaMemcpyHostToDevice));
    transpose<<<dim3(3, 2), dim3(16, 16)>>>(in, out, w, h);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, w * h * 4, cudaMemcpyDeviceToHost));
    int bad = 0;
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) bad += r[x * h + y] != 2.0f * a[y * w + x];
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
