// bug: stream-race
// line: 35,38
// kernel: -
// note: the ring of three staging buffers is reused after three rounds without waiting for the kernel that read it
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <array>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void accumulate(const int* chunk, int* total, int n) {
    int i = threadIdx.x;
    if (i < n) atomicAdd(total, chunk[i]);
}

int main() {
    const int n = 128, rounds = 5;
    int *h, *total, r;
    std::array<int*, 3> ring;
    CHECK(cudaMallocHost(&h, n * 4));
    for (int i = 0; i < n; ++i) h[i] = 1;
    for (auto& p : ring) CHECK(cudaMalloc(&p, n * 4));
    CHECK(cudaMalloc(&total, 4));
    CHECK(cudaMemset(total, 0, 4));
    CHECK(cudaDeviceSynchronize());
    cudaStream_t up, work;
    cudaEvent_t filled;
    CHECK(cudaStreamCreateWithFlags(&up, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&filled));
    for (int k = 0; k < rounds; ++k) {
        int* p = ring[k % 3];
        CHECK(cudaMemcpyAsync(p, h, n * 4, cudaMemcpyHostToDevice, up));
        CHECK(cudaEventRecord(filled, up));
        CHECK(cudaStreamWaitEvent(work, filled));
        accumulate<<<1, n, 0, work>>>(p, total, n);
    }
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(&r, total, 4, cudaMemcpyDeviceToHost));
    std::printf("%d\n", r);
    CHECK(cudaEventDestroy(filled));
    CHECK(cudaStreamDestroy(up));
    CHECK(cudaStreamDestroy(work));
    for (auto& p : ring) CHECK(cudaFree(p));
    CHECK(cudaFree(total));
    CHECK(cudaFreeHost(h));
    return r != n * rounds;
}
