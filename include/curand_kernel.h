// The device API of cuRAND. docs/curand.md says what is there, and what its numbers were compared with.
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#ifndef __cplusplus
#error "curand_kernel.h is C++; the host API for C is curand.h"
#endif

#include <curand.h>
#include <curand_discrete.h>
#include <curand_discrete2.h>
#include <curand_lognormal.h>
#include <curand_mrg32k3a.h>
#include <curand_normal.h>
#include <curand_philox4x32_x.h>
#include <curand_poisson.h>
#include <curand_uniform.h>
#include <lockstep/curand-sobol.h>
#include <lockstep/curand-xorwow.h>

// MTGP32 works with tables of parameters that its authors searched for; lockstep has none. Declared, so that
// a program that uses it is told the reason where it does.
template <typename Missing>
struct lockstep_curand_mtgp32 {
    static_assert(
        sizeof(Missing*) == 0,
        "curandStateMtgp32_t: lockstep has no MTGP32, since it has no tables of its parameters; use "
        "curandState_t, curandStatePhilox4_32_10_t or curandStateMRG32k3a_t");
};
typedef lockstep_curand_mtgp32<void> curandStateMtgp32;
typedef lockstep_curand_mtgp32<void> curandStateMtgp32_t;

#endif
