// What lockstep's cuRAND lacks, it says: when a state is used, when a header is included, when a generator is
// made.
// RUN: lockstep run %s -DSTATE
// EXIT: nonzero
// ERR: curandStateMtgp32_t: lockstep has no MTGP32
// RUN: lockstep run %s -DHEADER
// EXIT: nonzero
// ERR: curand_mtgp32_host.h: lockstep has no MTGP32
// RUN: lockstep run %s -lcurand
// ERR: curandCreateGenerator: lockstep has no MTGP32
// ERR: curandCreateGenerator: lockstep has no MT19937
// OUT: ^103 103 104$
#include <curand_kernel.h>

#include <cstdio>

#ifdef STATE
__global__ void draw(curandStateMtgp32* states, unsigned* out) { *out = curand(&states[blockIdx.x]); }
#endif
#ifdef HEADER
#include <curand_mtgp32_host.h>
#endif

int main() {
    curandGenerator_t generator;
    const int first = curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_MTGP32);
    const int second = curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_MT19937);
    curandCreateGenerator(&generator, CURAND_RNG_QUASI_SOBOL32);
    std::printf("%d %d %d\n", first, second, curandSetQuasiRandomGeneratorDimensions(generator, 20001));
    curandDestroyGenerator(generator);
}
