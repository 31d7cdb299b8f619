// bug: none
// line: 0
// kernel: split
// note: library functions that leave results behind pointers into arrays on the stack, and a kernel that prints
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void split(const float* in, float* out) {
    float parts[4];
    int exponent[2];
    parts[0] = frexpf(in[threadIdx.x], &exponent[0]);
    parts[1] = modff(in[threadIdx.x], &parts[2]);
    exponent[1] = 1;
    float s, c;
    sincosf(in[threadIdx.x], &s, &c);
    parts[3] = s * c;
    float sum = 0;
    for (int i = 0; i < 4; ++i) sum += parts[(i + threadIdx.x) & 3];
    if (threadIdx.x == 0) printf("%d\n", exponent[threadIdx.x & 1]);
    out[threadIdx.x] = sum + exponent[threadIdx.x & 1];
}

int main() {
    const int n = 64;
    std::vector<float> h(n, 1);
    float *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(float)));
    CHECK(cudaMalloc(&out, n * sizeof(float)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(float)));
    split<<<1, 64>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
