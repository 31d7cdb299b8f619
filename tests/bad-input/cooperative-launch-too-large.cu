// More blocks than the GPU holds at once cannot wait for each other; before 6.0 none can.
// RUN: lockstep run --gpu a100 %s
// EXIT: 1
// OUT: ^too many blocks in cooperative launch$
// ERR: kernel 'wait\(\)' was not launched: a cooperative grid of 100000 blocks; [0-9]+ can be resident at once
// RUN: lockstep run --gpu k20x %s -- 1
// EXIT: 1
// OUT: ^operation not supported$
// ERR: kernel 'wait\(\)' was not launched: a cooperative launch .* from compute capability 6.0 on
#include <cooperative_groups.h>

#include <cstdio>
#include <cstdlib>

__global__ void wait() { cooperative_groups::this_grid().sync(); }
int main(int argc, char** argv) {
    const int blocks = argc > 1 ? std::atoi(argv[1]) : 100000;
    const cudaError_t error = cudaLaunchCooperativeKernel(wait, dim3(blocks), dim3(64), nullptr, 0, 0);
    std::printf("%s\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}
