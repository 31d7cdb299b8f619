/* The host API of hipRAND: generators whose kernels are compiled with the program. The numbers are made by
 * cuRAND's generators (hiprand_kernel.h), one for each of `streams` threads in turn, and are not rocRAND's.
 */
#ifndef LOCKSTEP_HIPRAND_H
#define LOCKSTEP_HIPRAND_H
#if !defined(__cplusplus) || !defined(__HIPCC__)
#error "hiprand.h: lockstep's generators are HIP code of the file that includes it; compile it with hipcc"
#endif
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#include <hiprand/hiprand_kernel.h>

#define HIPRAND_VERSION 200000
#define HIPRAND_DEFAULT_MAX_BLOCK_SIZE 256

typedef enum hiprandStatus {
    HIPRAND_STATUS_SUCCESS = 0,
    HIPRAND_STATUS_VERSION_MISMATCH = 100,
    HIPRAND_STATUS_NOT_INITIALIZED = 101,
    HIPRAND_STATUS_ALLOCATION_FAILED = 102,
    HIPRAND_STATUS_TYPE_ERROR = 103,
    HIPRAND_STATUS_OUT_OF_RANGE = 104,
    HIPRAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
    HIPRAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
    HIPRAND_STATUS_LAUNCH_FAILURE = 201,
    HIPRAND_STATUS_PREEXISTING_FAILURE = 202,
    HIPRAND_STATUS_INITIALIZATION_FAILED = 203,
    HIPRAND_STATUS_ARCH_MISMATCH = 204,
    HIPRAND_STATUS_INTERNAL_ERROR = 999,
    HIPRAND_STATUS_NOT_IMPLEMENTED = 1000
} hiprandStatus_t;

typedef enum hiprandRngType {
    HIPRAND_RNG_TEST = 0,
    HIPRAND_RNG_PSEUDO_DEFAULT = 400,
    HIPRAND_RNG_PSEUDO_XORWOW = 401,
    HIPRAND_RNG_PSEUDO_MRG32K3A = 402,
    HIPRAND_RNG_PSEUDO_MTGP32 = 403,
    HIPRAND_RNG_PSEUDO_MT19937 = 404,
    HIPRAND_RNG_PSEUDO_PHILOX4_32_10 = 405,
    HIPRAND_RNG_QUASI_DEFAULT = 500,
    HIPRAND_RNG_QUASI_SOBOL32 = 501,
    HIPRAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 502,
    HIPRAND_RNG_QUASI_SOBOL64 = 503,
    HIPRAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 504
} hiprandRngType_t;

typedef enum hiprandOrdering {
    HIPRAND_ORDERING_PSEUDO_BEST = 100,
    HIPRAND_ORDERING_PSEUDO_DEFAULT = 101,
    HIPRAND_ORDERING_PSEUDO_SEEDED = 102,
    HIPRAND_ORDERING_PSEUDO_LEGACY = 103,
    HIPRAND_ORDERING_PSEUDO_DYNAMIC = 104,
    HIPRAND_ORDERING_QUASI_DEFAULT = 201
} hiprandOrdering_t;

struct hiprandGenerator_st {
    hiprandRngType_t type;
    unsigned long long seed, offset;
    hipStream_t stream;
    bool on_host; /* results are wanted in its memory */
    bool begun;   /* states stand where seed and offset say */
    void* states;
};
typedef hiprandGenerator_st* hiprandGenerator_t;

namespace __lockstep_hiprand {

constexpr unsigned threads = 256, blocks = 16, streams = threads * blocks;

template <class State>
static __global__ void begin(State* states, unsigned long long seed, unsigned long long offset) {
    const unsigned i = blockIdx.x * threads + threadIdx.x;
    hiprand_init(seed, i, offset, &states[i]);
}
template <class State, class T, class Draw>
static __global__ void fill(State* states, T* to, size_t count, Draw draw) {
    const unsigned thread = blockIdx.x * threads + threadIdx.x;
    State state = states[thread];
    for (size_t i = thread; i < count; i += streams) to[i] = draw(&state);
    states[thread] = state;
}

/* What is drawn of a state. */
template <class T>
struct Bits {
    template <class State>
    __device__ T operator()(State* state) const {
        if constexpr (sizeof(T) == 8) {
            const unsigned long long high = hiprand(state);
            return high << 32 | hiprand(state);
        } else {
            return (T)(hiprand(state) >> (32 - 8 * sizeof(T))); /* the upper bits are the better ones */
        }
    }
};
struct Uniform {
    template <class State>
    __device__ float operator()(State* state) const {
        return hiprand_uniform(state);
    }
};
struct UniformDouble {
    template <class State>
    __device__ double operator()(State* state) const {
        return hiprand_uniform_double(state);
    }
};
struct UniformHalf {
    template <class State>
    __device__ __half operator()(State* state) const {
        return __float2half(hiprand_uniform(state));
    }
};
struct Normal {
    float mean, deviation;
    template <class State>
    __device__ float operator()(State* state) const {
        return mean + deviation * hiprand_normal(state);
    }
};
struct NormalDouble {
    double mean, deviation;
    template <class State>
    __device__ double operator()(State* state) const {
        return mean + deviation * hiprand_normal_double(state);
    }
};
struct NormalHalf {
    float mean, deviation;
    template <class State>
    __device__ __half operator()(State* state) const {
        return __float2half(mean + deviation * hiprand_normal(state));
    }
};
struct LogNormal {
    float mean, deviation;
    template <class State>
    __device__ float operator()(State* state) const {
        return hiprand_log_normal(state, mean, deviation);
    }
};
struct LogNormalDouble {
    double mean, deviation;
    template <class State>
    __device__ double operator()(State* state) const {
        return hiprand_log_normal_double(state, mean, deviation);
    }
};
struct LogNormalHalf {
    float mean, deviation;
    template <class State>
    __device__ __half operator()(State* state) const {
        return __float2half(hiprand_log_normal(state, mean, deviation));
    }
};
struct Poisson {
    double mean;
    template <class State>
    __device__ unsigned operator()(State* state) const {
        return hiprand_poisson(state, mean);
    }
};

inline hiprandStatus_t missing(const char* what) {
    fprintf(stderr, "lockstep: hipRAND: %s is not there: XORWOW, MRG32k3a and Philox4x32-10 are\n", what);
    return HIPRAND_STATUS_TYPE_ERROR;
}

template <class State, class T, class Draw>
hiprandStatus_t generate_with(hiprandGenerator_t generator, T* to, size_t count, Draw draw) {
    if (!generator->states && hipMalloc(&generator->states, streams * sizeof(State)) != hipSuccess)
        return HIPRAND_STATUS_ALLOCATION_FAILED;
    State* states = (State*)generator->states;
    if (!generator->begun)
        begin<State><<<blocks, threads, 0, generator->stream>>>(states, generator->seed, generator->offset);
    generator->begun = true;
    T* device = to;
    if (generator->on_host && hipMalloc(&device, count * sizeof(T)) != hipSuccess)
        return HIPRAND_STATUS_ALLOCATION_FAILED;
    fill<<<blocks, threads, 0, generator->stream>>>(states, device, count, draw);
    hipError_t error = hipGetLastError();
    if (generator->on_host) {
        if (error == hipSuccess)
            error = hipMemcpyAsync(to, device, count * sizeof(T), hipMemcpyDeviceToHost, generator->stream);
        if (error == hipSuccess) error = hipStreamSynchronize(generator->stream);
        (void)hipFree(device);
    }
    return error == hipSuccess ? HIPRAND_STATUS_SUCCESS : HIPRAND_STATUS_LAUNCH_FAILURE;
}

template <class T, class Draw>
hiprandStatus_t generate(hiprandGenerator_t generator, T* to, size_t count, Draw draw) {
    if (!generator) return HIPRAND_STATUS_NOT_INITIALIZED;
    if (!to) return HIPRAND_STATUS_OUT_OF_RANGE;
    if (count == 0) return HIPRAND_STATUS_SUCCESS;
    switch (generator->type) {
        case HIPRAND_RNG_PSEUDO_MRG32K3A:
            return generate_with<hiprandStateMRG32k3a>(generator, to, count, draw);
        case HIPRAND_RNG_PSEUDO_PHILOX4_32_10:
            return generate_with<hiprandStatePhilox4_32_10_t>(generator, to, count, draw);
        default: return generate_with<hiprandStateXORWOW>(generator, to, count, draw);
    }
}

inline hiprandStatus_t create(hiprandGenerator_t* generator, hiprandRngType_t type, bool on_host) {
    if (!generator) return HIPRAND_STATUS_OUT_OF_RANGE;
    switch (type) {
        case HIPRAND_RNG_PSEUDO_DEFAULT:
        case HIPRAND_RNG_PSEUDO_XORWOW:
        case HIPRAND_RNG_PSEUDO_MRG32K3A:
        case HIPRAND_RNG_PSEUDO_PHILOX4_32_10: break;
        case HIPRAND_RNG_PSEUDO_MTGP32: return missing("MTGP32");
        case HIPRAND_RNG_PSEUDO_MT19937: return missing("MT19937");
        default: return missing("this generator (a quasi-random one?)");
    }
    *generator = new hiprandGenerator_st{type, 0, 0, nullptr, on_host, false, nullptr};
    return HIPRAND_STATUS_SUCCESS;
}

}  // namespace __lockstep_hiprand

inline hiprandStatus_t hiprandCreateGenerator(hiprandGenerator_t* generator, hiprandRngType_t type) {
    return __lockstep_hiprand::create(generator, type, false);
}
inline hiprandStatus_t hiprandCreateGeneratorHost(hiprandGenerator_t* generator, hiprandRngType_t type) {
    return __lockstep_hiprand::create(generator, type, true);
}
inline hiprandStatus_t hiprandDestroyGenerator(hiprandGenerator_t generator) {
    if (!generator) return HIPRAND_STATUS_NOT_INITIALIZED;
    (void)hipFree(generator->states);
    delete generator;
    return HIPRAND_STATUS_SUCCESS;
}
inline hiprandStatus_t hiprandSetStream(hiprandGenerator_t generator, hipStream_t stream) {
    if (!generator) return HIPRAND_STATUS_NOT_INITIALIZED;
    generator->stream = stream;
    return HIPRAND_STATUS_SUCCESS;
}
inline hiprandStatus_t hiprandSetPseudoRandomGeneratorSeed(hiprandGenerator_t generator,
                                                           unsigned long long seed) {
    if (!generator) return HIPRAND_STATUS_NOT_INITIALIZED;
    generator->seed = seed, generator->begun = false;
    return HIPRAND_STATUS_SUCCESS;
}
inline hiprandStatus_t hiprandSetGeneratorOffset(hiprandGenerator_t generator, unsigned long long offset) {
    if (!generator) return HIPRAND_STATUS_NOT_INITIALIZED;
    generator->offset = offset, generator->begun = false;
    return HIPRAND_STATUS_SUCCESS;
}
/* There is one order. */
inline hiprandStatus_t hiprandSetGeneratorOrdering(hiprandGenerator_t generator, hiprandOrdering_t order) {
    if (!generator) return HIPRAND_STATUS_NOT_INITIALIZED;
    return order == HIPRAND_ORDERING_QUASI_DEFAULT ? HIPRAND_STATUS_OUT_OF_RANGE : HIPRAND_STATUS_SUCCESS;
}
inline hiprandStatus_t hiprandSetQuasiRandomGeneratorDimensions(hiprandGenerator_t generator, unsigned int) {
    return generator ? HIPRAND_STATUS_TYPE_ERROR : HIPRAND_STATUS_NOT_INITIALIZED;
}
inline hiprandStatus_t hiprandGetVersion(int* version) {
    if (!version) return HIPRAND_STATUS_OUT_OF_RANGE;
    *version = HIPRAND_VERSION;
    return HIPRAND_STATUS_SUCCESS;
}
/* States are made when the first numbers are. */
inline hiprandStatus_t hiprandGenerateSeeds(hiprandGenerator_t generator) {
    return generator ? HIPRAND_STATUS_SUCCESS : HIPRAND_STATUS_NOT_INITIALIZED;
}
inline hiprandStatus_t hiprandInitializeGenerator(hiprandGenerator_t generator) {
    return hiprandGenerateSeeds(generator);
}

#define LOCKSTEP_GENERATE(name, type, draw, parameters, ...)                                           \
    inline hiprandStatus_t name(hiprandGenerator_t generator, type* output, size_t count parameters) { \
        return __lockstep_hiprand::generate(generator, output, count,                                  \
                                            __lockstep_hiprand::draw{__VA_ARGS__});                    \
    }
#define LOCKSTEP_MOMENTS(type) , type mean, type stddev
LOCKSTEP_GENERATE(hiprandGenerate, unsigned int, Bits<unsigned int>, )
LOCKSTEP_GENERATE(hiprandGenerateChar, unsigned char, Bits<unsigned char>, )
LOCKSTEP_GENERATE(hiprandGenerateShort, unsigned short, Bits<unsigned short>, )
LOCKSTEP_GENERATE(hiprandGenerateLongLong, unsigned long long, Bits<unsigned long long>, )
LOCKSTEP_GENERATE(hiprandGenerateUniform, float, Uniform, )
LOCKSTEP_GENERATE(hiprandGenerateUniformDouble, double, UniformDouble, )
LOCKSTEP_GENERATE(hiprandGenerateUniformHalf, __half, UniformHalf, )
LOCKSTEP_GENERATE(hiprandGenerateNormal, float, Normal, LOCKSTEP_MOMENTS(float), mean, stddev)
LOCKSTEP_GENERATE(hiprandGenerateNormalDouble, double, NormalDouble, LOCKSTEP_MOMENTS(double), mean, stddev)
LOCKSTEP_GENERATE(hiprandGenerateNormalHalf, __half, NormalHalf, LOCKSTEP_MOMENTS(__half), __half2float(mean),
                  __half2float(stddev))
LOCKSTEP_GENERATE(hiprandGenerateLogNormal, float, LogNormal, LOCKSTEP_MOMENTS(float), mean, stddev)
LOCKSTEP_GENERATE(hiprandGenerateLogNormalDouble, double, LogNormalDouble, LOCKSTEP_MOMENTS(double), mean,
                  stddev)
LOCKSTEP_GENERATE(hiprandGenerateLogNormalHalf, __half, LogNormalHalf, LOCKSTEP_MOMENTS(__half),
                  __half2float(mean), __half2float(stddev))
#undef LOCKSTEP_MOMENTS
#undef LOCKSTEP_GENERATE
inline hiprandStatus_t hiprandGeneratePoisson(hiprandGenerator_t generator, unsigned int* output,
                                              size_t count, double mean) {
    if (!(mean > 0)) return HIPRAND_STATUS_OUT_OF_RANGE;
    return __lockstep_hiprand::generate(generator, output, count, __lockstep_hiprand::Poisson{mean});
}

#endif
