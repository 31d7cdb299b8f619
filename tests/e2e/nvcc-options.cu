// With --compiler nvcc, its options reach nvcc as they were written.
// NEEDS: nvcc
// RUN: lockstep run --compiler nvcc --extended-lambda --expt-relaxed-constexpr -Xptxas -O3 -maxrregcount=64 --threads 2 -use_fast_math -Xcompiler -Wall,-fopenmp -DWANTED %s
// OUT: ^nvcc-options ok$
// RUN: lockstep run --compiler nvcc --extended-lambda %s
// EXIT: 1
// ERR: error
// RUN: lockstep run --compiler nvcc --expt-extended-lambda --expt-relaxed-constexpr -DWANTED -DWARNS -Werror all-warnings %s
// EXIT: 1
// ERR: declared but never referenced
// RUN: lockstep run --compiler nvcc -G --extended-lambda --expt-relaxed-constexpr -DWANTED -DWARNS -lm %s
// OUT: ^nvcc-options ok$
// RUN: lockstep run --compiler nvcc --no-such-option-of-nvcc %s
// EXIT: 1
// ERR: no-such-option-of-nvcc
#include "support/check.h"

#ifndef WANTED
#error WANTED reaches no compiler
#endif

constexpr int on_both_sides(int x) { return x * 2; }  // --expt-relaxed-constexpr

template <class F>
__global__ void apply(int* out, F f) {
    out[threadIdx.x] = f(static_cast<int>(threadIdx.x));
}

int main() {
#ifdef WARNS
    int unused;
#endif
    int* out = device_zeros<int>(32);
    const int add = 3;
    apply<<<1, 32>>>(out, [=] __device__(int x) { return on_both_sides(x) + add; });
    auto h = to_host(out, 32);
    for (int i = 0; i < 32; ++i) EXPECT_AT(i, h[i], 2 * i + 3);
    return finish("nvcc-options");
}
