// bug: stream-race
// line: 27,29
// kernel: produce
// note: the event is recorded before the kernel that it should stand for
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void produce(int* data) { data[threadIdx.x] = threadIdx.x; }
__global__ void consume(const int* data, int* out) { out[threadIdx.x] = data[255 - threadIdx.x]; }

int main() {
    int *data, *out;
    CHECK(cudaMalloc(&data, 1024));
    CHECK(cudaMalloc(&out, 1024));
    CHECK(cudaMemset(data, 0, 1024));
    CHECK(cudaDeviceSynchronize());
    cudaStream_t a, b;
    cudaEvent_t ready;
    CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&ready));
    CHECK(cudaEventRecord(ready, a));
    produce<<<1, 256, 0, a>>>(data);
    CHECK(cudaStreamWaitEvent(b, ready, 0));
    consume<<<1, 256, 0, b>>>(data, out);
    CHECK(cudaDeviceSynchronize());
    std::vector<int> h(256);
    CHECK(cudaMemcpy(h.data(), out, 1024, cudaMemcpyDeviceToHost));
    CHECK(cudaEventDestroy(ready));
    CHECK(cudaStreamDestroy(a));
    CHECK(cudaStreamDestroy(b));
    CHECK(cudaFree(data));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[0]);
    return 0;
}
