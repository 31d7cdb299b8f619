// The device API of cuRAND, pseudorandom generators, against what an H200 computed.
// RUN: lockstep run %s -- %S/support/curand-device.txt
// OUT: as recorded$
#include <curand_kernel.h>

#include "support/recorded.h"

#define CHECK(call)                                            \
    if (cudaError_t e = call) {                                \
        std::printf("%s: %s\n", #call, cudaGetErrorString(e)); \
        std::exit(1);                                          \
    }

// A state is made of a combination of these by each thread: 4 × 6 × 4.
constexpr int threads = 96;
__device__ const unsigned long long seeds[] = {0, 1234, 0xdeadbeefcafe1234, ~0ull};
__device__ const unsigned long long subsequences[] = {0, 1, 17, 65537, (1ull << 40) + 3, (1ull << 51) - 1};
__device__ const unsigned long long offsets[] = {0, 5, 1000003, (1ull << 45) + 7};

template <typename State>
__device__ void init(State* state) {
    const int i = threadIdx.x;
    curand_init(seeds[i % 4], subsequences[i / 4 % 6], offsets[i / 24], state);
}

template <typename State>
__global__ void init_all(State* states) {
    init(&states[threadIdx.x]);
}

template <typename State, typename Draw>
__global__ void draw(const State* states, int count, typename Draw::Result* out, double parameter) {
    State state = states[threadIdx.x];
    for (int k = 0; k < count; ++k) out[k * threads + threadIdx.x] = Draw::draw(&state, parameter);
}

template <typename State>
class Generator {
  public:
    Generator() {
        CHECK(cudaMalloc(&states_, threads * sizeof(State)));
        init_all<<<1, threads>>>(states_);
        CHECK(cudaDeviceSynchronize());
    }
    ~Generator() { cudaFree(states_); }

    template <typename Draw>
    std::vector<typename Draw::Result> draws(int count, double parameter = 0) const {
        using Result = typename Draw::Result;
        std::vector<Result> values(size_t(count) * threads);
        Result* out = nullptr;
        CHECK(cudaMalloc(&out, values.size() * sizeof(Result)));
        draw<State, Draw><<<1, threads>>>(states_, count, out, parameter);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(values.data(), out, values.size() * sizeof(Result), cudaMemcpyDeviceToHost));
        CHECK(cudaFree(out));
        return values;
    }

  private:
    State* states_ = nullptr;
};

// Four floats as a vector are four values.
template <typename Four>
std::vector<float> flat(const std::vector<Four>& values) {
    const float* const first = &values[0].x;
    return {first, first + 4 * values.size()};
}

#define DRAW(NAME, RESULT, EXPRESSION)                              \
    struct NAME {                                                   \
        using Result = RESULT;                                      \
        template <typename State>                                   \
        static __device__ RESULT draw(State* s, double parameter) { \
            (void)parameter;                                        \
            return EXPRESSION;                                      \
        }                                                           \
    };

DRAW(Bits, unsigned, curand(s))
DRAW(Uniform, float, curand_uniform(s))
DRAW(UniformDouble, double, curand_uniform_double(s))
DRAW(Normal, float, curand_normal(s))
DRAW(NormalDouble, double, curand_normal_double(s))
DRAW(LogNormal, float, curand_log_normal(s, 0.25f, 1.5f))
DRAW(LogNormalDouble, double, curand_log_normal_double(s, 0.25, 1.5))
DRAW(Poisson, unsigned, curand_poisson(s, parameter))
DRAW(Bits4, uint4, curand4(s))
DRAW(Uniform4, float4, curand_uniform4(s))
DRAW(Normal4, float4, curand_normal4(s))
DRAW(Uniform2Double, double2, curand_uniform2_double(s))
DRAW(Poisson4, uint4, curand_poisson4(s, parameter))

// Normal deviates come in pairs, the second of which waits in the state: whatever is drawn between must not
// disturb it.
struct Mixed {
    using Result = double;
    template <typename State>
    static __device__ double draw(State* s, double) {
        double sum = curand_normal(s) + curand_uniform(s) + curand_normal_double(s);
        const float2 pair = curand_normal2(s);
        sum += pair.x - 2 * pair.y;
        const double2 pair_double = curand_normal2_double(s);
        sum += 3 * pair_double.x + pair_double.y;
        sum += curand_log_normal(s, 0.f, 1.f) - curand_normal(s);
        const float2 log_pair = curand_log_normal2(s, 0.1f, 0.2f);
        const double2 log_pair_double = curand_log_normal2_double(s, 0.1, 0.2);
        return sum + log_pair.x - log_pair.y + log_pair_double.x * log_pair_double.y + curand(s);
    }
};

// States that jump: along the sequence, over whole (sub)sequences.
__device__ void jump_sequence(curandStateXORWOW_t* s, unsigned long long n) { skipahead_sequence(n, s); }
__device__ void jump_sequence(curandStatePhilox4_32_10_t* s, unsigned long long n) {
    skipahead_sequence(n, s);
}
__device__ void jump_sequence(curandStateMRG32k3a_t* s, unsigned long long n) {
    skipahead_subsequence(n, s);
    skipahead_sequence(n ^ 5, s);
}

struct Jumps {
    using Result = unsigned;
    template <typename State>
    static __device__ unsigned draw(State* s, double) {
        const unsigned first = curand(s);
        skipahead(first % 11, s);
        const unsigned second = curand(s);
        skipahead(0x123456789abcdefull + first, s);
        jump_sequence(s, second * 7ull);
        return curand(s) ^ first;
    }
};

// `whole`: also what is made of the same functions for every generator, or is in curand-host.cu.
template <typename State, bool whole>
void record_common(Recorded& recorded, const std::string& name) {
    recorded.text(name + " has " + std::to_string(sizeof(State)) + " bytes");
    const Generator<State> generator;
    recorded.values(name + " bits", generator.template draws<Bits>(37));
    if constexpr (whole) {
        recorded.values(name + " uniform", generator.template draws<Uniform>(37));
        recorded.values(name + " uniform double", generator.template draws<UniformDouble>(37));
        recorded.near(name + " normal", generator.template draws<Normal>(201), 1e-5);
        recorded.near(name + " normal double", generator.template draws<NormalDouble>(201), 1e-14);
        recorded.near(name + " log-normal", generator.template draws<LogNormal>(37), 1e-5);
        recorded.near(name + " log-normal double", generator.template draws<LogNormalDouble>(37), 1e-14);
        recorded.near(name + " mixed", generator.template draws<Mixed>(3), 1e-5);
    }
    recorded.values(name + " jumps", generator.template draws<Jumps>(5));
    if constexpr (whole)
        for (const double mean : {0.5, 10.0, 63.9, 64.0, 500.0, 3999.0, 4001.0, 1e5})
            recorded.values(name + " poisson " + std::to_string(mean),
                            generator.template draws<Poisson>(11, mean));
}

int main(int count, char** arguments) {
    Recorded recorded(count, arguments);
    record_common<curandState_t, true>(recorded, "xorwow");
    record_common<curandStatePhilox4_32_10_t, false>(recorded, "philox");
    record_common<curandStateMRG32k3a_t, false>(recorded, "mrg32k3a");
    const Generator<curandStatePhilox4_32_10_t> philox;
    recorded.values("philox bits4", philox.draws<Bits4>(11));
    recorded.values("philox uniform4", philox.draws<Uniform4>(11));
    recorded.near("philox normal4", flat(philox.draws<Normal4>(11)), 1e-5);
    recorded.values("philox uniform2 double", philox.draws<Uniform2Double>(11));
    for (const double mean : {0.5, 63.9, 64.0, 3999.0, 4001.0})
        recorded.values("philox poisson4 " + std::to_string(mean), philox.draws<Poisson4>(11, mean));
    return recorded.end();
}
