// Normally distributed numbers: by Box and Muller, in pairs, where values are cheap; by the inverse of the
// distribution where each dimension may give one value only.
#pragma once

#include <curand_uniform.h>

QUALIFIERS float2 lockstep_curand_polar(float u, float angle) {
    float2 result;
    const float radius = sqrtf(-2.0f * logf(u));
#ifdef __CUDA_ARCH__
    __sincosf(angle, &result.x, &result.y);
#else
    result.x = sinf(angle);
    result.y = cosf(angle);
#endif
    result.x *= radius;
    result.y *= radius;
    return result;
}

QUALIFIERS double2 lockstep_curand_polar(double u, double half_turns) {
    double2 result;
    const double radius = sqrt(-2.0 * log(u));
#ifdef __CUDA_ARCH__
    sincospi(half_turns, &result.x, &result.y);
#else
    result.x = sin(half_turns * 3.1415926535897932);
    result.y = cos(half_turns * 3.1415926535897932);
#endif
    result.x *= radius;
    result.y *= radius;
    return result;
}

QUALIFIERS float2 _curand_box_muller(unsigned int x, unsigned int y) {
    const float unit = static_cast<float>(LOCKSTEP_CURAND_2_32) * 6.2831855f;
    return lockstep_curand_polar(_curand_uniform(x), static_cast<float>(y) * unit + unit / 2);
}

QUALIFIERS double2 _curand_box_muller_double(unsigned int x0, unsigned int x1, unsigned int y0,
                                             unsigned int y1) {
    const double half_turns =
        static_cast<double>(lockstep_curand_53_bits(y0, y1)) * (LOCKSTEP_CURAND_2_53 * 2) +
        LOCKSTEP_CURAND_2_53;
    return lockstep_curand_polar(_curand_uniform_double_hq(x0, x1), half_turns);
}

QUALIFIERS float2 curand_normal2(curandStateXORWOW_t* state) {
    const unsigned int x = curand(state);
    const unsigned int y = curand(state);
    return _curand_box_muller(x, y);
}
QUALIFIERS float2 curand_normal2(curandStatePhilox4_32_10_t* state) {
    const unsigned int x = curand(state);
    const unsigned int y = curand(state);
    return _curand_box_muller(x, y);
}
QUALIFIERS float2 curand_normal2(curandStateMRG32k3a_t* state) {
    const float x = curand_uniform(state);
    const float y = curand_uniform(state);
    return lockstep_curand_polar(x, y * 6.2831855f);
}

QUALIFIERS double2 curand_normal2_double(curandStateXORWOW_t* state) {
    const unsigned int x0 = curand(state), x1 = curand(state);
    const unsigned int y0 = curand(state), y1 = curand(state);
    return _curand_box_muller_double(x0, x1, y0, y1);
}
QUALIFIERS double2 curand_normal2_double(curandStatePhilox4_32_10_t* state) {
    const uint4 x = curand4(state);
    return _curand_box_muller_double(x.x, x.y, x.z, x.w);
}
QUALIFIERS double2 curand_normal2_double(curandStateMRG32k3a_t* state) {
    const double x = curand_uniform_double(state);
    const double y = curand_uniform_double(state);
    return lockstep_curand_polar(x, y * 2.0);
}

QUALIFIERS float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
    const uint4 x = curand4(state);
    const float2 first = _curand_box_muller(x.x, x.y);
    const float2 second = _curand_box_muller(x.z, x.w);
    return make_float4(first.x, first.y, second.x, second.y);
}
QUALIFIERS double4 curand_normal4_double(curandStatePhilox4_32_10_t* state) {
    const double2 first = curand_normal2_double(state);
    const double2 second = curand_normal2_double(state);
    return make_double4(first.x, first.y, second.x, second.y);
}

// One of a pair; the other waits in the state.
#define LOCKSTEP_CURAND_NORMAL(State)                            \
    QUALIFIERS float curand_normal(State* state) {               \
        if (state->boxmuller_flag == EXTRA_FLAG_NORMAL) {        \
            state->boxmuller_flag = 0;                           \
            return state->boxmuller_extra;                       \
        }                                                        \
        const float2 pair = curand_normal2(state);               \
        state->boxmuller_extra = pair.y;                         \
        state->boxmuller_flag = EXTRA_FLAG_NORMAL;               \
        return pair.x;                                           \
    }                                                            \
    QUALIFIERS double curand_normal_double(State* state) {       \
        if (state->boxmuller_flag_double == EXTRA_FLAG_NORMAL) { \
            state->boxmuller_flag_double = 0;                    \
            return state->boxmuller_extra_double;                \
        }                                                        \
        const double2 pair = curand_normal2_double(state);       \
        state->boxmuller_extra_double = pair.y;                  \
        state->boxmuller_flag_double = EXTRA_FLAG_NORMAL;        \
        return pair.x;                                           \
    }
LOCKSTEP_CURAND_NORMAL(curandStateXORWOW_t)
LOCKSTEP_CURAND_NORMAL(curandStatePhilox4_32_10_t)
LOCKSTEP_CURAND_NORMAL(curandStateMRG32k3a_t)
#undef LOCKSTEP_CURAND_NORMAL

// The inverse of the distribution, of the half that is nearer to 0 and mirrored for the other. The host has
// no such function.
#if defined(__CUDA_ARCH__) || defined(__CUDACC__) || defined(__HIP__)
__device__ __forceinline__ static float _curand_normal_icdf(unsigned int x) {
    const float unit = static_cast<float>(LOCKSTEP_CURAND_2_32);
    const bool upper = x > 0x80000000u;
    const float p = static_cast<float>(upper ? 0xffffffffu - x : x) * unit + unit / 2;
    return (upper ? 1.4142135f : -1.4142135f) * erfcinvf(2.0f * p);
}
__device__ __forceinline__ static float _curand_normal_icdf(unsigned long long x) {
    return _curand_normal_icdf(static_cast<unsigned int>(x >> 32));
}
__device__ __forceinline__ static double _curand_normal_icdf_double(unsigned int x) {
    const bool upper = x > 0x80000000u;
    const double p = (upper ? 0xffffffffu - x : x) * LOCKSTEP_CURAND_2_32 + LOCKSTEP_CURAND_2_32 / 2;
    return (upper ? 1.4142135623730951 : -1.4142135623730951) * erfcinv(2.0 * p);
}
__device__ __forceinline__ static double _curand_normal_icdf_double(unsigned long long x) {
    x >>= 11;
    const bool upper = x > 0x10000000000000ull;
    const double p = static_cast<double>(upper ? 0x1fffffffffffffull - x : x) * LOCKSTEP_CURAND_2_53 +
                     LOCKSTEP_CURAND_2_53 / 2;
    return (upper ? 1.4142135623730951 : -1.4142135623730951) * erfcinv(2.0 * p);
}

#define LOCKSTEP_CURAND_NORMAL(State)                                             \
    __device__ __forceinline__ static float curand_normal(State* state) {         \
        return _curand_normal_icdf(curand(state));                                \
    }                                                                             \
    __device__ __forceinline__ static double curand_normal_double(State* state) { \
        return _curand_normal_icdf_double(curand(state));                         \
    }
LOCKSTEP_CURAND_NORMAL(curandStateSobol32_t)
LOCKSTEP_CURAND_NORMAL(curandStateScrambledSobol32_t)
LOCKSTEP_CURAND_NORMAL(curandStateSobol64_t)
LOCKSTEP_CURAND_NORMAL(curandStateScrambledSobol64_t)
#undef LOCKSTEP_CURAND_NORMAL
#endif
