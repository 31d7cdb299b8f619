// bug: unchecked-launch-error
// line: 18
// kernel: touch
// note: an empty input gives a grid of no blocks, which is an invalid configuration
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void touch(int* p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = i;
}

static void run(int* p, int n) {
    touch<<<(n + 127) / 128, 128>>>(p, n);
}

int main() {
    int *p, h = -1;
    CHECK(cudaMalloc(&p, 4000));
    const int sizes[] = {1000, 0, 500};
    for (int n : sizes) run(p, n);
    CHECK(cudaMemcpy(&h, p + 999, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(p));
    std::printf("%d\n", h);
    return h != 999;
}
