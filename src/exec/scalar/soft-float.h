// Binary floating point in integer arithmetic, for any format of at most 64 bits and every rounding mode.
// Compiled kernels use the host's instructions where those give the same bits (round to nearest in f32 and
// f64); this is the rest. Changing the host's rounding mode instead would be faster for one operation, but
// leaks into everything that the compiler moves across the change.
#pragma once
#include <bit>
#include <cstdint>
#include <utility>

namespace lockstep::exec::soft {

__extension__ typedef unsigned __int128 Wide;

enum class Round : std::uint8_t {
    rn,   // nearest, ties to even
    rz,   // towards zero
    rm,   // towards minus infinity
    rp,   // towards plus infinity
    rna,  // nearest, ties away from zero
};

// How a format spends its codes: `ieee` has infinities and NaNs in the top exponent; `finite` (e4m3) has only
// one NaN a sign, all mantissa bits set, and no infinity.
enum class Specials : std::uint8_t { ieee, finite };

template <int ExponentBits, int MantissaBits, Specials specials = Specials::ieee>
struct Format {
    static constexpr int exponent_bits = ExponentBits;
    static constexpr int mantissa_bits = MantissaBits;
    static constexpr bool finite_only = specials == Specials::finite;
    static constexpr int width = 1 + ExponentBits + MantissaBits;
    static constexpr int bias = (1 << (ExponentBits - 1)) - 1;
    static constexpr int max_field = (1 << ExponentBits) - 1;
    static constexpr int min_exponent = 1 - bias;
    static constexpr std::uint64_t mantissa_mask = (std::uint64_t{1} << MantissaBits) - 1;
    static constexpr std::uint64_t sign_bit = std::uint64_t{1} << (width - 1);
    static constexpr std::uint64_t infinity = std::uint64_t{max_field} << MantissaBits;  // not in e4m3
    static constexpr std::uint64_t max_finite = finite_only ? infinity + mantissa_mask - 1 : infinity - 1;
    // What NVIDIA's units return for any operation that has no number as its result. f64 is the exception:
    // see nan_of.
    static constexpr std::uint64_t canonical_nan = width == 64 ? 0xfff8000000000000 : sign_bit - 1;
};

using F16 = Format<5, 10>;
using Bf16 = Format<8, 7>;
using F32 = Format<8, 23>;
using F64 = Format<11, 52>;
using E4m3 = Format<4, 3, Specials::finite>;
using E5m2 = Format<5, 2>;
using Tf32 = Format<8, 10>;  // as a 19-bit value; stored in the upper bits of an f32

enum class Kind : std::uint8_t { zero, finite, infinity, nan };

// A finite value is significand × 2^(exponent − 126), with bit 126 of the significand set: one spare bit for
// carries and enough below for an exact product of two f64.
struct Unpacked {
    Kind kind = Kind::zero;
    bool negative = false;
    int exponent = 0;
    Wide significand = 0;
};

inline constexpr int top_bit = 126;

inline int leading_zeros(Wide v) {
    auto high = static_cast<std::uint64_t>(v >> 64);
    return high ? std::countl_zero(high) : 64 + std::countl_zero(static_cast<std::uint64_t>(v));
}

// Shifts right and keeps "something was lost" in the lowest bit.
inline Wide shift_right_sticky(Wide v, int by) {
    if (by <= 0) return v;
    if (by > 127) return v != 0;
    return (v >> by) | static_cast<Wide>((v << (128 - by)) != 0);
}

// Brings the top bit to its place; the value is significand × 2^(exponent − 126) before and after.
inline Unpacked normalized(bool negative, int exponent, Wide significand) {
    if (significand == 0) return {Kind::zero, negative, 0, 0};
    int shift = leading_zeros(significand) - 1;
    if (shift >= 0) return {Kind::finite, negative, exponent - shift, significand << shift};
    return {Kind::finite, negative, exponent + 1, shift_right_sticky(significand, 1)};
}

template <class F>
Unpacked unpack(std::uint64_t bits) {
    bool negative = (bits & F::sign_bit) != 0;
    std::uint64_t mantissa = bits & F::mantissa_mask;
    int field = static_cast<int>((bits >> F::mantissa_bits) & F::max_field);
    if constexpr (F::finite_only) {
        if (field == F::max_field && mantissa == F::mantissa_mask) return {Kind::nan, negative, 0, 0};
    } else {
        if (field == F::max_field) return {mantissa ? Kind::nan : Kind::infinity, negative, 0, 0};
    }
    if (field != 0) mantissa |= std::uint64_t{1} << F::mantissa_bits;
    int exponent = field ? field - F::bias : F::min_exponent;
    return normalized(negative, exponent + top_bit - F::mantissa_bits, mantissa);
}

inline bool rounds_up(Round mode, bool negative, bool odd, Wide rest, Wide half) {
    switch (mode) {
        case Round::rn: return rest > half || (rest == half && odd);
        case Round::rna: return rest >= half;
        case Round::rz: return false;
        case Round::rm: return negative && rest != 0;
        case Round::rp: return !negative && rest != 0;
    }
    return false;
}

template <class F>
std::uint64_t pack(const Unpacked& v, Round mode, bool saturate_finite = false) {
    std::uint64_t sign = v.negative ? F::sign_bit : 0;
    bool saturate = saturate_finite || F::finite_only;
    switch (v.kind) {
        case Kind::zero: return sign;
        case Kind::nan: return F::canonical_nan;
        case Kind::infinity: return sign | (saturate ? F::max_finite : F::infinity);
        case Kind::finite: break;
    }
    int drop = top_bit - F::mantissa_bits;  // bits below the last one kept
    int exponent = v.exponent;
    if (exponent < F::min_exponent) {
        drop += F::min_exponent - exponent;
        exponent = F::min_exponent;
    }
    Wide kept, rest, half;
    if (drop > 127) {  // less than half of the smallest subnormal
        kept = 0, rest = 1, half = 2;
    } else {
        kept = v.significand >> drop;
        rest = v.significand - (kept << drop);
        half = Wide{1} << (drop - 1);
    }
    auto mantissa = static_cast<std::uint64_t>(kept);
    if (rounds_up(mode, v.negative, mantissa & 1, rest, half)) ++mantissa;
    // The hidden bit, where there is one, adds 1 to the exponent field; a carry out of the mantissa likewise.
    std::uint64_t magnitude =
        (static_cast<std::uint64_t>(exponent - F::min_exponent) << F::mantissa_bits) + mantissa;
    if (magnitude > F::max_finite) {
        bool to_max = saturate || mode == Round::rz || (mode == Round::rm && !v.negative) ||
                      (mode == Round::rp && v.negative);
        magnitude = to_max ? F::max_finite : F::infinity;
    }
    return sign | magnitude;
}

// Does .ftz make this result zero? It does where the result, rounded as though exponents had no end, is below
// the smallest normal number: one that becomes that number only by the coarser rounding of subnormals is
// flushed too.
template <class F>
bool flushes(const Unpacked& v, Round mode) {
    if (v.kind != Kind::finite || v.exponent >= F::min_exponent) return false;
    if (v.exponent < F::min_exponent - 1) return true;
    constexpr int drop = top_bit - F::mantissa_bits;
    Wide kept = v.significand >> drop, rest = v.significand - (kept << drop);
    bool up = rounds_up(mode, v.negative, static_cast<bool>(kept & 1), rest, Wide{1} << (drop - 1));
    return !(up && kept + 1 == Wide{1} << (F::mantissa_bits + 1));
}

inline Unpacked negated(Unpacked v) {
    v.negative = !v.negative;
    return v;
}

// Sum of finite, non-zero values, exact but for a sticky last bit.
inline Unpacked sum_finite(Unpacked a, Unpacked b, Round mode) {
    if (a.exponent < b.exponent || (a.exponent == b.exponent && a.significand < b.significand))
        std::swap(a, b);
    // One place down, so that a carry fits; products leave the low bits empty, so nothing is lost here.
    Wide high = a.significand >> 1 | (a.significand & 1);
    Wide low = shift_right_sticky(b.significand, a.exponent - b.exponent + 1);
    if (a.negative == b.negative) return normalized(a.negative, a.exponent + 1, high + low);
    Unpacked difference = normalized(a.negative, a.exponent + 1, high - low);
    if (difference.kind == Kind::zero) difference.negative = mode == Round::rm;
    return difference;
}

inline Unpacked sum(const Unpacked& a, const Unpacked& b, Round mode) {
    if (a.kind == Kind::nan || b.kind == Kind::nan) return {Kind::nan, false, 0, 0};
    if (a.kind == Kind::infinity || b.kind == Kind::infinity) {
        if (a.kind == b.kind && a.negative != b.negative) return {Kind::nan, false, 0, 0};
        return a.kind == Kind::infinity ? a : b;
    }
    if (a.kind == Kind::zero && b.kind == Kind::zero)
        return {Kind::zero, a.negative == b.negative ? a.negative : mode == Round::rm, 0, 0};
    if (a.kind == Kind::zero) return b;
    if (b.kind == Kind::zero) return a;
    return sum_finite(a, b, mode);
}

// Exact where both significands have at most 53 bits.
inline Unpacked product(const Unpacked& a, const Unpacked& b) {
    bool negative = a.negative != b.negative;
    if (a.kind == Kind::nan || b.kind == Kind::nan) return {Kind::nan, false, 0, 0};
    if (a.kind == Kind::infinity || b.kind == Kind::infinity) {
        bool zero = a.kind == Kind::zero || b.kind == Kind::zero;
        return {zero ? Kind::nan : Kind::infinity, negative, 0, 0};
    }
    if (a.kind == Kind::zero || b.kind == Kind::zero) return {Kind::zero, negative, 0, 0};
    auto high_a = static_cast<std::uint64_t>(a.significand >> 63);
    auto high_b = static_cast<std::uint64_t>(b.significand >> 63);
    return normalized(negative, a.exponent + b.exponent, static_cast<Wide>(high_a) * high_b);
}

inline Unpacked quotient(const Unpacked& a, const Unpacked& b) {
    bool negative = a.negative != b.negative;
    if (a.kind == Kind::nan || b.kind == Kind::nan) return {Kind::nan, false, 0, 0};
    if (a.kind == Kind::infinity)
        return {b.kind == Kind::infinity ? Kind::nan : Kind::infinity, negative, 0, 0};
    if (b.kind == Kind::infinity) return {Kind::zero, negative, 0, 0};
    if (b.kind == Kind::zero) return {a.kind == Kind::zero ? Kind::nan : Kind::infinity, negative, 0, 0};
    if (a.kind == Kind::zero) return {Kind::zero, negative, 0, 0};
    Wide divisor = b.significand >> 63;     // 64 bits, exact
    Wide result = a.significand / divisor;  // 63 or 64 bits
    bool inexact = result * divisor != a.significand;
    return normalized(negative, a.exponent - b.exponent, (result << 63) | static_cast<Wide>(inexact));
}

inline Unpacked square_root(const Unpacked& a) {
    if (a.kind == Kind::nan || a.kind == Kind::zero) return a;
    if (a.negative) return {Kind::nan, false, 0, 0};
    if (a.kind == Kind::infinity) return a;
    // An even exponent; then the root of a 127- or 126-bit significand has 63 or 64 bits.
    int exponent = a.exponent;
    Wide radicand = a.significand;
    if (exponent & 1) radicand <<= 1, exponent -= 1;
    std::uint64_t root = 0;
    for (int bit = 63; bit >= 0; --bit) {
        std::uint64_t candidate = root | std::uint64_t{1} << bit;
        if (static_cast<Wide>(candidate) * candidate <= radicand) root = candidate;
    }
    bool inexact = static_cast<Wide>(root) * root != radicand;
    return normalized(false, exponent / 2, (static_cast<Wide>(root) << 63) | static_cast<Wide>(inexact));
}

}  // namespace lockstep::exec::soft
