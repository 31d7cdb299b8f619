// Grids beyond the GPU's limits: refused with the limit.
// RUN: lockstep run %s
// EXIT: 1
// OUT: ^y: cudaErrorInvalid(Configuration|Value)$
// OUT: ^z: cudaErrorInvalid(Configuration|Value)$
// ERR: ^lockstep: .*kernel .*do_nothing.*grid \(1, ?65536, ?1\).*65535
// ERR: ^lockstep: .*kernel .*do_nothing.*grid \(1, ?1, ?70000\).*65535
#include <cuda_runtime.h>

#include <cstdio>

__global__ void do_nothing() {}

int main() {
    do_nothing<<<dim3(1, 65536), 32>>>();
    std::printf("y: %s\n", cudaGetErrorName(cudaGetLastError()));
    do_nothing<<<dim3(1, 1, 70000), 32>>>();
    cudaError_t error = cudaGetLastError();
    std::printf("z: %s\n", cudaGetErrorName(error));
    return error != cudaSuccess;
}
