// bug: stream-race
// line: 28,31
// kernel: -
// note: both halves are downloaded in a second stream right after the kernel of the first; the event is recorded but never waited for
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void square(float* p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= p[i];
}

int main() {
    const int n = 2048;
    float *h, *d;
    CHECK(cudaMallocHost(&h, n * 4));
    CHECK(cudaMalloc(&d, n * 4));
    for (int i = 0; i < n; ++i) h[i] = float(i % 10);
    cudaStream_t s[2];
    cudaEvent_t done;
    for (auto& q : s) CHECK(cudaStreamCreateWithFlags(&q, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    CHECK(cudaMemcpyAsync(d, h, n * 4, cudaMemcpyHostToDevice, s[0]));
    square<<<n / 256, 256, 0, s[0]>>>(d, n);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(done, s[0]));
    CHECK(cudaMemcpyAsync(h, d, n * 4, cudaMemcpyDeviceToHost, s[1]));
    CHECK(cudaStreamSynchronize(s[1]));
    CHECK(cudaStreamSynchronize(s[0]));
    std::printf("%g\n", h[9]);
    CHECK(cudaEventDestroy(done));
    for (auto& q : s) CHECK(cudaStreamDestroy(q));
    CHECK(cudaFree(d));
    CHECK(cudaFreeHost(h));
    return 0;
}
