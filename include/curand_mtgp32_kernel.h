#pragma once
#error \
    "curand_mtgp32_kernel.h: lockstep has no MTGP32 (its tables of parameters are not free to copy); use curandState_t, curandStatePhilox4_32_10_t or curandStateMRG32k3a_t of curand_kernel.h"
