// bug: none
// line: 0
// kernel: add
// note: host and device take turns on managed memory, with a wait each time
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void add(int* data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += 1;
}

int main() {
    const int n = 1000;
    int* data;
    CHECK(cudaMallocManaged(&data, n * sizeof(int)));
    for (int i = 0; i < n; ++i) data[i] = i;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    for (int turn = 0; turn < 3; ++turn) {
        add<<<4, 256, 0, stream>>>(data, n);
        CHECK(cudaGetLastError());
        CHECK(cudaStreamSynchronize(stream));
        data[turn] = 0;
    }
    CHECK(cudaStreamDestroy(stream));
    std::printf("%d\n", data[n - 1]);
    CHECK(cudaFree(data));
    return 0;
}
