// Blocks that wait for each other in a launch that does not promise them to run at once.
// RUN: lockstep run %s
// EXIT: 1
// OUT: ^launch no error$
// OUT: ^sync unspecified launch failure$
// ERR: kernel wait\(int\*\), block .*: executed a trap instruction \(.*grid-sync-not-cooperative.cu:%l\)
#include <cooperative_groups.h>

#include <cstdio>

__global__ void wait(int* out) {
    cooperative_groups::this_grid().sync();  // HERE
    *out = 1;
}
int main() {
    int* out = nullptr;
    cudaMalloc(&out, sizeof(int));
    wait<<<2, 32>>>(out);
    std::printf("launch %s\n", cudaGetErrorString(cudaGetLastError()));
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("sync %s\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}
