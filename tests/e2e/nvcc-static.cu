// Executables of nvcc's default, with NVIDIA's runtime linked into them: lockstep leads all its functions to
// its own.
// NEEDS: nvcc
// RUN: nvcc -o %t/a.out %s && lockstep run %t/a.out
// OUT: ^nvcc-static ok$
// RUN: nvcc -Xcompiler -fno-pie -Xlinker -no-pie --default-stream per-thread -rdc=true -o %t/b.out %s && lockstep run %t/b.out
// OUT: ^nvcc-static ok$
// RUN: lockstep profile %t/a.out
// OUT: scale
// RUN: lockstep timeline %t/a.out
// OUT: scale
// RUN: lockstep sweep --block 64,128 %t/a.out
// OUT: 128
// RUN: cp %t/a.out %t/stripped && strip %t/stripped && lockstep run %t/stripped
// EXIT: 1
// ERR: it was stripped
// ERR: nvcc -cudart shared
// RUN: printf '#!/bin/sh\nexec %%s\n' %t/a.out > %t/script && chmod +x %t/script && lockstep run %t/script
// OUT: ^nvcc-static ok$
#include "support/check.h"

__constant__ int offset = 3;
__managed__ int total = 5;

__global__ void scale(float* data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = data[i] * 2.0f + offset;
    if (i == 0) total += 1;
}

// What a program does before main goes the same way.
static int devices_before_main = [] {
    int count = 0;
    cudaGetDeviceCount(&count);
    return count;
}();

int main() {
    EXPECT(devices_before_main == 1);
    cudaDeviceProp properties;
    CUDA(cudaGetDeviceProperties(&properties, 0));
    EXPECT(properties.warpSize == 32);
    std::vector<float> host(1000);
    for (int i = 0; i < 1000; ++i) host[i] = i;
    float* data = to_device(host);
    cudaStream_t stream;
    CUDA(cudaStreamCreate(&stream));
    scale<<<4, 256, 0, stream>>>(data, 1000);
    CUDA(cudaStreamSynchronize(stream));
    auto h = to_host(data, 1000);
    for (int i = 0; i < 1000; ++i) EXPECT_AT(i, h[i], 2.0f * i + 3);
    EXPECT_AT(0, total, 6);
    return finish("nvcc-static");
}
