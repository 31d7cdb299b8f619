#include "exec/scalar/special-functions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace lockstep::exec::special {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double sqrt_pi = 1.7724538509055160273;
constexpr double two_over_sqrt_pi = 2 / sqrt_pi;

// π as a sum of two doubles: one is not enough for a result good to the last bit.
constexpr double pi_high = std::numbers::pi, pi_low = 1.2246467991473532072e-16;

// sin(πr) and cos(πr) for |r| ≤ 1/4.
double sin_of_pi(double r) {
    double p = r * pi_high;
    double error = std::fma(r, pi_high, -p) + r * pi_low;
    return std::sin(p) + error * std::cos(p);
}

double cos_of_pi(double r) {
    double p = r * pi_high;
    double error = std::fma(r, pi_high, -p) + r * pi_low;
    return std::cos(p) - error * std::sin(p);
}

// Solves erf(y) = x for |x| ≤ 1/2 by Halley's method; erf is accurate to its last bits there.
double erfinv_central(double x) {
    double y = x / two_over_sqrt_pi;
    y += y * x * x * 0.26;
    for (int i = 0; i < 4; ++i) {
        double step = (std::erf(y) - x) / (two_over_sqrt_pi * std::exp(-y * y));
        y -= step / (1 + y * step);
    }
    return y;
}

// Solves erfc(y) = p for 0 < p ≤ 1/2, in the tail: erfc's relative error shrinks by 2y² in y.
double erfcinv_tail(double p) {
    double t = std::sqrt(-2 * (std::log(p) - std::numbers::ln2));  // p / 2 may underflow
    double y = (t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                        (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))) *
               std::numbers::sqrt2 / 2;
    for (int i = 0; i < 4; ++i) {
        // Both sides are scaled by exp(y²), since erfc itself underflows.
        double step = (erfcx(y) - p * std::exp(y * y)) / two_over_sqrt_pi;
        if (!std::isfinite(step)) step = (std::log(erfcx(y)) - y * y - std::log(p)) / (2 * y);
        y += step / (1 + y * step);
    }
    return y;
}

}  // namespace

double sinpi(double x) {
    if (!std::isfinite(x)) return not_a_number;
    double r = std::remainder(x, 2.0);  // exact, in [−1, 1]
    double a = std::fabs(r), value;
    if (a > 0.75)
        value = sin_of_pi(1 - a);
    else if (a > 0.25)
        value = cos_of_pi(a - 0.5);
    else
        value = sin_of_pi(a);
    return std::copysign(value, a == 0 || a == 1 ? x : r);
}

double cospi(double x) {
    if (!std::isfinite(x)) return not_a_number;
    double a = std::fabs(std::remainder(x, 2.0));
    if (a > 0.75) return -cos_of_pi(1 - a);
    if (a > 0.25) return sin_of_pi(0.5 - a);
    return cos_of_pi(a);
}

double erfcx(double x) {
    if (std::isnan(x)) return x;
    if (x < 10) {
        double square = x * x, error = std::fma(x, x, -square);
        if (square > 709) return infinity;  // only for x < 0 here
        double e = std::exp(square);
        return (e + e * error) * std::erfc(x);
    }
    // 1/(x√π) · (1 − 1/(2x²) + 3/(4x⁴) − …)
    double inverse = 1 / x, term = 1, sum = 1, factor = 0.5 * inverse * inverse;
    for (int k = 1; k < 20 && std::fabs(term) > 1e-18; ++k) {
        term *= -(2 * k - 1) * factor;
        sum += term;
    }
    return sum * inverse / sqrt_pi;
}

double erfinv(double x) {
    double a = std::fabs(x);
    if (!(a <= 1)) return not_a_number;
    if (a == 1) return std::copysign(infinity, x);
    if (a <= 0.5) return erfinv_central(x);
    return std::copysign(erfcinv_tail(1 - a), x);
}

double erfcinv(double x) {
    if (!(x >= 0 && x <= 2)) return not_a_number;
    if (x == 0) return infinity;
    if (x == 2) return -infinity;
    if (x < 0.5) return erfcinv_tail(x);
    if (x > 1.5) return -erfcinv_tail(2 - x);
    return erfinv_central(1 - x);
}

double normcdf(double x) {
    if (std::isnan(x)) return x;
    if (x < -39) return 0;
    if (x > 9) return 1;
    // t = −x/√2 to double-double: the tail multiplies a relative error of t by 2t².
    constexpr double scale_high = std::numbers::sqrt2 / 2, scale_low = -4.8336466567264567e-17;
    double t = -x * scale_high;
    double error = std::fma(-x, scale_high, -t) + -x * scale_low;
    double value = std::erfc(t);
    // Subnormal results keep no relative accuracy, and the correction must not turn them negative.
    return 0.5 * (value - two_over_sqrt_pi * std::exp(-t * t) * error);
}

double normcdfinv(double p) {
    if (!(p >= 0 && p <= 1)) return not_a_number;
    return -std::numbers::sqrt2 * erfcinv(2 * p);
}

namespace {

// Σ (x²/4)^k / (k! (k+order)!): all terms positive, so no cancellation; but each carries the errors of those
// before.
double bessel_series(double x, int order) {
    long double q = static_cast<long double>(x) * x / 4, term = 1, sum = 1;
    for (int k = 1; term > sum * 1e-18L; ++k) {
        term *= q / (static_cast<long double>(k) * (k + order));
        sum += term;
    }
    return static_cast<double>(sum);
}

constexpr double largest_bessel = 720;  // both overflow before

// exp(x)/√(2πx) · (1 − (μ−1)/(8x) + (μ−1)(μ−9)/(2!(8x)²) − …), μ = 4·order²
double bessel_asymptotic(double x, int order) {
    double mu = 4.0 * order * order, term = 1, sum = 1;
    for (int k = 1; k < 40; ++k) {
        double odd = 2 * k - 1;
        double next = term * -(mu - odd * odd) / (k * 8 * x);
        if (std::fabs(next) > std::fabs(term) || std::fabs(next) < 1e-18) break;
        term = next;
        sum += term;
    }
    double half = std::exp(x / 2);  // in two halves: the product may be finite where exp(x) is not
    return half * (sum / std::sqrt(2 * std::numbers::pi * x)) * half;
}

}  // namespace

double bessel_i0(double x) {
    if (std::isnan(x)) return x;
    double a = std::fabs(x);
    if (a > largest_bessel) return infinity;
    return a < 30 ? bessel_series(a, 0) : bessel_asymptotic(a, 0);
}

double bessel_i1(double x) {
    if (std::isnan(x)) return x;
    double a = std::fabs(x);
    if (a > largest_bessel) return std::copysign(infinity, x);
    return std::copysign(a < 30 ? a / 2 * bessel_series(a, 1) : bessel_asymptotic(a, 1), x);
}

double rsqrt(double x) { return static_cast<double>(1 / std::sqrt(static_cast<long double>(x))); }

double rcbrt(double x) { return static_cast<double>(1 / std::cbrt(static_cast<long double>(x))); }

namespace {

// The norm as mantissa × 2^exponent.
struct ScaledNorm {
    double value;
    int exponent;
};

ScaledNorm scaled_norm(const double* values, int count) {
    double largest = 0;
    bool nan = false;
    for (int i = 0; i < count; ++i) {
        double a = std::fabs(values[i]);
        if (std::isinf(a)) return {infinity, 0};  // even beside a NaN
        nan |= std::isnan(a);
        largest = std::max(largest, a);
    }
    if (nan) return {not_a_number, 0};
    if (largest == 0) return {0, 0};
    int exponent = std::ilogb(largest);
    long double sum = 0;
    for (int i = 0; i < count; ++i) {
        long double v = std::scalbn(values[i], -exponent);
        sum += v * v;
    }
    return {static_cast<double>(std::sqrt(sum)), exponent};
}

}  // namespace

double norm(const double* values, int count) {
    ScaledNorm n = scaled_norm(values, count);
    return std::scalbn(n.value, n.exponent);
}

double rnorm(const double* values, int count) {
    ScaledNorm n = scaled_norm(values, count);
    return std::scalbn(1 / n.value, -n.exponent);
}

}  // namespace lockstep::exec::special
