// printf, assert-like trap, inline assembly with scopes and labels of its own.
#include "prelude.h"
#ifndef __clang__
#include <cstdio>
#endif
__device__ __noinline__ void spin(int* lock) {
    asm volatile(
        "{\n"
        "  .reg .pred p;\n"
        "  .reg .b32 old;\n"
        "again:\n"
        "  atom.global.cas.b32 old, [%0], 0, 1;\n"
        "  setp.ne.s32 p, old, 0;\n"
        "  @p bra again;\n"
        "}\n" ::"l"(lock) : "memory");
}
__global__ void report(int* lock, int n) {
    spin(lock);
    spin(lock + 1);
    if (n < 0) asm volatile("trap;");
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
#ifdef __clang__
    struct { int a; double b; } args = {static_cast<int>(lane), 2.5};
    vprintf("lane %d: %f\n", reinterpret_cast<const char*>(&args));
    int* p = static_cast<int*>(malloc(16));
    p[0] = n;
    free(p);
#else
    printf("lane %d: %f\n", static_cast<int>(lane), 2.5);
#endif
}
