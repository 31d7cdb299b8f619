// bug: none
// line: 0
// kernel: -
// note: decoupled look-back: each tile publishes sum and flag in one 64-bit atomic word, so waiting tiles read both at once
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__device__ unsigned long long word(unsigned flag, unsigned v) { return (unsigned long long)flag << 32 | v; }

__global__ void scan(const unsigned* in, unsigned* out, unsigned long long* state, unsigned* order) {
    __shared__ unsigned s[64];
    __shared__ unsigned tile, before;
    int t = threadIdx.x;
    if (t == 0) tile = atomicAdd(order, 1u);
    __syncthreads();
    unsigned base = tile * 64;
    s[t] = in[base + t];
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        unsigned v = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    if (t == 0) {
        unsigned sum = s[63], acc = 0;
        if (tile > 0) atomicExch(&state[tile], word(1, sum));
        for (int k = int(tile) - 1; k >= 0;) {
            unsigned long long w = atomicAdd(&state[k], 0ull);
            if (w >> 32 == 0) continue;
            acc += unsigned(w);
            if (w >> 32 == 2) break;
            --k;
        }
        atomicExch(&state[tile], word(2, acc + sum));
        before = acc;
    }
    __syncthreads();
    out[base + t] = s[t] + before;
}

int main() {
    const int tiles = 12, n = tiles * 64;
    std::vector<unsigned> h(n), r(n);
    for (int i = 0; i < n; ++i) h[i] = i % 5;
    unsigned *in, *out, *order;
    unsigned long long* state;
    CHECK(cudaMalloc(&in, n * 4));
    CHECK(cudaMalloc(&out, n * 4));
    CHECK(cudaMalloc(&order, 4));
    CHECK(cudaMalloc(&state, tiles * 8));
    CHECK(cudaMemset(order, 0, 4));
    CHECK(cudaMemset(state, 0, tiles * 8));
    CHECK(cudaMemcpy(in, h.data(), n * 4, cudaMemcpyHostToDevice));
    scan<<<tiles, 64>>>(in, out, state, order);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, n * 4, cudaMemcpyDeviceToHost));
    int bad = 0;
    unsigned run = 0;
    for (int i = 0; i < n; ++i) bad += (run += h[i]) != r[i];
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(order));
    CHECK(cudaFree(state));
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
