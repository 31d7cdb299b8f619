// NaNs are looked for on request, and uninitialised reads are told in compute-sanitizer's words.
// RUN: lockstep check --tool nan %s; lockstep check %s -- unset; echo "status $?"
// OUT: ^warning: undefined: a NaN is made of numbers$
// OUT: ^  NaN at .*check-undefined\.cu:23 in ratios$
// OUT: ^== lockstep == 1 finding: 1 undefined result$
// OUT: ^  read at .*check-undefined\.cu:23 in ratios$
// OUT: 1 use of uninitialised memory$
// OUT: ^status 1$
// RUN: lockstep check %s && lockstep compute-sanitizer --tool initcheck --error-exitcode 3 %s unset
// EXIT: 3
// OUT: nothing found
// OUT: ^========= Uninitialized __global__ memory read of size 4 bytes$
// A loop that does not end says why.
// RUN: lockstep check --timeout 1 tests/check/endless-loop-6.cu
// EXIT: 1
// OUT: nothing in this kernel$
// OUT: ^  loop at .*endless-loop-6\.cu:13 in wait_for$
#include <cstdio>
#include <cuda_runtime.h>

__global__ void ratios(const float* x, float* out) {
    int i = threadIdx.x;
    out[i] = x[i] / x[i];
}

int main(int arguments, char**) {
    float h[32], r[32], *x, *out;
    for (int i = 0; i < 32; ++i) h[i] = static_cast<float>(i);
    cudaMalloc(&x, sizeof h);
    cudaMalloc(&out, sizeof r);
    if (arguments == 1) cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    ratios<<<1, 32>>>(x, out);
    cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(out);
    std::printf("%g\n", static_cast<double>(r[1]));
    return 0;
}
