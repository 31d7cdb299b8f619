// Functions that are declared and defined nowhere: each call is named as it was written, by `lockstep ptx` all of them, by a launch the first.
// RUN: lockstep ptx %s
// EXIT: nonzero
// ERR: undefined-functions.cu:25:16: call of far::away\(\), which is defined nowhere$
// ERR: undefined-functions.cu:%l:12: call of elsewhere\(float, int const\*\), which is defined nowhere$
// ERR: undefined-functions.cu:33:\d+: address of elsewhere\(float, int const\*\), which is defined nowhere$
// ERR: 3 problems$
// RUN: lockstep run %s
// EXIT: 1
// ERR: undefined-functions.cu:25: error: device function far::away\(\) is defined nowhere in this file
// ERR: undefined-functions.cu:%l: error: device function elsewhere\(float, int const\*\) is defined nowhere in this file
// RUN: lockstep ptx --raw %s > %t/undefined.ptx && lockstep run --ptx %t/undefined.ptx -DDEFINED %s
// EXIT: 125
// OUT: ^a PTX JIT compilation failed$
// ERR: kernel k\(float\*\): .*undefined-functions.cu:25:16: call of far::away\(\), which is defined nowhere$
#include <cstdio>

__device__ float elsewhere(float, const int*);
namespace far { __device__ int away(); }
#ifdef DEFINED
__device__ float elsewhere(float x, const int*) { return x; }
__device__ int far::away() { return 1; }
#endif
__device__ __noinline__ float helper(float x) {
    return x + far::away();
}
__global__ void k(float* x) {
    x[0] = helper(x[0]);
    x[1] = elsewhere(x[1], nullptr);  // HERE
    printf("%f\n", x[0]);             // the engine has what this calls
}
__global__ void pointer(float (**out)(float, const int*)) {
    *out = elsewhere;
}

int main() {
    float* x;
    cudaMallocManaged(&x, 2 * sizeof *x);
    k<<<1, 1>>>(x);
    std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
