// Divisions and roots in code that is good for most operands: it asks first, and where a lane has others,
// such as zero, what is denormal or huge, the warp calls a routine that is good for all.
#pragma once
#include <cstdint>

#include "ptx/ast.h"

namespace lockstep::kernel {

enum class SlowWay : std::uint8_t {
    none,
    div_f32,
    rcp_f32,
    sqrt_f32,
    div_f64,
    rcp_f64,
    sqrt_f64,
    rsqrt_f64,
};

// Of what the correctly rounded instructions, and rsqrt of doubles, are compiled to; none: of all others.
SlowWay slow_way(const ptx::Instruction& instruction);

// How a lane goes through the routine. Which of these there are depends on it.
enum class SlowPath : std::uint8_t {
    usual,        // not at all
    nan,          // an operand is no number; of a quotient of doubles the first
    nan_divisor,  // of doubles, the second
    invalid,      // 0 / 0
    infinities,   // inf / inf
    zero,         // an operand that is, or a quotient: 0 / b, a / inf
    infinite,     // the same: a / 0, inf / b
    negative,
    denormal,
    small,
    large,
    found,           // a quotient, anew, that is a normal number …
    found_large,     // … or overflows …
    found_denormal,  // … or is denormal …
    found_nothing,   // … or less than that
    scaled,          // the same, of a denormal operand that is made larger before
    scaled_large,
    scaled_denormal,
    scaled_nothing,
};
constexpr std::uint32_t slow_paths = 19;

// `a` and `b`: the operands' bits; b is only a division's. The checks are those in the code of ptxas 13.0
// for 9.0.
SlowPath slow_path(SlowWay way, std::uint64_t a, std::uint64_t b);

// Operands that may need the slow way of a quotient, by the exponents' fields: those in between never do.
// FCHK, which checks floats, is not documented: its limits are those of an H200, timed for each pair of exponents.
struct QuotientRange {
    std::uint32_t least_dividend, most_dividend;
    std::uint32_t least_divisor, most_divisor;
    std::int32_t least_difference, most_difference;  // of the dividend's and the divisor's
};
constexpr QuotientRange usual_floats{25, 254, 2, 251, -124, 126};
constexpr QuotientRange usual_doubles{0x36, 0x7fe, 1, 0x7f7, -1020, 1015};

// By the word with the exponent, the one of a divisor or under a root, less `first`: `size` words from there
// on have the usual way.
struct UsualWords {
    std::uint32_t first, size;
    bool of_magnitude;  // without its sign
};
UsualWords usual_words(SlowWay way);

}  // namespace lockstep::kernel
