#include "golden/compare.h"

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace lockstep::golden {

namespace {

struct FloatLayout {
    int bits = 0, mantissa = 0, exponent = 0;
    int parts = 1;
};

FloatLayout float_layout(const std::string& type) {
    if (type == "f16") return {16, 10, 5, 1};
    if (type == "f16x2") return {16, 10, 5, 2};
    if (type == "bf16") return {16, 7, 8, 1};
    if (type == "bf16x2") return {16, 7, 8, 2};
    if (type == "f32" || type == "tf32") return {32, 23, 8, 1};
    if (type == "f64") return {64, 52, 11, 1};
    return {};
}

bool is_nan(std::uint64_t v, const FloatLayout& l) {
    return (v & mask_of(l.bits - 1)) > mask_of(l.exponent) << l.mantissa;
}

double decoded(std::uint64_t v, const FloatLayout& l) {
    std::uint64_t mantissa = v & mask_of(l.mantissa), field = v >> l.mantissa & mask_of(l.exponent);
    int bias = (1 << (l.exponent - 1)) - 1;
    double magnitude;
    if (field == mask_of(l.exponent))
        magnitude = mantissa ? NAN : INFINITY;
    else if (field == 0)
        magnitude = std::ldexp(static_cast<double>(mantissa), 1 - bias - l.mantissa);
    else
        magnitude = std::ldexp(static_cast<double>(mantissa | std::uint64_t{1} << l.mantissa),
                               static_cast<int>(field) - bias - l.mantissa);
    return v >> (l.bits - 1) & 1 ? -magnitude : magnitude;
}

// Position among all floats of the format, so that neighbours differ by one.
double ordinal(std::uint64_t v, const FloatLayout& l) {
    auto magnitude = static_cast<double>(v & mask_of(l.bits - 1));
    return v >> (l.bits - 1) & 1 ? -magnitude : magnitude;
}

bool part_agrees(std::uint64_t expected, std::uint64_t got, const FloatLayout& l, const Tolerance& t) {
    if (expected == got) return true;
    bool expected_nan = is_nan(expected, l), got_nan = is_nan(got, l);
    if (expected_nan || got_nan) return expected_nan && got_nan && (t.any_nan || !t.is_exact());
    if (t.is_exact()) return false;
    // f64 ordinals lose their low bits as doubles; the difference of near ones is then taken exactly.
    double distance = std::fabs(ordinal(expected, l) - ordinal(got, l));
    if (l.bits == 64 && (expected ^ got) >> 63 == 0)
        distance = static_cast<double>(expected > got ? expected - got : got - expected);
    double e = decoded(expected, l), g = decoded(got, l);
    double difference = std::fabs(e - g);
    return distance <= t.ulps || difference <= t.relative * std::fabs(e) || difference <= t.absolute;
}

bool counts(const Case& c, const Inputs& inputs, int element) {
    const Tolerance& t = c.tolerance;
    if (t.within == 0) return true;
    FloatLayout l = float_layout(c.operands[0]);
    double a = std::fabs(decoded(inputs.value(c, 0, element) & mask_of(l.bits), l));
    return !(a > t.within) || std::isinf(a);
}

std::uint64_t read(const std::uint8_t* from, int bytes) {
    std::uint64_t v = 0;
    std::memcpy(&v, from, static_cast<std::size_t>(bytes));
    return v;
}

std::string described(std::uint64_t v, const std::string& type) {
    char text[96];
    int digits = stored_bytes(type) * 2;
    FloatLayout l = float_layout(type);
    if (l.bits && l.parts == 1) {
        std::snprintf(text, sizeof text, "0x%0*llx (%.17g)", digits, static_cast<unsigned long long>(v),
                      decoded(v, l));
    } else if (l.bits) {
        std::snprintf(text, sizeof text, "0x%0*llx (%.6g, %.6g)", digits, static_cast<unsigned long long>(v),
                      decoded(v >> 16, l), decoded(v & 0xffff, l));
    } else {
        std::snprintf(text, sizeof text, "0x%0*llx", digits, static_cast<unsigned long long>(v));
    }
    return text;
}

}  // namespace

std::optional<std::string> first_difference(const Case& c, const Inputs& inputs,
                                            const std::vector<std::uint8_t>& expected,
                                            const std::uint8_t* got) {
    int bytes = c.result_bytes(), differences = 0, first = -1, compared = 0;
    FloatLayout l = float_layout(c.result);
    for (int i = 0; i < elements; ++i) {
        if (!counts(c, inputs, i)) continue;
        ++compared;
        std::uint64_t e = read(expected.data() + i * bytes, bytes), g = read(got + i * bytes, bytes);
        bool same = e == g;
        if (!same && l.bits) {
            same = true;
            for (int part = 0; part < l.parts; ++part) {
                int shift = part * l.bits;
                same &=
                    part_agrees(e >> shift & mask_of(l.bits), g >> shift & mask_of(l.bits), l, c.tolerance);
            }
        }
        if (!same && differences++ == 0) first = i;
    }
    if (differences == 0) return std::nullopt;
    std::string text = c.name + ": " + std::to_string(differences) + " of " + std::to_string(compared) +
                       " differ; first, element " + std::to_string(first) + ":";
    for (std::size_t k = 0; k < c.operands.size(); ++k)
        text += " " + std::string(1, "abce"[k]) + "=" + described(inputs.value(c, k, first), c.operands[k]);
    text += " expected " + described(read(expected.data() + first * bytes, bytes), c.result);
    text += " got " + described(read(got + first * bytes, bytes), c.result);
    return text;
}

}  // namespace lockstep::golden
