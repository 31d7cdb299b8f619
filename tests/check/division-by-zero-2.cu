// bug: division-by-zero
// line: 14
// kernel: spread
// note: a remainder by the number of bins, which the last table does not have
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Bins { unsigned count, first; };

__device__ unsigned slot(const Bins& b, unsigned key) {
    return b.first + key % b.count;
}

__global__ void spread(const Bins* bins, unsigned* hits) {
    unsigned t = threadIdx.x;
    unsigned at = slot(bins[t / 8], t * 7);
    if (at < 32) atomicAdd(&hits[at], 1u);
}

int main() {
    Bins h[4] = {{8, 0}, {8, 8}, {4, 16}, {0, 20}};
    Bins* bins;
    unsigned *hits, r[32];
    CHECK(cudaMalloc(&bins, sizeof h));
    CHECK(cudaMalloc(&hits, sizeof r));
    CHECK(cudaMemset(hits, 0, sizeof r));
    CHECK(cudaMemcpy(bins, h, sizeof h, cudaMemcpyHostToDevice));
    spread<<<1, 32>>>(bins, hits);
    CHECK(cudaMemcpy(r, hits, sizeof r, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(bins));
    CHECK(cudaFree(hits));
    std::printf("%u\n", r[0]);
    return 0;
}
