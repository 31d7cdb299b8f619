// The double math library stays within the errors that CUDA documents (C++ Programming Guide, table of
// double-precision functions).
// RUN: lockstep run %s
// OUT: ^math-double ok$
#include "support/accuracy.h"

#define FUNCTIONS                                              \
    ROW(sqrt, 0, 0, 1e300, sqrtl(v))                           \
    ROW(rsqrt, 1, 1e-300, 1e300, 1 / sqrtl(v))                 \
    ROW(cbrt, 1, -1e300, 1e300, cbrtl(v))                      \
    ROW(exp, 1, -700, 709, expl(v))                            \
    ROW(exp2, 1, -1000, 1023, exp2l(v))                        \
    ROW(exp10, 1, -300, 308, powl(10, v))                      \
    ROW(expm1, 1, -40, 700, expm1l(v))                         \
    ROW(log, 1, 1e-300, 1e300, logl(v))                        \
    ROW(log2, 1, 1e-300, 1e300, log2l(v))                      \
    ROW(log10, 1, 1e-300, 1e300, log10l(v))                    \
    ROW(log1p, 1, -0.999, 1e200, log1pl(v))                    \
    ROW(sin, 2, -1e5, 1e5, sinl(v))                            \
    ROW(cos, 2, -1e5, 1e5, cosl(v))                            \
    ROW(tan, 2, -1e5, 1e5, tanl(v))                            \
    ROW(asin, 2, -1, 1, asinl(v))                              \
    ROW(acos, 2, -1, 1, acosl(v))                              \
    ROW(atan, 2, -1e9, 1e9, atanl(v))                          \
    ROW(sinh, 2, -700, 700, sinhl(v))                          \
    ROW(cosh, 1, -700, 700, coshl(v))                          \
    ROW(tanh, 1, -22, 22, tanhl(v))                            \
    ROW(asinh, 3, -1e100, 1e100, asinhl(v))                    \
    ROW(acosh, 3, 1, 1e100, acoshl(v))                         \
    ROW(atanh, 2, -1, 1, atanhl(v))                            \
    ROW(erf, 2, -6, 6, erfl(v))                                \
    ROW(erfc, 5, -6, 26, erfcl(v))                             \
    ROW(tgamma, 10, 0.01, 170, tgammal(v))                     \
    ROW(lgamma, 4, 0.01, 1e10, lgammal(v))                     \
    ROW(floor, 0, -1e9, 1e9, floorl(v))                        \
    ROW(ceil, 0, -1e9, 1e9, ceill(v))                          \
    ROW(rint, 0, -1e9, 1e9, rintl(v))                          \
    ROW(round, 0, -1e9, 1e9, roundl(v))                        \
    ROW2(pow, 2, 0.001, 100, -100, 100, powl(v, w))            \
    ROW2(atan2, 2, -1000, 1000, -1000, 1000, atan2l(v, w))     \
    ROW2(hypot, 2, -1e100, 1e100, -1e100, 1e100, hypotl(v, w)) \
    ROW2(fmod, 0, -1000, 1000, 0.01, 10, fmodl(v, w))          \
    ROW2(remainder, 0, -1000, 1000, 0.01, 10, remainderl(v, w))

__device__ double quotient(double x, double y) { return x / y; }
BINARY(double, quotient, 0, -1e200, 1e200, -1e100, 1e100, v / w)

#define ROW(device, bound, low, high, host) UNARY(double, device, bound, low, high, host)
#define ROW2(device, bound, low, high, low2, high2, host) \
    BINARY(double, device, bound, low, high, low2, high2, host)
FUNCTIONS
#undef ROW
#undef ROW2

int main() {
#define ROW(device, bound, low, high, host) check_##device();
#define ROW2(device, bound, low, high, low2, high2, host) check_##device();
    FUNCTIONS

    // Rounding twice, to the host's 64 bits and then to 53, could be one ulp off where long double is 80 bits
    // wide.
    if (std::numeric_limits<long double>::digits >= 100) check_quotient();
    return finish("math-double");
}
