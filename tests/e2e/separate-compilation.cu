// `lockstep nvcc -dc` and -rdc: device functions and variables across files, linked as nvcc would.
// RUN: lockstep nvcc -rdc=true -o %t/a.out %s %S/support/device-part.cu && %t/a.out
// OUT: ^separate-compilation ok$
// RUN: cd %t && lockstep nvcc -dc %s -o one.o && lockstep nvcc -dc %S/support/device-part.cu -o two.o && lockstep nvcc -o b.out one.o two.o && ./b.out
// OUT: ^separate-compilation ok$
#include "support/check.h"

extern __device__ int offset;
__device__ int transform(int x);

__global__ void apply(int* out) { out[threadIdx.x] = transform(threadIdx.x) + offset; }

int main() {
    int* out = device_zeros<int>(64);
    apply<<<1, 64>>>(out);
    auto h = to_host(out, 64);
    for (int t = 0; t < 64; ++t) EXPECT_AT(t, h[t], t * t + 1000);
    return finish("separate-compilation");
}
