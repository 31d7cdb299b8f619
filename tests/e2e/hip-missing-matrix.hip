// A matrix instruction that lockstep does not have (gfx11's WMMA) is named, with its line.
// RUN: lockstep run --gpu rx7900xtx %s
// EXIT: nonzero
// ERR: v_wmma_f32_16x16x16_f16 is not supported .line \d+ of the assembly, .*hip-missing-matrix\.hip:%l
#include <hip/hip_runtime.h>

typedef _Float16 half16v __attribute__((ext_vector_type(16)));
typedef float float8v __attribute__((ext_vector_type(8)));

__global__ void product(float* p) {
#ifdef __gfx1100__
    const half16v x = (_Float16)p[0];
    float8v sum = 0;
    sum = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(x, x, sum);  // HERE
    p[threadIdx.x] = sum[0];
#endif
}

int main() {
    float* p;
    (void)hipMalloc(&p, 256);
    product<<<1, 32>>>(p);
    return hipDeviceSynchronize() != hipSuccess;
}
