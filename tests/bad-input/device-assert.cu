// A failed assertion of one thread: CUDA's own line, and its error.
// RUN: lockstep run %s
// EXIT: 1
// OUT: ^710 cudaErrorAssert: device-side assert triggered$
// ERR: (block \(1, ?0, ?0\), thread \(4, ?0, ?0\).*device-assert\.cu:%l: .*checked|device-assert\.cu:%l: .*checked.*block: \[1, ?0, ?0\], thread: \[4, ?0, ?0\]).*[aA]ssertion .value < 100 && "value is small". failed
// NOT: went on
#include <cuda_runtime.h>

#include <cassert>
#include <cstdio>

__global__ void checked(int large, int* out) {
    int value = blockIdx.x == 1 && threadIdx.x == 4 ? large : 0;
    assert(value < 100 && "value is small");  // HERE
    if (value == large) *out = 1;
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 4);
    checked<<<2, 32>>>(5, out);
    if (cudaDeviceSynchronize() != cudaSuccess) return 2;
    checked<<<2, 32>>>(500, out);
    cudaError_t error = cudaDeviceSynchronize();
    std::printf("%d %s: %s\n", error, cudaGetErrorName(error), cudaGetErrorString(error));
    if (cudaMalloc(&out, 4) == cudaSuccess) std::printf("went on\n");
    return error != cudaSuccess;
}
