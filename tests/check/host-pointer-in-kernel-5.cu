// bug: host-pointer-in-kernel
// line: 16
// kernel: dot
// note: the array of row pointers was copied to the device, but the rows it names are host vectors
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void dot(const float* const* rows, const float* x, float* y, int n) {
    int r = blockIdx.x;
    float s = 0.0f;
    for (int i = threadIdx.x; i < n; i += 32)
        s += rows[r][i] * x[i];
    for (int o = 16; o; o >>= 1) s += __shfl_down_sync(~0u, s, o);
    if (threadIdx.x == 0) y[r] = s;
}

int main() {
    const int n = 64, m = 3;
    std::vector<std::vector<float>> rows(m, std::vector<float>(n, 1.0f));
    std::vector<const float*> names;
    for (auto& r : rows) names.push_back(r.data());
    const float** d;
    float *x, *y, h[m];
    CHECK(cudaMalloc(&d, m * sizeof(float*)));
    CHECK(cudaMalloc(&x, n * 4));
    CHECK(cudaMalloc(&y, m * 4));
    CHECK(cudaMemcpy(d, names.data(), m * sizeof(float*), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(x, rows[0].data(), n * 4, cudaMemcpyHostToDevice));
    dot<<<m, 32>>>(d, x, y, n);
    cudaError_t e = cudaMemcpy(h, y, m * 4, cudaMemcpyDeviceToHost);
    std::printf("%s\n", cudaGetErrorString(e));
    cudaFree(d);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
