// Shared memory reached as global memory, shared and local memory by a kernel that its block has launched: errors as
// an H200 gives them.
// RUN: lockstep run %s -- 0
// OUT: ^case 0: 717$
// ERR: read of 4 bytes at 0x[0-9a-f]+, which is shared or local memory of the block that launched this kernel
// RUN: lockstep run %s -- 1
// OUT: ^case 1: 717$
// ERR: write of 4 bytes .* of the block that launched this kernel
// RUN: lockstep run %s -- 2
// OUT: ^case 2: 717$
// ERR: launched by kernel grandparent
// RUN: lockstep run %s -- 3
// OUT: ^case 3: 717$
// ERR: read of 4 bytes at 0x[0-9a-f]+ as global memory, and it is shared memory
// RUN: lockstep run %s -- 4
// OUT: ^case 4: 717$
// ERR: write of 4 bytes at 0x[0-9a-f]+ as global memory, and it is shared memory
// RUN: lockstep run %s -- 5
// OUT: ^case 5: 717$
// RUN: lockstep run %s -- 6
// OUT: ^case 6: 0$
// RUN: lockstep check %s -- 3
// EXIT: 1
// OUT: address-space
#include <cstdio>
#include <cstdlib>

__device__ unsigned sink[4];

__global__ void child(unsigned* p, bool writes) {
    if (writes)
        *p = 5;
    else
        sink[0] = *p;
}
__global__ void grandparent(int n) {
    __shared__ unsigned s[32];
    unsigned own[32];
    for (int i = 0; i < 32; ++i) own[i * n % 32] = i;
    s[threadIdx.x] = n;
    unsigned* volatile hidden = n == 1 ? own : s;  // so that no compiler warns
    child<<<1, 1>>>(hidden, n == 2);
    sink[1] = own[n];
}
__global__ void spaces(int which, int n) {
    __shared__ unsigned s[32];
    unsigned own[32];
    for (int i = 0; i < 32; ++i) own[i * n % 32] = i;
    s[threadIdx.x] = 9;
    unsigned v = 0;
    if (which == 3) asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(s));
    if (which == 4) asm volatile("st.global.u32 [%0], %1;" ::"l"(s), "r"(3));
    if (which == 5) asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(v) : "l"(s));
    if (which == 6) asm volatile("atom.add.u32 %0, [%1], 1;" : "=r"(v) : "l"(own));
    sink[0] = v + own[n];
}

int main(int, char** arguments) {
    const int which = std::atoi(arguments[1]);
    if (which < 3)
        grandparent<<<1, 1>>>(which == 0 ? 3 : which == 1 ? 2 : 1);
    else
        spaces<<<1, 1>>>(which, 1);
    std::printf("case %d: %d\n", which, cudaDeviceSynchronize());
    return 0;
}
