// bug: none
// line: 0
// kernel: -
// note: the program probes how much shared memory and how many threads a launch may have, and expects the failures
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void probe(int* p) {
    extern __shared__ int s[];
    s[threadIdx.x] = threadIdx.x;
    if (threadIdx.x == 0) *p = s[0] + 1;
}

int main() {
    int *d, h = 0, fits = 0, fails = 0;
    CHECK(cudaMalloc(&d, 4));
    for (int threads = 256; threads <= 4096; threads *= 2) {
        probe<<<1, threads, threads * 4>>>(d);
        cudaError_t e = cudaGetLastError();
        if (e == cudaSuccess) ++fits;
        else if (e == cudaErrorInvalidConfiguration) ++fails;
        else return 1;
    }
    for (size_t bytes = 16 << 10; bytes <= 64 << 10; bytes *= 2) {
        probe<<<1, 32, bytes>>>(d);
        if (cudaPeekAtLastError() != cudaSuccess) {
            cudaGetLastError();
            ++fails;
        } else {
            ++fits;
        }
    }
    CHECK(cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d));
    std::printf("%d fit, %d fail\n", fits, fails);
    return fits != 5 || fails != 3 || h != 1;
}
