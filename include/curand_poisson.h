// Numbers with Poisson's distribution. Pseudorandom generators may draw as many values for one number as they
// need: Knuth's products for small means, rejection for middling ones, rounded normal deviates for great
// ones. Quasirandom ones have one value: the inverse of the distribution.
#pragma once

#include <curand_normal.h>

#if defined(__CUDA_ARCH__) || defined(__CUDACC__) || defined(__HIP__)

#define LOCKSTEP_CURAND_DEVICE static __forceinline__ __device__

// The hardware's approximations, whatever options a program is compiled with.
LOCKSTEP_CURAND_DEVICE float lockstep_curand_rsqrt(float x) {
#ifdef __CUDA_ARCH__
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(x) : "f"(x));
#elif defined(__HIP_DEVICE_COMPILE__)
    x = __builtin_amdgcn_rsqf(x);
#endif
    return x;
}
LOCKSTEP_CURAND_DEVICE float lockstep_curand_exp(float x) {
    x = static_cast<float>(x * 1.4426950408889634074);
#ifdef __CUDA_ARCH__
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(x) : "f"(x));
#elif defined(__HIP_DEVICE_COMPILE__)
    x = __builtin_amdgcn_exp2f(x);
#endif
    return x;
}
LOCKSTEP_CURAND_DEVICE float lockstep_curand_log(float x) {
#ifdef __CUDA_ARCH__
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(x) : "f"(x));
#elif defined(__HIP_DEVICE_COMPILE__)
    x = __builtin_amdgcn_logf(x);
#endif
    return static_cast<float>(x * 0.69314718055994530942);
}
LOCKSTEP_CURAND_DEVICE float lockstep_curand_reciprocal(float x) {
#ifdef __CUDA_ARCH__
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(x) : "f"(x));
#elif defined(__HIP_DEVICE_COMPILE__)
    x = __builtin_amdgcn_rcpf(x);
#endif
    return x;
}

// The distribution is enclosed by a logistic one, squared, with these two parameters.
struct lockstep_curand_envelope {
    float mean, alpha, beta;
};
LOCKSTEP_CURAND_DEVICE lockstep_curand_envelope lockstep_curand_enclose(float mean) {
    lockstep_curand_envelope envelope;
    envelope.mean = mean;
    envelope.alpha =
        1.43248035075540910f * lockstep_curand_rsqrt(mean - 0.12400979329415655f) + 0.00025361074907033f;
    envelope.beta =
        0.21096734870196546f * lockstep_curand_rsqrt(mean - 1.97381164089999420f) + 0.94201734077887530f;
    return envelope;
}
LOCKSTEP_CURAND_DEVICE float lockstep_curand_enclosed(lockstep_curand_envelope envelope, float x) {
    const float t = 1.0f + lockstep_curand_exp(envelope.alpha * (envelope.mean - x) - envelope.beta);
    return lockstep_curand_reciprocal(t * t);
}
LOCKSTEP_CURAND_DEVICE float lockstep_curand_enclosed_inverse(lockstep_curand_envelope envelope, float y) {
    const float t = envelope.beta + lockstep_curand_log(lockstep_curand_rsqrt(y) - 1.0f);
    return -t * lockstep_curand_reciprocal(envelope.alpha) + envelope.mean;
}

// log((n - 1)!), by Stirling's series; Hart and others, Computer Approximations, 5404.
LOCKSTEP_CURAND_DEVICE double lockstep_curand_log_factorial(int n) {
    if (n <= 8) {
        switch (n) {
            case 3: return 6.931471805599453094e-1;
            case 4: return 1.791759469228055001;
            case 5: return 3.178053830347945620;
            case 6: return 4.787491742782045994;
            case 7: return 6.579251212010100995;
            case 8: return 8.525161361065414300;
            default: return 0;
        }
    }
    const double x = n;
    const double inverse = 1.0 / x;
    const double square = inverse * inverse;
    double sum = -0.1633436431e-2;
    sum = sum * square + 0.83645878922e-3;
    sum = sum * square - 0.5951896861197e-3;
    sum = sum * square + 0.793650576493454e-3;
    sum = sum * square - 0.277777777735865004e-2;
    sum = sum * square + 0.833333333333331018375e-1;
    sum = sum * inverse + 0.918938533204672;
    const double half = 0.5 * log(x) * (x - 0.5);
    return (half - x) + (half + sum);
}

template <typename State>
LOCKSTEP_CURAND_DEVICE unsigned int lockstep_curand_poisson_products(State* state, float mean) {
    unsigned int count = 0;
    for (float product = expf(mean);; ++count) {
        product *= curand_uniform(state);
        if (!(product > 1.0f)) return count;
    }
}

template <typename State>
LOCKSTEP_CURAND_DEVICE unsigned int lockstep_curand_poisson_rejection(State* state, float mean) {
    const lockstep_curand_envelope envelope = lockstep_curand_enclose(mean);
    const float log_mean = lockstep_curand_log(mean);
    for (;;) {
        const float x = floorf(lockstep_curand_enclosed_inverse(envelope, curand_uniform(state)));
        const float height =
            (lockstep_curand_enclosed(envelope, x + 1.0f) - lockstep_curand_enclosed(envelope, x)) * 1.3f;
        const float drawn = curand_uniform(state) * height;
        const float probability = lockstep_curand_exp(
            -mean + x * log_mean -
            static_cast<float>(lockstep_curand_log_factorial(static_cast<int>(1.0f + x))));
        if (drawn < probability && height >= 1e-20) return static_cast<unsigned int>(x);
    }
}

LOCKSTEP_CURAND_DEVICE unsigned int lockstep_curand_round(double deviate, double stddev, double mean) {
    return static_cast<unsigned int>(stddev * deviate + mean + 0.5);
}

#define LOCKSTEP_CURAND_POISSON(State)                                                                      \
    LOCKSTEP_CURAND_DEVICE unsigned int curand_poisson(State* state, double lambda) {                       \
        if (lambda < 64) return lockstep_curand_poisson_products(state, static_cast<float>(lambda));        \
        if (lambda > 4000) return lockstep_curand_round(curand_normal_double(state), sqrt(lambda), lambda); \
        return lockstep_curand_poisson_rejection(state, static_cast<float>(lambda));                        \
    }
LOCKSTEP_CURAND_POISSON(curandStateXORWOW_t)
LOCKSTEP_CURAND_POISSON(curandStatePhilox4_32_10_t)
LOCKSTEP_CURAND_POISSON(curandStateMRG32k3a_t)
#undef LOCKSTEP_CURAND_POISSON

LOCKSTEP_CURAND_DEVICE uint4 curand_poisson4(curandStatePhilox4_32_10_t* state, double lambda) {
    if (lambda > 4000) {
        const double4 x = curand_normal4_double(state);
        const double stddev = sqrt(lambda);
        return make_uint4(
            lockstep_curand_round(x.x, stddev, lambda), lockstep_curand_round(x.y, stddev, lambda),
            lockstep_curand_round(x.z, stddev, lambda), lockstep_curand_round(x.w, stddev, lambda));
    }
    const float mean = static_cast<float>(lambda);
    uint4 result;
    if (lambda < 64) {
        result.x = lockstep_curand_poisson_products(state, mean);
        result.y = lockstep_curand_poisson_products(state, mean);
        result.z = lockstep_curand_poisson_products(state, mean);
        result.w = lockstep_curand_poisson_products(state, mean);
    } else {
        result.x = lockstep_curand_poisson_rejection(state, mean);
        result.y = lockstep_curand_poisson_rejection(state, mean);
        result.z = lockstep_curand_poisson_rejection(state, mean);
        result.w = lockstep_curand_poisson_rejection(state, mean);
    }
    return result;
}

// A value in (0, 1): with 1 the search below would not end.
LOCKSTEP_CURAND_DEVICE double lockstep_curand_below_one(unsigned int x) {
    return x * LOCKSTEP_CURAND_2_32 + LOCKSTEP_CURAND_2_32 / 2;
}
LOCKSTEP_CURAND_DEVICE double lockstep_curand_below_one(unsigned long long x) {
    return static_cast<double>(x >> 11) * LOCKSTEP_CURAND_2_53 + LOCKSTEP_CURAND_2_53 / 4;
}

// Adds up the distribution until it has passed the value. What it starts from, e^-lambda, would be too small
// a number for a mean above 700, and comes in parts, 500 of the exponent at a time.
template <typename Bits>
LOCKSTEP_CURAND_DEVICE unsigned int lockstep_curand_poisson_search(Bits x, double lambda) {
    const double u = lockstep_curand_below_one(x);
    double probability = 1, sum = 1;
    unsigned int count = 0;
    int done = 0;
    do {
        const double part = lambda > done + 500.0 ? exp(-500.0) : exp(done - lambda);
        probability *= part;
        sum *= part;
        done += 500;
        while (u > sum) {
            ++count;
            probability *= lambda / count;
            sum += probability;
        }
    } while (done < lambda);
    return count;
}

template <typename Bits>
LOCKSTEP_CURAND_DEVICE unsigned int _curand_poisson(Bits x, double lambda) {
    if (lambda < 1000) return lockstep_curand_poisson_search(x, lambda);
    return lockstep_curand_round(_curand_normal_icdf_double(x), sqrt(lambda), lambda);
}

#define LOCKSTEP_CURAND_POISSON(State)                                                \
    LOCKSTEP_CURAND_DEVICE unsigned int curand_poisson(State* state, double lambda) { \
        return _curand_poisson(curand(state), lambda);                                \
    }
LOCKSTEP_CURAND_POISSON(curandStateSobol32_t)
LOCKSTEP_CURAND_POISSON(curandStateScrambledSobol32_t)
LOCKSTEP_CURAND_POISSON(curandStateSobol64_t)
LOCKSTEP_CURAND_POISSON(curandStateScrambledSobol64_t)
#undef LOCKSTEP_CURAND_POISSON
#undef LOCKSTEP_CURAND_DEVICE

#endif
