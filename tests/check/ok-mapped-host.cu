// bug: none
// line: 0
// kernel: -
// note: pinned and registered host memory are used in a kernel by their own address, which unified addressing allows
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void add(const int* a, int* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] += a[i];
}

int main() {
    const int n = 1024;
    int *a, *b = static_cast<int*>(std::aligned_alloc(4096, n * 4));
    CHECK(cudaHostAlloc(&a, n * 4, cudaHostAllocMapped));
    CHECK(cudaHostRegister(b, n * 4, cudaHostRegisterDefault));
    for (int i = 0; i < n; ++i) { a[i] = i; b[i] = 1; }
    add<<<8, 128>>>(a, b, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    int bad = 0;
    for (int i = 0; i < n; ++i) bad += b[i] != i + 1;
    CHECK(cudaHostUnregister(b));
    CHECK(cudaFreeHost(a));
    std::free(b);
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
