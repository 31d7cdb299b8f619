// The device API of cuRAND, quasirandom generators, with the library's tables of direction vectors; discrete
// distributions that the library makes, drawn from by generators of all kinds. Against what an H200 computed.
// RUN: lockstep run %s -lcurand -- %S/support/curand-sobol.txt
// OUT: as recorded$
#include <curand_kernel.h>

#include "support/recorded.h"

#define CHECK(call)                        \
    if (int e = call) {                    \
        std::printf("%s: %d\n", #call, e); \
        std::exit(1);                      \
    }

// A thread draws from one dimension, 8 of them, with one of 4 offsets.
constexpr int threads = 32;
__device__ const unsigned offsets[] = {0, 1, 1000003, 0xfffffff0u};
const int dimensions[] = {0, 1, 2, 9, 100, 1111, 3665, 3666};

template <typename State>
struct Vectors;
template <>
struct Vectors<curandStateSobol32_t> {
    using Type = curandDirectionVectors32_t;
};
template <>
struct Vectors<curandStateSobol64_t> {
    using Type = curandDirectionVectors64_t;
};
template <>
struct Vectors<curandStateScrambledSobol32_t> : Vectors<curandStateSobol32_t> {};
template <>
struct Vectors<curandStateScrambledSobol64_t> : Vectors<curandStateSobol64_t> {};

__device__ void init(curandDirectionVectors32_t* vectors, curandStateSobol32_t* state) {
    curand_init(vectors[threadIdx.x % 8], offsets[threadIdx.x / 8], state);
}
__device__ void init(curandDirectionVectors64_t* vectors, curandStateSobol64_t* state) {
    curand_init(vectors[threadIdx.x % 8], offsets[threadIdx.x / 8] * 0x1000001ull, state);
}
__device__ void init(curandDirectionVectors32_t* vectors, curandStateScrambledSobol32_t* state) {
    curand_init(vectors[threadIdx.x % 8], 0x89abcdefu * threadIdx.x, offsets[threadIdx.x / 8], state);
}
__device__ void init(curandDirectionVectors64_t* vectors, curandStateScrambledSobol64_t* state) {
    curand_init(vectors[threadIdx.x % 8], 0x0123456789abcdefull * threadIdx.x,
                offsets[threadIdx.x / 8] * 0x1000001ull, state);
}

template <typename State, typename Draw>
__global__ void draw(typename Vectors<State>::Type* vectors, int count,
                     typename Draw::template Result<State>* out, double parameter) {
    State state;
    init(vectors, &state);
    for (int k = 0; k < count; ++k) out[k * threads + threadIdx.x] = Draw::draw(&state, parameter);
}

// Values with a tolerance come of functions that lockstep computes more exactly than a GPU.
template <typename State, typename Draw>
void record(Recorded& recorded, typename Vectors<State>::Type* vectors, const std::string& name, int count,
            double parameter = 0, double tolerance = 0) {
    using Result = typename Draw::template Result<State>;
    std::vector<Result> values(size_t(count) * threads);
    Result* out = nullptr;
    CHECK(cudaMalloc(&out, values.size() * sizeof(Result)));
    draw<State, Draw><<<1, threads>>>(vectors, count, out, parameter);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(values.data(), out, values.size() * sizeof(Result), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
    if (tolerance != 0)
        recorded.near(name, values, tolerance);
    else
        recorded.values(name, values);
}

#define DRAW(NAME, RESULT, EXPRESSION)                              \
    struct NAME {                                                   \
        template <typename State>                                   \
        using Result = RESULT;                                      \
        template <typename State>                                   \
        static __device__ RESULT draw(State* s, double parameter) { \
            (void)parameter;                                        \
            return EXPRESSION;                                      \
        }                                                           \
    };

DRAW(Bits, decltype(State().x), curand(s))
DRAW(Uniform, float, curand_uniform(s))
DRAW(UniformDouble, double, curand_uniform_double(s))
DRAW(Normal, float, curand_normal(s))
DRAW(NormalDouble, double, curand_normal_double(s))
DRAW(LogNormal, float, curand_log_normal(s, 0.25f, 1.5f))
DRAW(LogNormalDouble, double, curand_log_normal_double(s, 0.25, 1.5))
DRAW(Poisson, unsigned, curand_poisson(s, parameter))

struct Jumps {
    template <typename State>
    using Result = decltype(State().x);
    template <typename State>
    static __device__ Result<State> draw(State* s, double) {
        const Result<State> first = curand(s);
        skipahead(first % 1001, s);
        return curand(s);
    }
};

template <typename State>
void record_common(Recorded& recorded, const std::string& name, curandDirectionVectors32_t* host32,
                   curandDirectionVectors64_t* host64) {
    using Type = typename Vectors<State>::Type;
    Type* vectors = nullptr;
    CHECK(cudaMalloc(&vectors, 8 * sizeof(Type)));
    for (int i = 0; i < 8; ++i) {
        const void* const from = sizeof(Type) == sizeof(curandDirectionVectors32_t)
                                     ? static_cast<void*>(host32[dimensions[i]])
                                     : static_cast<void*>(host64[dimensions[i]]);
        CHECK(cudaMemcpy(vectors[i], from, sizeof(Type), cudaMemcpyHostToDevice));
    }
    recorded.text(name + " has " + std::to_string(sizeof(State)) + " bytes");
    record<State, Bits>(recorded, vectors, name + " bits", 37);
    record<State, Uniform>(recorded, vectors, name + " uniform", 37);
    record<State, UniformDouble>(recorded, vectors, name + " uniform double", 37);
    record<State, Normal>(recorded, vectors, name + " normal", 101, 0, 1e-5);
    record<State, NormalDouble>(recorded, vectors, name + " normal double", 101, 0, 1e-14);
    record<State, LogNormal>(recorded, vectors, name + " log-normal", 37, 0, 1e-5);
    record<State, LogNormalDouble>(recorded, vectors, name + " log-normal double", 37, 0, 1e-14);
    record<State, Jumps>(recorded, vectors, name + " jumps", 5);
    for (const double mean : {0.5, 10.0, 999.0, 1001.0})
        record<State, Poisson>(recorded, vectors, name + " poisson " + std::to_string(mean), 11, mean);
    CHECK(cudaFree(vectors));
}

template <typename State>
__global__ void discrete_pseudo(curandDiscreteDistribution_t distribution, int count, unsigned* out) {
    State state;
    curand_init(1234, threadIdx.x, 5, &state);
    for (int k = 0; k < count; ++k) out[k * threads + threadIdx.x] = curand_discrete(&state, distribution);
}

__global__ void discrete4(curandDiscreteDistribution_t distribution, int count, uint4* out) {
    curandStatePhilox4_32_10_t state;
    curand_init(1234, threadIdx.x, 5, &state);
    for (int k = 0; k < count; ++k) out[k * threads + threadIdx.x] = curand_discrete4(&state, distribution);
}

template <typename State>
__global__ void discrete_quasi(curandDiscreteDistribution_t distribution,
                               typename Vectors<State>::Type* vectors, int count, unsigned* out) {
    State state;
    init(vectors, &state);
    for (int k = 0; k < count; ++k) out[k * threads + threadIdx.x] = curand_discrete(&state, distribution);
}

template <typename Launch>
void record_discrete(Recorded& recorded, const std::string& name, size_t words, Launch launch) {
    std::vector<unsigned> values(words);
    unsigned* out = nullptr;
    CHECK(cudaMalloc(&out, words * 4));
    launch(out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(values.data(), out, words * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
    recorded.values(name, values);
}

int main(int count, char** arguments) {
    Recorded recorded(count, arguments);
    curandDirectionVectors32_t* host32 = nullptr;
    curandDirectionVectors64_t* host64 = nullptr;
    CHECK(curandGetDirectionVectors32(&host32, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
    CHECK(curandGetDirectionVectors64(&host64, CURAND_DIRECTION_VECTORS_64_JOEKUO6));
    recorded.values("vectors 32", std::vector<unsigned>(host32[0], host32[3667]));
    recorded.values("vectors 64", std::vector<unsigned long long>(host64[0], host64[3667]));

    record_common<curandStateSobol32_t>(recorded, "sobol32", host32, host64);
    record_common<curandStateScrambledSobol32_t>(recorded, "scrambled sobol32", host32, host64);
    record_common<curandStateSobol64_t>(recorded, "sobol64", host32, host64);
    record_common<curandStateScrambledSobol64_t>(recorded, "scrambled sobol64", host32, host64);

    curandDirectionVectors32_t* vectors32 = nullptr;
    curandDirectionVectors64_t* vectors64 = nullptr;
    CHECK(cudaMalloc(&vectors32, 8 * sizeof *vectors32));
    CHECK(cudaMalloc(&vectors64, 8 * sizeof *vectors64));
    CHECK(cudaMemcpy(vectors32, host32, 8 * sizeof *vectors32, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(vectors64, host64, 8 * sizeof *vectors64, cudaMemcpyHostToDevice));
    for (const double mean : {0.7, 30.0, 1500.0, 1999.5, 2001.0, 50000.0}) {
        curandDiscreteDistribution_t distribution = nullptr;
        CHECK(curandCreatePoissonDistribution(mean, &distribution));
        const std::string name = "discrete " + std::to_string(mean);
        record_discrete(recorded, name + " xorwow", threads * 101, [&](unsigned* out) {
            discrete_pseudo<curandState_t><<<1, threads>>>(distribution, 101, out);
        });
        record_discrete(recorded, name + " mrg32k3a", threads * 31, [&](unsigned* out) {
            discrete_pseudo<curandStateMRG32k3a_t><<<1, threads>>>(distribution, 31, out);
        });
        record_discrete(recorded, name + " philox", threads * 31, [&](unsigned* out) {
            discrete_pseudo<curandStatePhilox4_32_10_t><<<1, threads>>>(distribution, 31, out);
        });
        record_discrete(recorded, name + " philox 4", threads * 44, [&](unsigned* out) {
            discrete4<<<1, threads>>>(distribution, 11, reinterpret_cast<uint4*>(out));
        });
        // After a few more a value has all bits set, for which NVIDIA's function reads beyond its table.
        record_discrete(recorded, name + " sobol32", threads * 12, [&](unsigned* out) {
            discrete_quasi<curandStateSobol32_t><<<1, threads>>>(distribution, vectors32, 12, out);
        });
        record_discrete(recorded, name + " sobol64", threads * 31, [&](unsigned* out) {
            discrete_quasi<curandStateSobol64_t><<<1, threads>>>(distribution, vectors64, 31, out);
        });
        CHECK(curandDestroyDistribution(distribution));
    }
    CHECK(cudaFree(vectors32));
    CHECK(cudaFree(vectors64));
    return recorded.end();
}
