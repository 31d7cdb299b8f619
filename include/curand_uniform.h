// Uniformly distributed numbers in (0, 1].
#pragma once

#include <curand_mrg32k3a.h>
#include <curand_philox4x32_x.h>
#include <lockstep/curand-common.h>
#include <lockstep/curand-sobol.h>
#include <lockstep/curand-xorwow.h>

// 2^-32, 2^-53 and the number that the greatest value of MRG32k3a becomes 1 with.
#define LOCKSTEP_CURAND_2_32 2.3283064365386963e-10
#define LOCKSTEP_CURAND_2_53 1.1102230246251565e-16
#define LOCKSTEP_CURAND_MRG32K3A 2.3283065498378288e-10

QUALIFIERS float _curand_uniform(unsigned int x) {
    const float unit = static_cast<float>(LOCKSTEP_CURAND_2_32);
    return static_cast<float>(x) * unit + unit / 2;
}
QUALIFIERS float _curand_uniform(unsigned long long x) {
    return _curand_uniform(static_cast<unsigned int>(x >> 32));
}

QUALIFIERS float4 _curand_uniform4(uint4 x) {
    return make_float4(_curand_uniform(x.x), _curand_uniform(x.y), _curand_uniform(x.z),
                       _curand_uniform(x.w));
}

QUALIFIERS double _curand_uniform_double(unsigned int x) {
    return x * LOCKSTEP_CURAND_2_32 + LOCKSTEP_CURAND_2_32;
}
QUALIFIERS double _curand_uniform_double(unsigned long long x) {
    return static_cast<double>(x >> 11) * LOCKSTEP_CURAND_2_53 + LOCKSTEP_CURAND_2_53 / 2;
}

// 53 bits of two values.
QUALIFIERS unsigned long long lockstep_curand_53_bits(unsigned int x, unsigned int y) {
    return x ^ static_cast<unsigned long long>(y) << 21;
}
QUALIFIERS double _curand_uniform_double_hq(unsigned int x, unsigned int y) {
    return static_cast<double>(lockstep_curand_53_bits(x, y)) * LOCKSTEP_CURAND_2_53 +
           LOCKSTEP_CURAND_2_53 / 2;
}

#define LOCKSTEP_CURAND_UNIFORM(State) \
    QUALIFIERS float curand_uniform(State* state) { return _curand_uniform(curand(state)); }
LOCKSTEP_CURAND_UNIFORM(curandStateXORWOW_t)
LOCKSTEP_CURAND_UNIFORM(curandStatePhilox4_32_10_t)
LOCKSTEP_CURAND_UNIFORM(curandStateSobol32_t)
LOCKSTEP_CURAND_UNIFORM(curandStateScrambledSobol32_t)
LOCKSTEP_CURAND_UNIFORM(curandStateSobol64_t)
LOCKSTEP_CURAND_UNIFORM(curandStateScrambledSobol64_t)
#undef LOCKSTEP_CURAND_UNIFORM

#define LOCKSTEP_CURAND_UNIFORM_DOUBLE(State) \
    QUALIFIERS double curand_uniform_double(State* state) { return _curand_uniform_double(curand(state)); }
LOCKSTEP_CURAND_UNIFORM_DOUBLE(curandStatePhilox4_32_10_t)
LOCKSTEP_CURAND_UNIFORM_DOUBLE(curandStateSobol32_t)
LOCKSTEP_CURAND_UNIFORM_DOUBLE(curandStateScrambledSobol32_t)
LOCKSTEP_CURAND_UNIFORM_DOUBLE(curandStateSobol64_t)
LOCKSTEP_CURAND_UNIFORM_DOUBLE(curandStateScrambledSobol64_t)
#undef LOCKSTEP_CURAND_UNIFORM_DOUBLE

QUALIFIERS double curand_uniform_double(curandStateXORWOW_t* state) {
    const unsigned int x = curand(state);
    const unsigned int y = curand(state);
    return _curand_uniform_double_hq(x, y);
}

QUALIFIERS float curand_uniform(curandStateMRG32k3a_t* state) {
    return static_cast<float>(curand_MRG32k3a(state) * LOCKSTEP_CURAND_MRG32K3A);
}
QUALIFIERS double curand_uniform_double(curandStateMRG32k3a_t* state) {
    return curand_MRG32k3a(state) * LOCKSTEP_CURAND_MRG32K3A;
}

QUALIFIERS float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
    return _curand_uniform4(curand4(state));
}

QUALIFIERS double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
    const uint4 x = curand4(state);
    return make_double2(_curand_uniform_double_hq(x.x, x.y), _curand_uniform_double_hq(x.z, x.w));
}

QUALIFIERS double4 curand_uniform4_double(curandStatePhilox4_32_10_t* state) {
    const double2 first = curand_uniform2_double(state);
    const double2 second = curand_uniform2_double(state);
    return make_double4(first.x, first.y, second.x, second.y);
}
