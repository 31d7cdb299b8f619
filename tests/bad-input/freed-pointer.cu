// A read of memory that was freed: the message says that it was, and how large it had been.
// RUN: lockstep run %s
// EXIT: 1
// OUT: ^cudaErrorIllegalAddress$
// ERR: ^lockstep: .*kernel .*peek.*block \(0, ?0, ?0\), thread \(3, ?0, ?0\): read of 8 bytes at 0x[0-9a-f]+.*(freed|free).*freed-pointer\.cu:%l\)?
#include <cuda_runtime.h>

#include <cstdio>

__global__ void peek(const double* in, double* out, int which) {
    if (threadIdx.x == which) *out = in[which];  // HERE
}

int main() {
    double *in = nullptr, *out = nullptr;
    cudaMalloc(&in, 8192);
    cudaMalloc(&out, 8);
    cudaFree(in);
    peek<<<1, 32>>>(in, out, 3);
    cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorName(error));
    return error != cudaSuccess;
}
