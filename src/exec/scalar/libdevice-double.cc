#include <cmath>
#include <cstdint>
#include <limits>

#include "exec/scalar/float-convert.h"
#include "exec/scalar/libdevice-groups.h"
#include "exec/scalar/special-functions.h"

namespace lockstep::exec {

namespace {

using soft::Extremum;
using soft::F64;
using soft::Round;

// CUDA's values for 0, infinity and NaN; C leaves them to the platform.
int ilogb_cuda(double a) {
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

void add_powers(ScalarTable& t) {
    t.add("__nv_sqrt", [](double a) { return std::sqrt(a); });
    t.add("__nv_rsqrt", [](double a) { return special::rsqrt(a); });
    t.add("__nv_cbrt", [](double a) { return static_cast<double>(std::cbrt(static_cast<long double>(a))); });
    t.add("__nv_rcbrt", [](double a) { return special::rcbrt(a); });
    t.add("__nv_hypot", [](double a, double b) { return std::hypot(a, b); });
    t.add("__nv_rhypot", [](double a, double b) { return rnorm_of({a, b}); });
    t.add("__nv_norm3d", [](double a, double b, double c) { return norm_of({a, b, c}); });
    t.add("__nv_rnorm3d", [](double a, double b, double c) { return rnorm_of({a, b, c}); });
    t.add("__nv_norm4d", [](double a, double b, double c, double d) { return norm_of({a, b, c, d}); });
    t.add("__nv_rnorm4d", [](double a, double b, double c, double d) { return rnorm_of({a, b, c, d}); });
    t.add("__nv_norm", [](int n, const double* v) { return special::norm(v, n); });
    t.add("__nv_rnorm", [](int n, const double* v) { return special::rnorm(v, n); });
    t.add("__nv_pow", [](double a, double b) { return std::pow(a, b); });
    t.add("__nv_powi", special::powi<double>);
    t.add("__nv_exp", [](double a) { return std::exp(a); });
    t.add("__nv_exp2", [](double a) { return std::exp2(a); });
    t.add("__nv_exp10", [](double a) { return std::pow(10.0, a); });
    t.add("__nv_expm1", [](double a) { return std::expm1(a); });
    t.add("__nv_log", [](double a) { return std::log(a); });
    t.add("__nv_log2", [](double a) { return std::log2(a); });
    t.add("__nv_log10", [](double a) { return std::log10(a); });
    t.add("__nv_log1p", [](double a) { return std::log1p(a); });
    t.add("__nv_logb", [](double a) { return std::logb(a); });
    t.add("__nv_ilogb", ilogb_cuda);
    t.add("__nv_ldexp", [](double a, int b) { return std::ldexp(a, b); });
    t.add("__nv_scalbn", [](double a, int b) { return std::scalbn(a, b); });
    t.add("__nv_frexp", [](double a, int* e) {
        *e = 0;  // C leaves it open for infinity and NaN
        return std::isfinite(a) ? std::frexp(a, e) : a;
    });
}

void add_trigonometry(ScalarTable& t) {
    t.add("__nv_sin", [](double a) { return std::sin(a); });
    t.add("__nv_cos", [](double a) { return std::cos(a); });
    t.add("__nv_tan", [](double a) { return std::tan(a); });
    t.add("__nv_sincos", [](double a, double* s, double* c) { *s = std::sin(a), *c = std::cos(a); });
    t.add("__nv_sinpi", [](double a) { return special::sinpi(a); });
    t.add("__nv_cospi", [](double a) { return special::cospi(a); });
    t.add("__nv_sincospi",
          [](double a, double* s, double* c) { *s = special::sinpi(a), *c = special::cospi(a); });
    // lockstep's own names for the two results of a sincos, which its headers call.
    t.add("__nv_sincos_sin", [](double a) { return std::sin(a); });
    t.add("__nv_sincos_cos", [](double a) { return std::cos(a); });
    t.add("__nv_sincospi_sin", [](double a) { return special::sinpi(a); });
    t.add("__nv_sincospi_cos", [](double a) { return special::cospi(a); });
    t.add("__nv_asin", [](double a) { return std::asin(a); });
    t.add("__nv_acos", [](double a) { return std::acos(a); });
    t.add("__nv_atan", [](double a) { return std::atan(a); });
    t.add("__nv_atan2", [](double a, double b) { return std::atan2(a, b); });
    t.add("__nv_sinh", [](double a) { return std::sinh(a); });
    t.add("__nv_cosh", [](double a) { return std::cosh(a); });
    t.add("__nv_tanh", [](double a) { return std::tanh(a); });
    t.add("__nv_asinh", [](double a) { return std::asinh(a); });
    t.add("__nv_acosh", [](double a) { return std::acosh(a); });
    t.add("__nv_atanh", [](double a) { return std::atanh(a); });
}

void add_special(ScalarTable& t) {
    t.add("__nv_erf", [](double a) { return std::erf(a); });
    t.add("__nv_erfc", [](double a) { return std::erfc(a); });
    t.add("__nv_erfcx", [](double a) { return special::erfcx(a); });
    t.add("__nv_erfinv", [](double a) { return special::erfinv(a); });
    t.add("__nv_erfcinv", [](double a) { return special::erfcinv(a); });
    t.add("__nv_normcdf", [](double a) { return special::normcdf(a); });
    t.add("__nv_normcdfinv", [](double a) { return special::normcdfinv(a); });
    t.add("__nv_tgamma", [](double a) { return std::tgamma(a); });
    t.add("__nv_lgamma", [](double a) {
        int sign;  // lgamma itself writes a global
        return ::lgamma_r(a, &sign);
    });
    t.add("__nv_j0", [](double a) { return ::j0(a); });
    t.add("__nv_j1", [](double a) { return ::j1(a); });
    t.add("__nv_jn", [](int n, double a) { return n < 0 ? std::nan("") : ::jn(n, a); });
    t.add("__nv_y0", [](double a) { return a < 0 ? std::nan("") : ::y0(a); });
    t.add("__nv_y1", [](double a) { return a < 0 ? std::nan("") : ::y1(a); });
    t.add("__nv_yn", [](int n, double a) { return n < 0 || a < 0 ? std::nan("") : ::yn(n, a); });
    t.add("__nv_cyl_bessel_i0", [](double a) { return special::bessel_i0(a); });
    t.add("__nv_cyl_bessel_i1", [](double a) { return special::bessel_i1(a); });
}

void add_rounding(ScalarTable& t) {
    t.add("__nv_ceil", [](double a) { return std::ceil(a); });
    t.add("__nv_floor", [](double a) { return std::floor(a); });
    t.add("__nv_trunc", [](double a) { return std::trunc(a); });
    t.add("__nv_round", [](double a) { return std::round(a); });
    t.add("__nv_rint", [](double a) { return std::rint(a); });
    t.add("__nv_nearbyint", [](double a) { return std::nearbyint(a); });
    t.add("__nv_llrint", [](double a) { return soft::to_integer<std::int64_t, F64, Round::rn>(a); });
    t.add("__nv_llround", [](double a) { return soft::to_integer<std::int64_t, F64, Round::rna>(a); });
    t.add("__nv_fmod", [](double a, double b) { return std::fmod(a, b); });
    t.add("__nv_remainder", [](double a, double b) { return std::remainder(a, b); });
    t.add("__nv_remquo", [](double a, double b, int* q) {
        *q = 0;
        return std::remquo(a, b, q);
    });
    t.add("__nv_modf", [](double a, double* whole) { return std::modf(a, whole); });
}

void add_basic(ScalarTable& t) {
    t.add("__nv_fabs", [](double a) { return std::fabs(a); });
    t.add("__nv_copysign", [](double a, double b) { return std::copysign(a, b); });
    t.add("__nv_fdim", [](double a, double b) { return std::fdim(a, b); });
    t.add("__nv_fma", [](double a, double b, double c) { return std::fma(a, b, c); });
    t.add("__nv_fmax", soft::extremum<F64, Extremum::maximum>);
    t.add("__nv_fmin", soft::extremum<F64, Extremum::minimum>);
    t.add("__nv_nextafter", [](double a, double b) { return std::nextafter(a, b); });
    t.add("__nv_nan", [](const char* tag) { return std::nan(tag); });
    t.add("__nv_isfinited", [](double a) { return static_cast<int>(std::isfinite(a)); });
    t.add("__nv_isinfd", [](double a) { return static_cast<int>(std::isinf(a)); });
    t.add("__nv_isnand", [](double a) { return static_cast<int>(std::isnan(a)); });
    t.add("__nv_signbitd", [](double a) { return static_cast<int>(std::signbit(a)); });
}

}  // namespace

void add_libdevice_double(ScalarTable& table) {
    add_powers(table);
    add_trigonometry(table);
    add_special(table);
    add_rounding(table);
    add_basic(table);
}

}  // namespace lockstep::exec
