// bug: none
// line: 0
// kernel: relay
// note: warps of a block hand a value on by a volatile flag in shared memory behind __threadfence_block, with no barrier
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void relay(const int* in, int* out) {
    __shared__ int value[4];
    __shared__ volatile int ready;
    int w = threadIdx.x / 32, l = threadIdx.x % 32;
    if (threadIdx.x == 0) ready = 0;
    __syncthreads();
    if (l == 0) {
        int sum = in[w];
        if (w > 0) {
            while (ready < w) {
            }
            __threadfence_block();
            sum += value[w - 1];
        }
        value[w] = sum;
        __threadfence_block();
        ready = w + 1;
        out[w] = sum;
    }
}

int main() {
    int h[4] = {1, 2, 3, 4}, *in, *out;
    CHECK(cudaMalloc(&in, 16));
    CHECK(cudaMalloc(&out, 16));
    CHECK(cudaMemcpy(in, h, 16, cudaMemcpyHostToDevice));
    relay<<<1, 128>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h, out, 16, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[3]);
    return h[3] != 10;
}
