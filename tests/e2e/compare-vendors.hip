// The same kernel on both vendors' GPUs: blocks of 96 are whole warps of 32 lanes, not wavefronts of 64.
// RUN: cd %t && cp %s k.hip && (grep -v hip_runtime.h %s | sed 's/hip\([A-Z]\)/cuda\1/g') > k.cu && lockstep profile -o n.lockstep k.cu > /dev/null && lockstep profile --gpu mi300x -o a.lockstep k.hip > /dev/null && lockstep compare n.lockstep a.lockstep
// OUT: Kernel: halves\(
// OUT: ^gpu__time_duration\.sum
// OUT: a block of 96 threads is 3 warps of 32 lanes on NVIDIA H200, one of 96 is 2 wavefronts of 64 lanes, 32 lanes idle \(25 %\) on AMD Instinct MI300X$
// OUT: blocks of 96 are right for NVIDIA H200 and wrong for AMD Instinct MI300X: no multiple of 64; 64 or 128
#include <hip/hip_runtime.h>
__global__ void halves(float* v) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x % 2)
        v[i] = v[i] * 2 + 1;
    else
        v[i] = 3;
}

int main() {
    float* v;
    hipMalloc(&v, 96 * 4 * sizeof(float));
    halves<<<4, 96>>>(v);
    hipDeviceSynchronize();
}
