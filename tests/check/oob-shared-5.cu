// bug: oob-shared
// line: 20
// kernel: sortlike
// note: dynamic shared memory is carved in three; the launch forgot the last part's bytes
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void sortlike(const float* x, float* y, int n) {
    extern __shared__ unsigned char raw[];
    float* key = reinterpret_cast<float*>(raw);
    int* rank = reinterpret_cast<int*>(key + blockDim.x);
    unsigned char* seen = reinterpret_cast<unsigned char*>(rank + blockDim.x);
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    key[t] = i < n ? x[i] : 1e30f;
    rank[t] = 0;
    seen[t] = 0;
    __syncthreads();
    for (int k = 0; k < blockDim.x; ++k) rank[t] += key[k] < key[t] || (key[k] == key[t] && k < t);
    if (i < n) y[blockIdx.x * blockDim.x + rank[t]] = key[t];
}

int main() {
    const int n = 512, bs = 128;
    std::vector<float> h(n);
    for (int i = 0; i < n; ++i) h[i] = float(i * 37 % 101);
    float *x, *y;
    CHECK(cudaMalloc(&x, n * sizeof(float)));
    CHECK(cudaMalloc(&y, n * sizeof(float)));
    CHECK(cudaMemcpy(x, h.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    sortlike<<<n / bs, bs, bs * (sizeof(float) + sizeof(int))>>>(x, y, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    std::printf("%g\n", h[0]);
    return 0;
}
