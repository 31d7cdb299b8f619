// bug: leak
// line: 17
// kernel: -
// note: the array behind the texture is not freed when the texture is destroyed
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void look(cudaTextureObject_t t, float* out) { out[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, 0.5f); }

int main() {
    cudaArray_t a;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocArray(&a, &f, 32, 1));
    std::vector<float> h(32, 2.0f);
    CHECK(cudaMemcpy2DToArray(a, 0, 0, h.data(), 128, 128, 1, cudaMemcpyHostToDevice));
    cudaResourceDesc r{};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    cudaTextureDesc d{};
    cudaTextureObject_t t;
    CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    float* out;
    CHECK(cudaMalloc(&out, 128));
    look<<<1, 32>>>(t, out);
    CHECK(cudaMemcpy(h.data(), out, 128, cudaMemcpyDeviceToHost));
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFree(out));
    std::printf("%g\n", h[0]);
    return 0;
}
