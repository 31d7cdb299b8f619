// bug: index-overflow
// line: 15
// kernel: fill
// note: the number of an element of a plane of 65536 by 65536 is computed in an int
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void fill(const unsigned char* in, int* out, int width) {
    int row = 40000 + threadIdx.x, column = 7;
    const unsigned char* base = in - 2000000000ll;
    out[threadIdx.x] = base[row * width + column];
}

int main() {
    unsigned char* in;
    int* out;
    CHECK(cudaMalloc(&in, 1 << 20));
    CHECK(cudaMemset(in, 1, 1 << 20));
    CHECK(cudaMalloc(&out, 128));
    fill<<<1, 32>>>(in, out, 65536);
    cudaDeviceSynchronize();
    int h[32];
    cudaMemcpy(h, out, 128, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    std::printf("%d\n", h[0]);
    return 0;
}
