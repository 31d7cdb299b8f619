// bug: leak
// line: 23
// kernel: -
// note: the pitched allocation of the second call is lost, since the function writes it over the first
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void zero(float* p, size_t pitch, int w, int h) {
    int x = threadIdx.x, y = blockIdx.x;
    if (x < w && y < h) ((float*)((char*)p + y * pitch))[x] = 0.0f;
}

struct Plane {
    float* p = nullptr;
    size_t pitch = 0;
};

static int make(Plane& plane, int w, int h) {
    CHECK(cudaMallocPitch(&plane.p, &plane.pitch, w * sizeof(float), h));
    zero<<<h, w>>>(plane.p, plane.pitch, w, h);
    CHECK(cudaGetLastError());
    return 0;
}

int main() {
    Plane a;
    float r = 1;
    if (make(a, 30, 10) || make(a, 40, 20)) return 1;
    CHECK(cudaMemcpy(&r, a.p, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(a.p));
    std::printf("%g\n", r);
    return 0;
}
