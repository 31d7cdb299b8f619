// Addresses far from everything, and one of the host's: neither reaches the program's memory.
// RUN: lockstep run %s -- 1
// EXIT: 1
// OUT: ^cudaErrorIllegalAddress$
// ERR: ^lockstep: .*kernel .*poke.*block \(0, ?0, ?0\), thread \(0, ?0, ?0\): write of 8 bytes at 0xdeadbeef00000000.*wild-pointer\.cu:%l\)
// RUN: lockstep run %s -- 2
// EXIT: 1
// OUT: ^cudaErrorIllegalAddress$
// OUT: ^untouched 123$
// ERR: ^lockstep: .*kernel .*poke.*: write of 8 bytes at 0x[0-9a-f]+.*wild-pointer\.cu:%l\)
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void poke(long long* p) { *p = 77; }  // HERE

int main(int, char** argv) {
    static long long on_host = 123;
    long long* wild = reinterpret_cast<long long*>(0xdeadbeef00000000ull);
    poke<<<1, 1>>>(std::atoi(argv[1]) == 1 ? wild : &on_host);
    cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\nuntouched %lld\n", cudaGetErrorName(error), on_host);
    return error != cudaSuccess;
}
