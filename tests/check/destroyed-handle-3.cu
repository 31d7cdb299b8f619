// bug: destroyed-handle
// line: 22
// kernel: -
// note: a stream is waited for that was destroyed
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void one(int* data) { data[threadIdx.x] = 1; }

int main() {
    int* data;
    CHECK(cudaMalloc(&data, 1024));
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    one<<<1, 256, 0, stream>>>(data);
    CHECK(cudaGetLastError());
    CHECK(cudaStreamDestroy(stream));
    cudaStreamSynchronize(stream);
    CHECK(cudaDeviceSynchronize());
    int first;
    CHECK(cudaMemcpy(&first, data, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(data));
    std::printf("%d\n", first);
    return 0;
}
