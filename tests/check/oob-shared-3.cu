// bug: oob-shared
// line: 18
// kernel: median3
// note: the tile has 16 columns and the right neighbour of the last one is the first of the next row; in the last row it is past the tile
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void median3(const short* in, short* out, int pitch) {
    __shared__ short tile[8][16];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[y * pitch + x];
    __syncthreads();
    short c = tile[y][x];
    short r = tile[y][x + 1];
    out[y * pitch + x] = c > r ? c : r;
}

int main() {
    std::vector<short> h(128), r(128);
    for (int i = 0; i < 128; ++i) h[i] = short(i * 37 % 101);
    short *in, *out;
    CHECK(cudaMalloc(&in, 256));
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMemcpy(in, h.data(), 256, cudaMemcpyHostToDevice));
    median3<<<1, dim3(16, 8)>>>(in, out, 16);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, 256, cudaMemcpyDeviceToHost));
    int bad = 0;
    for (int i = 0; i < 127; ++i) bad += i % 16 < 15 && r[i] != (h[i] > h[i + 1] ? h[i] : h[i + 1]);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
