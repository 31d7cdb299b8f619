// An executable that nvcc built runs as it is, if it has PTX and the shared runtime; compressed or not.
// NEEDS: nvcc
// RUN: nvcc -arch=compute_90 -code=compute_90 -cudart shared -o %t/a.out %s && lockstep run %t/a.out
// OUT: ^nvcc-binary ok$
// RUN: nvcc -gencode arch=compute_75,code=compute_75 -gencode arch=compute_90,code=sm_90 -Xfatbin=-compress-all -cudart shared -o %t/b.out %s && lockstep run %t/b.out -- 5
// OUT: ^nvcc-binary ok$
// RUN: nvcc --no-compress -arch=compute_80 -code=compute_80 -cudart shared -o %t/c.out %s && lockstep run %t/c.out
// OUT: ^nvcc-binary ok$
#include "support/check.h"

__constant__ int offset = 3;

__global__ void scale(float* data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = data[i] * 2.0f + offset;
}

int main() {
    std::vector<float> host(1000);
    for (int i = 0; i < 1000; ++i) host[i] = i;
    float* data = to_device(host);
    scale<<<4, 256>>>(data, 1000);
    auto h = to_host(data, 1000);
    for (int i = 0; i < 1000; ++i) EXPECT_AT(i, h[i], 2.0f * i + 3);
    return finish("nvcc-binary");
}
