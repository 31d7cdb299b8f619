// bug: none
// line: 0
// kernel: blur
// note: a texture of an array is read at and beyond its edges, while a surface of another is written
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void blur(cudaTextureObject_t from, cudaSurfaceObject_t to, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) sum += tex2D<float>(from, x + dx + 0.5f, y + dy + 0.5f);
    surf2Dwrite(sum / 9, to, x * static_cast<int>(sizeof(float)), y);
}

int main() {
    const int width = 40, height = 24;
    std::vector<float> h(width * height, 2.f);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t a, b;
    CHECK(cudaMallocArray(&a, &format, width, height));
    CHECK(cudaMallocArray(&b, &format, width, height, cudaArraySurfaceLoadStore));
    CHECK(cudaMemcpy2DToArray(a, 0, 0, h.data(), width * 4, width * 4, height, cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = a;
    cudaTextureDesc how{};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModePoint;
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    resource.res.array.array = b;
    cudaSurfaceObject_t surface;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    blur<<<dim3(3, 2), dim3(16, 16)>>>(texture, surface, width, height);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy2DFromArray(h.data(), width * 4, b, 0, 0, width * 4, height, cudaMemcpyDeviceToHost));
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaDestroySurfaceObject(surface));
    CHECK(cudaFreeArray(a));
    CHECK(cudaFreeArray(b));
    std::printf("%f\n", h[0]);
    return 0;
}
