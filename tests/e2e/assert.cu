// Assertions that hold say nothing; with NDEBUG they are not even evaluated.
// RUN: lockstep run %s
// OUT: ^evaluated 64$
// OUT: ^assert ok$
// NOT: [Aa]ssertion
// RUN: lockstep run -DNDEBUG %s
// OUT: ^evaluated 0$
// OUT: ^assert ok$
#include <cassert>

#include "support/check.h"

__device__ bool positive(int x, int* evaluated) {
    atomicAdd(evaluated, 1);
    return x > 0;
}

__global__ void checked([[maybe_unused]] int* evaluated) { assert(positive(threadIdx.x + 1, evaluated)); }

int main() {
    int* evaluated = device_zeros<int>(1);
    checked<<<1, 64>>>(evaluated);
    std::printf("evaluated %d\n", to_host(evaluated, 1)[0]);
    return finish("assert");
}
