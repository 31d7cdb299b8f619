// bug: none
// line: 0
// kernel: use
// note: three buffers in a ring, each with an event for full and one for free, between an upload stream and a compute stream
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <array>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void use(const int* p, int* sum, int n) {
    int i = threadIdx.x;
    if (i < n) atomicAdd(sum, p[i]);
}

int main() {
    const int n = 96, slots = 3;
    int *h, *sum, r;
    std::array<int*, slots> d;
    std::array<cudaEvent_t, slots> full, empty;
    CHECK(cudaMallocHost(&h, n * 4));
    for (int i = 0; i < n; ++i) h[i] = 1;
    CHECK(cudaMalloc(&sum, 4));
    CHECK(cudaMemset(sum, 0, 4));
    CHECK(cudaDeviceSynchronize());
    for (int k = 0; k < slots; ++k) {
        CHECK(cudaMalloc(&d[k], n * 4));
        CHECK(cudaEventCreateWithFlags(&full[k], cudaEventDisableTiming));
        CHECK(cudaEventCreateWithFlags(&empty[k], cudaEventDisableTiming));
    }
    cudaStream_t up, work;
    CHECK(cudaStreamCreateWithFlags(&up, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithPriority(&work, cudaStreamNonBlocking, 0));
    for (int k = 0; k < 10; ++k) {
        int s = k % slots;
        if (k >= slots) CHECK(cudaStreamWaitEvent(up, empty[s], 0));
        CHECK(cudaMemcpyAsync(d[s], h, n * 4, cudaMemcpyHostToDevice, up));
        CHECK(cudaEventRecord(full[s], up));
        CHECK(cudaStreamWaitEvent(work, full[s], 0));
        use<<<1, n, 0, work>>>(d[s], sum, n);
        CHECK(cudaEventRecord(empty[s], work));
    }
    CHECK(cudaMemcpyAsync(h, sum, 4, cudaMemcpyDeviceToHost, work));
    CHECK(cudaStreamSynchronize(work));
    r = h[0];
    for (int k = 0; k < slots; ++k) {
        CHECK(cudaFree(d[k]));
        CHECK(cudaEventDestroy(full[k]));
        CHECK(cudaEventDestroy(empty[k]));
    }
    CHECK(cudaStreamDestroy(up));
    CHECK(cudaStreamDestroy(work));
    CHECK(cudaFree(sum));
    CHECK(cudaFreeHost(h));
    std::printf("%d\n", r);
    return r != 10 * n;
}
