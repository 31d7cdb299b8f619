// bug: double-free
// line: 22
// kernel: drop
// note: two threads of the block free the same device-heap buffer, which every thread got through shared memory
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void drop(int* out) {
    __shared__ int* buf;
    if (threadIdx.x == 0) buf = static_cast<int*>(malloc(64 * sizeof(int)));
    __syncthreads();
    if (!buf) return;
    buf[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = buf[63 - threadIdx.x];
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        free(buf);
}

int main() {
    std::vector<int> r(64);
    int* out;
    CHECK(cudaMalloc(&out, 256));
    drop<<<1, 64>>>(out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, 256, cudaMemcpyDeviceToHost));
    int bad = 0;
    for (int i = 0; i < 64; ++i) bad += r[i] != 63 - i;
    CHECK(cudaFree(out));
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
