/* Functions that CUDA adds to the C library's, for host code (and their float overloads for both sides). */
#ifndef LOCKSTEP_HOST_MATH_H
#define LOCKSTEP_HOST_MATH_H
#ifndef __CUDACC_RTC__
#include <math.h>

#define LOCKSTEP_HOST static inline __host__

/* C23 has some of them, and so do newer C libraries. */
#if defined(__GLIBC_USE_IEC_60559_FUNCS_EXT_C23) && __GLIBC_USE_IEC_60559_FUNCS_EXT_C23
#define LOCKSTEP_C_LIBRARY_SINCE(major, minor) __GLIBC_PREREQ(major, minor)
#else
#define LOCKSTEP_C_LIBRARY_SINCE(major, minor) 0
#endif

#define LOCKSTEP_HOST_FLOAT1(name) \
    LOCKSTEP_HOST float name##f(float a) { return (float)name((double)a); }

#if !LOCKSTEP_C_LIBRARY_SINCE(2, 42)
LOCKSTEP_HOST double rsqrt(double a) { return 1.0 / ::sqrt(a); }
LOCKSTEP_HOST_FLOAT1(rsqrt)
#endif
LOCKSTEP_HOST double rcbrt(double a) { return 1.0 / ::cbrt(a); }
#if !LOCKSTEP_C_LIBRARY_SINCE(2, 41)
/* sin and cos of pi·r for |r| up to 1/4; pi is a sum of two doubles, since one is not enough for a result
 * good to the last bit. */
LOCKSTEP_HOST double __lockstep_sin_of_pi(double r) {
    double p = r * 3.14159265358979311600,
           rest = ::fma(r, 3.14159265358979311600, -p) + r * 1.2246467991473532072e-16;
    return ::sin(p) + rest * ::cos(p);
}
LOCKSTEP_HOST double __lockstep_cos_of_pi(double r) {
    double p = r * 3.14159265358979311600,
           rest = ::fma(r, 3.14159265358979311600, -p) + r * 1.2246467991473532072e-16;
    return ::cos(p) - rest * ::sin(p);
}
/* Reduced exactly, so that whole and half numbers give exact results. */
LOCKSTEP_HOST double sinpi(double a) {
    double r = ::remainder(a, 2.0), m = ::fabs(r);
    double value = m > 0.75   ? __lockstep_sin_of_pi(1.0 - m)
                   : m > 0.25 ? __lockstep_cos_of_pi(m - 0.5)
                              : __lockstep_sin_of_pi(m);
    return ::copysign(value, m == 1.0 || m == 0.0 ? a : r);
}
LOCKSTEP_HOST double cospi(double a) {
    double m = ::fabs(::remainder(a, 2.0));
    return m > 0.75   ? -__lockstep_cos_of_pi(1.0 - m)
           : m > 0.25 ? __lockstep_sin_of_pi(0.5 - m)
                      : __lockstep_cos_of_pi(m);
}
LOCKSTEP_HOST_FLOAT1(sinpi)
LOCKSTEP_HOST_FLOAT1(cospi)
#endif
#undef LOCKSTEP_C_LIBRARY_SINCE
LOCKSTEP_HOST void sincospi(double a, double* s, double* c) {
    *s = sinpi(a);
    *c = cospi(a);
}
/* The argument as a sum of two doubles: erfc's tail multiplies its relative error. */
LOCKSTEP_HOST double normcdf(double a) {
    if (a < -39.0) return 0.0;
    double t = -a * 0.70710678118654752440;
    double rest = ::fma(-a, 0.70710678118654752440, -t) + a * 4.8336466567264567e-17;
    return 0.5 * (::erfc(t) - 1.12837916709551257390 * ::exp(-t * t) * rest);
}
/* exp(a²)·erfc(a), with what rounding a² has dropped; for large a, where erfc would underflow, its asymptotic
 * series. */
LOCKSTEP_HOST double erfcx(double a) {
    if (a < 10.0) {
        double square = a * a;
        double scale = ::exp(square);
        return scale * (1.0 + (scale < 1e300 ? ::fma(a, a, -square) : 0.0)) * ::erfc(a);
    }
    double q = 0.5 / (a * a), sum = 1.0;
    for (int n = 12; n > 0; --n) sum = 1.0 - (2 * n - 1) * q * sum;
    return 0.56418958354775628695 / a * sum;
}
/* Halley's method, on erf in the middle and on erfc near the ends, where each keeps its precision. The first
 * guess for the tail is Abramowitz and Stegun's 26.2.23. */
LOCKSTEP_HOST double __lockstep_erfinv_middle(double y) {
    double x = y * 0.88622692545275801365;
    for (int i = 0; i < 4; ++i) {
        double u = (::erf(x) - y) / (1.12837916709551257390 * ::exp(-x * x));
        x -= u / (1.0 + x * u);
    }
    return x;
}
LOCKSTEP_HOST double __lockstep_erfcinv_tail(double y) {
    double t = ::sqrt(-2.0 * (::log(y) - 0.69314718055994530942));
    double x = 0.70710678118654752440 * (t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                                                 (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
    for (int i = 0; i < 3; ++i) {
        double u = (::erfc(x) - y) / (1.12837916709551257390 * ::exp(-x * x));
        x += u / (1.0 + x * u);
    }
    return x;
}
LOCKSTEP_HOST double erfcinv(double y) {
    if (!(y >= 0.0 && y <= 2.0)) return __builtin_nan("");
    if (y == 0.0) return __builtin_inf();
    if (y == 2.0) return -__builtin_inf();
    return y < 0.5   ? __lockstep_erfcinv_tail(y)
           : y > 1.5 ? -__lockstep_erfcinv_tail(2.0 - y)
                     : __lockstep_erfinv_middle(1.0 - y);
}
LOCKSTEP_HOST double erfinv(double y) {
    double a = ::fabs(y);
    if (!(a <= 1.0)) return __builtin_nan("");
    if (a == 1.0) return ::copysign(__builtin_inf(), y);
    return a < 0.5 ? __lockstep_erfinv_middle(y) : ::copysign(__lockstep_erfcinv_tail(1.0 - a), y);
}
LOCKSTEP_HOST double normcdfinv(double y) { return -1.41421356237309504880 * erfcinv(2.0 * y); }
LOCKSTEP_HOST double rhypot(double a, double b) { return 1.0 / ::hypot(a, b); }
LOCKSTEP_HOST double norm3d(double a, double b, double c) { return ::hypot(::hypot(a, b), c); }
LOCKSTEP_HOST double norm4d(double a, double b, double c, double d) {
    return ::hypot(::hypot(a, b), ::hypot(c, d));
}
LOCKSTEP_HOST double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
LOCKSTEP_HOST double rnorm4d(double a, double b, double c, double d) { return 1.0 / norm4d(a, b, c, d); }
LOCKSTEP_HOST double norm(int n, const double* p) {
    double r = 0.0;
    for (int i = 0; i < n; ++i) r = ::hypot(r, p[i]);
    return r;
}
LOCKSTEP_HOST double rnorm(int n, const double* p) { return 1.0 / norm(n, p); }
LOCKSTEP_HOST double fdivide(double a, double b) { return a / b; }
LOCKSTEP_HOST float fdividef(float a, float b) { return a / b; }

LOCKSTEP_HOST_FLOAT1(rcbrt)
LOCKSTEP_HOST_FLOAT1(normcdf)
LOCKSTEP_HOST_FLOAT1(normcdfinv)
LOCKSTEP_HOST_FLOAT1(erfcx)
LOCKSTEP_HOST_FLOAT1(erfinv)
LOCKSTEP_HOST_FLOAT1(erfcinv)
#undef LOCKSTEP_HOST_FLOAT1
LOCKSTEP_HOST void sincospif(float a, float* s, float* c) {
    *s = sinpif(a);
    *c = cospif(a);
}
LOCKSTEP_HOST float rhypotf(float a, float b) { return (float)rhypot((double)a, (double)b); }
LOCKSTEP_HOST float norm3df(float a, float b, float c) { return (float)norm3d(a, b, c); }
LOCKSTEP_HOST float norm4df(float a, float b, float c, float d) { return (float)norm4d(a, b, c, d); }
LOCKSTEP_HOST float rnorm3df(float a, float b, float c) { return (float)rnorm3d(a, b, c); }
LOCKSTEP_HOST float rnorm4df(float a, float b, float c, float d) { return (float)rnorm4d(a, b, c, d); }
LOCKSTEP_HOST float normf(int n, const float* p) {
    double r = 0.0;
    for (int i = 0; i < n; ++i) r = ::hypot(r, (double)p[i]);
    return (float)r;
}
LOCKSTEP_HOST float rnormf(int n, const float* p) {
    double r = 0.0;
    for (int i = 0; i < n; ++i) r = ::hypot(r, (double)p[i]);
    return (float)(1.0 / r);
}
#endif

/* Overloads by argument type */
#define LOCKSTEP_FLOAT_OVERLOAD(name) \
    static inline __host__ __device__ float name(float a) { return ::name##f(a); }
LOCKSTEP_FLOAT_OVERLOAD(rsqrt)
LOCKSTEP_FLOAT_OVERLOAD(rcbrt)
LOCKSTEP_FLOAT_OVERLOAD(sinpi)
LOCKSTEP_FLOAT_OVERLOAD(cospi)
LOCKSTEP_FLOAT_OVERLOAD(normcdf)
LOCKSTEP_FLOAT_OVERLOAD(normcdfinv)
LOCKSTEP_FLOAT_OVERLOAD(erfcx)
LOCKSTEP_FLOAT_OVERLOAD(erfinv)
LOCKSTEP_FLOAT_OVERLOAD(erfcinv)
LOCKSTEP_FLOAT_OVERLOAD(j0)
LOCKSTEP_FLOAT_OVERLOAD(j1)
LOCKSTEP_FLOAT_OVERLOAD(y0)
LOCKSTEP_FLOAT_OVERLOAD(y1)
LOCKSTEP_FLOAT_OVERLOAD(exp10)
#undef LOCKSTEP_FLOAT_OVERLOAD
static inline __host__ __device__ void sincospi(float a, float* s, float* c) { ::sincospif(a, s, c); }
static inline __host__ __device__ void sincos(float a, float* s, float* c) { ::sincosf(a, s, c); }
static inline __host__ __device__ float fdivide(float a, float b) { return ::fdividef(a, b); }
static inline __host__ __device__ float jn(int n, float a) { return ::jnf(n, a); }
static inline __host__ __device__ float yn(int n, float a) { return ::ynf(n, a); }
static inline __device__ float cyl_bessel_i0(float a) { return ::cyl_bessel_i0f(a); }
static inline __device__ float cyl_bessel_i1(float a) { return ::cyl_bessel_i1f(a); }

#endif
