// bug: uninit-global-read
// line: 14
// kernel: look
// note: a linear texture looks at a buffer of which only the first half was uploaded
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void look(cudaTextureObject_t t, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex1Dfetch<int>(t, i) * 3;
}

int main() {
    const int n = 128;
    std::vector<int> h(n, 1);
    int *a, *out;
    CHECK(cudaMalloc(&a, n * 4));
    CHECK(cudaMalloc(&out, n * 4));
    CHECK(cudaMemcpy(a, h.data(), n / 2 * 4, cudaMemcpyHostToDevice));
    cudaResourceDesc r{};
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = a;
    r.res.linear.desc = cudaCreateChannelDesc<int>();
    r.res.linear.sizeInBytes = n * 4;
    cudaTextureDesc d{};
    cudaTextureObject_t t;
    CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    look<<<2, 64>>>(t, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFree(a));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[0]);
    return 0;
}
