// bug: endless-loop
// line: 13
// kernel: wait_for
// note: every thread of a warp spins on a volatile word that nobody ever sets
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void wait_for(volatile int* go, int* out) {
    while (*go == 0) {}
    out[threadIdx.x] = threadIdx.x;
}

int main() {
    int *go, *out, h[32];
    CHECK(cudaMalloc(&go, 4));
    CHECK(cudaMalloc(&out, 128));
    CHECK(cudaMemset(go, 0, 4));
    wait_for<<<1, 32>>>(go, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h, out, 128, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(go));
    CHECK(cudaFree(out));
    return h[3] != 3;
}
