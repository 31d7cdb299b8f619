// bug: copy-direction
// line: 20
// kernel: -
// note: a result is copied to the host with the direction of the way there
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void one(int* data) { data[threadIdx.x] = 1; }

int main() {
    int* data;
    std::vector<int> h(256);
    CHECK(cudaMalloc(&data, 1024));
    one<<<1, 256>>>(data);
    CHECK(cudaGetLastError());
    cudaMemcpy(h.data(), data, 1024, cudaMemcpyHostToDevice);
    cudaGetLastError();
    CHECK(cudaMemcpy(h.data(), data, 1024, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(data));
    std::printf("%d\n", h[0]);
    return 0;
}
