// Blocks that wait for what they have launched, as GPUs before 9.0 can; later ones refuse it, as nvcc does.
// RUN: lockstep run --gpu a100 %s
// OUT: ^level 0 sees 63, level 1 sees 31$
// OUT: ^level 2 is told 68$
// OUT: ^the launch from level 23 is told 0$
// RUN: lockstep run --gpu k20x %s
// OUT: ^the launch from level 23 is told 65$
// ERR: 24 levels of grids are the most that CUDA 11's device runtime nests
// RUN: lockstep run --gpu h200 %s
// EXIT: nonzero
// ERR: no matching function for call to 'cudaDeviceSynchronize'
// ERR: call to __host__ function from __global__ function
// ERR: lockstep: cudaDeviceSynchronize in a kernel: GPUs from compute capability 9.0 on do not have it
#include <cstdio>

__device__ int seen[3], error;
__device__ int sums[3];

__global__ void fill(int level, int n) { atomicAdd(&sums[level], static_cast<int>(threadIdx.x) < n ? 1 : 0); }

__global__ void waits(int level, int n) {
    __shared__ int before;
    if (threadIdx.x == 0) {
        fill<<<1, n>>>(level, n);
        if (level < 2) waits<<<1, 64>>>(level + 1, n / 2);
        const cudaError_t status = cudaDeviceSynchronize();
        if (level == 2) error = status;
        before = sums[level];
    }
    __syncthreads();
    if (threadIdx.x == 63 && level < 2) seen[level] = before;
}

__device__ int told = -1;
__global__ void deep(int level) {
    if (level == 24) return;
    deep<<<1, 1>>>(level + 1);
    if (level == 23) told = cudaGetLastError();
}

int main() {
    waits<<<1, 64>>>(0, 63);
    cudaDeviceSynchronize();
    int values[3], status = 0;
    cudaMemcpyFromSymbol(values, seen, sizeof values);
    cudaMemcpyFromSymbol(&status, error, sizeof status);
    std::printf("level 0 sees %d, level 1 sees %d\nlevel 2 is told %d\n", values[0], values[1], status);
    deep<<<1, 1>>>(0);
    cudaMemcpyFromSymbol(&status, told, sizeof status);
    std::printf("the launch from level 23 is told %d\n", status);
}
