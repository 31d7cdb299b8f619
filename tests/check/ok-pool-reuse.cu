// bug: none
// line: 0
// kernel: -
// note: stream-ordered allocations are freed and come back at the same address in the next round, also after a wait in another stream
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void put(int* p, int n, int v) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = v;
}

int main() {
    const int n = 1000;
    std::vector<int> r(n);
    cudaStream_t a, b;
    cudaEvent_t e;
    CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    int bad = 0;
    for (int k = 0; k < 4; ++k) {
        int* p;
        CHECK(cudaMallocAsync(&p, n * 4, a));
        put<<<8, 128, 0, a>>>(p, n, k);
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(e, a));
        CHECK(cudaStreamWaitEvent(b, e, 0));
        CHECK(cudaMemcpyAsync(r.data(), p, n * 4, cudaMemcpyDeviceToHost, b));
        CHECK(cudaFreeAsync(p, b));
        CHECK(cudaStreamSynchronize(b));
        bad += r[n - 1] != k;
    }
    CHECK(cudaEventDestroy(e));
    CHECK(cudaStreamDestroy(a));
    CHECK(cudaStreamDestroy(b));
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
