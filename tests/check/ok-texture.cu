// bug: none
// line: 0
// kernel: -
// note: texture reads outside of the array are clamped by the address mode and are no access out of bounds
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void blur(cudaTextureObject_t t, float* out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float s = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) s += tex2D<float>(t, x + dx + 0.5f, y + dy + 0.5f);
    out[y * w + x] = s;
}

int main() {
    const int w = 20, h = 10;
    std::vector<float> a(w * h, 1.0f), r(w * h);
    cudaArray_t arr;
    cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocArray(&arr, &d, w, h));
    CHECK(cudaMemcpy2DToArray(arr, 0, 0, a.data(), w * 4, w * 4, h, cudaMemcpyHostToDevice));
    cudaResourceDesc rd{};
    rd.resType = cudaResourceTypeArray;
    rd.res.array.array = arr;
    cudaTextureDesc td{};
    td.addressMode[0] = td.addressMode[1] = cudaAddressModeClamp;
    td.readMode = cudaReadModeElementType;
    cudaTextureObject_t t;
    CHECK(cudaCreateTextureObject(&t, &rd, &td, nullptr));
    float* out;
    CHECK(cudaMalloc(&out, w * h * 4));
    blur<<<dim3(2, 2), dim3(16, 8)>>>(t, out, w, h);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, w * h * 4, cudaMemcpyDeviceToHost));
    int bad = 0;
    for (float v : r) bad += v != 9.0f;
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFreeArray(arr));
    CHECK(cudaFree(out));
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
