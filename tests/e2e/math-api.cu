// CUDA's math API, whole: each function and overload of support/math-api.def compiles for the device and, where it has them, for the host,
// has the type that nvcc gives it, and the right value, in functions of one side and in those of both.
// RUN: lockstep run %s
// OUT: ^math-api ok$
// RUN: lockstep nvcc -O1 -DBOTH_SIDES -std=c++11 -o %t/both %s && lockstep ptx %t/both
// OUT: nothing that lockstep cannot run$
#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <vector>

constexpr int lanes = 32;

// A lane's arguments: of each domain a float, a double and an int, and integers with all their bits.
template <class T>
struct Domains {
    T any, positive, above_one, unit, probability, gamma, bessel, special;
};
struct Arguments {
    Domains<double> x;
    Domains<float> f;
    Domains<int> n;
    double three[3];
    float three_floats[3];
    int i, j, k;
    unsigned u, v, w;
    long l;
    unsigned long ul;
    long long ll;
    unsigned long long ull;
};
#define F(domain) a.f.domain
#define X(domain) a.x.domain
#define I(domain) a.n.domain

// Functions with results behind pointers, as one value
#define HD __host__ __device__
template <class T>
HD T sincos_value(T x) {
    T s, c;
    sincos(x, &s, &c);
    return s > 0 ? s : c;
}
template <class T>
HD T sincospi_value(T x) {
    T s, c;
    sincospi(x, &s, &c);
    return s > 0 ? s : c;
}
template <class T>
HD auto frexp_value(T x) -> decltype(std::frexp(x, (int*)nullptr)) {
    int e, again;
    auto fraction = frexp(x, &e);
    return fraction + 4 * e + (std::frexp(x, &again) != fraction);
}
template <class T>
HD T remquo_value(T x, T y) {
    int q, again;
    T r = remquo(x, y, &q);
    return (q & 7) * 1024 + r + (std::remquo(x, y, &again) != r);
}
template <class T>
HD T modf_value(T x) {
    T whole, again;
    T fraction = modf(x, &whole);
    return fraction + 2 * whole + (std::modf(x, &again) != fraction);
}
__device__ float fast_sincos_value(float x) {
    float s, c;
    __sincosf(x, &s, &c);
    return s * 0.5f + c;
}
template <class T>
HD T vib_value(T (*f)(T, T, bool*), T x, T y) {
    bool first;
    T value = f(x, y, &first);
    return value ^ (first ? 0x55 : 0);
}
HD unsigned vib2_value(unsigned (*f)(unsigned, unsigned, bool*, bool*), unsigned x, unsigned y) {
    bool high, low;
    unsigned value = f(x, y, &high, &low);
    return value ^ (high ? 0x550000 : 0) ^ (low ? 0x55 : 0);
}

// References
static double norm_value(double x, double y, double z, double w = 0) { return std::sqrt(x * x + y * y + z * z + w * w); }
static double bessel_value(int order, double x) {
    long double term = order ? x / 2.0L : 1, sum = term;
    for (int k = 1; k < 200; ++k) sum += term *= (long double)x * x / 4 / k / (k + order);
    return (double)sum;
}
template <class T>
static T reversed(T v) {
    T r = 0;
    for (unsigned bit = 0; bit < sizeof(T) * 8; ++bit, v >>= 1) r = r << 1 | (v & 1);
    return r;
}
static unsigned chosen_bytes(unsigned x, unsigned y, unsigned selector) {
    unsigned long long both = (unsigned long long)y << 32 | x;
    unsigned r = 0;
    for (int n = 0; n < 4; ++n) r |= (unsigned)(both >> 8 * (selector >> 4 * n & 7) & 255) << 8 * n;
    return r;
}
static unsigned nth_set(unsigned mask, unsigned n) {
    for (unsigned bit = 0; bit < 32; ++bit)
        if ((mask >> bit & 1) && --n == 0) return bit;
    return ~0u;
}
static long long low24(int v) { return (int)((unsigned)v << 8) >> 8; }
template <class A, class B>
static int dot(unsigned x, unsigned y, int count, int from) {
    int sum = 0;
    for (int n = 0; n < count; ++n) sum += (int)(A)(x >> n * sizeof(A) * 8) * (int)(B)(y >> (n + from) * sizeof(B) * 8);
    return sum;
}
template <class Part, class Op>
static unsigned parts(unsigned x, unsigned y, Op op) {
    const unsigned bits = sizeof(Part) * 8, mask = (1u << bits) - 1;
    unsigned r = 0;
    for (unsigned at = 0; at < 32; at += bits) r |= ((unsigned)op((Part)(x >> at), (Part)(y >> at)) & mask) << at;
    return r;
}
template <class Part>
static int clamped(int v) {
    const int most = (Part)-1 > 0 ? (1 << sizeof(Part) * 8) - 1 : (1 << (sizeof(Part) * 8 - 1)) - 1;
    const int least = (Part)-1 > 0 ? 0 : -most - 1;
    return v < least ? least : v > most ? most : v;
}
template <class Part>
static unsigned sum_of_differences(unsigned x, unsigned y) {
    unsigned sum = 0;
    for (unsigned at = 0; at < 32; at += sizeof(Part) * 8) sum += std::abs((int)(Part)(x >> at) - (int)(Part)(y >> at));
    return sum;
}
template <class To, class From>
static To bits_of(From v) {
    To to;
    std::memcpy(&to, &v, sizeof to);
    return to;
}
template <class T>
static T V(T v) {
    volatile T hidden = v;
    return hidden;
}
template <class Op>
static auto rounded(int mode, Op op) -> decltype(op()) {
    std::fesetround(mode);
    volatile decltype(op()) result = op();
    std::fesetround(FE_TONEAREST);
    return result;
}

// Where values go: the bits of each, a row an expression, and on the host what is to be known of them.
struct DeviceOut {
    unsigned long long* bits;
    int row;
    template <class T>
    __device__ void put(const char*, int, T v) {
        unsigned long long word = 0;
        memcpy(&word, &v, sizeof v);
        bits[row++ * lanes] = word;
    }
};
enum class Kind { integer, single_precision, double_precision };
struct Value {
    const char* expression;
    int ulps;
    Kind kind;
    unsigned long long bits;
};
struct HostOut {
    std::vector<Value> values;
    template <class T>
    void put(const char* expression, int ulps, T v) {
        unsigned long long word = 0;
        std::memcpy(&word, &v, sizeof v);
        values.push_back({expression, ulps,
                          std::is_same<T, float>::value    ? Kind::single_precision
                          : std::is_same<T, double>::value ? Kind::double_precision
                                                           : Kind::integer,
                          word});
    }
};

#define PUT(result, expression, ulps)                                                                            \
    static_assert(std::is_same<typename std::decay<decltype(expression)>::type, result>::value, #expression);    \
    o.put(#expression, ulps, (result)(expression));
#define END }
#define VALUE(type, expression, ulps) PUT(type, expression, ulps)
#ifdef BOTH_SIDES
#define BEGIN(name) \
    template <class Out> \
    HD void name(Out& o, const Arguments& a) {
#ifdef __CUDA_ARCH__
#define DEVICE(type, expression, ulps, reference) PUT(type, expression, ulps)
#else
#define DEVICE(type, expression, ulps, reference) o.put(#expression, ulps, (type)(reference));
#endif
#include "support/math-api.def"
#else
#define BEGIN(name) __device__ void name(DeviceOut& o, const Arguments& a) {
#define DEVICE(type, expression, ulps, reference) PUT(type, expression, ulps)
#include "support/math-api.def"
#undef BEGIN
#undef DEVICE
#define BEGIN(name) static void name(HostOut& o, const Arguments& a) {
#define DEVICE(type, expression, ulps, reference) o.put(#expression, ulps, (type)(reference));
#include "support/math-api.def"
#endif
#undef BEGIN
#undef DEVICE
#undef VALUE
#undef END

#define VALUE(type, expression, ulps)
#define DEVICE(type, expression, ulps, reference)
#define END
#define BEGIN(name)                                                                          \
    __global__ void name##_kernel(const Arguments* all, unsigned long long* out) {           \
        DeviceOut o{out + threadIdx.x, 0};                                                   \
        name(o, all[threadIdx.x]);                                                           \
    }
#include "support/math-api.def"
#undef BEGIN

static int wrong;

template <class Bits, class Float>
static long long distance(unsigned long long x, unsigned long long y) {
    const Float p = bits_of<Float>((Bits)x), q = bits_of<Float>((Bits)y);
    if (std::isnan(p) || std::isnan(q)) return std::isnan(p) && std::isnan(q) ? 0 : 1 << 30;
    if (p == q) return 0;
    const Bits sign = ~(~(Bits)0 >> 1);
    auto ordered = [&](Bits b) { return b & sign ? -(long long)(b ^ sign) : (long long)b; };
    return std::llabs(ordered((Bits)x) - ordered((Bits)y));
}

static void check(const char* group, void (*kernel)(const Arguments*, unsigned long long*), void (*host)(HostOut&, const Arguments&),
                  const std::vector<Arguments>& all, const Arguments* arguments) {
    std::vector<HostOut> expected(lanes);
    for (int lane = 0; lane < lanes; ++lane) host(expected[lane], all[lane]);
    const std::size_t rows = expected[0].values.size();
    unsigned long long* out;
    cudaMallocManaged(&out, rows * lanes * sizeof *out);
    kernel<<<1, lanes>>>(arguments, out);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        std::printf("%s: %s\n", group, cudaGetErrorString(error));
        ++wrong;
        return;
    }
    for (std::size_t row = 0; row < rows; ++row)
        for (int lane = 0; lane < lanes; ++lane) {
            const Value& value = expected[lane].values[row];
            const unsigned long long bits = out[row * lanes + lane];
            const long long off = value.kind == Kind::single_precision   ? distance<unsigned, float>(bits, value.bits)
                                  : value.kind == Kind::double_precision ? distance<unsigned long long, double>(bits, value.bits)
                                                                         : bits != value.bits;
            if (off <= value.ulps) continue;
            std::printf("%s: %s, lane %d: %#llx instead of %#llx, %lld off\n", group, value.expression, lane, bits, value.bits, off);
            ++wrong;
            break;
        }
    cudaFree(out);
}

int main() {
    std::vector<Arguments> all(lanes);
    const double special[] = {NAN, INFINITY, -INFINITY, 0.0, -0.0, 1e-310, -1e-42, 1.5, -2.5, 0.75, 1e300, -1e30, 1, -1, 0.25, 3e38};
    const double halves[] = {0.5, -0.5, 1.5, -2.5, 3.5, 0.0, -7.0, 2.0};
    unsigned long long state = 0x9e3779b97f4a7c15;
    for (int lane = 0; lane < lanes; ++lane) {
        Arguments& a = all[lane];
        const double t = lane / 31.0;
        a.x = {lane < 8 ? halves[lane] : -7.9 + 15.7 * t, std::pow(10.0, -2 + 4 * t), 1 + 40 * t, -0.93 + 1.87 * t, 0.02 + 0.95 * t,
               0.3 + 9 * t, 2.6 + 0.7 * t, special[lane % 16]};
        a.f = {(float)a.x.any, (float)a.x.positive, (float)a.x.above_one, (float)a.x.unit, (float)a.x.probability, (float)a.x.gamma,
               (float)a.x.bessel, (float)a.x.special};
        a.n = {lane - 16, lane + 1, lane + 1, lane % 3 - 1, lane & 1, lane + 1, 3, lane};
        // The same numbers in both precisions, for what is compared with a double's reference
        a.x.positive = a.f.positive, a.x.unit = a.f.unit, a.x.any = a.f.any + (lane % 2 ? 1e-12 : 0);
        for (int n = 0; n < 3; ++n) a.three[n] = a.three_floats[n] = (float)(t * (n + 1) + 0.5);
        auto next = [&] { return state = state * 6364136223846793005u + 1442695040888963407u, state ^ state >> 29; };
        a.i = (int)next(), a.j = (int)next(), a.k = (int)next();
        a.u = (unsigned)next(), a.v = (unsigned)next(), a.w = (unsigned)next();
        if (lane == 1) a.u = 0x80807fff, a.v = 0x80017fff;
        if (lane == 2) a.v = a.u, a.j = a.i;
        a.l = (long)next(), a.ul = next(), a.ll = (long long)next(), a.ull = next();
    }
    Arguments* arguments;
    cudaMallocManaged(&arguments, lanes * sizeof *arguments);
    std::copy(all.begin(), all.end(), arguments);

#ifdef BOTH_SIDES
#define BEGIN(name) check(#name, name##_kernel, name<HostOut>, all, arguments);
#else
#define BEGIN(name) check(#name, name##_kernel, name, all, arguments);
#endif
#include "support/math-api.def"
    if (!wrong) std::printf("math-api ok\n");
    return wrong != 0;
}
