// An address that is no multiple of the access's size.
// RUN: lockstep run %s
// EXIT: 1
// OUT: ^716 cudaErrorMisalignedAddress: misaligned address$
// ERR: ^lockstep: .*kernel .*skew.*block \(0, ?0, ?0\), thread \(2, ?0, ?0\): (misaligned write of 8 bytes at 0x[0-9a-f]+|write of 8 bytes at 0x[0-9a-f]+.*misaligned).*misaligned\.cu:%l\)
#include <cuda_runtime.h>

#include <cstdio>

__global__ void skew(char* bytes) {
    char* address = bytes + threadIdx.x * 8 + (threadIdx.x == 2 ? 4 : 0);
    *reinterpret_cast<double*>(address) = 1.0;  // HERE
}

int main() {
    char* bytes = nullptr;
    cudaMalloc(&bytes, 4096);
    skew<<<1, 32>>>(bytes);
    cudaError_t error = cudaDeviceSynchronize();
    std::printf("%d %s: %s\n", error, cudaGetErrorName(error), cudaGetErrorString(error));
    return error != cudaSuccess;
}
