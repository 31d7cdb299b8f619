// bug: unchecked-launch-error
// line: 22
// kernel: wide
// note: a grid of more than 65535 blocks in y, of which the error is swallowed by the loop's own success flag
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void wide(int* p, int w) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < w) p[blockIdx.y * w + x] = 1;
}

int main() {
    const int w = 4, h = 70000;
    int* p;
    CHECK(cudaMalloc(&p, w * h * sizeof(int)));
    CHECK(cudaMemset(p, 0, w * h * sizeof(int)));
    wide<<<dim3(1, h), w>>>(p, w);
    std::vector<int> r(w * h);
    CHECK(cudaMemcpy(r.data(), p, r.size() * sizeof(int), cudaMemcpyDeviceToHost));
    long sum = 0;
    for (int v : r) sum += v;
    CHECK(cudaFree(p));
    std::printf("%ld\n", sum);
    return 0;
}
