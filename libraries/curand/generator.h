// A generator of the host API, and how it draws.
#pragma once
#include <cuda_runtime.h>
#include <curand.h>

#include <cstddef>

namespace lockstep::curand {

// What a call asks for.
enum class Wanted {
    bits,
    wide_bits,
    uniform,
    uniform_double,
    normal,
    normal_double,
    log_normal,
    log_normal_double,
    poisson
};

struct Request {
    Wanted wanted;
    void* out;
    std::size_t count;
    double mean = 0, stddev = 0;  // of normal deviates; of Poisson's distribution the mean
};

std::size_t element_size(Wanted wanted);

// Means that Poisson's distribution may have.
inline bool allowed_mean(double mean) { return mean > 0 && mean <= 400000; }

// A reason in words, once for each place, where lockstep lacks something that NVIDIA's library has.
curandStatus_t lacking(const char* function, const char* reason);

// Where a generator starts.
struct Start {
    unsigned long long seed, offset;
    unsigned int dimensions;
    bool legacy;  // the order of results of old versions
    bool seeded;  // threads have seeds of their own in place of subsequences
};

class Engine {
  public:
    virtual ~Engine() = default;
    // Starts the kernels that write `request.count` numbers to the device.
    virtual curandStatus_t generate(const Request& request, cudaStream_t stream) = 0;
    // Places the generator anew.
    virtual curandStatus_t start(const Start& start) = 0;
};

Engine* make_xorwow();
Engine* make_mrg32k3a();
Engine* make_philox();
Engine* make_sobol(bool wide, bool scrambled);

// Direction vectors, made when they are first asked for.
constexpr unsigned int known_dimensions = 20000;
template <typename Index>
const Index* direction_vectors(bool scrambled);
template <typename Index>
const Index* scramble_constants();

}  // namespace lockstep::curand

struct curandGenerator_st {
    curandRngType_t type;
    bool on_host;
    lockstep::curand::Engine* engine;
    unsigned long long seed = 0, offset = 0;
    unsigned int dimensions = 1;
    curandOrdering_t ordering;
    bool started = false;
    cudaStream_t stream = nullptr;

    bool quasi() const { return type >= CURAND_RNG_QUASI_DEFAULT; }
    bool wide() const {
        return type == CURAND_RNG_QUASI_SOBOL64 || type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
    }
};
