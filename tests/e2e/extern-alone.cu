// Without -rdc an extern variable is the file's own, as nvcc has it, and says so.
// RUN: lockstep run %s
// OUT: ^value 0$
// ERR: extern-alone\.cu:%l: warning: .* extern variable elsewhere is this file's own
// RUN: lockstep run -w %s
// OUT: ^value 0$
// NOT: warning
#include <cstdio>

extern __device__ int elsewhere;

__global__ void read(int* out) { *out = elsewhere; }  // HERE

int main() {
    int* out = nullptr;
    cudaMallocManaged(&out, sizeof *out);
    *out = 5;
    read<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    std::printf("value %d\n", *out);
}
