// bug: race-global-blocks
// line: 15,17
// kernel: blur
// note: an image is smoothed in place through a surface: a block reads the column that its neighbour writes
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void blur(cudaSurfaceObject_t img, int w) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x + 1 >= w) return;
    float right = surf2Dread<float>(img, (x + 1) * 4, 0);
    float own = surf2Dread<float>(img, x * 4, 0);
    surf2Dwrite(0.5f * (own + right), img, x * 4, 0);
}

int main() {
    const int w = 128;
    std::vector<float> h(w, 1.0f);
    cudaArray_t a;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocArray(&a, &f, w, 1, cudaArraySurfaceLoadStore));
    CHECK(cudaMemcpy2DToArray(a, 0, 0, h.data(), w * 4, w * 4, 1, cudaMemcpyHostToDevice));
    cudaResourceDesc r{};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    cudaSurfaceObject_t s;
    CHECK(cudaCreateSurfaceObject(&s, &r));
    blur<<<w / 32, 32>>>(s, w);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy2DFromArray(h.data(), w * 4, a, 0, 0, w * 4, 1, cudaMemcpyDeviceToHost));
    CHECK(cudaDestroySurfaceObject(s));
    CHECK(cudaFreeArray(a));
    std::printf("%g\n", h[0]);
    return 0;
}
