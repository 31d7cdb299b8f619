// Elementary functions in double, made for loops over many lanes: no branches, no tables, no calls. They are
// not good to the last bit; each says how far from the exact value it may be at most, and that this may be
// anywhere where it has no answer. Polynomials are the functions' own series, as long as the bound needs.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

namespace lockstep::exec::estimates {

struct Estimate {
    double value;
    double error;
};

#define LOCKSTEP_INLINE inline __attribute__((always_inline))

// Rounding and series together stay well below this, relative to the value.
constexpr double precision = 0x1p-38;

LOCKSTEP_INLINE std::uint64_t bits_of(double v) { return std::bit_cast<std::uint64_t>(v); }
LOCKSTEP_INLINE double of_bits(std::uint64_t v) { return std::bit_cast<double>(v); }

LOCKSTEP_INLINE Estimate estimate(double value) { return {value, std::fabs(value) * precision}; }
LOCKSTEP_INLINE Estimate estimate_if(bool known, double value) {
    return {value, known ? std::fabs(value) * precision : std::numeric_limits<double>::infinity()};
}

// By the lowest bit of `which`: a comparison of 64-bit integers is not what every CPU has for vectors.
LOCKSTEP_INLINE double choose(std::uint64_t which, double if_even, double if_odd) {
    const std::uint64_t odd = 0 - (which & 1);
    return of_bits((bits_of(if_even) & ~odd) | (bits_of(if_odd) & odd));
}

// Added to a number below 2^51 this leaves the nearest whole number in the lowest bits.
constexpr double to_whole = 0x1.8p52;

constexpr std::uint64_t exponent_of_one = 0x3ff0000000000000, mantissa_mask = 0x000fffffffffffff;

// value · 2^n, for `n` as to_whole has left it.
LOCKSTEP_INLINE double scaled(double value, double n) {
    return value * of_bits((bits_of(n) << 52) + exponent_of_one);
}

LOCKSTEP_INLINE double clamped(double x, double most) {
    const double below = x > most ? most : x;  // NaN stays
    return below < -most ? -most : below;
}

// e^x − 1 for |x| ≤ ln(2) / 2.
LOCKSTEP_INLINE double small_expm1(double x) {
    double sum = 1.0 / 3628800;
    sum = sum * x + 1.0 / 362880;
    sum = sum * x + 1.0 / 40320;
    sum = sum * x + 1.0 / 5040;
    sum = sum * x + 1.0 / 720;
    sum = sum * x + 1.0 / 120;
    sum = sum * x + 1.0 / 24;
    sum = sum * x + 1.0 / 6;
    sum = sum * x + 0.5;
    return x + x * x * sum;
}

// x = n·ln(2) + rest. The upper part of ln(2) has 32 bits, so that its product with n is exact.
struct Reduced {
    double n;  // as to_whole leaves it
    double rest;
};
LOCKSTEP_INLINE Reduced reduced_exponent(double x) {
    const double n = x * std::numbers::log2e + to_whole, whole = n - to_whole;
    return {n, (x - whole * 0x1.62e42feep-1) - whole * 0x1.a39ef35793c76p-33};
}

// Beyond this a float is 0 or infinite, whatever the function.
constexpr double most_exponent = 200;

LOCKSTEP_INLINE double power_of_two(double x) {
    const double inside = clamped(x, most_exponent);
    const double n = inside + to_whole;
    const double power = small_expm1((inside - (n - to_whole)) * std::numbers::ln2);
    return scaled(1 + power, n);
}

LOCKSTEP_INLINE double exponential(double x) {
    const auto [n, rest] = reduced_exponent(clamped(x, most_exponent));
    return scaled(1 + small_expm1(rest), n);
}

// e^x − 1, for x that is not below −most_exponent.
LOCKSTEP_INLINE double exponential_less_one(double x) {
    const auto [n, rest] = reduced_exponent(clamped(x, most_exponent));
    const double power = scaled(1, n);
    return power * small_expm1(rest) + (power - 1);
}

// A positive x as 2^exponent · m with m in [√½, √2].
struct Parts {
    double exponent, m;
};
LOCKSTEP_INLINE Parts parts_of(double x) {
    constexpr std::uint64_t root_of_half = 0x3fe6a09e667f3bcd;
    const std::uint64_t shifted = bits_of(x) + (exponent_of_one - root_of_half);
    // The exponent becomes a double's mantissa.
    return {of_bits((shifted >> 52) | 0x4330000000000000) - (0x1p52 + 1023),
            of_bits((shifted & mantissa_mask) + root_of_half)};
}

// ln((1 + s) / (1 − s)) for |s| ≤ 0.172.
LOCKSTEP_INLINE double log_of_ratio(double s) {
    const double t = s * s;
    double sum = 1.0 / 17;
    sum = sum * t + 1.0 / 15;
    sum = sum * t + 1.0 / 13;
    sum = sum * t + 1.0 / 11;
    sum = sum * t + 1.0 / 9;
    sum = sum * t + 1.0 / 7;
    sum = sum * t + 1.0 / 5;
    sum = sum * t + 1.0 / 3;
    return 2 * (s + s * (t * sum));
}

// exponent + part, of which the logarithm to any base is made.
struct Logarithm {
    double exponent;  // of 2
    double rest;      // natural
};
LOCKSTEP_INLINE Logarithm logarithm(double x) {
    const auto [exponent, m] = parts_of(x);
    return {exponent, log_of_ratio((m - 1) / (m + 1))};
}
LOCKSTEP_INLINE bool has_logarithm(double x) { return x > 0 && x < std::numeric_limits<double>::infinity(); }

LOCKSTEP_INLINE double log_base_two(double x) {
    const auto [exponent, rest] = logarithm(x);
    return exponent + rest * std::numbers::log2e;
}

LOCKSTEP_INLINE double small_sin(double x, double t) {  // t = x²; |x| ≤ π/4
    double sum = 1.0 / 6227020800;
    sum = sum * t - 1.0 / 39916800;
    sum = sum * t + 1.0 / 362880;
    sum = sum * t - 1.0 / 5040;
    sum = sum * t + 1.0 / 120;
    sum = sum * t - 1.0 / 6;
    return std::copysign(x + x * (t * sum), x);  // of -0, too
}

LOCKSTEP_INLINE double small_cos(double t) {
    double sum = 1.0 / 479001600;
    sum = sum * t - 1.0 / 3628800;
    sum = sum * t + 1.0 / 40320;
    sum = sum * t - 1.0 / 720;
    sum = sum * t + 1.0 / 24;
    sum = sum * t - 0.5;
    return 1 + t * sum;
}

// x = quadrant·π/2 + rest.
struct Angle {
    std::uint64_t quadrant;
    double rest;
};
constexpr double most_angle = 0x1p19;  // n times the upper parts of π/2 is exact below
LOCKSTEP_INLINE Angle angle_of(double x) {
    const double n = x * (2 / std::numbers::pi) + to_whole, whole = n - to_whole;
    return {bits_of(n),
            ((x - whole * 0x1.921fb544p0) - whole * 0x1.0b4611a6p-34) - whole * 0x1.3198a2e037073p-69};
}
LOCKSTEP_INLINE double sin_of(const Angle& angle) {
    const double t = angle.rest * angle.rest;
    const double value = choose(angle.quadrant, small_sin(angle.rest, t), small_cos(t));
    return of_bits(bits_of(value) ^ (angle.quadrant & 2) << 62);
}
LOCKSTEP_INLINE double tan_of(const Angle& angle) {
    const double t = angle.rest * angle.rest, sine = small_sin(angle.rest, t), cosine = small_cos(t);
    return choose(angle.quadrant, sine, -cosine) / choose(angle.quadrant, cosine, sine);
}
LOCKSTEP_INLINE bool has_angle(double x) { return std::fabs(x) < most_angle; }

// Of x / y, both not negative: atan(z) = atan(½) + atan((z − ½) / (1 + z/2)) where z > ¼.
LOCKSTEP_INLINE double arc_of_ratio(double x, double y) {
    const bool steep = x > y;
    const double z = steep ? y / x : x / y;
    const bool high = z > 0.25;
    const double near = high ? (z - 0.5) / (1 + 0.5 * z) : z, t = near * near;
    double sum = -1.0 / 23;
    sum = sum * t + 1.0 / 21;
    sum = sum * t - 1.0 / 19;
    sum = sum * t + 1.0 / 17;
    sum = sum * t - 1.0 / 15;
    sum = sum * t + 1.0 / 13;
    sum = sum * t - 1.0 / 11;
    sum = sum * t + 1.0 / 9;
    sum = sum * t - 1.0 / 7;
    sum = sum * t + 1.0 / 5;
    sum = sum * t - 1.0 / 3;
    const double arc = (high ? 0x1.dac670561bb4fp-2 : 0.0) + (near + near * (t * sum));
    return steep ? std::numbers::pi / 2 - arc : arc;
}
LOCKSTEP_INLINE double arc(double y, double x) {
    const double size = arc_of_ratio(std::fabs(y), std::fabs(x));
    return std::copysign(x < 0 ? std::numbers::pi - size : size, y);
}
LOCKSTEP_INLINE double other_leg(double x) { return std::sqrt((1 - x) * (1 + x)); }

// ---- the functions ----

LOCKSTEP_INLINE Estimate exp(double x) { return estimate(exponential(x)); }
LOCKSTEP_INLINE Estimate exp2(double x) { return estimate(power_of_two(x)); }
LOCKSTEP_INLINE Estimate exp10(double x) { return estimate(power_of_two(x * 0x1.a934f0979a371p1)); }
LOCKSTEP_INLINE Estimate expm1(double x) {
    return estimate(std::copysign(exponential_less_one(x), x));  // of -0, too
}
LOCKSTEP_INLINE Estimate log(double x) {
    const auto [exponent, rest] = logarithm(x);
    return estimate_if(has_logarithm(x), exponent * std::numbers::ln2 + rest);
}
LOCKSTEP_INLINE Estimate log2(double x) { return estimate_if(has_logarithm(x), log_base_two(x)); }
LOCKSTEP_INLINE Estimate log10(double x) {
    const auto [exponent, rest] = logarithm(x);
    return estimate_if(has_logarithm(x), exponent * 0x1.34413509f79ffp-2 + rest * std::numbers::log10e);
}
LOCKSTEP_INLINE Estimate log1p(double x) {
    const bool small = std::fabs(x) < 0.25;  // 1 + x would lose what counts
    const auto [exponent, m] = parts_of(1 + x);
    const double value =
        (small ? 0.0 : exponent) * std::numbers::ln2 + log_of_ratio(small ? x / (2 + x) : (m - 1) / (m + 1));
    return estimate_if(has_logarithm(1 + x), std::copysign(value, x));
}
LOCKSTEP_INLINE Estimate pow(double x, double y) {
    // By the magnitude; of a negative number an odd power is negative, and only whole ones are numbers.
    const double size = std::fabs(x), whole = y + to_whole;
    const bool negative = x < 0, is_whole = whole - to_whole == y;
    const double value = power_of_two(y * log_base_two(size));
    const std::uint64_t sign = negative ? bits_of(whole) << 63 : 0;
    // Of a logarithm near 150 as much is lost as the result is wrong.
    return {of_bits(bits_of(value) | sign),
            has_logarithm(size) && std::fabs(y) < 0x1p40 && (!negative || is_whole)
                ? value * precision
                : std::numeric_limits<double>::infinity()};
}
LOCKSTEP_INLINE Estimate cbrt(double x) {
    const double size = std::fabs(x);
    return estimate_if(has_logarithm(size), std::copysign(power_of_two(log_base_two(size) * (1.0 / 3)), x));
}
LOCKSTEP_INLINE Estimate hypot(double x, double y) { return estimate(std::sqrt(x * x + y * y)); }
LOCKSTEP_INLINE Estimate sin(double x) { return estimate_if(has_angle(x), sin_of(angle_of(x))); }
LOCKSTEP_INLINE Estimate cos(double x) {
    Angle angle = angle_of(x);
    ++angle.quadrant;
    return estimate_if(has_angle(x), sin_of(angle));
}
LOCKSTEP_INLINE Estimate tan(double x) { return estimate_if(has_angle(x), tan_of(angle_of(x))); }
LOCKSTEP_INLINE Estimate asin(double x) { return estimate(arc(x, other_leg(x))); }
LOCKSTEP_INLINE Estimate acos(double x) { return estimate(arc(other_leg(x), x)); }
LOCKSTEP_INLINE Estimate atan(double x) { return estimate(arc(x, 1)); }
LOCKSTEP_INLINE Estimate atan2(double y, double x) { return estimate(arc(y, x)); }
LOCKSTEP_INLINE Estimate sinh(double x) {
    const double less_one = exponential_less_one(std::fabs(x));
    return estimate(std::copysign(0.5 * (less_one + less_one / (less_one + 1)), x));
}
LOCKSTEP_INLINE Estimate cosh(double x) {
    const double power = exponential(std::fabs(x));
    return estimate(0.5 * (power + 1 / power));
}
LOCKSTEP_INLINE Estimate tanh(double x) {
    const double less_one = exponential_less_one(2 * std::fabs(x));
    return estimate(std::copysign(less_one / (less_one + 2), x));
}

#undef LOCKSTEP_INLINE

}  // namespace lockstep::exec::estimates
