// bug: none
// line: 0
// kernel: -
// note: a host function in the stream fills the pinned buffer before the copy that follows it, and an event query loop waits for the end
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

static void CUDART_CB fill(void* p) {
    int* h = static_cast<int*>(p);
    for (int i = 0; i < 256; ++i) h[i] = i;
}

__global__ void neg(int* d) { d[threadIdx.x] = -d[threadIdx.x]; }

int main() {
    int *h, *d;
    CHECK(cudaMallocHost(&h, 1024));
    CHECK(cudaMalloc(&d, 1024));
    cudaStream_t s;
    cudaEvent_t e;
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    CHECK(cudaLaunchHostFunc(s, fill, h));
    CHECK(cudaMemcpyAsync(d, h, 1024, cudaMemcpyHostToDevice, s));
    neg<<<1, 256, 0, s>>>(d);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(h, d, 1024, cudaMemcpyDeviceToHost, s));
    CHECK(cudaEventRecord(e, s));
    cudaError_t q;
    while ((q = cudaEventQuery(e)) == cudaErrorNotReady) {}
    CHECK(q);
    int bad = 0;
    for (int i = 0; i < 256; ++i) bad += h[i] != -i;
    CHECK(cudaEventDestroy(e));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaFree(d));
    CHECK(cudaFreeHost(h));
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
