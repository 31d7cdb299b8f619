// bug: stream-race
// line: 22
// kernel: add
// note: the host reads managed memory while the kernel may run
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void add(int* data) { data[threadIdx.x] += 1; }

int main() {
    int* data;
    CHECK(cudaMallocManaged(&data, 1024));
    for (int i = 0; i < 256; ++i) data[i] = i;
    add<<<1, 256>>>(data);
    CHECK(cudaGetLastError());
    int sum = 0;
    for (int i = 0; i < 256; ++i)
        sum += data[i];
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(data));
    std::printf("%d\n", sum);
    return 0;
}
