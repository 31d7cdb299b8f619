// hipRAND's host API: moments of the distributions on each generator, numbers that depend on seed and offset
// alone and go on from call to call, results in the host's memory, and what is not there.
// RUN: lockstep hipcc -O2 -o %t/rand %s -lhiprand && %t/rand
// OUT: ^5 moments are right$
// OUT: ^repeatable 1, goes on 1, other seed 1$
// OUT: ^poisson 1$
// OUT: ^host 1$
// OUT: ^statuses 103 101 104$
// ERR: ^lockstep: hipRAND: MT19937 is not there: XORWOW, MRG32k3a and Philox4x32-10 are$
// RUN: printf '#include <hiprand/hiprand.h>\nint main() {}\n' > %t/plain.cc && lockstep run %t/plain.cc
// EXIT: 1
// ERR: hiprand\.h: lockstep's generators are HIP code
#include <hip/hip_runtime.h>
#include <hiprand/hiprand.h>

#include <cmath>
#include <cstdio>
#include <vector>

#define CHECK(call)                                                              \
    do {                                                                         \
        const hiprandStatus_t status = (call);                                   \
        if (status != HIPRAND_STATUS_SUCCESS) printf("%s: %d\n", #call, status); \
    } while (0)

constexpr size_t n = 100'000;

template <class T>
std::vector<T> back(const T* p) {
    std::vector<T> host(n);
    (void)hipMemcpy(host.data(), p, n * sizeof(T), hipMemcpyDeviceToHost);
    return host;
}

int right = 0;
template <class T>
void expect(const char* what, const std::vector<T>& values, double mean, double deviation) {
    double sum = 0, squares = 0;
    for (const T value : values) sum += value, squares += double(value) * value;
    const double m = sum / n, d = std::sqrt(squares / n - m * m);
    if (std::abs(m - mean) < 0.02 && std::abs(d - deviation) < 0.03)
        ++right;
    else
        printf("%s: mean %g, deviation %g\n", what, m, d);
}

int main() {
    float* f;
    unsigned* u;
    (void)hipMalloc(&f, n * sizeof(float));
    (void)hipMalloc(&u, n * sizeof(unsigned));
    hiprandGenerator_t g;
    for (const hiprandRngType_t type :
         {HIPRAND_RNG_PSEUDO_DEFAULT, HIPRAND_RNG_PSEUDO_MRG32K3A, HIPRAND_RNG_PSEUDO_PHILOX4_32_10}) {
        CHECK(hiprandCreateGenerator(&g, type));
        CHECK(hiprandSetPseudoRandomGeneratorSeed(g, 1234));
        CHECK(hiprandGenerateUniform(g, f, n));
        expect("uniform", back(f), 0.5, std::sqrt(1.0 / 12));
        if (type == HIPRAND_RNG_PSEUDO_PHILOX4_32_10) {
            CHECK(hiprandGenerateNormal(g, f, n, 2.0f, 0.5f));
            expect("normal", back(f), 2, 0.5);
            CHECK(hiprandGenerateLogNormal(g, f, n, 0.0f, 0.25f));
            expect("log-normal", back(f), std::exp(0.03125),
                   std::sqrt(std::expm1(0.0625) * std::exp(0.0625)));
        }
        CHECK(hiprandDestroyGenerator(g));
    }
    printf("%d moments are right\n", right);

    CHECK(hiprandCreateGenerator(&g, HIPRAND_RNG_PSEUDO_PHILOX4_32_10));
    CHECK(hiprandSetPseudoRandomGeneratorSeed(g, 7));
    CHECK(hiprandGenerate(g, u, n));
    const auto first = back(u);
    CHECK(hiprandGenerate(g, u, n));
    const auto second = back(u);
    CHECK(hiprandSetPseudoRandomGeneratorSeed(g, 7));
    CHECK(hiprandGenerate(g, u, n));
    const auto again = back(u);
    CHECK(hiprandSetPseudoRandomGeneratorSeed(g, 8));
    CHECK(hiprandGenerate(g, u, n));
    printf("repeatable %d, goes on %d, other seed %d\n", first == again, first != second, first != back(u));
    CHECK(hiprandGeneratePoisson(g, u, n, 20.0));
    double sum = 0;
    for (const unsigned value : back(u)) sum += value;
    printf("poisson %d\n", std::abs(sum / n - 20) < 0.1);
    CHECK(hiprandDestroyGenerator(g));

    CHECK(hiprandCreateGeneratorHost(&g, HIPRAND_RNG_PSEUDO_PHILOX4_32_10));
    CHECK(hiprandSetPseudoRandomGeneratorSeed(g, 7));
    std::vector<unsigned> host(n);
    CHECK(hiprandGenerate(g, host.data(), n));
    printf("host %d\n", host == first);
    CHECK(hiprandDestroyGenerator(g));

    const int missing = hiprandCreateGenerator(&g, HIPRAND_RNG_PSEUDO_MT19937);
    hiprandGenerator_t none = nullptr;
    printf("statuses %d %d %d\n", missing, hiprandGenerateUniform(none, f, n),
           hiprandCreateGenerator(nullptr, HIPRAND_RNG_PSEUDO_DEFAULT));
}
