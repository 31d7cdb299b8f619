// What one draw of each kind makes of a state, for generators of which every thread has one.
#pragma once
#include <curand_kernel.h>

#include "curand/generator.h"
#include "curand/poisson-tables.h"

namespace lockstep::curand {

struct DrawBits {
    using Element = unsigned int;
    static constexpr int outputs = 1;
    template <typename State>
    __device__ void operator()(State* state, Element* out) const {
        out[0] = ::curand(state);
    }
};

struct DrawUniform {
    using Element = float;
    static constexpr int outputs = 1;
    template <typename State>
    __device__ void operator()(State* state, Element* out) const {
        out[0] = curand_uniform(state);
    }
};

struct DrawUniformDouble {
    using Element = double;
    static constexpr int outputs = 1;
    template <typename State>
    __device__ void operator()(State* state, Element* out) const {
        out[0] = curand_uniform_double(state);
    }
    // Unlike the device API, which spends one value on it.
    __device__ void operator()(curandStatePhilox4_32_10_t* state, Element* out) const {
        const unsigned int x = ::curand(state);
        out[0] = _curand_uniform_double_hq(x, ::curand(state));
    }
};

template <bool logarithmic>
struct DrawNormal {
    using Element = float;
    static constexpr int outputs = 2;
    float mean, stddev;
    template <typename State>
    __device__ void operator()(State* state, Element* out) const {
        const float2 pair = curand_normal2(state);
        const float first = mean + stddev * pair.x, second = mean + stddev * pair.y;
        out[0] = logarithmic ? expf(first) : first;
        out[1] = logarithmic ? expf(second) : second;
    }
};

template <bool logarithmic>
struct DrawNormalDouble {
    using Element = double;
    static constexpr int outputs = 2;
    double mean, stddev;
    template <typename State>
    __device__ void operator()(State* state, Element* out) const {
        const double2 pair = curand_normal2_double(state);
        const double first = mean + stddev * pair.x, second = mean + stddev * pair.y;
        out[0] = logarithmic ? exp(first) : first;
        out[1] = logarithmic ? exp(second) : second;
    }
};

// Poisson's distribution from its table.
struct DrawHistogram {
    using Element = unsigned int;
    static constexpr int outputs = 1;
    curandDiscreteDistribution_t distribution;
    template <typename State>
    __device__ void operator()(State* state, Element* out) const {
        out[0] = lockstep_curand_histogram(::curand(state), distribution->M2);
    }
};

// And from normal deviates, where its mean is great.
struct DrawRounded {
    using Element = unsigned int;
    static constexpr int outputs = 1;
    double mean;
    template <typename State>
    __device__ void operator()(State* state, Element* out) const {
        out[0] = static_cast<unsigned int>(sqrt(mean) * curand_normal(state) + mean + 0.5);
    }
};

// Calls `use` with what draws as the request says.
template <typename Use>
curandStatus_t with_draw(const Request& request, PoissonTables& tables, Use use) {
    const float mean = static_cast<float>(request.mean), stddev = static_cast<float>(request.stddev);
    switch (request.wanted) {
        case Wanted::bits: return use(DrawBits());
        case Wanted::wide_bits: return CURAND_STATUS_TYPE_ERROR;
        case Wanted::uniform: return use(DrawUniform());
        case Wanted::uniform_double: return use(DrawUniformDouble());
        case Wanted::normal: return use(DrawNormal<false>{mean, stddev});
        case Wanted::normal_double: return use(DrawNormalDouble<false>{request.mean, request.stddev});
        case Wanted::log_normal: return use(DrawNormal<true>{mean, stddev});
        case Wanted::log_normal_double: return use(DrawNormalDouble<true>{request.mean, request.stddev});
        case Wanted::poisson:
            if (request.mean >= gauss_from) return use(DrawRounded{request.mean});
            curandDiscreteDistribution_t distribution;
            if (const curandStatus_t status = tables.histogram(request.mean, &distribution)) return status;
            return use(DrawHistogram{distribution});
    }
    return CURAND_STATUS_INTERNAL_ERROR;
}

}  // namespace lockstep::curand
