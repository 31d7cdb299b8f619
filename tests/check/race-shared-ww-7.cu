// bug: race-shared-ww
// line: 18,20
// kernel: carve
// note: two pieces of dynamic shared memory overlap because the first one's size is counted in floats and not in doubles
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void carve(const double* x, float* out) {
    extern __shared__ double pool[];
    double* a = pool;
    float* b = reinterpret_cast<float*>(pool) + 64;
    int t = threadIdx.x;
    if (t < 64)
        a[t] = x[t];
    else
        b[t - 64] = float(t);
    __syncthreads();
    if (t < 64) out[t] = float(a[t]) + b[t];
}

int main() {
    std::vector<double> h(64, 1.0);
    double* x;
    float *out, r[64];
    CHECK(cudaMalloc(&x, 512));
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMemcpy(x, h.data(), 512, cudaMemcpyHostToDevice));
    carve<<<1, 128, 64 * 8 + 128 * 4>>>(x, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r, out, 256, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    std::printf("%g\n", r[0]);
    return 0;
}
