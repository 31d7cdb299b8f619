// bug: endless-loop
// line: 20
// kernel: consume
// note: consumers wait for a queue that no producer fills any more: the last item is never announced
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void consume(int* queue, int* tail, int* out, int items) {
    if (blockIdx.x == 0) {
        for (int i = 0; i < items - 1; ++i) {
            queue[i] = i + 1;
            __threadfence();
            atomicExch(tail, i + 1);
        }
    } else {
        while (atomicAdd(tail, 0) < items) {}
        __threadfence();
        out[0] = queue[items - 1];
    }
}
int main() {
    int *queue, *tail, *out, h = 0;
    CHECK(cudaMalloc(&queue, 16 * sizeof(int)));
    CHECK(cudaMalloc(&tail, sizeof(int)));
    CHECK(cudaMalloc(&out, sizeof(int)));
    CHECK(cudaMemset(queue, 0, 16 * sizeof(int)));
    CHECK(cudaMemset(tail, 0, sizeof(int)));
    consume<<<2, 1>>>(queue, tail, out, 8);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&h, out, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(queue));
    CHECK(cudaFree(tail));
    CHECK(cudaFree(out));
    std::printf("%d\n", h);
    return 0;
}
