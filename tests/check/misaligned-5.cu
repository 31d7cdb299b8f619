// bug: misaligned
// line: 18
// kernel: unpack
// note: a union's wide view of a byte stream is read at every offset, of which only each eighth is aligned
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

union Word {
    unsigned long long whole;
    unsigned char byte[8];
};

__device__ unsigned long long peek(const unsigned char* stream, int at) {
    return reinterpret_cast<const Word*>(stream + at)->whole;
}

__global__ void unpack(const unsigned char* stream, int n, unsigned long long* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 8 <= n) out[i] = peek(stream, i) & 0xffffff;
}

int main() {
    const int n = 256;
    std::vector<unsigned char> h(n, 7);
    unsigned char* s;
    unsigned long long *out, r;
    CHECK(cudaMalloc(&s, n));
    CHECK(cudaMalloc(&out, n * 8));
    CHECK(cudaMemcpy(s, h.data(), n, cudaMemcpyHostToDevice));
    unpack<<<1, n>>>(s, n, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&r, out, 8, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(s));
    CHECK(cudaFree(out));
    std::printf("%llu\n", r);
    return 0;
}
