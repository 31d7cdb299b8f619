// More shared memory than a block may have: refused with the numbers; where asking first would help, the
// message says so.
// RUN: lockstep run %s
// EXIT: 1
// OUT: ^dynamic: cudaErrorInvalidValue$
// OUT: ^more than the GPU has: cudaErrorInvalidValue$
// ERR: ^lockstep: .*kernel .*use_shared.*60000.*49152.*cudaFuncAttributeMaxDynamicSharedMemorySize
// ERR: ^lockstep: .*kernel .*use_shared.*1000000
#include <cuda_runtime.h>

#include <cstdio>

__global__ void use_shared(int* out) {
    extern __shared__ int memory[];
    memory[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = memory[threadIdx.x];
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 4096);
    use_shared<<<1, 32, 60000>>>(out);
    std::printf("dynamic: %s\n", cudaGetErrorName(cudaGetLastError()));
    use_shared<<<1, 32, 1000000>>>(out);
    cudaError_t error = cudaGetLastError();
    std::printf("more than the GPU has: %s\n", cudaGetErrorName(error));
    return error != cudaSuccess;
}
