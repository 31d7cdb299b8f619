// bug: async-source-freed
// line: 21
// kernel: -
// note: pinned memory is freed while a copy from it may be under way
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void twice(int* data) { data[threadIdx.x] *= 2; }

int main() {
    int *pinned, *data;
    CHECK(cudaMallocHost(&pinned, 1024));
    CHECK(cudaMalloc(&data, 1024));
    for (int i = 0; i < 256; ++i) pinned[i] = i;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMemcpyAsync(data, pinned, 1024, cudaMemcpyHostToDevice, stream));
    CHECK(cudaFreeHost(pinned));
    twice<<<1, 256, 0, stream>>>(data);
    CHECK(cudaGetLastError());
    std::vector<int> h(256);
    CHECK(cudaMemcpyAsync(h.data(), data, 1024, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(data));
    std::printf("%d\n", h[9]);
    return 0;
}
