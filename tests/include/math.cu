// The mathematics library, float and double, on the device and on the host, by C names and through std::.
#include <cmath>
#include <math_constants.h>

#define ONE(f) r += f(x);
#define ALL_F(F) F(acosf) F(acoshf) F(asinf) F(asinhf) F(atanf) F(atanhf) F(cbrtf) F(ceilf) F(cosf) F(coshf) F(cospif) F(erff) F(erfcf) \
    F(erfinvf) F(erfcinvf) F(erfcxf) F(expf) F(exp2f) F(exp10f) F(expm1f) F(fabsf) F(floorf) F(j0f) F(j1f) F(lgammaf) F(logf) F(log2f) \
    F(log10f) F(log1pf) F(logbf) F(nearbyintf) F(normcdff) F(normcdfinvf) F(rcbrtf) F(rintf) F(roundf) F(rsqrtf) F(sinf) F(sinhf) F(sinpif) \
    F(sqrtf) F(tanf) F(tanhf) F(tgammaf) F(truncf) F(y0f) F(y1f)
#define ALL_D(F) F(acos) F(acosh) F(asin) F(asinh) F(atan) F(atanh) F(cbrt) F(ceil) F(cos) F(cosh) F(cospi) F(erf) F(erfc) \
    F(erfinv) F(erfcinv) F(erfcx) F(exp) F(exp2) F(exp10) F(expm1) F(fabs) F(floor) F(j0) F(j1) F(lgamma) F(log) F(log2) \
    F(log10) F(log1p) F(logb) F(nearbyint) F(normcdf) F(normcdfinv) F(rcbrt) F(rint) F(round) F(rsqrt) F(sin) F(sinh) F(sinpi) \
    F(sqrt) F(tan) F(tanh) F(tgamma) F(trunc) F(y0) F(y1)

__host__ __device__ float floats(float x, float y) {
    float r = 0, s, c;
    int e;
    ALL_F(ONE)
    sincosf(x, &s, &c);
    r += s + c;
    sincospif(x, &s, &c);
    r += s + c + powf(x, y) + atan2f(x, y) + fmodf(x, y) + fmaf(x, y, r) + fmaxf(x, y) + fminf(x, y) + hypotf(x, y) + fdimf(x, y);
    r += copysignf(x, y) + remainderf(x, y) + remquof(x, y, &e) + nextafterf(x, y) + ldexpf(x, 3) + scalbnf(x, 2) + frexpf(x, &e) + modff(x, &s);
    r += ilogbf(x) + lrintf(x) + llrintf(x) + lroundf(x) + llroundf(x) + rhypotf(x, y) + norm3df(x, y, 1) + norm4df(x, y, 1, 2) + rnorm3df(x, y, 1);
    r += isnan(x) + isinf(x) + isfinite(x) + signbit(x) + fdividef(x, y) + jnf(2, x) + ynf(2, x);
    return r + std::sqrt(x) + std::sin(x) + std::pow(x, y) + std::abs(x) + std::max(x, y) + std::floor(x) + std::exp(x) + std::fma(x, y, r);
}
__host__ __device__ double doubles(double x, double y) {
    double r = 0, s, c;
    int e;
    ALL_D(ONE)
    sincos(x, &s, &c);
    r += s + c;
    sincospi(x, &s, &c);
    r += s + c + pow(x, y) + atan2(x, y) + fmod(x, y) + fma(x, y, r) + fmax(x, y) + fmin(x, y) + hypot(x, y) + fdim(x, y);
    r += copysign(x, y) + remainder(x, y) + remquo(x, y, &e) + nextafter(x, y) + ldexp(x, 3) + scalbn(x, 2) + frexp(x, &e) + modf(x, &s);
    r += ilogb(x) + lrint(x) + llrint(x) + lround(x) + llround(x) + rhypot(x, y) + norm3d(x, y, 1) + norm4d(x, y, 1, 2) + rnorm3d(x, y, 1);
    r += isnan(x) + isinf(x) + isfinite(x) + signbit(x) + jn(2, x) + yn(2, x) + std::sqrt(x) + std::pow(x, 2) + std::abs(x) + std::min(x, y);
    return r;
}
__host__ __device__ float overloads(float x) {
    return sin(x) + cos(x) + exp(x) + log(x) + sqrt(x) + rsqrt(x) + fabs(x) + floor(x) + pow(x, 2.0f) + abs(x) + sinpi(x) + erfinv(x) + round(x) + tanh(x) +
           max(x, 1.0f) + fma(x, x, x) + fmod(x, 2.0f) + atan2(x, x) + cbrt(x) + trunc(x) + sqrt(4) + pow(2, 3) + floor(3);
}
__global__ void kernel(float* f, double* d) {
    *f = floats(f[1], f[2]) + overloads(f[3]) + cyl_bessel_i0f(f[4]) + CUDART_PI_F + CUDART_INF_F;
    *d = doubles(d[1], d[2]) + cyl_bessel_i1(d[3]) + CUDART_NAN + powi(d[3], 3);
}
int main() { return floats(1, 2) + doubles(1, 2) + overloads(1) > 1e30; }
