// What an H200 runs and a Fermi cannot: the limit that is broken is named.
// RUN: lockstep run --gpu h200 %s
// OUT: ^wide grid: cudaSuccess$
// OUT: ^opted in: cudaSuccess$
// OUT: ^large block: cudaErrorInvalidConfiguration$
// ERR: ^lockstep: .*kernel .*use_shared.* was not launched: the block \(1025, 1, 1\) is larger than the GPU's limit \(1024, 1024, 64\)
// RUN: lockstep run --gpu fermi %s
// OUT: ^wide grid: cudaErrorInvalidConfiguration$
// OUT: ^opted in: cudaErrorInvalidValue$
// OUT: ^large block: cudaErrorInvalidConfiguration$
// ERR: ^lockstep: .*kernel .*use_shared.* was not launched: the grid \(70000, 1, 1\) is larger than the GPU's limit \(65535, 65535, 65535\)
// ERR: ^lockstep: .*kernel .*use_shared.* was not launched: 65536 bytes of dynamic shared memory .*limit is 49152
// RUN: lockstep occupancy --gpu fermi --block 256 --regs 64
// EXIT: 1
// ERR: Tesla C2070: 64 registers a thread; the GPU's limit is 63
// RUN: lockstep occupancy --gpu fermi --block 1024 --regs 40
// EXIT: 1
// ERR: Tesla C2070: 1024 threads with 40 registers each take more than the 32768 registers that a block may have
#include <cuda_runtime.h>

#include <cstdio>

__global__ void use_shared() {
    extern __shared__ int memory[];
    memory[threadIdx.x] = threadIdx.x;
}

void report(const char* what) {
    const cudaError_t launched = cudaGetLastError();
    std::printf("%s: %s\n", what, cudaGetErrorName(launched ? launched : cudaDeviceSynchronize()));
}

int main() {
    use_shared<<<70000, 32, 1024>>>();
    report("wide grid");
    cudaFuncSetAttribute(use_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
    cudaGetLastError();
    use_shared<<<1, 32, 65536>>>();
    report("opted in");
    use_shared<<<1, 1025, 8192>>>();
    report("large block");
}
