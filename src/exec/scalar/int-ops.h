// Integer operations of one lane that have no simple vector form: byte permutation, bit fields, dot products,
// the video instructions, and SIMD within a word.
#pragma once
#include <cstdint>
#include <string_view>

#include "exec/scalar/scalar-function.h"

namespace lockstep::exec {

enum class PrmtMode : std::uint8_t { generic, f4e, b4e, rc8, ecl, ecr, rc16 };

std::uint32_t prmt(std::uint32_t a, std::uint32_t b, std::uint32_t selector,
                   PrmtMode mode = PrmtMode::generic);

// bfe: `start` and `length` are read as bytes where `width` is 32; a field that reaches beyond the top is
// filled with zero or the sign.
std::uint64_t bfe(std::uint64_t a, std::uint32_t start, std::uint32_t length, int width, bool is_signed);
std::uint64_t bfi(std::uint64_t a, std::uint64_t b, std::uint32_t start, std::uint32_t length, int width);

// Position of the |offset|-th set bit from `base` upwards (offset > 0) or downwards (< 0); 0xffffffff if
// none.
std::uint32_t fns(std::uint32_t mask, std::uint32_t base, std::int32_t offset);

std::uint32_t dp4a(std::uint32_t a, std::uint32_t b, std::uint32_t c, bool a_signed, bool b_signed);
std::uint32_t dp2a(std::uint32_t a, std::uint32_t b, std::uint32_t c, bool a_signed, bool b_signed,
                   bool high);

// By PTX's name: prmt{.f4e|.b4e|.rc8|.ecl|.ecr|.rc16}.b32, bfe.u32|s32|u64|s64, bfi.b32|b64, fns.b32,
// dp4a.T.T, dp2a.lo|hi.T.T, sad.T (u16 … s64), mul24.lo|hi.u32|s32.
const ScalarFunction* find_int_op(std::string_view name);

}  // namespace lockstep::exec
