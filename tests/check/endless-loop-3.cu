// bug: endless-loop
// line: 20
// kernel: ring
// note: the consumer block waits for a flag value that the producer never sets
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void ring(volatile int* flag, int* data, int* out) {
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0) {
            data[0] = 42;
            __threadfence();
            flag[0] = 1;
        }
    } else if (threadIdx.x == 0) {
        while (flag[0] != 2) __nanosleep(100);
        __threadfence();
        out[0] = data[0];
    }
}

int main() {
    int *flag, *data, *out, h = 0;
    CHECK(cudaMalloc(&flag, 4));
    CHECK(cudaMalloc(&data, 4));
    CHECK(cudaMalloc(&out, 4));
    CHECK(cudaMemset(flag, 0, 4));
    ring<<<2, 32>>>(flag, data, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&h, out, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(flag));
    CHECK(cudaFree(data));
    CHECK(cudaFree(out));
    std::printf("%d\n", h);
    return h != 42;
}
