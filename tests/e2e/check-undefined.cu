// NaNs are looked for on request, and uninitialised reads are told in compute-sanitizer's words.
// RUN: lockstep check --tool nan %s; lockstep check %s -- unset; echo "status $?"
// OUT: ^warning: undefined: a NaN is made of numbers$
// OUT: ^  NaN at .*check-undefined\.cu:30 in ratios$
// OUT: ^== lockstep == 1 finding: 1 undefined result$
// OUT: ^  read at .*check-undefined\.cu:30 in ratios$
// OUT: 1 use of uninitialised memory$
// OUT: ^status 1$
// RUN: lockstep check %s && lockstep compute-sanitizer --tool initcheck --error-exitcode 3 %s unset
// EXIT: 3
// OUT: nothing found
// OUT: ^========= Uninitialized __global__ memory read of size 4 bytes$
// So are signed numbers that overflow, and floats that are equal but for rounding.
// RUN: lockstep check --tool overflow,fragile %s -- both of-them
// EXIT: 1
// OUT: ^  overflow at .*check-undefined\.cu:36 in wraps$
// OUT: ^  comparison at .*check-undefined\.cu:37 in wraps$
// OUT: ^== lockstep == 2 findings: 2 undefined results$
// NOT: error
// A loop that does not end says why.
// RUN: lockstep check --timeout 1 tests/check/endless-loop-6.cu
// EXIT: 1
// OUT: nothing in
// OUT: ^  loop at .*endless-loop-6\.cu:13 in wait_for$
#include <cstdio>
#include <cuda_runtime.h>

__global__ void ratios(const float* x, float* out) {
    int i = threadIdx.x;
    out[i] = x[i] / x[i];
}

__global__ void wraps(const float* x, float* out) {
    int i = threadIdx.x;
    unsigned hash = 0x01010101u * (i + 250);
    int product = (i << 24) * 7;
    bool same = x[i] + 0.1f == 5.1000004f;
    out[i] = product + (same ? 1 : hash);
}

int main(int arguments, char**) {
    float h[32], r[32], *x, *out;
    for (int i = 0; i < 32; ++i) h[i] = static_cast<float>(i);
    cudaMalloc(&x, sizeof h);
    cudaMalloc(&out, sizeof r);
    if (arguments != 2) cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    if (arguments == 3)
        wraps<<<1, 32>>>(x, out);
    else
        ratios<<<1, 32>>>(x, out);
    cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(out);
    std::printf("%g\n", static_cast<double>(r[1]));
    return 0;
}
