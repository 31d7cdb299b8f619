// The program's own end is lockstep's end: signals and exit statuses come through.
// RUN: lockstep run %s -- segv
// EXIT: signal SEGV
// OUT: ^before$
// NOT: ^after$
// RUN: lockstep run %s -- abort
// EXIT: signal ABRT
// OUT: ^before$
// RUN: lockstep run %s -- exit
// EXIT: 42
// OUT: ^before$
// RUN: lockstep run %s -- touch
// EXIT: signal SEGV
// NOT: ^after$
#include <cuda_runtime.h>
#include <signal.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void set(int* out) { *out = 1; }

int main(int, char** argv) {
    int* device = nullptr;
    cudaMalloc(&device, 4);
    set<<<1, 1>>>(device);
    cudaDeviceSynchronize();
    std::printf("before\n");
    std::fflush(stdout);
    if (std::strcmp(argv[1], "segv") == 0) raise(SIGSEGV);
    if (std::strcmp(argv[1], "abort") == 0) std::abort();
    if (std::strcmp(argv[1], "exit") == 0) std::exit(42);
    if (std::strcmp(argv[1], "touch") == 0) *reinterpret_cast<volatile int*>(16) = 1;
    std::printf("after\n");
}
