// The float half of the device library: the double result rounded once, which is the same on every machine.
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "exec/scalar/approximate.h"
#include "exec/scalar/float-convert.h"
#include "exec/scalar/libdevice-groups.h"
#include "exec/scalar/rounded.h"
#include "exec/scalar/special-functions.h"

namespace lockstep::exec {

namespace {

using soft::Extremum;
using soft::F32;
using soft::Round;

// `f` in double, rounded to float.
template <double (*f)(double)>
float via_double(float a) {
    return static_cast<float>(f(a));
}

int ilogb_cuda(float a) {
    if (a == 0 || std::isnan(a)) return std::numeric_limits<int>::min();
    if (std::isinf(a)) return std::numeric_limits<int>::max();
    return std::ilogb(a);
}

double norm_of(std::initializer_list<double> v) {
    return special::norm(v.begin(), static_cast<int>(v.size()));
}
double rnorm_of(std::initializer_list<double> v) {
    return special::rnorm(v.begin(), static_cast<int>(v.size()));
}

std::vector<double> widened(const float* v, int n) { return {v, v + (n > 0 ? n : 0)}; }

void add_powers(ScalarTable& t) {
    t.add("__nv_sqrtf", [](float a) { return std::sqrt(a); });
    t.add("__nv_rsqrtf", [](float a) { return approximate::rsqrt(a); });
    t.add("__nv_cbrtf", rounded::cbrt, rounded::warp_cbrt);
    t.add("__nv_rcbrtf", [](float a) { return static_cast<float>(1 / std::cbrt(static_cast<double>(a))); });
    t.add("__nv_hypotf", rounded::hypot, rounded::warp_hypot);
    t.add("__nv_rhypotf", [](float a, float b) { return static_cast<float>(rnorm_of({a, b})); });
    t.add("__nv_norm3df", [](float a, float b, float c) { return static_cast<float>(norm_of({a, b, c})); });
    t.add("__nv_rnorm3df", [](float a, float b, float c) { return static_cast<float>(rnorm_of({a, b, c})); });
    t.add("__nv_norm4df",
          [](float a, float b, float c, float d) { return static_cast<float>(norm_of({a, b, c, d})); });
    t.add("__nv_rnorm4df",
          [](float a, float b, float c, float d) { return static_cast<float>(rnorm_of({a, b, c, d})); });
    t.add("__nv_normf",
          [](int n, const float* v) { return static_cast<float>(special::norm(widened(v, n).data(), n)); });
    t.add("__nv_rnormf",
          [](int n, const float* v) { return static_cast<float>(special::rnorm(widened(v, n).data(), n)); });
    t.add("__nv_powf", rounded::pow, rounded::warp_pow);
    t.add("__nv_powif", special::powi<float>);
    t.add("__nv_expf", rounded::exp, rounded::warp_exp);
    t.add("__nv_exp2f", rounded::exp2, rounded::warp_exp2);
    t.add("__nv_exp10f", rounded::exp10, rounded::warp_exp10);
    t.add("__nv_expm1f", rounded::expm1, rounded::warp_expm1);
    t.add("__nv_logf", rounded::log, rounded::warp_log);
    t.add("__nv_log2f", rounded::log2, rounded::warp_log2);
    t.add("__nv_log10f", rounded::log10, rounded::warp_log10);
    t.add("__nv_log1pf", rounded::log1p, rounded::warp_log1p);
    t.add("__nv_logbf", [](float a) { return std::logb(a); });
    t.add("__nv_ilogbf", ilogb_cuda);
    t.add("__nv_ldexpf", [](float a, int b) { return std::ldexp(a, b); });
    t.add("__nv_scalbnf", [](float a, int b) { return std::scalbn(a, b); });
    t.add("__nv_frexpf", [](float a, int* e) {
        *e = 0;
        return std::isfinite(a) ? std::frexp(a, e) : a;
    });
}

void add_trigonometry(ScalarTable& t) {
    t.add("__nv_sinf", rounded::sin, rounded::warp_sin);
    t.add("__nv_cosf", rounded::cos, rounded::warp_cos);
    t.add("__nv_tanf", rounded::tan, rounded::warp_tan);
    t.add("__nv_sincosf", [](float a, float* s, float* c) { *s = rounded::sin(a), *c = rounded::cos(a); });
    t.add("__nv_sinpif", via_double<special::sinpi>);
    t.add("__nv_cospif", via_double<special::cospi>);
    t.add("__nv_sincospif", [](float a, float* s, float* c) {
        *s = static_cast<float>(special::sinpi(a));
        *c = static_cast<float>(special::cospi(a));
    });
    // lockstep's own names for the two results of a sincos, which its headers call.
    t.add("__nv_sincosf_sin", rounded::sin, rounded::warp_sin);
    t.add("__nv_sincosf_cos", rounded::cos, rounded::warp_cos);
    t.add("__nv_sincospif_sin", via_double<special::sinpi>);
    t.add("__nv_sincospif_cos", via_double<special::cospi>);
    t.add("__nv_asinf", rounded::asin, rounded::warp_asin);
    t.add("__nv_acosf", rounded::acos, rounded::warp_acos);
    t.add("__nv_atanf", rounded::atan, rounded::warp_atan);
    t.add("__nv_atan2f", rounded::atan2, rounded::warp_atan2);
    t.add("__nv_sinhf", rounded::sinh, rounded::warp_sinh);
    t.add("__nv_coshf", rounded::cosh, rounded::warp_cosh);
    t.add("__nv_tanhf", rounded::tanh, rounded::warp_tanh);
    t.add("__nv_asinhf", via_double<::asinh>);
    t.add("__nv_acoshf", via_double<::acosh>);
    t.add("__nv_atanhf", via_double<::atanh>);
}

void add_special(ScalarTable& t) {
    t.add("__nv_erff", via_double<::erf>);
    t.add("__nv_erfcf", via_double<::erfc>);
    t.add("__nv_erfcxf", via_double<special::erfcx>);
    t.add("__nv_erfinvf", via_double<special::erfinv>);
    t.add("__nv_erfcinvf", via_double<special::erfcinv>);
    t.add("__nv_normcdff", via_double<special::normcdf>);
    t.add("__nv_normcdfinvf", via_double<special::normcdfinv>);
    t.add("__nv_tgammaf", via_double<::tgamma>);
    t.add("__nv_lgammaf", [](float a) {
        int sign;
        return static_cast<float>(::lgamma_r(a, &sign));
    });
    t.add("__nv_j0f", via_double<::j0>);
    t.add("__nv_j1f", via_double<::j1>);
    t.add("__nv_jnf", [](int n, float a) { return n < 0 ? std::nanf("") : static_cast<float>(::jn(n, a)); });
    t.add("__nv_y0f", [](float a) { return a < 0 ? std::nanf("") : static_cast<float>(::y0(a)); });
    t.add("__nv_y1f", [](float a) { return a < 0 ? std::nanf("") : static_cast<float>(::y1(a)); });
    t.add("__nv_ynf",
          [](int n, float a) { return n < 0 || a < 0 ? std::nanf("") : static_cast<float>(::yn(n, a)); });
    t.add("__nv_cyl_bessel_i0f", via_double<special::bessel_i0>);
    t.add("__nv_cyl_bessel_i1f", via_double<special::bessel_i1>);
}

void add_rounding(ScalarTable& t) {
    t.add("__nv_ceilf", [](float a) { return std::ceil(a); });
    t.add("__nv_floorf", [](float a) { return std::floor(a); });
    t.add("__nv_truncf", [](float a) { return std::trunc(a); });
    t.add("__nv_roundf", [](float a) { return std::round(a); });
    t.add("__nv_rintf", [](float a) { return std::rint(a); });
    t.add("__nv_nearbyintf", [](float a) { return std::nearbyint(a); });
    t.add("__nv_llrintf", [](float a) { return soft::to_integer<std::int64_t, F32, Round::rn>(a); });
    t.add("__nv_llroundf", [](float a) { return soft::to_integer<std::int64_t, F32, Round::rna>(a); });
    t.add("__nv_fmodf", [](float a, float b) { return std::fmod(a, b); });
    t.add("__nv_remainderf", [](float a, float b) { return std::remainder(a, b); });
    t.add("__nv_remquof", [](float a, float b, int* q) {
        *q = 0;
        return std::remquo(a, b, q);
    });
    t.add("__nv_modff", [](float a, float* whole) { return std::modf(a, whole); });
}

void add_basic(ScalarTable& t) {
    t.add("__nv_fabsf", [](float a) { return std::fabs(a); });
    t.add("__nv_copysignf", [](float a, float b) { return std::copysign(a, b); });
    t.add("__nv_fdimf", [](float a, float b) { return std::fdim(a, b); });
    t.add("__nv_fmaf", [](float a, float b, float c) { return std::fma(a, b, c); });
    t.add("__nv_fmaxf", soft::extremum<F32, Extremum::maximum>);
    t.add("__nv_fminf", soft::extremum<F32, Extremum::minimum>);
    t.add("__nv_nextafterf", [](float a, float b) { return std::nextafter(a, b); });
    t.add("__nv_nanf", [](const char* tag) { return std::nanf(tag); });
    t.add("__nv_saturatef", soft::saturate<F32>);
    t.add("__nv_finitef", [](float a) { return static_cast<int>(std::isfinite(a)); });
    t.add("__nv_isinff", [](float a) { return static_cast<int>(std::isinf(a)); });
    t.add("__nv_isnanf", [](float a) { return static_cast<int>(std::isnan(a)); });
    t.add("__nv_signbitf", [](float a) { return static_cast<int>(std::signbit(a)); });
}

// __sinf() and its kin, and -use_fast_math.
void add_fast(ScalarTable& t) {
    t.add("__nv_fast_sinf", rounded::sin, rounded::warp_sin);
    t.add("__nv_fast_cosf", rounded::cos, rounded::warp_cos);
    t.add("__nv_fast_tanf", rounded::tan, rounded::warp_tan);
    t.add("__nv_fast_sincosf", [](float a, float* s, float* c) {
        *s = rounded::sin(a);
        *c = rounded::cos(a);
    });
    t.add("__nv_fast_expf", rounded::exp, rounded::warp_exp);
    t.add("__nv_fast_exp10f", rounded::exp10, rounded::warp_exp10);
    t.add("__nv_fast_logf", rounded::log, rounded::warp_log);
    t.add("__nv_fast_log2f", rounded::log2, rounded::warp_log2);
    t.add("__nv_fast_log10f", rounded::log10, rounded::warp_log10);
    // By definition 2^(b·log2(a)): not a number for a negative base.
    t.add("__nv_fast_powf",
          [](float a, float b) { return static_cast<float>(::exp2(b * ::log2(static_cast<double>(a)))); });
    t.add("__nv_fast_fdividef", approximate::div);
}

}  // namespace

void add_libdevice_float(ScalarTable& table) {
    add_powers(table);
    add_trigonometry(table);
    add_special(table);
    add_rounding(table);
    add_basic(table);
    add_fast(table);
}

}  // namespace lockstep::exec
