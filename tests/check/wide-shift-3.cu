// bug: wide-shift
// line: 13
// kernel: rotate
// note: a rotation by 0 shifts the other half by all 32 bits
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__device__ unsigned turned(unsigned x, int by) {
    unsigned high = x << by;
    unsigned low = x >> (32 - by);
    return high + low;
}

__global__ void rotate(const unsigned* x, const int* by, unsigned* out) {
    int i = threadIdx.x;
    out[i] = turned(x[i], by[i]);
}

int main() {
    unsigned x[32], r[32];
    int by[32];
    for (int i = 0; i < 32; ++i) x[i] = 0x9e3779b9u * i, by[i] = i % 8;
    unsigned *dx, *out;
    int* dby;
    CHECK(cudaMalloc(&dx, sizeof x));
    CHECK(cudaMalloc(&dby, sizeof by));
    CHECK(cudaMalloc(&out, sizeof r));
    CHECK(cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dby, by, sizeof by, cudaMemcpyHostToDevice));
    rotate<<<1, 32>>>(dx, dby, out);
    CHECK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(dx));
    CHECK(cudaFree(dby));
    CHECK(cudaFree(out));
    std::printf("%u\n", r[0]);
    return 0;
}
