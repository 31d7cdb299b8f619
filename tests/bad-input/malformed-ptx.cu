// PTX that is not PTX: the message names the instruction and its line, when the module is loaded.
// RUN: lockstep run %s
// EXIT: nonzero
// ERR: ^lockstep: .*frobnicate
// NOT: ^ran ok$
// RUN: lockstep run -DUNKNOWN_TYPE %s
// EXIT: nonzero
// ERR: ^lockstep: .*(q77|add)
// NOT: ^ran ok$
// RUN: lockstep run -DUNKNOWN_LABEL %s
// EXIT: nonzero
// ERR: ^lockstep: .*nowhere
// NOT: ^ran ok$
// RUN: lockstep run -DUNKNOWN_REGISTER %s
// EXIT: nonzero
// ERR: ^lockstep: .*%%nothing
// NOT: ^ran ok$
// RUN: lockstep run -DUNBALANCED %s
// EXIT: nonzero
// ERR: ^lockstep: .
// NOT: ^ran ok$
#include <cuda_runtime.h>

#include <cstdio>

__global__ void broken(int* out) {
    int value = 0;
#if defined(UNKNOWN_TYPE)
    asm volatile("add.q77 %0, %0, 1;" : "+r"(value));
#elif defined(UNKNOWN_LABEL)
    asm volatile("bra $nowhere;" : "+r"(value));
#elif defined(UNKNOWN_REGISTER)
    asm volatile("mov.u32 %0, %%nothing;" : "+r"(value));
#elif defined(UNBALANCED)
    asm volatile("{ add.u32 %0, %0, 1;" : "+r"(value));
#else
    asm volatile("frobnicate.u32 %0, 1;" : "+r"(value));
#endif
    *out = value;
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 4);
    broken<<<1, 1>>>(out);
    cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess) error = cudaGetLastError();
    if (error != cudaSuccess) return 1;
    std::printf("ran ok\n");
}
