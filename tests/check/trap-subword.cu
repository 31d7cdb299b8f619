// bug: none
// line: 0
// kernel: bytes
// note: neighbouring threads of several blocks write neighbouring bytes and shorts of the same words
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Px {
    unsigned char r, g, b;
};

__global__ void bytes(Px* p, short* q, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    p[i].g = (unsigned char)i;
    q[i] = short(-i);
    p[i].r = p[i].g;
    p[i].b = 1;
}

int main() {
    const int n = 333;
    std::vector<Px> h(n);
    std::vector<short> g(n);
    Px* p;
    short* q;
    CHECK(cudaMalloc(&p, n * sizeof(Px)));
    CHECK(cudaMalloc(&q, n * 2));
    bytes<<<(n + 32) / 33, 33>>>(p, q, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), p, n * sizeof(Px), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(g.data(), q, n * 2, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(p));
    CHECK(cudaFree(q));
    std::printf("%d %d\n", h[100].r, g[100]);
    return h[100].r != 100;
}
