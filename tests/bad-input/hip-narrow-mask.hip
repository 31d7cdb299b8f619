// A mask of 32 bits for a wavefront of 64 lanes: the classic error of a port from CUDA. Where it is a result, a warning.
// RUN: lockstep run %s
// EXIT: 1
// ERR: the mask must have 64 bits: a wavefront of an AMD GPU has up to 64 lanes
// ERR: hip-narrow-mask.hip:%l
// RUN: lockstep hipcc -DKEPT -c %s -o %t/x.o
// ERR: hip-narrow-mask.hip:14:18: warning: implicit conversion loses integer precision
// ERR: ^lockstep: a wavefront has 64 lanes, and this keeps 32 of them
// NOT: warning: .*'size_t'
#include <hip/hip_runtime.h>
#ifdef KEPT
__global__ void k(int* p, size_t n) {
    int i = n;
    unsigned m = __ballot(p[i]);
    p[0] = m;
}
#else
__global__ void k(int* p) {
    p[threadIdx.x] = __shfl_sync(0xffffffffu, p[threadIdx.x], 0);  // HERE
}
#endif
int main() {}
