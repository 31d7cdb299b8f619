#include "kernel/slow-ways.h"

#include <bit>
#include <cmath>

namespace lockstep::kernel {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

constexpr std::uint32_t magnitude = 0x7fffffff;

// Of a quotient that is found anew, by the exponent that it has.
SlowPath found(double quotient, bool scaled) {
    int exponent = 0;
    if (std::abs(static_cast<float>(std::frexp(quotient, &exponent))) == 1) ++exponent;
    const int field = exponent + 126;  // as a float has it
    constexpr int least_denormal = -24;
    const int kind = field > 254 ? 1 : field > 0 ? 0 : field >= least_denormal ? 2 : 3;
    return static_cast<SlowPath>(static_cast<int>(scaled ? SlowPath::scaled : SlowPath::found) + kind);
}

bool is_usual(const QuotientRange& range, std::uint32_t dividend, std::uint32_t divisor) {
    const int difference = static_cast<int>(dividend) - static_cast<int>(divisor);
    return dividend >= range.least_dividend && dividend <= range.most_dividend &&
           divisor >= range.least_divisor && divisor <= range.most_divisor &&
           difference >= range.least_difference && difference <= range.most_difference;
}

SlowPath float_quotient(float a, float b) {
    const auto exponent = [](float x) { return std::bit_cast<std::uint32_t>(x) >> 23 & 0xff; };
    if (is_usual(usual_floats, exponent(a), exponent(b))) return SlowPath::usual;
    const auto is_normal = [&](float x) { return exponent(x) != 0 && exponent(x) != 0xff; };
    const auto quotient = [&] { return static_cast<double>(a) / static_cast<double>(b); };
    if (is_normal(a) && is_normal(b)) return found(quotient(), false);
    if (std::isnan(a) || std::isnan(b)) return SlowPath::nan;
    if (a == 0 && b == 0) return SlowPath::invalid;
    if (std::isinf(a) && std::isinf(b)) return SlowPath::infinities;
    if (a == 0 || std::isinf(b)) return SlowPath::zero;
    if (b == 0 || std::isinf(a)) return SlowPath::infinite;
    return found(quotient(), true);
}

std::uint32_t upper(double x) { return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(x) >> 32); }

SlowPath double_quotient(double a, double b) {
    const double quotient = a / b;
    const std::uint32_t dividend = upper(a) & magnitude, divisor = upper(b) & magnitude;
    const std::uint32_t result = upper(quotient) & magnitude;
    // The words are compared as if they were floats.
    constexpr std::uint32_t denormal = 0x00100000, infinity = 0x7f800000, least = 0x03600000;
    if (dividend >= least && divisor >= denormal && divisor < infinity && result > denormal &&
        result <= infinity)
        return SlowPath::usual;
    if (std::isnan(a)) return SlowPath::nan;
    if (std::isnan(b)) return SlowPath::nan_divisor;
    if (a == 0 && b == 0) return SlowPath::invalid;
    if (std::isinf(a) && std::isinf(b)) return SlowPath::infinities;
    if (a == 0 || std::isinf(b)) return SlowPath::zero;
    if (b == 0 || std::isinf(a)) return SlowPath::infinite;
    return result > denormal ? SlowPath::found : SlowPath::found_denormal;
}

SlowPath float_reciprocal(float x) {
    const std::uint32_t exponent = std::bit_cast<std::uint32_t>(x) >> 23 & 0xff;
    return exponent == 0 ? SlowPath::small : exponent == 0xff ? SlowPath::nan : SlowPath::large;
}

SlowPath float_root(float x) {
    if (x == 0) return SlowPath::zero;
    if (std::isnan(x)) return SlowPath::nan;
    if (x < 0) return SlowPath::negative;
    return std::isinf(x) ? SlowPath::infinite : SlowPath::small;
}

SlowPath double_reciprocal(double x) {
    constexpr std::uint32_t least_large = 0x01000001, infinity = 0x7ff00000;
    const std::uint32_t word = upper(x) & magnitude;
    if (std::isnan(x)) return SlowPath::nan;
    if (word == 0) return SlowPath::zero;
    if (word >= infinity) return SlowPath::infinite;
    return word >= least_large ? SlowPath::large : SlowPath::small;
}

SlowPath double_root(double x, bool reciprocal) {
    if (x == 0) return SlowPath::zero;
    if (reciprocal && std::isnan(x)) return SlowPath::nan;
    if (std::signbit(x)) return SlowPath::negative;
    if (std::isinf(x) || std::isnan(x)) return SlowPath::infinite;
    return std::fpclassify(x) == FP_SUBNORMAL ? SlowPath::denormal : SlowPath::small;
}

}  // namespace

SlowWay slow_way(const ptx::Instruction& inst) {
    const bool is_float = inst.type() == Type::f32, is_double = inst.type() == Type::f64;
    if (!is_float && !is_double) return SlowWay::none;
    if (inst.opcode == Opcode::rsqrt)
        return is_double && !inst.has(Modifier::ftz) ? SlowWay::rsqrt_f64 : SlowWay::none;
    if (!inst.has(Modifier::rn)) return SlowWay::none;
    switch (inst.opcode) {
        case Opcode::div: return is_float ? SlowWay::div_f32 : SlowWay::div_f64;
        case Opcode::rcp: return is_float ? SlowWay::rcp_f32 : SlowWay::rcp_f64;
        case Opcode::sqrt: return is_float ? SlowWay::sqrt_f32 : SlowWay::sqrt_f64;
        default: return SlowWay::none;
    }
}

UsualWords usual_words(SlowWay way) {
    switch (way) {
        case SlowWay::rcp_f32: return {0x00800000, 0x7e000000, true};
        case SlowWay::sqrt_f32: return {0x0d000000, 0x72800000, false};
        case SlowWay::rcp_f64: return {0x000ffbfe, 0x7fc00000, true};
        case SlowWay::sqrt_f64: return {0x03500000, 0x7ca00000, false};
        case SlowWay::rsqrt_f64: return {0x00100000, 0x7fe00000, false};
        case SlowWay::none:
        case SlowWay::div_f32:
        case SlowWay::div_f64: break;
    }
    return {0, 0, false};
}

SlowPath slow_path(SlowWay way, std::uint64_t a, std::uint64_t b) {
    const auto single = [](std::uint64_t bits) {
        return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    };
    const auto twice = [](std::uint64_t bits) { return std::bit_cast<double>(bits); };
    if (way == SlowWay::none) return SlowPath::usual;
    if (way == SlowWay::div_f32) return float_quotient(single(a), single(b));
    if (way == SlowWay::div_f64) return double_quotient(twice(a), twice(b));
    const UsualWords usual = usual_words(way);
    auto word = static_cast<std::uint32_t>(way >= SlowWay::div_f64 ? a >> 32 : a);
    if (usual.of_magnitude) word &= magnitude;
    if (word - usual.first < usual.size) return SlowPath::usual;
    if (way == SlowWay::rcp_f32) return float_reciprocal(single(a));
    if (way == SlowWay::sqrt_f32) return float_root(single(a));
    if (way == SlowWay::rcp_f64) return double_reciprocal(twice(a));
    return double_root(twice(a), way == SlowWay::rsqrt_f64);
}

}  // namespace lockstep::kernel
