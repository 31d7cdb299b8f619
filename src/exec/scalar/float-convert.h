// Conversions of one lane (cvt): between float formats, and between floats and integers, in every rounding
// mode.
#pragma once
#include <limits>

#include "exec/scalar/float-arithmetic.h"

namespace lockstep::exec::soft {

// The NaN of a conversion. To and from f64 the sign and the upper payload bits stay, quiet; bf16 to f32
// copies; every other conversion gives the canonical NaN.
template <class To, class From>
std::uint64_t converted_nan(std::uint64_t bits) {
    constexpr bool copies = To::width == 32 && From::width == 16 && From::exponent_bits == 8;
    if constexpr (copies) return bits << 16;
    if constexpr (To::width != 64 && From::width != 64) return To::canonical_nan;
    std::uint64_t sign = bits & From::sign_bit ? To::sign_bit : 0, payload = bits & From::mantissa_mask;
    constexpr int shift = To::mantissa_bits - From::mantissa_bits;
    if constexpr (shift >= 0)
        payload <<= shift;
    else
        payload >>= -shift;
    return sign | To::infinity | std::uint64_t{1} << (To::mantissa_bits - 1) | payload;
}

// Float to float. `satfinite` keeps results finite (overflow and infinity become the largest number); `ftz`
// flushes subnormal results.
template <class To, class From, Round mode = Round::rn, bool satfinite = false, bool ftz = false>
Carrier<To> convert(Carrier<From> a) {
    Unpacked v = open<From>(a);
    if (v.kind == Kind::nan) return from_bits<To>(converted_nan<To, From>(to_bits<From>(a)));
    if (ftz && flushes<To>(v, mode)) return from_bits<To>(v.negative ? To::sign_bit : 0);
    return from_bits<To>(pack<To>(v, mode, satfinite));
}

// f32 rounded to tf32: the upper 19 bits of an f32, the rest zero. .rna is done on the bits as on an integer,
// which shows in its NaNs.
template <Round mode, bool satfinite = false>
float convert_tf32(float a) {
    constexpr std::uint32_t kept = 0xffffe000, last = 0x2000;
    Unpacked v = open<F32>(a);
    auto bits = static_cast<std::uint32_t>(to_bits<F32>(a));
    if (v.kind == Kind::nan) {
        if (mode != Round::rna) return from_bits<F32>(F32::canonical_nan & kept);
        return from_bits<F32>((satfinite ? bits - last : bits + last / 2) & kept);
    }
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

}  // namespace lockstep::exec::soft
