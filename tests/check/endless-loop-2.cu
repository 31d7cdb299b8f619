// bug: endless-loop
// line: 14
// kernel: search
// note: the bounds of the binary search stop moving when two are left
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__device__ int lower(const double* x, int n, double key) {
    int lo = 0, hi = n;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (x[mid] < key) lo = mid;
        else hi = mid;
    }
    return lo;
}

__global__ void search(const double* x, int n, const double* keys, int* at) {
    at[threadIdx.x] = lower(x, n, keys[threadIdx.x]);
}

int main() {
    const int n = 64;
    std::vector<double> h(n), k(32);
    for (int i = 0; i < n; ++i) h[i] = i;
    for (int i = 0; i < 32; ++i) k[i] = 0.0;
    k[31] = 2.5;
    std::vector<int> r(32);
    double *x, *keys;
    int* at;
    CHECK(cudaMalloc(&x, n * 8));
    CHECK(cudaMalloc(&keys, 256));
    CHECK(cudaMalloc(&at, 128));
    CHECK(cudaMemcpy(x, h.data(), n * 8, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(keys, k.data(), 256, cudaMemcpyHostToDevice));
    search<<<1, 32>>>(x, n, keys, at);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), at, 128, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(keys));
    CHECK(cudaFree(at));
    std::printf("%d\n", r[0]);
    return r[0] != 0;
}
