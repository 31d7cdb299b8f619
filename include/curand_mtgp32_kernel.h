#pragma once
#error \
    "curand_mtgp32_kernel.h: lockstep has no MTGP32, since it has no tables of its parameters; use curandState_t, curandStatePhilox4_32_10_t or curandStateMRG32k3a_t of curand_kernel.h"
