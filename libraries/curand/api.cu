// The functions of curand.h.
#include <cstdio>
#include <memory>
#include <new>

#include "curand/generator.h"

namespace lockstep::curand {

std::size_t element_size(Wanted wanted) {
    switch (wanted) {
        case Wanted::bits:
        case Wanted::uniform:
        case Wanted::normal:
        case Wanted::log_normal:
        case Wanted::poisson: return 4;
        default: return 8;
    }
}

curandStatus_t lacking(const char* function, const char* reason) {
    std::fprintf(stderr, "lockstep: curand %s: %s\n", function, reason);
    return CURAND_STATUS_TYPE_ERROR;
}

namespace {

curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool on_host,
                      const char* function) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    *generator = nullptr;
    Engine* engine = nullptr;
    switch (type) {
        case CURAND_RNG_PSEUDO_DEFAULT: type = CURAND_RNG_PSEUDO_XORWOW; [[fallthrough]];
        case CURAND_RNG_PSEUDO_XORWOW: engine = make_xorwow(); break;
        case CURAND_RNG_PSEUDO_MRG32K3A: engine = make_mrg32k3a(); break;
        case CURAND_RNG_PSEUDO_PHILOX4_32_10: engine = make_philox(); break;
        case CURAND_RNG_QUASI_DEFAULT: type = CURAND_RNG_QUASI_SOBOL32; [[fallthrough]];
        case CURAND_RNG_QUASI_SOBOL32: engine = make_sobol(false, false); break;
        case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32: engine = make_sobol(false, true); break;
        case CURAND_RNG_QUASI_SOBOL64: engine = make_sobol(true, false); break;
        case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64: engine = make_sobol(true, true); break;
        case CURAND_RNG_PSEUDO_MTGP32:
            return lacking(function, "lockstep has no MTGP32, since it has no tables of its parameters");
        case CURAND_RNG_PSEUDO_MT19937: return lacking(function, "lockstep has no MT19937 generator");
        case CURAND_RNG_TEST: return lacking(function, "lockstep has no CURAND_RNG_TEST generator");
        default: return CURAND_STATUS_TYPE_ERROR;
    }
    *generator = new curandGenerator_st{type, on_host, engine};
    (*generator)->ordering =
        (*generator)->quasi() ? CURAND_ORDERING_QUASI_DEFAULT : CURAND_ORDERING_PSEUDO_DEFAULT;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t start(curandGenerator_t generator) {
    if (generator->started) return CURAND_STATUS_SUCCESS;
    const curandStatus_t status =
        // Philox's order is the default one there, since its threads are started for nothing.
        generator->engine->start({generator->seed, generator->offset, generator->dimensions,
                                  generator->ordering == CURAND_ORDERING_PSEUDO_LEGACY,
                                  generator->ordering == CURAND_ORDERING_PSEUDO_SEEDED &&
                                      generator->type == CURAND_RNG_PSEUDO_XORWOW});
    generator->started = status == CURAND_STATUS_SUCCESS;
    return status;
}

// What is generated on the host comes by the device too: the numbers are the same.
curandStatus_t generate(curandGenerator_t generator, Request request) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    if (generator->quasi()) {
        const bool asks_wide = request.wanted == Wanted::wide_bits;
        if (request.wanted == Wanted::bits ? generator->wide() : asks_wide && !generator->wide())
            return CURAND_STATUS_TYPE_ERROR;
        if (request.count % generator->dimensions != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    } else if (request.wanted == Wanted::wide_bits) {
        return CURAND_STATUS_TYPE_ERROR;
    }
    if (const curandStatus_t status = start(generator)) return status;
    if (request.count == 0) return CURAND_STATUS_SUCCESS;
    if (!generator->on_host) return generator->engine->generate(request, generator->stream);

    void* const host = request.out;
    const std::size_t bytes = request.count * element_size(request.wanted);
    if (cudaMalloc(&request.out, bytes) != cudaSuccess) return CURAND_STATUS_ALLOCATION_FAILED;
    curandStatus_t status = generator->engine->generate(request, generator->stream);
    if (status == CURAND_STATUS_SUCCESS &&
        (cudaStreamSynchronize(generator->stream) != cudaSuccess ||
         cudaMemcpy(host, request.out, bytes, cudaMemcpyDeviceToHost) != cudaSuccess))
        status = CURAND_STATUS_LAUNCH_FAILURE;
    cudaFree(request.out);
    return status;
}

}  // namespace
}  // namespace lockstep::curand

using namespace lockstep::curand;

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t rng_type) {
    return create(generator, rng_type, false, "curandCreateGenerator");
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t rng_type) {
    return create(generator, rng_type, true, "curandCreateGeneratorHost");
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    // Kernels that still use its memory are waited for by what frees it.
    delete generator->engine;
    delete generator;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetVersion(int* version) {
    if (version == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetProperty(libraryPropertyType type, int* value) {
    if (value == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
    switch (type) {
        case MAJOR_VERSION: *value = CURAND_VER_MAJOR; return CURAND_STATUS_SUCCESS;
        case MINOR_VERSION: *value = CURAND_VER_MINOR; return CURAND_STATUS_SUCCESS;
        case PATCH_LEVEL: *value = CURAND_VER_PATCH; return CURAND_STATUS_SUCCESS;
    }
    return CURAND_STATUS_OUT_OF_RANGE;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    generator->stream = stream;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    if (generator->quasi()) return CURAND_STATUS_TYPE_ERROR;
    generator->seed = seed;
    generator->started = false;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    generator->offset = offset;
    generator->started = false;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    switch (order) {
        case CURAND_ORDERING_QUASI_DEFAULT:
            if (!generator->quasi()) return CURAND_STATUS_OUT_OF_RANGE;
            break;
        case CURAND_ORDERING_PSEUDO_BEST:
        case CURAND_ORDERING_PSEUDO_DEFAULT:
        case CURAND_ORDERING_PSEUDO_LEGACY:
        case CURAND_ORDERING_PSEUDO_DYNAMIC:
            if (generator->quasi()) return CURAND_STATUS_OUT_OF_RANGE;
            break;
        case CURAND_ORDERING_PSEUDO_SEEDED:
            if (generator->quasi()) return CURAND_STATUS_OUT_OF_RANGE;
            if (generator->type == CURAND_RNG_PSEUDO_MRG32K3A) return CURAND_STATUS_OUT_OF_RANGE;
            break;
        default: return CURAND_STATUS_OUT_OF_RANGE;
    }
    generator->ordering = order;
    generator->started = false;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                       unsigned int num_dimensions) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    if (!generator->quasi()) return CURAND_STATUS_TYPE_ERROR;
    if (num_dimensions == 0 || num_dimensions > known_dimensions) return CURAND_STATUS_OUT_OF_RANGE;
    generator->dimensions = num_dimensions;
    generator->started = false;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    return start(generator);
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* outputPtr, size_t num) {
    return generate(generator, {Wanted::bits, outputPtr, num});
}

curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long* outputPtr,
                                      size_t num) {
    return generate(generator, {Wanted::wide_bits, outputPtr, num});
}

curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* outputPtr, size_t num) {
    return generate(generator, {Wanted::uniform, outputPtr, num});
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* outputPtr, size_t num) {
    return generate(generator, {Wanted::uniform_double, outputPtr, num});
}

curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* outputPtr, size_t n, float mean,
                                    float stddev) {
    return generate(generator, {Wanted::normal, outputPtr, n, mean, stddev});
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* outputPtr, size_t n,
                                          double mean, double stddev) {
    return generate(generator, {Wanted::normal_double, outputPtr, n, mean, stddev});
}

curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* outputPtr, size_t n, float mean,
                                       float stddev) {
    return generate(generator, {Wanted::log_normal, outputPtr, n, mean, stddev});
}

curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* outputPtr, size_t n,
                                             double mean, double stddev) {
    return generate(generator, {Wanted::log_normal_double, outputPtr, n, mean, stddev});
}

curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int* outputPtr, size_t n,
                                     double lambda) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    if (!allowed_mean(lambda)) return CURAND_STATUS_OUT_OF_RANGE;
    return generate(generator, {Wanted::poisson, outputPtr, n, lambda});
}

curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t* vectors[],
                                           curandDirectionVectorSet_t set) {
    if (vectors == nullptr ||
        (set != CURAND_DIRECTION_VECTORS_32_JOEKUO6 && set != CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6))
        return CURAND_STATUS_OUT_OF_RANGE;
    const auto* const found =
        direction_vectors<unsigned int>(set == CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6);
    *vectors = reinterpret_cast<curandDirectionVectors32_t*>(const_cast<unsigned int*>(found));
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t* vectors[],
                                           curandDirectionVectorSet_t set) {
    if (vectors == nullptr ||
        (set != CURAND_DIRECTION_VECTORS_64_JOEKUO6 && set != CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6))
        return CURAND_STATUS_OUT_OF_RANGE;
    const auto* const found =
        direction_vectors<unsigned long long>(set == CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6);
    *vectors = reinterpret_cast<curandDirectionVectors64_t*>(const_cast<unsigned long long*>(found));
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetScrambleConstants32(unsigned int** constants) {
    if (constants == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
    *constants = const_cast<unsigned int*>(scramble_constants<unsigned int>());
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetScrambleConstants64(unsigned long long** constants) {
    if (constants == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
    *constants = const_cast<unsigned long long*>(scramble_constants<unsigned long long>());
    return CURAND_STATUS_SUCCESS;
}
