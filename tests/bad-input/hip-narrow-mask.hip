// A mask of 32 bits for a wavefront of 64 lanes: the classic error of a port from CUDA.
// RUN: lockstep run %s
// EXIT: 1
// ERR: the mask must have 64 bits: a wavefront of an AMD GPU has up to 64 lanes
// ERR: hip-narrow-mask.hip:%l
#include <hip/hip_runtime.h>
__global__ void k(int* p) {
    p[threadIdx.x] = __shfl_sync(0xffffffffu, p[threadIdx.x], 0);  // HERE
}
int main() {}
