// bug: barrier-divergent
// line: 15
// kernel: gate
// note: inline bar.sync 0 in a branch of the second warp only, while the first has left the kernel
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

template <int ROLE>
__device__ void work(int* s, int t) {
    s[t] = ROLE * t;
    if (ROLE == 1) asm volatile("bar.sync 0;" ::: "memory");
}

__global__ void gate(int* out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < 32) {
        work<2>(s, t);
        out[t] = s[t];
        return;
    }
    work<1>(s, t);
    out[t] = s[t];
}

int main() {
    int *out, h[64];
    CHECK(cudaMalloc(&out, 256));
    gate<<<1, 64>>>(out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h, out, 256, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[5]);
    return h[5] != 10 || h[40] != 40;
}
