// bug: none
// line: 0
// kernel: -
// note: the visited bits of a graph are packed in words and set with atomicOr; they are tested in the next launch with plain loads
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void mark(const int* v, int n, unsigned* bits, int* fresh) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned m = 1u << (v[i] & 31);
    if (!(atomicOr(&bits[v[i] / 32], m) & m)) atomicAdd(fresh, 1);
}

__global__ void read(const unsigned* bits, unsigned char* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = bits[i / 32] >> (i & 31) & 1;
}

int main() {
    const int n = 256, q = 600;
    std::vector<int> h(q);
    for (int i = 0; i < q; ++i) h[i] = i * 3 % 128;
    std::vector<unsigned char> r(n);
    int *v, *fresh, f = 0;
    unsigned* bits;
    unsigned char* out;
    CHECK(cudaMalloc(&v, q * 4));
    CHECK(cudaMalloc(&fresh, 4));
    CHECK(cudaMalloc(&bits, n / 8));
    CHECK(cudaMalloc(&out, n));
    CHECK(cudaMemset(fresh, 0, 4));
    CHECK(cudaMemset(bits, 0, n / 8));
    CHECK(cudaMemcpy(v, h.data(), q * 4, cudaMemcpyHostToDevice));
    mark<<<5, 128>>>(v, q, bits, fresh);
    read<<<2, 128>>>(bits, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&f, fresh, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(r.data(), out, n, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(v));
    CHECK(cudaFree(fresh));
    CHECK(cudaFree(bits));
    CHECK(cudaFree(out));
    std::printf("%d\n", f);
    return f != 128 || r[5] != 1 || r[200] != 0;
}
