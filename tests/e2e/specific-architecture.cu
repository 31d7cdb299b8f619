// -arch=sm_90a has what no later GPU has, and says so; sm_90 has not.
// RUN: lockstep run --gpu h200 -arch=sm_90a %s
// OUT: ^9.0a$
// RUN: lockstep run --gpu h200 -arch=sm_90 %s
// OUT: ^9.0$
// ALSO: nvcc
#include <cstdio>
__global__ void tell() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    std::printf("9.0a\n");
#else
    std::printf("9.0\n");
#endif
}
int main() {
    tell<<<1, 1>>>();
    cudaDeviceSynchronize();
}
