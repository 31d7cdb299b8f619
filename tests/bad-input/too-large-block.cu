// Blocks beyond the GPU's limits: refused with the limit.
// RUN: lockstep run %s
// EXIT: 1
// OUT: ^total: cudaErrorInvalid(Configuration|Value)$
// OUT: ^z: cudaErrorInvalid(Configuration|Value)$
// ERR: ^lockstep: .*kernel .*do_nothing.*block \(64, ?32, ?1\).*1024
// ERR: ^lockstep: .*kernel .*do_nothing.*block \(1, ?1, ?128\).*64
#include <cuda_runtime.h>

#include <cstdio>

__global__ void do_nothing() {}

int main() {
    do_nothing<<<1, dim3(64, 32)>>>();
    std::printf("total: %s\n", cudaGetErrorName(cudaGetLastError()));
    do_nothing<<<1, dim3(1, 1, 128)>>>();
    cudaError_t error = cudaGetLastError();
    std::printf("z: %s\n", cudaGetErrorName(error));
    return error != cudaSuccess;
}
