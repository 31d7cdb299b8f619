// bug: stream-race
// line: 21,23
// kernel: bump
// note: the host adds to managed memory while the kernel that changes it may still run (lines: launch, access of the host)
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void bump(int* p, int n) {
    int i = threadIdx.x;
    if (i < n) p[i] += 1;
}

int main() {
    int* p;
    CHECK(cudaMallocManaged(&p, 64 * 4));
    for (int i = 0; i < 64; ++i) p[i] = i;
    bump<<<1, 64>>>(p, 64);
    CHECK(cudaGetLastError());
    int seen = p[3];
    CHECK(cudaDeviceSynchronize());
    std::printf("%d %d\n", seen, p[3]);
    CHECK(cudaFree(p));
    return 0;
}
