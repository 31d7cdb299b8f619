// bug: stream-race
// line: 23,26
// kernel: -
// note: the next round clears the buffer in one stream while the download of this round still reads it in the other
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

int main() {
    const int n = 1 << 16, rounds = 2;
    int *d, *h;
    CHECK(cudaMalloc(&d, n * 4));
    CHECK(cudaMallocHost(&h, rounds * n * 4));
    cudaStream_t work, copy;
    CHECK(cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithPriority(&copy, cudaStreamNonBlocking, 0));
    cudaEvent_t ready;
    CHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
    for (int k = 0; k < rounds; ++k) {
        CHECK(cudaMemsetAsync(d, k + 1, n * 4, work));
        CHECK(cudaEventRecord(ready, work));
        CHECK(cudaStreamWaitEvent(copy, ready, 0));
        CHECK(cudaMemcpyAsync(h + k * n, d, n * 4, cudaMemcpyDeviceToHost, copy));
    }
    CHECK(cudaDeviceSynchronize());
    int last = h[2 * n - 1];
    CHECK(cudaEventDestroy(ready));
    CHECK(cudaStreamDestroy(work));
    CHECK(cudaStreamDestroy(copy));
    CHECK(cudaFree(d));
    CHECK(cudaFreeHost(h));
    std::printf("%x\n", last);
    return last != 0x02020202;
}
