// A kernel that declares more shared memory than ptxas accepts, though an H200 has more.
// RUN: lockstep run %s
// EXIT: 1
// ERR: ^kernel too_much\(int\*\) has 80000 bytes of static shared memory, and 49152 are the most that a GPU's compiler accepts
// ERR: too-much-static-shared\.cu does not compile$
// NOT: ^ran ok$
// RUN: lockstep nvcc -o %t/a.out %s
// EXIT: 1
// ERR: ^kernel too_much\(int\*\) has 80000 bytes
// RUN: lockstep nvcc -ptx -o %t/a.ptx %s
// EXIT: 1
// ERR: ^kernel too_much\(int\*\) has 80000 bytes
// RUN: lockstep nvcc -DWORDS=12288 -ptx -o %t/a.ptx %s && lockstep ptx %t/a.ptx && lockstep run -DWORDS=12288 %s
// OUT: nothing that lockstep cannot run
// OUT: ^ran ok$
// RUN: sed 's/49152/49156/' %t/a.ptx > %t/b.ptx && ! lockstep ptx %t/b.ptx && lockstep run -DWORDS=1 --ptx %t/b.ptx %s
// EXIT: 1
// ERR: ^kernel too_much\(int\*\) has 49156 bytes of static shared memory
// ERR: b\.ptx: 1 problem$
// ERR: ^lockstep: .*kernel too_much\(int\*\) has 49156 bytes of static shared memory
// OUT: ^cudaErrorInvalidPtx$
#include <cuda_runtime.h>

#include <cstdio>

#ifndef WORDS
#define WORDS 20000
#endif

__global__ void too_much(int* out) {
    __shared__ int memory[WORDS];
    memory[threadIdx.x * 777 % WORDS] = 1;
    __syncthreads();
    out[threadIdx.x] = memory[threadIdx.x];
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 4096);
    too_much<<<1, 32>>>(out);
    if (const cudaError_t error = cudaGetLastError()) {
        std::printf("%s\n", cudaGetErrorName(error));
        return 1;
    }
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    std::printf("ran ok\n");
}
