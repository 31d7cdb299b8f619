// Numbers as PTX writes them: 12 0x1F 017 0b101 12U, 0f3F800000, 0d3FF0000000000000, 1.5e3.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace lockstep::ptx {

struct Number {
    enum class Kind : std::uint8_t {
        integer,   // bits; is_unsigned: over INT64_MAX, or with a U
        f32_bits,  // 0f…
        f64_bits,  // 0d…
        decimal,   // 1.5: bits hold the f64
    } kind = Kind::integer;
    bool is_unsigned = false;
    std::uint64_t bits = 0;
};

Result<Number> parse_number(std::string_view text);  // the error has no place

}  // namespace lockstep::ptx
