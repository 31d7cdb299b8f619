// The float math library stays within the errors that CUDA documents (C++ Programming Guide, table of
// single-precision functions).
// ALSO: nvcc
// RUN: lockstep run %s
// OUT: ^math-float ok$
#include "support/accuracy.h"

static const long double pi = acosl(-1.0L);

#define FUNCTIONS                                                \
    ROW(sqrtf, 0, 0, 1e30, sqrtl(v))                             \
    ROW(rsqrtf, 2, 1e-30, 1e30, 1 / sqrtl(v))                    \
    ROW(cbrtf, 1, -1e30, 1e30, cbrtl(v))                         \
    ROW(expf, 2, -80, 88, expl(v))                               \
    ROW(exp2f, 2, -120, 127, exp2l(v))                           \
    ROW(exp10f, 2, -36, 38, powl(10, v))                         \
    ROW(expm1f, 1, -20, 80, expm1l(v))                           \
    ROW(logf, 1, 1e-30, 1e30, logl(v))                           \
    ROW(log2f, 1, 1e-30, 1e30, log2l(v))                         \
    ROW(log10f, 2, 1e-30, 1e30, log10l(v))                       \
    ROW(log1pf, 1, -0.99, 1e20, log1pl(v))                       \
    ROW(sinf, 2, -1e5, 1e5, sinl(v))                             \
    ROW(cosf, 2, -1e5, 1e5, cosl(v))                             \
    ROW(tanf, 4, -1e5, 1e5, tanl(v))                             \
    ROW(asinf, 2, -1, 1, asinl(v))                               \
    ROW(acosf, 2, -1, 1, acosl(v))                               \
    ROW(atanf, 2, -1e6, 1e6, atanl(v))                           \
    ROW(sinhf, 3, -85, 85, sinhl(v))                             \
    ROW(coshf, 2, -85, 85, coshl(v))                             \
    ROW(tanhf, 2, -12, 12, tanhl(v))                             \
    ROW(asinhf, 3, -1e10, 1e10, asinhl(v))                       \
    ROW(acoshf, 4, 1, 1e10, acoshl(v))                           \
    ROW(atanhf, 3, -1, 1, atanhl(v))                             \
    ROW(erff, 2, -5, 5, erfl(v))                                 \
    ROW(erfcf, 4, -5, 9, erfcl(v))                               \
    ROW(tgammaf, 5, 0.01, 34, tgammal(v))                        \
    ROW(lgammaf, 6, 0.01, 1e6, lgammal(v))                       \
    ROW(floorf, 0, -1e9, 1e9, floorl(v))                         \
    ROW(ceilf, 0, -1e9, 1e9, ceill(v))                           \
    ROW(truncf, 0, -1e9, 1e9, truncl(v))                         \
    ROW(rintf, 0, -1e5, 1e5, rintl(v))                           \
    ROW(roundf, 0, -1e5, 1e5, roundl(v))                         \
    ROW(fabsf, 0, -1e9, 1e9, fabsl(v))                           \
    ROW2(powf, 4, 0.001, 100, -10, 10, powl(v, w))               \
    ROW2(atan2f, 3, -1000, 1000, -1000, 1000, atan2l(v, w))      \
    ROW2(hypotf, 3, -1e10, 1e10, -1e10, 1e10, hypotl(v, w))      \
    ROW2(fmodf, 0, -1000, 1000, 0.01, 10, fmodl(v, w))           \
    ROW2(remainderf, 0, -1000, 1000, 0.01, 10, remainderl(v, w)) \
    ROW2(fdimf, 0, -100, 100, -100, 100, fdiml(v, w))            \
    ROW2(copysignf, 0, -100, 100, -100, 100, copysignl(v, w))    \
    ROW2(fminf, 0, -100, 100, -100, 100, fminl(v, w))            \
    ROW2(fmaxf, 0, -100, 100, -100, 100, fmaxl(v, w))

// Exact at multiples of a half, where pi as a number is not.
static long double sine_of_half_turns(long double x) {
    if (!std::isfinite(x)) return NAN;
    long double part = fmodl(x, 2);
    return part == floorl(part) ? copysignl(0, x) : sinl(pi * part);
}
static long double cosine_of_half_turns(long double x) {
    if (!std::isfinite(x)) return NAN;
    long double part = fabsl(fmodl(x, 2));
    return part == 0.5L || part == 1.5L ? 0 : cosl(pi * part);
}
__device__ float sine_of_pi_times(float x) { return sinpif(x); }
__device__ float cosine_of_pi_times(float x) { return cospif(x); }
__device__ float quotient(float x, float y) { return x / y; }
UNARY(float, sine_of_pi_times, 2, -20, 20, sine_of_half_turns(v))
UNARY(float, cosine_of_pi_times, 2, -20, 20, cosine_of_half_turns(v))
BINARY(float, quotient, 0, -1e20, 1e20, -1e15, 1e15, v / w)

#define ROW(device, bound, low, high, host) UNARY(float, device, bound, low, high, host)
#define ROW2(device, bound, low, high, low2, high2, host) \
    BINARY(float, device, bound, low, high, low2, high2, host)
FUNCTIONS
#undef ROW
#undef ROW2

__global__ void several(float* out) {
    int exponent = 0;
    float whole = 0, sine = 0, cosine = 0;
    out[0] = frexpf(12.5f, &exponent);
    out[1] = exponent;
    out[2] = modff(-3.75f, &whole);
    out[3] = whole;
    sincosf(0.5f, &sine, &cosine);
    out[4] = sine;
    out[5] = cosine;
    out[6] = ldexpf(0.75f, 10);
    out[7] = ilogbf(1000.0f);
    out[8] = logbf(0.3f);
    out[9] = nextafterf(1.0f, 2.0f);
    out[10] = fmaf(1e20f, 1e20f, -INFINITY);
    out[11] = static_cast<float>(lrintf(2.5f)) + 100 * static_cast<float>(lroundf(2.5f));
    out[12] = scalbnf(1.5f, -140);
    out[13] = isinf(1e30f * 1e30f) + 10 * isnan(NAN) + 100 * signbit(-0.0f) + 1000 * isfinite(1.0f);
}

int main() {
    check_sine_of_pi_times();
    check_cosine_of_pi_times();
    check_quotient();
#define ROW(device, bound, low, high, host) check_##device();
#define ROW2(device, bound, low, high, low2, high2, host) check_##device();
    FUNCTIONS

    float* out = device_zeros<float>(14);
    several<<<1, 1>>>(out);
    auto h = to_host(out, 14);
    const float expected[14] = {0.78125f,
                                4,
                                -0.75f,
                                -3,
                                sinf(0.5f),
                                cosf(0.5f),
                                768,
                                9,
                                -2,
                                nextafterf(1.0f, 2.0f),
                                -INFINITY,
                                302,
                                ldexpf(1.5f, -140),
                                1111};
    for (int i = 0; i < 14; ++i) EXPECT(ulps_between(h[i], expected[i]) <= (i == 4 || i == 5 ? 2 : 0));
    return finish("math-float");
}
