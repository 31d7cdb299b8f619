// The registers' float types as C++ values: how each format is carried, and its NaN rule.
#pragma once
#include <bit>
#include <cstdint>
#include <type_traits>

#include "exec/scalar/scalar-function.h"
#include "exec/scalar/soft-float.h"

namespace lockstep::exec::soft {

// f32 and f64 travel as float and double, everything narrower as Bits16.
template <class F>
using Carrier = std::conditional_t<F::width == 64, double, std::conditional_t<F::width == 32, float, Bits16>>;

template <class F>
std::uint64_t to_bits(Carrier<F> v) {
    if constexpr (F::width == 64)
        return std::bit_cast<std::uint64_t>(v);
    else if constexpr (F::width == 32)
        return std::bit_cast<std::uint32_t>(v);
    else
        return static_cast<std::uint32_t>(v) & ((F::sign_bit << 1) - 1);
}

template <class F>
Carrier<F> from_bits(std::uint64_t bits) {
    if constexpr (F::width == 64)
        return std::bit_cast<double>(bits);
    else if constexpr (F::width == 32)
        return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    else
        return static_cast<Bits16>(bits);
}

template <class F>
bool is_nan(std::uint64_t bits) {
    return (bits & ~F::sign_bit) > (F::finite_only ? F::max_finite : F::infinity);
}

// The NaN that an operation returns. Narrow formats have one; f64 operations return an operand's NaN (the
// first of those given here) with its quiet bit set, and the canonical one where no operand is a NaN.
// Recorded on an H200: of two NaNs the last operand's wins in add, sub, mul, min and max; in fma b's, then
// c's, then a's; in div the first operand's.
template <class F, class... Bits>
std::uint64_t nan_of(Bits... operands) {
    if constexpr (F::width == 64) {
        std::uint64_t found = 0;
        ((found == 0 && is_nan<F>(operands) ? void(found = operands | 0x0008000000000000) : void()), ...);
        if (found) return found;
    }
    return F::canonical_nan;
}

}  // namespace lockstep::exec::soft
