// bug: misaligned
// line: 15
// kernel: bump
// note: a 64-bit atomic on a counter that lies four bytes into a packed record
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Rec { unsigned id; unsigned lo, hi; };

__device__ void add64(unsigned* lo, unsigned long long v) {
    atomicAdd(reinterpret_cast<unsigned long long*>(lo), v);
}

__global__ void bump(Rec* r, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    add64(&r[i % n].lo, 5ull);
}

int main() {
    const int n = 4;
    std::vector<Rec> h(n);
    Rec* r;
    CHECK(cudaMalloc(&r, n * sizeof(Rec)));
    CHECK(cudaMemset(r, 0, n * sizeof(Rec)));
    bump<<<2, 32>>>(r, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), r, n * sizeof(Rec), cudaMemcpyDeviceToHost));
    int bad = 0;
    for (int i = 0; i < n; ++i) bad += h[i].lo != 80;
    CHECK(cudaFree(r));
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
