// A program that calls the runtime and the driver API has one GPU and one context, whichever CUDA its runtime
// is of: what the one allocates the other copies.
// RUN: lockstep run %s -lcuda
// OUT: ^7 9 same context$
#include <cuda.h>

#include <cstdio>

__global__ void set(int* p, int value) { *p = value; }

int main() {
    int *mine = nullptr, back[2] = {};
    cudaMalloc(&mine, sizeof(int));
    set<<<1, 1>>>(mine, 7);
    CUcontext before = nullptr, after = nullptr;
    cuCtxGetCurrent(&before);
    cuMemcpyDtoH(&back[0], reinterpret_cast<CUdeviceptr>(mine), sizeof(int));
    CUdeviceptr other = 0;
    cuMemAlloc(&other, sizeof(int));
    set<<<1, 1>>>(reinterpret_cast<int*>(other), 9);
    cudaMemcpy(&back[1], reinterpret_cast<void*>(other), sizeof(int), cudaMemcpyDeviceToHost);
    cuCtxGetCurrent(&after);
    std::printf("%d %d %s context\n", back[0], back[1], before && before == after ? "same" : "another");
}
