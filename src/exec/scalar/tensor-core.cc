#include "exec/scalar/tensor-core.h"

#include <algorithm>
#include <bit>

#include "base/cpu-clones.h"

namespace lockstep::exec::tensor {
namespace {

constexpr int zero_exponent = -4096;                // of zeros: products of them are below all others
constexpr int absent_exponent = 2 * zero_exponent;  // also with an infinity

struct Layout {
    int exponent_bits, fraction_bits;
};

constexpr Layout layout_of(Element type) {
    switch (type) {
        case Element::f16: return {5, 10};
        case Element::bf16: return {8, 7};
        case Element::tf32: return {8, 10};
        case Element::e4m3: return {4, 3};
        case Element::e5m2: return {5, 2};
        default: return {8, 23};
    }
}

struct Number {
    bool negative = false, nan = false, infinite = false;
    std::uint32_t significand = 0;  // with the format's fraction bits; 0: zero
    int exponent = zero_exponent;
};

Number open(std::uint32_t bits, Element type) {
    if (type == Element::tf32) bits >>= 13;  // the upper bits of an f32
    const auto [exponent_bits, fraction_bits] = layout_of(type);
    const int top = (1 << exponent_bits) - 1, bias = top >> 1;
    const int field = static_cast<int>(bits >> fraction_bits) & top;
    const std::uint32_t fraction = bits & ((1u << fraction_bits) - 1);
    Number number;
    number.negative = bits >> (exponent_bits + fraction_bits) & 1;
    if (type == Element::e4m3) {  // has no infinities, and one NaN
        number.nan = field == top && fraction == 7;
        if (number.nan) return number;
    } else if (field == top) {
        (fraction ? number.nan : number.infinite) = true;
        return number;
    }
    if (field == 0 && fraction == 0) return number;
    number.significand = field == 0 ? fraction : fraction | 1u << fraction_bits;
    number.exponent = std::max(field, 1) - bias;
    return number;
}

// magnitude * 2^unit, cut off.
std::uint32_t to_f32(std::uint64_t magnitude, int unit) {
    if (magnitude == 0) return 0;
    const int exponent = 63 - std::countl_zero(magnitude) + unit;
    if (exponent > 127) return 0x7f800000;
    const int shift = std::max(exponent - 23, -149) - unit;  // out of the result
    const auto significand = static_cast<std::uint32_t>(shift > 63  ? 0
                                                        : shift > 0 ? magnitude >> shift
                                                                    : magnitude << -shift);
    if (exponent < -126) return significand;
    return static_cast<std::uint32_t>(exponent + 127) << 23 | (significand & 0x7fffff);
}

// magnitude * 2^unit, rounded to the nearest, ties to even.
std::uint32_t to_f16(bool negative, std::uint64_t magnitude, int unit) {
    if (magnitude == 0) return 0;
    const int exponent = 63 - std::countl_zero(magnitude) + unit;
    const int shift = std::max(exponent - 10, -24) - unit;
    std::uint64_t significand = 0;
    if (shift > 63) {
        significand = 0;
    } else if (shift > 0) {
        significand = magnitude >> shift;
        const std::uint64_t rest = magnitude & ((std::uint64_t{1} << shift) - 1),
                            half = std::uint64_t{1} << (shift - 1);
        if (rest > half || (rest == half && (significand & 1))) ++significand;
    } else {
        significand = magnitude << -shift;
    }
    if (significand == 0) return 0;
    std::uint64_t result = significand;
    if (exponent >= -14) result += static_cast<std::uint64_t>(exponent + 14) << 10;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(result, 0x7c00)) | (negative ? 0x8000u : 0);
}

constexpr std::uint32_t nan_f32 = 0x7fffffff, nan_f16 = 0x7fff;

// With an infinity or NaN among them.
std::uint32_t special_sum(const Numbers& a, const Numbers& b, int k, const Number& c, bool half) {
    bool nan = c.nan, up = c.infinite && !c.negative, down = c.infinite && c.negative;
    auto infinite_at = [](const Numbers& x, int i) {
        return x.exponent[i] == -zero_exponent && !x.significand[i];
    };
    auto nan_at = [](const Numbers& x, int i) { return x.exponent[i] == -zero_exponent && x.significand[i]; };
    for (int i = 0; i < k; ++i) {
        if (!a.present[i] || !b.present[i]) continue;
        if (nan_at(a, i) || nan_at(b, i)) {
            nan = true;
        } else if (infinite_at(a, i) || infinite_at(b, i)) {
            nan |= a.exponent[i] == zero_exponent || b.exponent[i] == zero_exponent;
            (a.negative[i] != b.negative[i] ? down : up) = true;
        }
    }
    if (nan || (up && down)) return half ? nan_f16 : nan_f32;
    if (half) return up ? 0x7c00 : 0xfc00;
    return up ? 0x7f800000 : 0xff800000;
}

// Without infinities and NaNs; false where there is one.
LOCKSTEP_CPU_CLONES
bool open_plain(Numbers& numbers, const std::uint32_t* bits, int k, Element type) {
    const auto [exponent_bits, fraction_bits] = layout_of(type);
    const int down = type == Element::tf32 ? 13 : 0, raise = 10 - fraction_bits;
    const int top = (1 << exponent_bits) - 1, bias = top >> 1;
    int largest = 0;
    for (int i = 0; i < k; ++i) {
        const std::uint32_t value = bits[i] >> down;
        const auto field = static_cast<int>(value >> fraction_bits & static_cast<std::uint32_t>(top));
        const auto fraction = static_cast<std::int32_t>(value & ((1u << fraction_bits) - 1));
        const std::int32_t significand = (field ? fraction | 1 << fraction_bits : fraction) << raise;
        const bool negative = value >> (exponent_bits + fraction_bits) & 1;
        numbers.negative[i] = negative;
        numbers.significand[i] = negative ? -significand : significand;
        numbers.exponent[i] = significand ? (field ? field : 1) - bias : zero_exponent;
        numbers.present[i] = true;
        largest = std::max(largest, field);
    }
    return largest < top;
}

struct Sum {
    std::int64_t value = 0;
    int exponent = zero_exponent;  // the largest
};

// A product has 22 bits, 20 of them fraction: up to 16 of them, or 32 with fewer fraction bits, fit in 32
// bits. (Of a sparse row, half of k are there.)
template <int k>
inline __attribute__((always_inline)) Sum align_and_add(const Numbers& a, const Numbers& b,
                                                        std::int32_t largest, int fraction_bits) {
    for (int i = 0; i < k; ++i) largest = std::max(largest, a.exponent[i] + b.exponent[i]);
    const int raise = std::max(fraction_bits - 20, 0), lower = std::max(20 - fraction_bits, 0);
    std::int32_t sum = 0;
    for (int i = 0; i < k; ++i) {
        const std::int32_t product = a.significand[i] * b.significand[i];
        const auto magnitude = static_cast<std::uint32_t>(product < 0 ? -product : product);
        const int distance = std::min(largest - a.exponent[i] - b.exponent[i] + lower, 31);
        const auto aligned = static_cast<std::int32_t>((magnitude << raise) >> distance);
        sum += product < 0 ? -aligned : aligned;
    }
    return {sum, largest};
}

LOCKSTEP_CPU_CLONES
Sum align_and_add(const Numbers& a, const Numbers& b, int k, const Number& c, int fraction_bits) {
    switch (k) {
        case 4: return align_and_add<4>(a, b, c.exponent, fraction_bits);
        case 8: return align_and_add<8>(a, b, c.exponent, fraction_bits);
        case 16: return align_and_add<16>(a, b, c.exponent, fraction_bits);
        case 32: return align_and_add<32>(a, b, c.exponent, fraction_bits);
        default: return align_and_add<64>(a, b, c.exponent, fraction_bits);
    }
}

}  // namespace

int element_bits(Element type) {
    switch (type) {
        case Element::f64: return 64;
        case Element::tf32:
        case Element::f32:
        case Element::s32: return 32;
        case Element::f16:
        case Element::bf16: return 16;
        case Element::s4:
        case Element::u4: return 4;
        case Element::b1: return 1;
        default: return 8;
    }
}

void open_numbers(Numbers& numbers, const std::uint32_t* bits, const bool* present, int k, Element type) {
    const int raise = 10 - layout_of(type).fraction_bits;
    numbers.special = false;
    if (!present && type != Element::e4m3 && open_plain(numbers, bits, k, type)) return;
    for (int i = 0; i < k; ++i) {
        const Number number = open(bits[i], type);
        numbers.present[i] = !present || present[i];
        numbers.negative[i] = number.negative;
        const bool special = (number.nan || number.infinite) && numbers.present[i];
        numbers.special |= special;
        const auto significand = static_cast<std::int32_t>(number.significand << raise);
        numbers.significand[i] = special ? number.nan : number.negative ? -significand : significand;
        numbers.exponent[i] = special ? -zero_exponent : number.exponent;
        if (!numbers.present[i]) numbers.significand[i] = 0, numbers.exponent[i] = absent_exponent;
    }
}

Rule warpgroup_rule(Element a, bool half) {
    const bool small = a == Element::e4m3 || a == Element::e5m2;
    return {.fraction_bits = small ? 13 : 25, .half = half};
}

std::uint32_t fused_sum(const Numbers& a, const Numbers& b, int k, std::uint32_t c_bits, Rule rule) {
    const Element wide = rule.half ? Element::f16 : Element::f32;
    const Number c = open(c_bits, wide);
    if (a.special || b.special || c.nan || c.infinite) {
        // Infinities and NaNs in places where the other matrix has nothing do not count.
        bool special = c.nan || c.infinite;
        for (int i = 0; i < k && !special; ++i)
            special = a.present[i] && b.present[i] &&
                      (a.exponent[i] == -zero_exponent || b.exponent[i] == -zero_exponent);
        if (special) return special_sum(a, b, k, c, rule.half);
    }
    Sum sum = align_and_add(a, b, k, c, rule.fraction_bits);
    if (sum.exponent <= zero_exponent / 2) return 0;  // nothing but zeros
    if (c.significand) {
        const int raise = rule.fraction_bits - layout_of(wide).fraction_bits;
        const int distance = std::min(sum.exponent - c.exponent, 62);
        const std::uint64_t aligned = raise >= 0
                                          ? (std::uint64_t{c.significand} << raise) >> distance
                                          : std::uint64_t{c.significand} >> std::min(distance - raise, 62);
        sum.value += c.negative ? -static_cast<std::int64_t>(aligned) : static_cast<std::int64_t>(aligned);
    }
    const bool negative = sum.value < 0;
    const auto magnitude = static_cast<std::uint64_t>(negative ? -sum.value : sum.value);
    const int unit = sum.exponent - rule.fraction_bits;
    if (rule.half) return to_f16(negative, magnitude, unit);
    // A sum of fewer bits than f32 has is cut off where its addends were.
    const std::uint32_t kept = rule.fraction_bits < 23 ? ~0u << (23 - rule.fraction_bits) : ~0u;
    const std::uint32_t result = to_f32(magnitude, unit) & kept;
    return result && negative ? result | 0x80000000u : result;
}

}  // namespace lockstep::exec::tensor
