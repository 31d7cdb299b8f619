// Conversions of one lane (cvt): between float formats, and between floats and integers, in every rounding
// mode.
#pragma once
#include <limits>

#include "exec/scalar/float-arithmetic.h"

namespace lockstep::exec::soft {

// Float to float. `satfinite` keeps results finite (overflow and infinity become the largest number).
template <class To, class From, Round mode = Round::rn, bool satfinite = false>
Carrier<To> convert(Carrier<From> a) {
    Unpacked v = open<From>(a);
    if (v.kind == Kind::nan) {
        // f32 to f64 and back keeps the sign and the upper payload bits.
        if constexpr (To::width == 64 && From::width == 32)
            return from_bits<To>((to_bits<From>(a) & From::sign_bit) << 32 | 0x7ff8000000000000 |
                                 (to_bits<From>(a) & From::mantissa_mask) << 29);
        return from_bits<To>(To::width == 64 ? 0x7fffffffe0000000 : To::canonical_nan);
    }
    return from_bits<To>(pack<To>(v, mode, satfinite));
}

// f32 rounded to tf32: the upper 19 bits of an f32, the rest zero.
template <Round mode, bool satfinite = false>
float convert_tf32(float a) {
    Unpacked v = open<F32>(a);
    if (v.kind == Kind::nan) return from_bits<F32>(F32::canonical_nan);
    return from_bits<F32>(pack<Tf32>(v, mode, satfinite) << 13);
}

struct RoundedInteger {
    bool negative = false;
    bool overflow = false;  // magnitude over 64 bits
    std::uint64_t magnitude = 0;
};

inline RoundedInteger round_to_integer(const Unpacked& v, Round mode) {
    if (v.kind == Kind::zero) return {v.negative, false, 0};
    if (v.kind == Kind::infinity || v.exponent >= 64) return {v.negative, true, 0};
    int drop = top_bit - v.exponent;
    Wide kept = 0, rest = 1, half = 2;  // far below one half
    if (drop <= 127) {
        kept = v.significand >> drop;
        rest = v.significand - (kept << drop);
        half = Wide{1} << (drop - 1);
    }
    if (rounds_up(mode, v.negative, static_cast<bool>(kept & 1), rest, half)) ++kept;
    return {v.negative, (kept >> 64) != 0, static_cast<std::uint64_t>(kept)};
}

// Float to integer, clamped to the integer's range. NaN gives 0, but the middle of the range (only the top
// bit set) where either side has 64 bits.
template <class Int, class From, Round mode>
auto to_integer(Carrier<From> a) {
    using Limits = std::numeric_limits<Int>;
    // Narrow results come extended to 32 bits by their own signedness, as in a register.
    using Result = std::conditional_t<sizeof(Int) == 8, Int,
                                      std::conditional_t<std::is_signed_v<Int>, std::int32_t, std::uint32_t>>;
    Unpacked v = open<From>(a);
    if (v.kind == Kind::nan) {
        bool wide = From::width == 64 || sizeof(Int) == 8;
        constexpr int bits = sizeof(Int) * 8;
        return static_cast<Result>(wide ? static_cast<Int>(std::uint64_t{1} << (bits - 1)) : Int{0});
    }
    RoundedInteger r = round_to_integer(v, mode);
    if (r.negative) {
        auto lowest = static_cast<std::uint64_t>(0) -
                      static_cast<std::uint64_t>(static_cast<std::int64_t>(Limits::min()));
        if (!std::is_signed_v<Int>) return static_cast<Result>(0);
        if (r.overflow || r.magnitude > lowest) return static_cast<Result>(Limits::min());
        return static_cast<Result>(0 - r.magnitude);
    }
    if (r.overflow || r.magnitude > static_cast<std::uint64_t>(Limits::max()))
        return static_cast<Result>(Limits::max());
    return static_cast<Result>(r.magnitude);
}

// Integer to float.
template <class To, class Int, Round mode>
Carrier<To> from_integer(Int a) {
    bool negative = std::is_signed_v<Int> && a < 0;
    std::uint64_t magnitude = static_cast<std::uint64_t>(a);
    if (negative) magnitude = 0 - magnitude;
    return from_bits<To>(pack<To>(normalized(negative, top_bit, magnitude), mode));
}

// cvt.rni.f32.f32 and its kin: rounds to an integral value of the same format; the sign of zero stays.
template <class F, Round mode>
Carrier<F> integral(Carrier<F> a) {
    Unpacked v = open<F>(a);
    if (v.kind == Kind::nan) return from_bits<F>(nan_of<F>(to_bits<F>(a)));
    if (v.kind != Kind::finite || v.exponent >= F::mantissa_bits) return a;
    RoundedInteger r = round_to_integer(v, mode);
    return from_bits<F>(pack<F>(normalized(r.negative, top_bit, r.magnitude), Round::rz));
}

}  // namespace lockstep::exec::soft
