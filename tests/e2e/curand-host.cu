// The host API of cuRAND: generators with seeds, offsets, orders, dimensions, several calls one after
// another, against what an H200's library gave.
// RUN: lockstep run %s -lcurand -- %S/support/curand-host.txt
// OUT: as recorded$
#include <cuda_runtime.h>
#include <curand.h>

#include "support/recorded.h"

struct Variant {
    const char* name;
    unsigned long long seed = 0, offset = 0;
    curandOrdering_t order = CURAND_ORDERING_PSEUDO_DEFAULT;
    unsigned int dimensions = 1;
};

struct Kind {
    const char* name;
    curandRngType_t type;
    bool quasi, wide;  // wide: 64 bits
};

class Session {
  public:
    Session(Recorded& recorded, const Kind& kind, const Variant& variant, bool on_host = false)
        : recorded_(recorded), kind_(kind), variant_(variant), on_host_(on_host) {
        if (on_host)
            memory_ = std::malloc(bytes);
        else
            cudaMalloc(&memory_, bytes);
    }
    ~Session() {
        if (on_host_)
            std::free(memory_);
        else
            cudaFree(memory_);
    }

    // Several calls of one generator.
    template <typename T, typename Call>
    void calls(const std::string& function, std::vector<size_t> counts, double tolerance, Call call) {
        curandGenerator_t generator = fresh();
        int number = 0;
        for (size_t count : counts) {
            count = (count + variant_.dimensions - 1) / variant_.dimensions * variant_.dimensions;
            one<T>(function + "/" + std::to_string(number++) + "/" + std::to_string(count), tolerance, count,
                   call(generator, static_cast<T*>(memory_), count));
        }
        curandDestroyGenerator(generator);
    }

    // Calls of several kinds.
    void mixed() {
        curandGenerator_t generator = fresh();
        const size_t few = 7 / variant_.dimensions * variant_.dimensions + variant_.dimensions;
        const size_t bits = 11 / variant_.dimensions * variant_.dimensions + variant_.dimensions;
        const size_t many = (1200 + variant_.dimensions) / variant_.dimensions * variant_.dimensions;
        auto* const words = static_cast<unsigned*>(memory_);
        auto* const floats = static_cast<float*>(memory_);
        auto* const doubles = static_cast<double*>(memory_);
        if (!kind_.wide) one<unsigned>("mix0/0", 0, bits, curandGenerate(generator, words, bits));
        one<float>("mix1/0", 0, few, curandGenerateUniform(generator, floats, few));
        one<float>("mix2/0", 1e-5, 2 * few, curandGenerateNormal(generator, floats, 2 * few, 0, 1));
        one<double>("mix3/0", 0, few, curandGenerateUniformDouble(generator, doubles, few));
        one<double>("mix4/0", 1e-14, 2 * few, curandGenerateNormalDouble(generator, doubles, 2 * few, 0, 1));
        one<float>("mix5/0", 0, many, curandGenerateUniform(generator, floats, many));
        curandDestroyGenerator(generator);
    }

  private:
    static constexpr size_t bytes = 1 << 21;

    curandGenerator_t fresh() {
        curandGenerator_t generator = nullptr;
        if (on_host_)
            curandCreateGeneratorHost(&generator, kind_.type);
        else
            curandCreateGenerator(&generator, kind_.type);
        if (kind_.quasi) {
            curandSetQuasiRandomGeneratorDimensions(generator, variant_.dimensions);
        } else {
            curandSetGeneratorOrdering(generator, variant_.order);
            curandSetPseudoRandomGeneratorSeed(generator, variant_.seed);
        }
        curandSetGeneratorOffset(generator, variant_.offset);
        return generator;
    }

    template <typename T>
    void one(const std::string& function, double tolerance, size_t count, curandStatus_t status) {
        const std::string name = std::string(kind_.name) + "/" + variant_.name + "/" + function;
        if (status != CURAND_STATUS_SUCCESS) {
            recorded_.text(name + " -> " + std::to_string(status));
            return;
        }
        std::vector<T> values(count);
        cudaMemcpy(values.data(), memory_, count * sizeof(T), cudaMemcpyDefault);
        if (tolerance == 0)
            recorded_.values(name, values);
        else
            recorded_.near(name, values, tolerance);
    }

    Recorded& recorded_;
    Kind kind_;
    Variant variant_;
    bool on_host_;
    void* memory_ = nullptr;
};

void record_bits(Session& session, bool wide) {
    if (wide)
        session.calls<unsigned long long>("bits", {10007, 1, 3, 5000}, 0, curandGenerateLongLong);
    else
        session.calls<unsigned>("bits", {10007, 1, 3, 5000, 200003, 100}, 0, curandGenerate);
}

void record_distributions(Session& session) {
    session.calls<float>("uniform", {10007, 5, 90001}, 0, curandGenerateUniform);
    session.calls<double>("udouble", {10007, 5, 45001}, 0, curandGenerateUniformDouble);
    session.calls<float>("normal", {10006, 7, 4}, 1e-5,
                         [](curandGenerator_t generator, float* out, size_t count) {
                             return curandGenerateNormal(generator, out, count, 0, 1);
                         });
    session.calls<float>("normalms", {1006}, 1e-5, [](curandGenerator_t generator, float* out, size_t count) {
        return curandGenerateNormal(generator, out, count, 1.5f, 2.25f);
    });
    session.calls<double>("ndouble", {10006, 7, 4}, 1e-14,
                          [](curandGenerator_t generator, double* out, size_t count) {
                              return curandGenerateNormalDouble(generator, out, count, 0, 1);
                          });
    session.calls<float>("lognormal", {1006, 7, 4}, 1e-5,
                         [](curandGenerator_t generator, float* out, size_t count) {
                             return curandGenerateLogNormal(generator, out, count, 0.5f, 0.75f);
                         });
    session.calls<double>("lndouble", {1006, 7, 4}, 1e-14,
                          [](curandGenerator_t generator, double* out, size_t count) {
                              return curandGenerateLogNormalDouble(generator, out, count, 0.5, 0.75);
                          });
    for (const double mean : {0.3, 10.0, 65.0, 1000.0, 3000.0})
        session.calls<unsigned>("poisson" + std::to_string(mean), {2003, 5, 1002}, 0,
                                [mean](curandGenerator_t generator, unsigned* out, size_t count) {
                                    return curandGeneratePoisson(generator, out, count, mean);
                                });
    session.mixed();
}

void record_statuses(Recorded& recorded) {
    const auto status = [&](const char* what, curandStatus_t found) {
        recorded.text(std::string(what) + " -> " + std::to_string(found));
    };
#define STATUS(call) status(#call, call)
    unsigned* words = nullptr;
    cudaMalloc(&words, 4096);
    auto* const floats = reinterpret_cast<float*>(words);
    auto* const longs = reinterpret_cast<unsigned long long*>(words);
    curandGenerator_t g = nullptr;
    STATUS(curandGenerate(g, words, 4));
    STATUS(curandDestroyGenerator(g));
    STATUS(curandCreateGenerator(&g, curandRngType_t(7)));
    STATUS(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT));
    STATUS(curandSetQuasiRandomGeneratorDimensions(g, 2));
    STATUS(curandSetGeneratorOrdering(g, CURAND_ORDERING_QUASI_DEFAULT));
    STATUS(curandGenerateNormal(g, floats, 3, 0, 1));
    STATUS(curandGeneratePoisson(g, words, 10, 0.));
    STATUS(curandGeneratePoisson(g, words, 10, 400001.));
    STATUS(curandGenerateLongLong(g, longs, 4));
    STATUS(curandGenerateSeeds(g));
    STATUS(curandDestroyGenerator(g));
    STATUS(curandCreateGenerator(&g, CURAND_RNG_QUASI_DEFAULT));
    STATUS(curandSetPseudoRandomGeneratorSeed(g, 0));
    STATUS(curandSetQuasiRandomGeneratorDimensions(g, 0));
    STATUS(curandSetQuasiRandomGeneratorDimensions(g, 20001));
    STATUS(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_BEST));
    STATUS(curandSetQuasiRandomGeneratorDimensions(g, 3));
    STATUS(curandGenerate(g, words, 4));
    STATUS(curandGenerateLongLong(g, longs, 3));
    STATUS(curandDestroyGenerator(g));
    int value = 0;
    STATUS(curandGetVersion(&value));
    recorded.text("version " + std::to_string(value));
    STATUS(curandGetProperty(MAJOR_VERSION, &value));
    cudaFree(words);
}

int main(int count, char** arguments) {
    Recorded recorded(count, arguments);
    const Kind pseudo[] = {{"xorwow", CURAND_RNG_PSEUDO_XORWOW, false, false},
                           {"mrg", CURAND_RNG_PSEUDO_MRG32K3A, false, false},
                           {"philox", CURAND_RNG_PSEUDO_PHILOX4_32_10, false, false}};
    for (const Kind& kind : pseudo) {
        Session plain(recorded, kind, {"seed1234", 1234});
        record_bits(plain, kind.wide);
        if (kind.type != CURAND_RNG_PSEUDO_MRG32K3A)
            record_distributions(plain);
        else
            plain.mixed();
        Session default_seed(recorded, kind, {"default"});
        record_bits(default_seed, kind.wide);
        Session far(recorded, kind, {"offbig", 1234, (1ull << 40) + 12345});
        record_bits(far, kind.wide);
        Session old(recorded, kind, {"legacy+o", 1234, 777, CURAND_ORDERING_PSEUDO_LEGACY});
        record_bits(old, kind.wide);
        old.mixed();
    }
    Session seeded(recorded, pseudo[0], {"seeded+o", 1234, 777, CURAND_ORDERING_PSEUDO_SEEDED});
    record_bits(seeded, false);
    Session on_host(recorded, pseudo[0], {"seedbig", 0xdeadbeefcafe1234}, true);
    record_bits(on_host, false);
    const Kind quasi[] = {{"sobol32", CURAND_RNG_QUASI_SOBOL32, true, false},
                          {"sobol64", CURAND_RNG_QUASI_SOBOL64, true, true}};
    for (const Kind& kind : quasi) {
        Session many(recorded, kind, {"dim5", 0, 0, CURAND_ORDERING_QUASI_DEFAULT, 5});
        record_bits(many, kind.wide);
        record_distributions(many);
        Session far(recorded, kind, {"dim3off", 0, 1001, CURAND_ORDERING_QUASI_DEFAULT, 3});
        record_bits(far, kind.wide);
    }
    record_statuses(recorded);
    return recorded.end();
}
