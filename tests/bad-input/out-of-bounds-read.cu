// A read before the beginning of an allocation, in two dimensions, from a device function.
// RUN: lockstep run %s
// EXIT: 1
// OUT: ^cudaErrorIllegalAddress$
// ERR: ^lockstep: .*kernel .*blur.*block \(0, ?0, ?0\), thread \(0, ?0, ?0\): read of 4 bytes at 0x[0-9a-f]+.*: 4 bytes before (the (start|beginning) of )?the 1024-byte allocation at 0x[0-9a-f]+ \(.*out-of-bounds-read\.cu:%l\)
#include <cuda_runtime.h>

#include <cstdio>

__device__ float left_neighbour(const float* in, int i) { return in[i - 1]; }  // HERE

__global__ void blur(const float* in, float* out) {
    int i = (blockIdx.y * blockDim.y + threadIdx.y) * 16 + threadIdx.x;
    out[i] = 0.5f * (in[i] + left_neighbour(in, i));
}

int main() {
    float *in = nullptr, *out = nullptr;
    cudaMalloc(&in, 1024);
    cudaMalloc(&out, 1024);
    blur<<<dim3(1, 2), dim3(16, 8)>>>(in, out);
    cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorName(error));
    return error != cudaSuccess;
}
