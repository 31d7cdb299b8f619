// bug: none
// line: 0
// kernel: invert
// note: each thread changes its own pixel of a surface; textures of the array, filtered and clamped, are read in other launches
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void invert(cudaSurfaceObject_t s, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    uchar4 p = surf2Dread<uchar4>(s, x * 4, y);
    p.x = 255 - p.x;
    surf2Dwrite(p, s, x * 4, y);
}

__global__ void sample(cudaTextureObject_t t, float* out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float4 a = tex2D<float4>(t, x - 0.25f, y + 0.75f), b = tex2D<float4>(t, x + 3.0f, y + 2.0f);
    out[y * w + x] = a.x + b.x;
}

int main() {
    const int w = 20, h = 12;
    std::vector<uchar4> img(w * h, make_uchar4(5, 6, 7, 8));
    std::vector<float> r(w * h);
    cudaArray_t a;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<uchar4>();
    CHECK(cudaMallocArray(&a, &f, w, h, cudaArraySurfaceLoadStore));
    CHECK(cudaMemcpy2DToArray(a, 0, 0, img.data(), w * 4, w * 4, h, cudaMemcpyHostToDevice));
    cudaResourceDesc res{};
    res.resType = cudaResourceTypeArray;
    res.res.array.array = a;
    cudaSurfaceObject_t s;
    CHECK(cudaCreateSurfaceObject(&s, &res));
    cudaTextureDesc d{};
    d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp;
    d.filterMode = cudaFilterModeLinear;
    d.readMode = cudaReadModeNormalizedFloat;
    cudaTextureObject_t t;
    CHECK(cudaCreateTextureObject(&t, &res, &d, nullptr));
    float* out;
    CHECK(cudaMalloc(&out, w * h * 4));
    dim3 block(8, 8), grid(3, 2);
    for (int k = 0; k < 2; ++k) {
        invert<<<grid, block>>>(s, w, h);
        sample<<<grid, block>>>(t, out, w, h);
    }
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, w * h * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaDestroySurfaceObject(s));
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFreeArray(a));
    CHECK(cudaFree(out));
    std::printf("%g\n", r[0]);
    return 0;
}
