// Log-normally distributed numbers: e to the power of normally distributed ones.
#pragma once

#include <curand_normal.h>

#define LOCKSTEP_CURAND_LOG_NORMAL(State)                                                    \
    QUALIFIERS float2 curand_log_normal2(State* state, float mean, float stddev) {           \
        const float2 pair = curand_normal2(state);                                           \
        return make_float2(expf(mean + stddev * pair.x), expf(mean + stddev * pair.y));      \
    }                                                                                        \
    QUALIFIERS double2 curand_log_normal2_double(State* state, double mean, double stddev) { \
        const double2 pair = curand_normal2_double(state);                                   \
        return make_double2(exp(mean + stddev * pair.x), exp(mean + stddev * pair.y));       \
    }                                                                                        \
    QUALIFIERS float curand_log_normal(State* state, float mean, float stddev) {             \
        if (state->boxmuller_flag == EXTRA_FLAG_LOG_NORMAL) {                                \
            state->boxmuller_flag = 0;                                                       \
            return state->boxmuller_extra;                                                   \
        }                                                                                    \
        const float2 pair = curand_log_normal2(state, mean, stddev);                         \
        state->boxmuller_extra = pair.y;                                                     \
        state->boxmuller_flag = EXTRA_FLAG_LOG_NORMAL;                                       \
        return pair.x;                                                                       \
    }                                                                                        \
    QUALIFIERS double curand_log_normal_double(State* state, double mean, double stddev) {   \
        if (state->boxmuller_flag_double == EXTRA_FLAG_LOG_NORMAL) {                         \
            state->boxmuller_flag_double = 0;                                                \
            return state->boxmuller_extra_double;                                            \
        }                                                                                    \
        const double2 pair = curand_log_normal2_double(state, mean, stddev);                 \
        state->boxmuller_extra_double = pair.y;                                              \
        state->boxmuller_flag_double = EXTRA_FLAG_LOG_NORMAL;                                \
        return pair.x;                                                                       \
    }
LOCKSTEP_CURAND_LOG_NORMAL(curandStateXORWOW_t)
LOCKSTEP_CURAND_LOG_NORMAL(curandStatePhilox4_32_10_t)
LOCKSTEP_CURAND_LOG_NORMAL(curandStateMRG32k3a_t)
#undef LOCKSTEP_CURAND_LOG_NORMAL

QUALIFIERS float4 curand_log_normal4(curandStatePhilox4_32_10_t* state, float mean, float stddev) {
    const float4 x = curand_normal4(state);
    return make_float4(expf(mean + stddev * x.x), expf(mean + stddev * x.y), expf(mean + stddev * x.z),
                       expf(mean + stddev * x.w));
}
QUALIFIERS double4 curand_log_normal4_double(curandStatePhilox4_32_10_t* state, double mean, double stddev) {
    const double4 x = curand_normal4_double(state);
    return make_double4(exp(mean + stddev * x.x), exp(mean + stddev * x.y), exp(mean + stddev * x.z),
                        exp(mean + stddev * x.w));
}

#if defined(__CUDA_ARCH__) || defined(__CUDACC__)
#define LOCKSTEP_CURAND_LOG_NORMAL(State)                                                               \
    __device__ __forceinline__ static float curand_log_normal(State* state, float mean, float stddev) { \
        return expf(mean + stddev * curand_normal(state));                                              \
    }                                                                                                   \
    __device__ __forceinline__ static double curand_log_normal_double(State* state, double mean,        \
                                                                      double stddev) {                  \
        return exp(mean + stddev * curand_normal_double(state));                                        \
    }
LOCKSTEP_CURAND_LOG_NORMAL(curandStateSobol32_t)
LOCKSTEP_CURAND_LOG_NORMAL(curandStateScrambledSobol32_t)
LOCKSTEP_CURAND_LOG_NORMAL(curandStateSobol64_t)
LOCKSTEP_CURAND_LOG_NORMAL(curandStateScrambledSobol64_t)
#undef LOCKSTEP_CURAND_LOG_NORMAL
#endif
