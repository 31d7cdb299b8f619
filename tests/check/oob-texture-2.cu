// bug: oob-texture
// line: 15
// kernel: look
// note: the neighbour on the right of the last element is fetched from a linear texture, which has none
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void look(cudaTextureObject_t t, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = tex1Dfetch<float>(t, i) + tex1Dfetch<float>(t, i + 1);
}

int main() {
    const int n = 100;
    std::vector<float> h(n, 1.0f);
    float *a, *out;
    CHECK(cudaMalloc(&a, n * 4));
    CHECK(cudaMalloc(&out, n * 4));
    CHECK(cudaMemcpy(a, h.data(), n * 4, cudaMemcpyHostToDevice));
    cudaResourceDesc r{};
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = a;
    r.res.linear.desc = cudaCreateChannelDesc<float>();
    r.res.linear.sizeInBytes = n * 4;
    cudaTextureDesc d{};
    cudaTextureObject_t t;
    CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    look<<<4, 32>>>(t, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFree(a));
    CHECK(cudaFree(out));
    std::printf("%g\n", h[0]);
    return 0;
}
