// bug: race-global-blocks
// line: 14,22
// kernel: life
// note: the in-place step writes a byte of the plane that a block of the next grid row reads
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__device__ int around(const unsigned char* g, int x, int y, int nx, int ny) {
    int yn = (y + 1) % ny;
    return g[yn * nx + x];
}

__global__ void life(unsigned char* g, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y;
    if (x < nx) {
        int s = around(g, x, y, nx, ny);
        g[y * nx + x] = (unsigned char)(s + 1);
    }
}

int main() {
    const int nx = 48, ny = 6;
    std::vector<unsigned char> r(nx * ny);
    unsigned char* g;
    CHECK(cudaMallocManaged(&g, nx * ny));
    for (int i = 0; i < nx * ny; ++i) g[i] = (unsigned char)(i % 7);
    life<<<dim3(2, ny), 32>>>(g, nx, ny);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    int s = g[0];
    CHECK(cudaFree(g));
    std::printf("%d\n", s);
    return 0;
}
