// bug: none
// line: 0
// kernel: add
// note: managed memory goes to and fro with prefetches and advice; the host reads behind an event, and writes while a kernel works on another array
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void add(int* p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += 5;
}

int main() {
    const int n = 4096;
    int *a, *b;
    cudaEvent_t done;
    CHECK(cudaMallocManaged(&a, n * 4));
    CHECK(cudaMallocManaged(&b, n * 4));
    CHECK(cudaEventCreate(&done));
    for (int i = 0; i < n; ++i) a[i] = i;
    add<<<n / 256, 256>>>(a, n);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(done));
    CHECK(cudaEventSynchronize(done));
    int sum = a[10];
    for (int i = 0; i < n; ++i) b[i] = a[i];
    add<<<n / 256, 256>>>(b, n);
    CHECK(cudaDeviceSynchronize());
    sum += b[10];
    CHECK(cudaEventDestroy(done));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    std::printf("%d\n", sum);
    return sum != 35;
}
