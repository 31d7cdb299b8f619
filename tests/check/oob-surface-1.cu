// bug: oob-surface
// line: 14
// kernel: paint
// note: x of a surface is counted in texels where bytes are asked for, and y goes one row too far
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void paint(cudaSurfaceObject_t s, int w, int h) {
    int x = threadIdx.x, y = threadIdx.y;
    if (x < w && y <= h) surf2Dwrite((unsigned char)(x + y), s, x, y);
}

int main() {
    const int w = 16, h = 8;
    cudaArray_t a;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<unsigned char>();
    CHECK(cudaMallocArray(&a, &f, w, h, cudaArraySurfaceLoadStore));
    cudaResourceDesc r{};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    cudaSurfaceObject_t s;
    CHECK(cudaCreateSurfaceObject(&s, &r));
    paint<<<1, dim3(16, 16)>>>(s, w, h);
    unsigned char out[w * h];
    cudaError_t e = cudaMemcpy2DFromArray(out, w, a, 0, 0, w, h, cudaMemcpyDeviceToHost);
    std::printf("%s %d\n", cudaGetErrorString(e), out[1]);
    cudaDestroySurfaceObject(s);
    cudaFreeArray(a);
    return 0;
}
