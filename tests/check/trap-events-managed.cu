// bug: none
// line: 0
// kernel: scale
// note: managed memory is filled by the host for the next round while an event says that the kernel of the last has read it
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void scale(const int* a, int* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] += 2 * a[i];
}
int main() {
    const int n = 1024;
    int *a, *b;
    cudaStream_t stream;
    cudaEvent_t read;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaEventCreate(&read));
    CHECK(cudaMallocManaged(&a, n * sizeof(int)));
    CHECK(cudaMalloc(&b, n * sizeof(int)));
    CHECK(cudaMemsetAsync(b, 0, n * sizeof(int), stream));
    for (int round = 0; round < 3; ++round) {
        if (round) CHECK(cudaEventSynchronize(read));
        for (int i = 0; i < n; ++i) a[i] = round;
        scale<<<n / 256, 256, 0, stream>>>(a, b, n);
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(read, stream));
    }
    int h = 0;
    CHECK(cudaMemcpyAsync(&h, b, sizeof(int), cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaEventDestroy(read));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    std::printf("%d\n", h);
    return 0;
}
