// bug: stream-race
// line: 33,36
// kernel: fill
// note: the event is recorded in the stream that waits for it, not in the one that it should wait for
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void fill(int* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = i;
}
__global__ void sum(const int* a, int* out, int n) {
    int s = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) s += a[i];
    atomicAdd(out, s);
}
int main() {
    const int n = 4096;
    int *a, *out, h = 0;
    cudaStream_t one, two;
    cudaEvent_t done;
    CHECK(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    CHECK(cudaMalloc(&a, n * sizeof(int)));
    CHECK(cudaMalloc(&out, sizeof(int)));
    CHECK(cudaMemset(out, 0, sizeof(int)));
    CHECK(cudaDeviceSynchronize());
    fill<<<n / 256, 256, 0, one>>>(a, n);
    CHECK(cudaEventRecord(done, two));
    CHECK(cudaStreamWaitEvent(two, done, 0));
    sum<<<1, 256, 0, two>>>(a, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(&h, out, sizeof(int), cudaMemcpyDeviceToHost, two));
    CHECK(cudaStreamSynchronize(two));
    CHECK(cudaStreamSynchronize(one));
    CHECK(cudaEventDestroy(done));
    CHECK(cudaStreamDestroy(one));
    CHECK(cudaStreamDestroy(two));
    CHECK(cudaFree(a));
    CHECK(cudaFree(out));
    std::printf("%d\n", h);
    return 0;
}
