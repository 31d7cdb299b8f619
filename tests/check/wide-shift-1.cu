// bug: wide-shift
// line: 13
// kernel: masks
// note: the mask of the low n bits is made by a shift that n = 32 makes too wide
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void masks(const int* bits, unsigned* out) {
    int i = threadIdx.x;
    out[i] = (1u << bits[i]) - 1;
}

int main() {
    int b[32];
    for (int i = 0; i < 32; ++i) b[i] = i + 1;
    int* db;
    unsigned *out, r[32];
    CHECK(cudaMalloc(&db, sizeof b));
    CHECK(cudaMalloc(&out, sizeof r));
    CHECK(cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice));
    masks<<<1, 32>>>(db, out);
    CHECK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(db));
    CHECK(cudaFree(out));
    std::printf("%u\n", r[0]);
    return 0;
}
