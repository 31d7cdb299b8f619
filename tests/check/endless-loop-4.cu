// bug: endless-loop
// line: 16
// kernel: digits
// note: an unsigned index counts down past zero, so the condition is always true
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void digits(const unsigned* x, unsigned char* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned v = x[i];
    for (unsigned k = 7; k >= 0; --k) {
        out[(i * 8 + k) & 1023] = (unsigned char)(v % 10);
        v /= 10;
    }
}

int main() {
    const int n = 40;
    std::vector<unsigned> h(n, 12345u);
    std::vector<unsigned char> r(1024);
    unsigned* x;
    unsigned char* out;
    CHECK(cudaMalloc(&x, n * 4));
    CHECK(cudaMalloc(&out, 1024));
    CHECK(cudaMemcpy(x, h.data(), n * 4, cudaMemcpyHostToDevice));
    digits<<<2, 32>>>(x, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, 1024, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    std::printf("%d\n", r[7]);
    return 0;
}
