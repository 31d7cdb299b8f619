// Unoptimised code keeps its branches: what a textbook reports for these three kernels on a GPU of Fermi's time, and
// what nvcc 13's code has on an H200. The PTX is nvcc -G's;
// lockstep's own has the same branches.
//
// RUN: lockstep profile --gpu fermi --ptx %S/support/unoptimised.ptx --metrics branch_efficiency --launches %s
// OUT: ^ +1  odd_and_even +\(16,1,1\) +\(64,1,1\) +83\.33%$
// OUT: ^ +2  by_warp +\(16,1,1\) +\(64,1,1\) +100\.00%$
// OUT: ^ +3  two_ifs +\(16,1,1\) +\(64,1,1\) +71\.43%$
// RUN: lockstep profile --ptx %S/support/unoptimised.ptx --metrics branch_efficiency --launches %s
// OUT: ^ +1  odd_and_even +\(16,1,1\) +\(64,1,1\) +80\.00%$
// OUT: ^ +2  by_warp +\(16,1,1\) +\(64,1,1\) +100\.00%$
// OUT: ^ +3  two_ifs +\(16,1,1\) +\(64,1,1\) +71\.43%$
// RUN: lockstep nvcc -g -G -arch=sm_20 %s -o %t/a.out && LOCKSTEP_GPU=fermi lockstep nvprof --metrics branch_efficiency %t/a.out
// ERR: ^ +Kernel: odd_and_even\(float\*\)$
// ERR: ^ +1 +branch_efficiency .* 83\.33% +83\.33% +83\.33%$
// ERR: ^ +Kernel: by_warp\(float\*\)$
// ERR: ^ +1 +branch_efficiency .* 100\.00% +100\.00% +100\.00%$
// ERR: ^ +Kernel: two_ifs\(float\*\)$
// ERR: ^ +1 +branch_efficiency .* 71\.43% +71\.43% +71\.43%$
// RUN: lockstep explain -G --expect 'no unoptimised' %s
// EXIT: 1
// OUT: ^ +\? +The code was compiled without optimisation \[unoptimised\]$
// ERR: two_ifs\(float \*\): unoptimised
// RUN: lockstep explain --expect 'no unoptimised' --expect 'no warp-synchronous' %s
// RUN: lockstep profile -G --metrics branch_efficiency --launches %s
// OUT: ^ +1  odd_and_even +\(16,1,1\) +\(64,1,1\) +80\.00%$
// OUT: ^ +2  by_warp +\(16,1,1\) +\(64,1,1\) +100\.00%$
// OUT: ^ +3  two_ifs +\(16,1,1\) +\(64,1,1\) +71\.43%$
// RUN: lockstep profile --metrics branch_efficiency --launches %s
// OUT: ^ +1  odd_and_even +\(16,1,1\) +\(64,1,1\) +100\.00%$
#include <cstdio>

__global__ void odd_and_even(float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 0, b = 0;
    if (i % 2 == 0) {
        a = 100;
    } else {
        b = 200;
    }
    out[i] = a + b;
}

__global__ void by_warp(float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 0, b = 0;
    if ((i / warpSize) % 2 == 0) {
        a = 100;
    } else {
        b = 200;
    }
    out[i] = a + b;
}

__global__ void two_ifs(float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 0, b = 0;
    bool even = i % 2 == 0;
    if (even) {
        a = 100;
    }
    if (!even) {
        b = 200;
    }
    out[i] = a + b;
}

int main() {
    float* out;
    cudaMalloc(&out, 1024 * sizeof(float));
    odd_and_even<<<16, 64>>>(out);
    by_warp<<<16, 64>>>(out);
    two_ifs<<<16, 64>>>(out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
