#include "ptx/literals.h"

#include <bit>
#include <charconv>

namespace lockstep::ptx {
namespace {

int digit_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
    return 99;
}

Error bad(std::string_view text, std::string_view why) {
    constexpr std::size_t longest = 40;  // a message stays a line, whatever the input
    std::string shown(text.substr(0, longest));
    if (text.size() > longest) shown += "…";
    return Error{"'" + shown + "' " + std::string(why), {}};
}

Result<Number> float_bits(std::string_view text, std::size_t digits, Number::Kind kind) {
    std::string_view hex = text.substr(2);
    Number number{kind, false, 0};
    bool fits = hex.size() == digits;
    for (char c : hex) {
        if (digit_value(c) > 15) fits = false;
        if (fits) number.bits = number.bits << 4 | static_cast<unsigned>(digit_value(c));
    }
    if (!fits)
        return bad(text, digits == 8 ? "is no f32 literal: expected 8 hexadecimal digits after 0f"
                                     : "is no f64 literal: expected 16 hexadecimal digits after 0d");
    return number;
}

Result<Number> decimal(std::string_view text) {
    double value = 0;
    auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem == std::errc::result_out_of_range) return bad(text, "is out of range for f64");
    if (problem != std::errc{} || end != text.data() + text.size()) return bad(text, "is no number");
    return Number{Number::Kind::decimal, false, std::bit_cast<std::uint64_t>(value)};
}

}  // namespace

Result<Number> parse_number(std::string_view text) {
    bool prefixed = text.size() > 1 && text[0] == '0';
    char second = prefixed ? static_cast<char>(text[1] | 0x20) : '\0';
    if (second == 'f') return float_bits(text, 8, Number::Kind::f32_bits);
    if (second == 'd') return float_bits(text, 16, Number::Kind::f64_bits);
    if (second != 'x' && text.find_first_of(".eE") != text.npos) return decimal(text);

    unsigned base = 10;
    std::string_view digits = text;
    if (second == 'x' || second == 'b') {
        base = second == 'x' ? 16 : 2;
        digits.remove_prefix(2);
    } else if (prefixed) {
        base = 8;
    }
    Number number;
    if (digits.ends_with('U') || digits.ends_with('u')) {
        number.is_unsigned = true;
        digits.remove_suffix(1);
    }
    if (digits.empty()) return bad(text, "is no number: expected digits");
    for (char c : digits) {
        unsigned value = static_cast<unsigned>(digit_value(c));
        if (value >= base) return bad(text, "is no number");
        if (number.bits > (~0ull - value) / base) return bad(text, "does not fit in 64 bits");
        number.bits = number.bits * base + value;
    }
    if (number.bits >> 63 != 0) number.is_unsigned = true;
    return number;
}

}  // namespace lockstep::ptx
