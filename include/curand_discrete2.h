// Numbers with a distribution that curandCreatePoissonDistribution has made.
#pragma once

#include <curand_discrete.h>
#include <curand_normal.h>

#if defined(__CUDA_ARCH__) || defined(__CUDACC__)

#define LOCKSTEP_CURAND_DEVICE static __forceinline__ __device__

template <typename Bits>
LOCKSTEP_CURAND_DEVICE unsigned int lockstep_curand_histogram(Bits x,
                                                              curandDistributionM2Shift_t distribution) {
    const double u = _curand_uniform_double(x);
    const int column = static_cast<int>(floor(distribution->length * u));
    const double split = distribution->histogram->V[column];
    const unsigned int other = distribution->histogram->K[column];
    return distribution->shift + (u < split ? static_cast<unsigned int>(column) : other);
}

LOCKSTEP_CURAND_DEVICE unsigned int lockstep_curand_rounded(double deviate,
                                                            curandDiscreteDistribution_t distribution) {
    return static_cast<unsigned int>(distribution->stddev * deviate + distribution->mean + 0.5);
}

// As a function of bits, for who has them.
template <typename Bits>
LOCKSTEP_CURAND_DEVICE unsigned int _curand_discrete(Bits x,
                                                     curandDiscreteDistribution_t discrete_distribution) {
    if (discrete_distribution->method == CURAND_M2)
        return lockstep_curand_histogram(x, discrete_distribution->M2);
    return lockstep_curand_rounded(_curand_normal_icdf_double(x), discrete_distribution);
}

#define LOCKSTEP_CURAND_DISCRETE(State)                                                     \
    LOCKSTEP_CURAND_DEVICE unsigned int curand_discrete(                                    \
        State* state, curandDiscreteDistribution_t discrete_distribution) {                 \
        if (discrete_distribution->method == CURAND_M2)                                     \
            return lockstep_curand_histogram(curand(state), discrete_distribution->M2);     \
        return lockstep_curand_rounded(curand_normal_double(state), discrete_distribution); \
    }
LOCKSTEP_CURAND_DISCRETE(curandStateXORWOW_t)
LOCKSTEP_CURAND_DISCRETE(curandStatePhilox4_32_10_t)
LOCKSTEP_CURAND_DISCRETE(curandStateMRG32k3a_t)
LOCKSTEP_CURAND_DISCRETE(curandStateSobol32_t)
LOCKSTEP_CURAND_DISCRETE(curandStateScrambledSobol32_t)
LOCKSTEP_CURAND_DISCRETE(curandStateSobol64_t)
LOCKSTEP_CURAND_DISCRETE(curandStateScrambledSobol64_t)
#undef LOCKSTEP_CURAND_DISCRETE

LOCKSTEP_CURAND_DEVICE uint4 curand_discrete4(curandStatePhilox4_32_10_t* state,
                                              curandDiscreteDistribution_t discrete_distribution) {
    if (discrete_distribution->method == CURAND_M2) {
        const uint4 x = curand4(state);
        const curandDistributionM2Shift_t m2 = discrete_distribution->M2;
        return make_uint4(lockstep_curand_histogram(x.x, m2), lockstep_curand_histogram(x.y, m2),
                          lockstep_curand_histogram(x.z, m2), lockstep_curand_histogram(x.w, m2));
    }
    const double4 x = curand_normal4_double(state);
    return make_uint4(lockstep_curand_rounded(x.x, discrete_distribution),
                      lockstep_curand_rounded(x.y, discrete_distribution),
                      lockstep_curand_rounded(x.z, discrete_distribution),
                      lockstep_curand_rounded(x.w, discrete_distribution));
}

#undef LOCKSTEP_CURAND_DEVICE

#endif
