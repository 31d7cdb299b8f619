// What a tensor core computes: a row of a times a column of b, plus c. As recorded on an H200
// (docs/tensor-cores.md), for floats of up to 19 bits: products are exact; they and c are aligned to the
// largest exponent among them, cut off (towards zero) below a number of fraction bits, and added; the sum is
// cut off once more to f32, or rounded to f16. Integers are exact, f64 is a chain of fused multiply-adds.
#pragma once
#include <cstdint>

namespace lockstep::exec::tensor {

enum class Element : std::uint8_t { f16, bf16, tf32, f32, f64, e4m3, e5m2, s8, u8, s4, u4, b1, s32 };

constexpr int max_k = 128;       // elements along k …
constexpr int max_float_k = 64;  // … of floats, in one sum
constexpr int rows = 16;

int element_bits(Element type);

// Rows of a, or columns of b, along k. An element that is missing in a sparse matrix has no product at all.
struct Numbers {
    std::int32_t significand[max_float_k];  // with 10 fraction bits, and its sign
    std::int32_t exponent[max_float_k];     // far below all others' for zeros
    bool negative[max_float_k];
    bool special = false;  // an infinity or NaN is among them
    bool present[max_float_k];
};

void open_numbers(Numbers& numbers, const std::uint32_t* bits, const bool* present, int k, Element type);

// How a sum is made: mma.sync's own, and wgmma's, where 8-bit floats have 13 fraction bits only.
struct Rule {
    int fraction_bits = 25;
    bool half = false;  // c and d are f16
};

Rule warpgroup_rule(Element a, bool half);

// c + sum of a[i] * b[i], as bits of f32 or f16.
std::uint32_t fused_sum(const Numbers& a, const Numbers& b, int k, std::uint32_t c, Rule rule);

}  // namespace lockstep::exec::tensor
