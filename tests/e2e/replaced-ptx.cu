// --ptx runs other device code than the compiler made: here that of the same program with another value. The
// program's variables and all its files find theirs in it.
// RUN: lockstep nvcc -ptx -DVALUE=5 -o %t/five.ptx %s && lockstep run --ptx %t/five.ptx %s
// OUT: ^5 5$
// RUN: lockstep nvcc -ptx -DVALUE=5 -o %t/five.ptx %s && lockstep nvcc -o %t/a.out %s && LOCKSTEP_PTX=%t/five.ptx %t/a.out
// OUT: ^5 5$
// RUN: lockstep nvcc -ptx -DVALUE=5 -o %t/five.ptx %s && lockstep nvcc -o %t/a.out %s && lockstep run --ptx %t/five.ptx %t/a.out
// OUT: ^5 5$
// RUN: lockstep run %s
// OUT: ^1 1$
#include <cuda_runtime.h>

#include <cstdio>

#ifndef VALUE
#define VALUE 1
#endif

__device__ int variable = VALUE;

__global__ void get(int* out) { *out = VALUE; }

int main() {
    int *out, from_kernel = 0, from_variable = 0;
    cudaMalloc(&out, sizeof(int));
    get<<<1, 1>>>(out);
    cudaMemcpy(&from_kernel, out, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&from_variable, variable, sizeof(int));
    std::printf("%d %d\n", from_kernel, from_variable);
}
