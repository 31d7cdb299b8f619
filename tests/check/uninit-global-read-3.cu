// bug: uninit-global-read
// line: 19
// kernel: degrees
// note: the degree of an isolated vertex was never stored, and the branch depends on it
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void fill(int* deg, const int* has, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && has[i]) deg[i] = i % 3;
}

__global__ void degrees(const int* deg, int n, int* zero) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && deg[i] == 0)
        atomicAdd(zero, 1);
}

int main() {
    const int n = 300;
    std::vector<int> has(n, 1);
    has[77] = 0;
    int *deg, *dh, *zero, got = 0;
    CHECK(cudaMalloc(&deg, n * 4));
    CHECK(cudaMalloc(&dh, n * 4));
    CHECK(cudaMalloc(&zero, 4));
    CHECK(cudaMemset(zero, 0, 4));
    CHECK(cudaMemcpy(dh, has.data(), n * 4, cudaMemcpyHostToDevice));
    fill<<<3, 128>>>(deg, dh, n);
    degrees<<<3, 128>>>(deg, n, zero);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&got, zero, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(deg));
    CHECK(cudaFree(dh));
    CHECK(cudaFree(zero));
    std::printf("%d\n", got);
    return got < 100;
}
