// bug: oob-memcpy
// line: 17
// kernel: -
// note: memset gets the number of bytes of the wrong element type: twice the size of the buffer of shorts
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

int main() {
    const int n = 300;
    std::vector<short> r(n);
    short* d;
    CHECK(cudaMalloc(&d, n * sizeof(short)));
    cudaError_t e = cudaMemset(d, 0, n * sizeof(int));
    std::printf("%s\n", cudaGetErrorString(e));
    cudaGetLastError();
    CHECK(cudaMemset(d, 0, n * sizeof(short)));
    CHECK(cudaMemcpy(r.data(), d, n * sizeof(short), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d));
    return r[5] != 0;
}
