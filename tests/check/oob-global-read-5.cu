// bug: oob-global-read
// line: 13
// kernel: series
// note: recursion goes one level too deep and reads past the coefficient table in constant-sized global storage
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__device__ __noinline__ double horner(const double* c, int k, int n, double x) {
    double here = c[k];
    return k == n ? here : here + x * horner(c, k + 1, n, x);
}

__global__ void series(const double* c, int n, double* y) { y[threadIdx.x] = horner(c, 0, n, 0.5); }

int main() {
    const int n = 6;
    std::vector<double> h(n, 1.0), r(4);
    double *c, *y;
    CHECK(cudaMalloc(&c, n * 8));
    CHECK(cudaMalloc(&y, 32));
    CHECK(cudaMemcpy(c, h.data(), n * 8, cudaMemcpyHostToDevice));
    series<<<1, 4>>>(c, n, y);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), y, 32, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(c));
    CHECK(cudaFree(y));
    std::printf("%g\n", r[0]);
    return 0;
}
