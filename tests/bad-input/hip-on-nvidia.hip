// A HIP program on NVIDIA's GPU, code for another of AMD's, CUDA's headers.
// RUN: lockstep run --gpu h200 %s
// EXIT: 1
// ERR: ^lockstep: NVIDIA H200 \(h200\) is no AMD GPU: HIP programs do not run on it. Choose one with --gpu or LOCKSTEP_GPU, mi100 for example
// RUN: lockstep run --offload-arch=gfx906 %s
// EXIT: 125
// ERR: the program's device code is for gfx906, and not for AMD Instinct MI100 \(mi100\): compile it with --offload-arch=gfx908
// RUN: lockstep nvcc %s
// EXIT: 1
// ERR: hip-on-nvidia.hip is HIP: compile it with lockstep hipcc
// RUN: lockstep ptx %s
// EXIT: 1
// ERR: HIP has no PTX
// RUN: lockstep hipcc -DWITH_CUDA -c %s -o %t/x.o
// EXIT: 1
// ERR: this is a HIP program
#include <hip/hip_runtime.h>
#ifdef WITH_CUDA
#include <cuda_runtime.h>
#endif
__global__ void k() {}
int main() {
    k<<<1, 1>>>();
    return 0;
}
