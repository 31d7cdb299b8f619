// bug: oob-global-read
// line: 15
// kernel: scale
// note: vectors of four are read for the tail, too, where three elements are left
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void scale(const int4* in, int4* out, int vectors) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < vectors) {
        int4 v = in[i];
        if (i + 1 < vectors) out[i] = make_int4(v.x * 2, v.y * 2, v.z * 2, v.w * 2);
    }
}
int main() {
    const int n = 1023;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    scale<<<4, 64>>>((const int4*)in, (int4*)out, (n + 3) / 4);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[0]);
    return 0;
}
