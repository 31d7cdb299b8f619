// A write past the end of an allocation. The message names kernel, block, thread, size, address, the nearest
// allocation, the line.
// RUN: lockstep run %s
// EXIT: 1
// OUT: ^cudaErrorIllegalAddress$
// ERR: ^lockstep: .*kernel .*oob.*block \(3, ?0, ?0\), thread \(17, ?0, ?0\): write of 4 bytes at 0x[0-9a-f]+.*: 4 bytes after the end of the 4096-byte allocation at 0x[0-9a-f]+ \(.*out-of-bounds-write\.cu:%l\)
// RUN: lockstep run -O0 %s
// EXIT: 1
// ERR: ^lockstep: .*kernel .*oob.*block \(3, ?0, ?0\), thread \(17, ?0, ?0\): write of 4 bytes .*out-of-bounds-write\.cu:%l\)
#include <cuda_runtime.h>

#include <cstdio>

__global__ void oob(int* data) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int index = i == 3 * 256 + 17 ? 1025 : i;
    data[index] = i;  // HERE
}

int main() {
    int* data = nullptr;
    cudaMalloc(&data, 4096);
    oob<<<4, 256>>>(data);
    cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorName(error));
    return error != cudaSuccess;
}
