// bug: oob-memcpy
// line: 23
// kernel: load
// note: the pitch of the host array is given in elements and the width in bytes: the last rows are beyond it
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void load(const char* in, size_t pitch, int* out) {
    out[threadIdx.x] = *(const int*)(in + threadIdx.x * pitch);
}
int main() {
    const int rows = 32, columns = 48;
    std::vector<int> h(rows * columns, 1);
    char* in;
    int* out;
    size_t pitch;
    CHECK(cudaMallocPitch(&in, &pitch, columns * sizeof(int), rows));
    CHECK(cudaMalloc(&out, rows * sizeof(int)));
    CHECK(cudaMemcpy2D(in, pitch, h.data(), columns * sizeof(int), columns * sizeof(int), rows + 1, cudaMemcpyHostToDevice));
    load<<<1, rows>>>(in, pitch, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, rows * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[0]);
    return 0;
}
