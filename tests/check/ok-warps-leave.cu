// bug: none
// line: 0
// kernel: -
// note: whole warps that have nothing to do leave early; those that stay use a named barrier of just their number
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void pairs(const int* in, int* out, int live) {
    __shared__ int s[128];
    int t = threadIdx.x;
    if (t >= live) return;
    s[t] = in[t];
    asm volatile("bar.sync 3, %0;" ::"r"(live) : "memory");
    out[t] = s[live - 1 - t];
}

int main() {
    const int live = 96;
    std::vector<int> h(live), r(live);
    for (int i = 0; i < live; ++i) h[i] = i;
    int *in, *out;
    CHECK(cudaMalloc(&in, live * 4));
    CHECK(cudaMalloc(&out, live * 4));
    CHECK(cudaMemcpy(in, h.data(), live * 4, cudaMemcpyHostToDevice));
    pairs<<<1, 128>>>(in, out, live);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, live * 4, cudaMemcpyDeviceToHost));
    int bad = 0;
    for (int i = 0; i < live; ++i) bad += r[i] != live - 1 - i;
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
