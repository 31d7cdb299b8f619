// bug: uninit-shared-read
// line: 18
// kernel: energy
// note: a kernel that prints: the last element of the tile is written by nobody, and goes through pow
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void energy(const double* in, double* out) {
    __shared__ double tile[129];
    int t = threadIdx.x;
    tile[t] = in[t];
    __syncthreads();
    if (t == 0) printf("first %f\n", tile[0]);
    out[t] = pow(tile[t + 1], 1.5);
}

int main() {
    const int n = 128;
    std::vector<double> h(n, 1);
    double *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(double)));
    CHECK(cudaMalloc(&out, n * sizeof(double)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(double), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(double)));
    energy<<<1, 128>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(double), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
