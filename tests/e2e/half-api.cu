// cuda_fp16.h and cuda_bf16.h, whole: each function and operator of support/half-api.def compiles for the device and, where it has them, for the
// host, with the same bits.
// RUN: lockstep run %s
// OUT: ^half-api ok$
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <type_traits>
#include <vector>

#define HD __host__ __device__
constexpr int lanes = 32;

template <class H, class H2>
struct Arguments {
    H a, b, c;
    H2 p, q, r;
    float x;
    double d;
    long long n;
};

template <class T>
HD T stepped(T v, T by) {
    T old = v++;
    v += by, v -= old, v *= by, ++v, --v, v--;
    return v /= by;
}
template <class H, class T>
HD H assigned(H h, T v) {
    h = v;
    return h;
}
template <class T>
__device__ T stored(void (*store)(T*, T), void* at, T v) {
    store((T*)at, v);
    return *(T*)at;
}
template <class T>
__device__ T added(void* at, T v, T by) {
    *(T*)at = v;
    atomicAdd((T*)at, by);
    return *(T*)at;
}
// Rounded once, as the fused instruction does it: products and sums of these are exact in long double.
template <class H>
static double fused(H a, H b, H c) {
    return (double)((long double)(float)a * (float)b + (float)c);
}
static double saturated(double v) { return v > 0 ? (v < 1 ? v : 1) : 0; }
static double relu(double v) { return v > 0 || v != v ? v : 0; }
template <class T>
static T whole(float v) {
    if (v != v) return sizeof(T) == 8 ? (T)(1ull << 63) : (T)0;
    const T most = (T)(~0ull >> (64 - 8 * sizeof(T) + ((T)-1 < (T)0))), least = (T)-1 < (T)0 ? (T)(-most - 1) : (T)0;
    return v >= (float)most ? most : v <= (float)least ? least : (T)v;
}

struct DeviceOut {
    unsigned long long *bits, *scratch;
    int row;
    template <class T>
    __device__ void put(const char*, int, T v) {
        unsigned long long word = 0;
        memcpy(&word, &v, sizeof v);
        bits[row++ * lanes] = word;
    }
};
struct Value {
    const char* expression;
    int ulps;
    unsigned long long bits;
    bool half, nan;  // one number of the type, for which any NaN is as good as another
};
struct HostOut {
    std::vector<Value> values;
    unsigned long long* scratch;
    template <class T>
    void put(const char* expression, int ulps, T v) {
        unsigned long long word = 0;
        std::memcpy(&word, &v, sizeof v);
        const bool half = std::is_same<T, __half>::value || std::is_same<T, __nv_bfloat16>::value;
        values.push_back({expression, ulps, word, half, half && is_nan(v)});
    }
    static bool is_nan(__half v) { return __hisnan(v); }
    static bool is_nan(__nv_bfloat16 v) { return __hisnan(v); }
    template <class T>
    static bool is_nan(T) {
        return false;
    }
};

// Of pairs each half by itself: a NaN is told from others only there
#define VALUE(expression) put_each(o, #expression, expression);
template <class Out, class T>
HD void put_each(Out& o, const char* expression, T v) {
    o.put(expression, 0, v);
}
#define PAIR(H2)                                                        \
    template <class Out>                                                \
    HD void put_each(Out& o, const char* expression, H2 v) {            \
        o.put(expression, 0, v.x);                                      \
        o.put(expression, 0, v.y);                                      \
    }
PAIR(__half2)
PAIR(__nv_bfloat162)
#undef PAIR

#define END }
#define LOCALS(type)                                                                                            \
    const type& mine = all[self];                                                                               \
    const H a = mine.a, b = mine.b, c = mine.c;                                                                 \
    const H2 p = mine.p, q = mine.q, r = mine.r;                                                                \
    const float x = mine.x;                                                                                     \
    const double d = mine.d;                                                                                    \
    const long long n = mine.n;                                                                                 \
    auto lane = [&](int i) -> const type& { return all[i]; };                                                   \
    (void)a, (void)b, (void)c, (void)p, (void)q, (void)r, (void)x, (void)d, (void)n, (void)lane;
#define BEGIN(name)                                                        \
    template <class H, class H2, class Out>                                \
    HD void name(Out& o, const Arguments<H, H2>* all, int self) {          \
        using Mine = Arguments<H, H2>;                                     \
        LOCALS(Mine)
#define BEGIN_ONE(name, h, h2)                                             \
    template <class H, class H2, class Out>                                \
    HD void name(Out& o, const Arguments<h, h2>* all, int self) {          \
        using Mine = Arguments<h, h2>;                                     \
        LOCALS(Mine)
#define BEGIN_HALF(name) BEGIN_ONE(name, __half, __half2)
#define BEGIN_BFLOAT(name) BEGIN_ONE(name, __nv_bfloat16, __nv_bfloat162)
#ifdef __CUDA_ARCH__
#define DEVICE(expression, ulps, reference) o.put(#expression, ulps, expression);
#else
#define DEVICE(expression, ulps, reference) o.put(#expression, ulps, reference);
#endif
#include "support/half-api.def"
#undef VALUE
#undef DEVICE
#undef BEGIN
#undef BEGIN_HALF
#undef BEGIN_BFLOAT
#undef END

#define VALUE(expression)
#define DEVICE(expression, ulps, reference)
#define END
#define BEGIN(name)                                                                                             \
    template <class H, class H2>                                                                                \
    __global__ void name##_kernel(const Arguments<H, H2>* all, unsigned long long* out, unsigned long long* scratch) { \
        DeviceOut o{out + threadIdx.x, scratch + threadIdx.x, 0};                                               \
        name<H, H2>(o, all, threadIdx.x);                                                                       \
    }
#define BEGIN_HALF(name) BEGIN(name)
#define BEGIN_BFLOAT(name) BEGIN(name)
#include "support/half-api.def"
#undef BEGIN
#undef BEGIN_HALF
#undef BEGIN_BFLOAT

static int wrong;

static int steps(unsigned short x, unsigned short y) {
    auto ordered = [](unsigned short v) { return v & 0x8000 ? -(v & 0x7fff) : (int)v; };
    return std::abs(ordered(x) - ordered(y));
}

template <class H, class H2>
static void check(const char* group, void (*kernel)(const Arguments<H, H2>*, unsigned long long*, unsigned long long*),
                  void (*host)(HostOut&, const Arguments<H, H2>*, int), const Arguments<H, H2>* all) {
    std::vector<HostOut> expected(lanes);
    for (int lane = 0; lane < lanes; ++lane) host(expected[lane], all, lane);
    const std::size_t rows = expected[0].values.size();
    unsigned long long *out, *scratch;
    cudaMallocManaged(&out, rows * lanes * sizeof *out);
    cudaMallocManaged(&scratch, lanes * sizeof *scratch);
    kernel<<<1, lanes>>>(all, out, scratch);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) std::printf("%s: %s\n", group, cudaGetErrorString(error)), ++wrong;
    for (std::size_t row = 0; row < rows && error == cudaSuccess; ++row)
        for (int lane = 0; lane < lanes; ++lane) {
            const Value& value = expected[lane].values[row];
            const unsigned long long bits = out[row * lanes + lane];
            H h;
            std::memcpy(&h, &bits, sizeof h);
            if (bits == value.bits) continue;
            if (value.half && (value.nan ? (bool)__hisnan(h) : steps((unsigned short)bits, (unsigned short)value.bits) <= value.ulps)) continue;
            std::printf("%s: %s, lane %d: %#llx instead of %#llx\n", group, value.expression, lane, bits, value.bits);
            ++wrong;
            break;
        }
    cudaFree(out), cudaFree(scratch);
}

template <class H, class H2>
static Arguments<H, H2>* arguments() {
    Arguments<H, H2>* all;
    cudaMallocManaged(&all, lanes * sizeof *all);
    const float special[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1e-7f, 3e4f, 65504.0f};
    for (int lane = 0; lane < lanes; ++lane) {
        auto& mine = all[lane];
        mine.a = H(lane < 8 ? special[lane] : 0.03f + 0.13f * (lane - 8));
        mine.b = H(lane % 8 == 7 ? special[lane / 8 + 1] : 1.7f - 0.11f * lane);
        mine.c = H(0.37f * (lane % 11) - 2);
        mine.p = H2(mine.b, mine.a), mine.q = H2(mine.c, mine.b), mine.r = H2(mine.a, H(-1.25f));
        mine.x = lane < 8 ? special[lane] : std::ldexp(1.0f + lane * 0.0123456789f, lane - 20);
        mine.d = -mine.x * 1.0000001;
        mine.n = (long long)(0x123456789abcdefull * (lane * 2 + 1)) >> lane * 2;
    }
    return all;
}

int main() {
    auto* halves = arguments<__half, __half2>();
    auto* bfloats = arguments<__nv_bfloat16, __nv_bfloat162>();
#define BEGIN_HALF(name) check("half " #name, name##_kernel<__half, __half2>, name<__half, __half2, HostOut>, halves);
#define BEGIN_BFLOAT(name) \
    check("bfloat16 " #name, name##_kernel<__nv_bfloat16, __nv_bfloat162>, name<__nv_bfloat16, __nv_bfloat162, HostOut>, bfloats);
#define BEGIN(name) BEGIN_HALF(name) BEGIN_BFLOAT(name)
#include "support/half-api.def"
    if (!wrong) std::printf("half-api ok\n");
    return wrong != 0;
}
