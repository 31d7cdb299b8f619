// The device API of cuRAND, pseudorandom generators, against what an H200 computed.
// RUN: lockstep run %s -- %S/support/curand-device.txt
// OUT: as recorded$
#include <curand_kernel.h>

#include "support/recorded.h"

#define CHECK(call)                                                            \
    if (cudaError_t e = call) {                                                \
        std::printf("%s: %s\n", #call, cudaGetErrorString(e));                 \
        std::exit(1);                                                          \
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

template <typename State, typename Draw>
__global__ void draw(int count, typename Draw::Result* out, double parameter) {
    State state;
    init(&state);
    for (int k = 0; k < count; ++k) out[k * threads + threadIdx.x] = Draw::draw(&state, parameter);
}

template <typename State, typename Draw>
void record(Recorded& recorded, const std::string& name, int count, double parameter = 0) {
    using Result = typename Draw::Result;
    std::vector<Result> values(size_t(count) * threads);
    Result* out = nullptr;
    CHECK(cudaMalloc(&out, values.size() * sizeof(Result)));
    draw<State, Draw><<<1, threads>>>(count, out, parameter);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(values.data(), out, values.size() * sizeof(Result), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
    recorded.values(name, values);
}

#define DRAW(NAME, RESULT, EXPRESSION)                                         \
    struct NAME {                                                              \
        using Result = RESULT;                                                 \
        template <typename State>                                              \
        static __device__ RESULT draw(State* s, double parameter) {            \
            (void)parameter;                                                   \
            return EXPRESSION;                                                 \
        }                                                                      \
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
DRAW(LogNormal4, float4, curand_log_normal4(s, -0.5f, 0.75f))
DRAW(Uniform2Double, double2, curand_uniform2_double(s))
DRAW(Poisson4, uint4, curand_poisson4(s, parameter))

// Normal deviates come in pairs, the second of which waits in the state: whatever is drawn between must not disturb it.
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
__device__ void jump_sequence(curandStatePhilox4_32_10_t* s, unsigned long long n) { skipahead_sequence(n, s); }
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

template <typename State>
void record_common(Recorded& recorded, const std::string& name) {
    recorded.text(name + " has " + std::to_string(sizeof(State)) + " bytes");
    record<State, Bits>(recorded, name + " bits", 37);
    record<State, Uniform>(recorded, name + " uniform", 37);
    record<State, UniformDouble>(recorded, name + " uniform double", 37);
    record<State, Normal>(recorded, name + " normal", 201);
    record<State, NormalDouble>(recorded, name + " normal double", 201);
    record<State, LogNormal>(recorded, name + " log-normal", 37);
    record<State, LogNormalDouble>(recorded, name + " log-normal double", 37);
    record<State, Mixed>(recorded, name + " mixed", 3);
    record<State, Jumps>(recorded, name + " jumps", 5);
    for (const double mean : {0.5, 10.0, 63.9, 64.0, 500.0, 3999.0, 4001.0, 1e5})
        record<State, Poisson>(recorded, name + " poisson " + std::to_string(mean), 11, mean);
}

int main(int count, char** arguments) {
    Recorded recorded(count, arguments);
    record_common<curandState_t>(recorded, "xorwow");
    record_common<curandStatePhilox4_32_10_t>(recorded, "philox");
    record_common<curandStateMRG32k3a_t>(recorded, "mrg32k3a");
    using Philox = curandStatePhilox4_32_10_t;
    record<Philox, Bits4>(recorded, "philox bits4", 11);
    record<Philox, Uniform4>(recorded, "philox uniform4", 11);
    record<Philox, Normal4>(recorded, "philox normal4", 11);
    record<Philox, LogNormal4>(recorded, "philox log-normal4", 11);
    record<Philox, Uniform2Double>(recorded, "philox uniform2 double", 11);
    for (const double mean : {0.5, 63.9, 64.0, 3999.0, 4001.0})
        record<Philox, Poisson4>(recorded, "philox poisson4 " + std::to_string(mean), 11, mean);
    return recorded.end();
}
