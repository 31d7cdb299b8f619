// An address of shared memory that is no multiple of the access's size is shown as the program knows it.
// RUN: lockstep run %s -- 0
// OUT: ^cudaErrorMisalignedAddress$
// ERR: kernel skew\(int const\*, int\), block \(0,0,0\), thread \(0,0,0\): misaligned write of 16 bytes at shared address 0x4 \(the address must be a multiple of 16\)
// RUN: lockstep run %s -- 1
// OUT: ^cudaErrorMisalignedAddress$
// ERR: misaligned read of 8 bytes at shared address 0xc \(the address must be a multiple of 8\)
#include <cstdio>
#include <cstdlib>

__global__ void skew(const int* in, int how) {
    __shared__ alignas(16) int tile[64];
    if (how == 0) {
        const unsigned to = (unsigned)__cvta_generic_to_shared(tile) + 4;
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n cp.async.wait_all;" ::"r"(to), "l"(in)
                     : "memory");
    } else {
        tile[3] = in[0];
        if (*reinterpret_cast<const volatile double*>(tile + 3) == 1) tile[0] = 1;
    }
}

int main(int, char** arguments) {
    int* in;
    cudaMalloc(&in, 256);
    cudaMemset(in, 0, 256);
    skew<<<1, 1>>>(in, std::atoi(arguments[1]));
    std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
}
