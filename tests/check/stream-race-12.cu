// bug: stream-race
// line: 36,37
// kernel: -
// note: an array is filled in one stream while a kernel of another looks at it through a texture
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void look(cudaTextureObject_t t, float* out, int n) {
    int i = threadIdx.x;
    if (i < n) out[i] = tex2D<float>(t, i + 0.5f, 0.5f);
}

int main() {
    const int n = 64;
    float *h, *out;
    CHECK(cudaMallocHost(&h, n * 4));
    for (int i = 0; i < n; ++i) h[i] = float(i);
    CHECK(cudaMalloc(&out, n * 4));
    cudaArray_t a;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocArray(&a, &f, n, 1));
    CHECK(cudaMemcpy2DToArray(a, 0, 0, h, n * 4, n * 4, 1, cudaMemcpyHostToDevice));
    cudaResourceDesc r{};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    cudaTextureDesc d{};
    cudaTextureObject_t t;
    CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    cudaStream_t up, work;
    CHECK(cudaStreamCreateWithFlags(&up, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking));
    CHECK(cudaMemcpy2DToArrayAsync(a, 0, 0, h, n * 4, n * 4, 1, cudaMemcpyHostToDevice, up));
    look<<<1, n, 0, work>>>(t, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(h, out, n * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaStreamDestroy(up));
    CHECK(cudaStreamDestroy(work));
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFreeArray(a));
    CHECK(cudaFree(out));
    std::printf("%g\n", h[3]);
    CHECK(cudaFreeHost(h));
    return 0;
}
