// bug: none
// line: 0
// kernel: chain
// note: one thread waits for the other block's flag, and a block barrier hands what it acquired to all its threads
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void chain(int* data, int* flag, int* out) {
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = 3 * t;
        __threadfence();
        __syncthreads();
        if (t == 0) atomicExch(flag, 1);
    } else {
        if (t == 0)
            while (atomicAdd(flag, 0) == 0) {
            }
        __syncthreads();
        __threadfence();
        out[t] = data[(t + 1) % 64];
    }
}

int main() {
    int *data, *flag, *out, r[64];
    CHECK(cudaMalloc(&data, 256));
    CHECK(cudaMalloc(&flag, 4));
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMemset(flag, 0, 4));
    chain<<<2, 64>>>(data, flag, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r, out, 256, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(data));
    CHECK(cudaFree(flag));
    CHECK(cudaFree(out));
    std::printf("%d\n", r[0]);
    return r[0] != 3;
}
