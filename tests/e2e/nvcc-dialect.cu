// What nvcc takes though C++ or clang would not: blanks and braces in a launch's brackets, here and in a header; narrowing, `register`,
// `#pragma unroll` before no loop, a function that ends without its return, a register's name in inline PTX with one %, alignas
// behind __shared__; a constexpr function that is none; the list of architectures.
// ALSO: nvcc
// RUN: lockstep run %s
// OUT: ^nvcc-dialect ok$
#include "support/check.h"
#include "support/spaced-launch.cuh"

struct Size {
    int width;
    float scale;
};

__device__ int second(register int* data) {
#pragma unroll
    int result = data[1];
    return result;
}

__device__ constexpr float per_decade() { return 1.0f / ::log(10.0f); }

#if __CUDA_ARCH_LIST__ < 200
#error
#endif

__global__ void place(int* data) {
    __shared__ alignas(16) int aligned[4];
    unsigned int lane;
    asm volatile("mov.u32 %0, %laneid;" : "=r"(lane));
    aligned[0] = lane;
    data[threadIdx.x + blockDim.x * threadIdx.y + blockDim.x * blockDim.y * blockIdx.x] = threadIdx.y;
    if (threadIdx.x == 0 && threadIdx.y == 0) data[0] = second(data) * (per_decade() < 1);
}

#ifdef __clang__  // g++ makes of it what it likes
int calls = 0;
int note(int value) {
    if (value > 1000) return 1;
    ++calls;
}
#endif

int main() {
    double width = 8;
    Size size = {int(width), width};
    int* data;
    CUDA(cudaMallocManaged(&data, 64 * sizeof(int)));
    place << <2, {unsigned(size.width), 4} >> > (data);
    CUDA(cudaDeviceSynchronize());
    EXPECT(data[63] == 3);
    EXPECT(data[9] == 1);
    launch_spaced(data);
    CUDA(cudaDeviceSynchronize());
    EXPECT(data[5] == 105);
#ifdef __clang__
    note(3);
    EXPECT(calls == 1);
#endif
    return finish("nvcc-dialect");
}
