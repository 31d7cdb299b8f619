// `lockstep nvcc` takes nvcc's command line and makes a program that runs by itself.
// RUN: cd %t && lockstep nvcc -O3 -arch=sm_80 %s -o prog && ./prog
// OUT: ^lockstep-nvcc ok$
// RUN: cd %t && lockstep nvcc -g -G -lineinfo -std=c++17 -gencode arch=compute_70,code=sm_70 -Xcompiler -Wall -DEXTRA=1 --ptxas-options=-v -maxrregcount=32 %s && ./a.out
// OUT: ^extra$
// OUT: ^lockstep-nvcc ok$
// RUN: cd %t && lockstep nvcc -c -x cu %s -o one.o && lockstep nvcc one.o -o two -lm && ./two
// OUT: ^lockstep-nvcc ok$
// RUN: cd %t && lockstep nvcc -ptx %s -o out.ptx && grep -c '^\.visible \.entry\|^[.]version\|\.entry' out.ptx
// OUT: ^[1-9]
// RUN: cd %t && lockstep nvcc --frobnicate-everything %s -o odd; ls
// ERR: frobnicate-everything
// RUN: lockstep nvcc %t/missing.cu -o %t/x
// EXIT: nonzero
// ERR: missing\.cu
#include "support/check.h"

__global__ void set(int* out) { out[threadIdx.x] = threadIdx.x * 3; }

int main() {
#ifdef EXTRA
    std::printf("extra\n");
#endif
    int* out = device_zeros<int>(32);
    set<<<1, 32>>>(out);
    auto h = to_host(out, 32);
    for (int i = 0; i < 32; ++i) EXPECT_AT(i, h[i], 3 * i);
    return finish("lockstep-nvcc");
}
