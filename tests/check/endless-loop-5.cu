// bug: endless-loop
// line: 16
// kernel: find
// note: the table is full, so the probe for a key that is not in it runs round and round
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Table { const unsigned* key; unsigned mask; };

__device__ int probe(Table t, unsigned k) {
    unsigned at = (k * 2654435761u) & t.mask;
    for (;;) {
        unsigned seen = t.key[at];
        if (seen == k) return int(at);
        if (seen == 0) return -1;
        at = (at + 1) & t.mask;
    }
}

__global__ void find(Table t, const unsigned* q, int* out) {
    out[threadIdx.x] = probe(t, q[threadIdx.x]);
}

int main() {
    const int n = 16;
    std::vector<unsigned> h(n), q(32);
    for (int i = 0; i < n; ++i) h[i] = i + 1;
    for (int i = 0; i < 32; ++i) q[i] = i < 31 ? 1 + i % n : 99;
    unsigned *key, *dq;
    int *out, r[32];
    CHECK(cudaMalloc(&key, n * 4));
    CHECK(cudaMalloc(&dq, 128));
    CHECK(cudaMalloc(&out, 128));
    CHECK(cudaMemcpy(key, h.data(), n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dq, q.data(), 128, cudaMemcpyHostToDevice));
    find<<<1, 32>>>(Table{key, n - 1}, dq, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r, out, 128, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(key));
    CHECK(cudaFree(dq));
    CHECK(cudaFree(out));
    std::printf("%d\n", r[0]);
    return 0;
}
