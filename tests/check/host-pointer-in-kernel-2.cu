// bug: host-pointer-in-kernel
// line: 16
// kernel: poly
// note: the coefficients lie on the host's stack; the kernel gets their address
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void poly(const double* x, const double* c, int deg, double* y, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        double s = 0;
        for (int k = deg; k >= 0; --k)
            s = s * x[i] + c[k];
        y[i] = s;
    }
}

int main() {
    const int n = 100;
    double c[4] = {1, 2, 3, 4};
    std::vector<double> h(n, 1.0), r(n);
    double *x, *y;
    CHECK(cudaMalloc(&x, n * 8));
    CHECK(cudaMalloc(&y, n * 8));
    CHECK(cudaMemcpy(x, h.data(), n * 8, cudaMemcpyHostToDevice));
    poly<<<1, 64>>>(x, c, 3, y, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), y, n * 8, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    std::printf("%g\n", r[0]);
    return r[0] != 10.0;
}
