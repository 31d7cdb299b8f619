// The compiler's own message, with its place, and nothing runs.
// RUN: lockstep run %s
// EXIT: nonzero
// ERR: does-not-compile\.cu:%l:[0-9]+: error: .*undeclared_thing
// ERR: ^lockstep: .*does-not-compile\.cu
// NOT: ran
#include <cuda_runtime.h>

#include <cstdio>

__global__ void kernel(int* out) { out[threadIdx.x] = undeclared_thing; }  // HERE

int main() { std::printf("ran\n"); }
