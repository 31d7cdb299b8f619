// A CUDA function that lockstep does not have: the message names it, when compiling, linking or running.
// RUN: lockstep run %s
// EXIT: nonzero
// ERR: cudaGraphicsUnregisterResource
// NOT: ^ran ok$
#include <cuda_runtime.h>

#include <cstdio>

extern "C" cudaError_t cudaGraphicsUnregisterResource(struct cudaGraphicsResource*);

int main() {
    if (cudaGraphicsUnregisterResource(nullptr) != cudaSuccess) return 3;
    std::printf("ran ok\n");
}
