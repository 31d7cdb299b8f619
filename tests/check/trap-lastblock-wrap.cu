// bug: none
// line: 0
// kernel: total
// note: last block by atomicInc, whose counter wraps so that it is ready for the next launch; the partials are read through a volatile pointer
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void total(const int* x, int n, int* partial, unsigned* ticket, int* out) {
    __shared__ int s[64];
    __shared__ bool last;
    int t = threadIdx.x, v = 0;
    for (int i = blockIdx.x * 64 + t; i < n; i += gridDim.x * 64) v += x[i];
    s[t] = v;
    __syncthreads();
    for (int d = 32; d; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) {
        partial[blockIdx.x] = s[0];
        __threadfence();
        last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        volatile int* p = partial;
        int all = 0;
        for (int b = 0; b < gridDim.x; ++b) all += p[b];
        *out = all;
    }
}

int main() {
    const int n = 5000;
    std::vector<int> h(n, 1);
    int *x, *partial, *out, r;
    unsigned* ticket;
    CHECK(cudaMalloc(&x, n * 4));
    CHECK(cudaMalloc(&partial, 10 * 4));
    CHECK(cudaMalloc(&out, 4));
    CHECK(cudaMalloc(&ticket, 4));
    CHECK(cudaMemset(ticket, 0, 4));
    CHECK(cudaMemcpy(x, h.data(), n * 4, cudaMemcpyHostToDevice));
    for (int k = 0; k < 3; ++k) total<<<10, 64>>>(x, n, partial, ticket, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&r, out, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(partial));
    CHECK(cudaFree(out));
    CHECK(cudaFree(ticket));
    std::printf("%d\n", r);
    return r != n;
}
