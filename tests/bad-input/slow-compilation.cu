// --timeout holds while a kernel is compiled; the program ends at once and in order, though the compiler
// cannot be stopped.
// RUN: lockstep run --timeout 0.01 %s
// EXIT: 3
// OUT: ^702 cudaErrorLaunchTimeout$
// OUT: ^a buffer$
// OUT: ^destroyed$
// ERR: ^lockstep: kernel large\(float\*\): still being compiled after 0.01 seconds \(--timeout\)$
// LIMIT: 60
// RUN: lockstep profile --timeout 0.01 %s
// EXIT: 3
// ERR: still being compiled after 0.01 seconds
// LIMIT: 60
#include <cstdio>
#include <iostream>

__global__ void large(float* p) {
    float a = p[0], b = p[1], c = p[2];
#pragma unroll
    for (int i = 0; i < 2000; ++i) {
        a = a * b + c;
        b = b * c + a;
    }
    p[0] = a + b;
}

struct Static {
    ~Static() { std::puts("destroyed"); }
} object;

int main() {
    std::ios::sync_with_stdio(false);
    float* p = nullptr;
    cudaMalloc(&p, 4096);
    large<<<1, 32>>>(p);
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("%d %s\n", error, cudaGetErrorName(error));
    std::fflush(stdout);
    std::cout << "a buffer\n";
    return 3;
}
