// cuRAND's headers, each function of the device API with each state that has it, in C++11 too.
#include <curand.h>
#include <curand_discrete.h>
#include <curand_discrete2.h>
#include <curand_kernel.h>
#include <curand_lognormal.h>
#include <curand_mrg32k3a.h>
#include <curand_normal.h>
#include <curand_philox4x32_x.h>
#include <curand_poisson.h>
#include <curand_uniform.h>

template <typename State>
__device__ double common(State* state, curandDiscreteDistribution_t distribution) {
    skipahead(3, state);
    return curand(state) + curand_uniform(state) + curand_uniform_double(state) + curand_normal(state) +
           curand_normal_double(state) + curand_log_normal(state, 0.f, 1.f) +
           curand_log_normal_double(state, 0., 1.) + curand_poisson(state, 3.) +
           curand_discrete(state, distribution);
}

template <typename State>
__device__ double pseudo(State* state, curandDiscreteDistribution_t distribution) {
    curand_init(1234, threadIdx.x, 0, state);
    skipahead_sequence(1, state);
    return common(state, distribution) + curand_normal2(state).x + curand_normal2_double(state).y +
           curand_log_normal2(state, 0.f, 1.f).x + curand_log_normal2_double(state, 0., 1.).y;
}

__global__ void pseudorandom(double* out, curandDiscreteDistribution_t distribution) {
    curandState xorwow;
    curandStatePhilox4_32_10_t philox;
    curandStateMRG32k3a_t mrg32k3a;
    double sum =
        pseudo(&xorwow, distribution) + pseudo(&philox, distribution) + pseudo(&mrg32k3a, distribution);
    skipahead_subsequence(1, &mrg32k3a);
    sum += curand4(&philox).x + curand_uniform4(&philox).y + curand_normal4(&philox).z +
           curand_uniform2_double(&philox).x + curand_uniform4_double(&philox).w +
           curand_normal4_double(&philox).w + curand_log_normal4(&philox, 0.f, 1.f).x +
           curand_log_normal4_double(&philox, 0., 1.).x + curand_poisson4(&philox, 2.).w +
           curand_discrete4(&philox, distribution).w;
    *out = sum + curand(&mrg32k3a);
}

__global__ void quasirandom(double* out, curandDirectionVectors32_t* vectors32,
                            curandDirectionVectors64_t* vectors64,
                            curandDiscreteDistribution_t distribution) {
    curandStateSobol32_t sobol32;
    curandStateScrambledSobol32_t scrambled32;
    curandStateSobol64_t sobol64;
    curandStateScrambledSobol64_t scrambled64;
    curand_init(vectors32[0], 1234, &sobol32);
    curand_init(vectors32[0], 99, 1234, &scrambled32);
    curand_init(vectors64[0], 1234, &sobol64);
    curand_init(vectors64[0], 99, 1234, &scrambled64);
    skipahead<curandStateSobol32_t*>(7, &sobol32);
    *out = common(&sobol32, distribution) + common(&scrambled32, distribution) +
           common(&sobol64, distribution) + common(&scrambled64, distribution);
}
