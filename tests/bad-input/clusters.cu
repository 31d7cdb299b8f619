// Clusters that are too large, that do not divide the grid, that a GPU has not; memory that no block of a cluster has.
// RUN: lockstep run --gpu h200 %s -- 9
// OUT: ^occupancy: cudaErrorInvalidClusterSize$
// OUT: ^a kernel launch error has occurred due to cluster misconfiguration$
// ERR: kernel 'write\(int\)' was not launched: clusters of 9 blocks; the limit is 8 \(16 after cudaFuncSetAttribute
// RUN: lockstep run --gpu h200 %s -- 7
// OUT: ^occupancy: cudaSuccess$
// OUT: ^a kernel launch error has occurred due to cluster misconfiguration$
// ERR: the grid \(18, 1, 1\) cannot be divided into clusters of \(7, 1, 1\) blocks
// RUN: lockstep run --gpu a100 %s -- 2
// OUT: ^operation not supported$
// ERR: clusters of blocks, which GPUs have from compute capability 9.0 on
// RUN: lockstep run --gpu h200 %s -- 2 5
// OUT: ^an illegal memory access was encountered$
// ERR: kernel write\(int\).*write of 4 bytes at 0x[0-9a-f]+ is out of bounds
#include <cstdio>
#include <cstdlib>

__global__ void write(int rank) {
    __shared__ int number;
    int* other = &number;
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    asm volatile("mapa.u64 %0, %1, %2;" : "=l"(other) : "l"(&number), "r"(rank));
#endif
    *other = 1;
}

int main(int argc, char** argv) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = static_cast<unsigned>(std::atoi(argv[1]));
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = 18;
    config.blockDim = 32;
    config.attrs = &attribute;
    config.numAttrs = 1;
    int active = 0;
    std::printf("occupancy: %s\n",
                cudaGetErrorName(cudaOccupancyMaxActiveClusters(&active, write, &config)));
    cudaError_t status = cudaLaunchKernelEx(&config, write, argc > 2 ? std::atoi(argv[2]) : 0);
    if (status == cudaSuccess) status = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorString(status));
}
