// Arithmetic of one lane in any format and rounding mode, bit for bit as PTX defines it. `ftz` flushes
// subnormal operands and results; clamping (.sat) is the caller's.
#pragma once
#include <cmath>

#include "exec/scalar/float-value.h"

namespace lockstep::exec::soft {

// Finishes an operation: rounds its exact result, or picks the NaN: `operands` in the order in which theirs
// win.
template <class F, bool ftz = false, class... Operands>
Carrier<F> finish(const Unpacked& exact, Round mode, Operands... operands) {
    if (exact.kind == Kind::nan) return from_bits<F>(nan_of<F>(to_bits<F>(operands)...));
    if (ftz && flushes<F>(exact, mode)) return from_bits<F>(exact.negative ? F::sign_bit : 0);
    return from_bits<F>(pack<F>(exact, mode));
}

template <class F, bool ftz = false>
Unpacked open(Carrier<F> v) {
    Unpacked u = unpack<F>(to_bits<F>(v));
    if (ftz && u.kind == Kind::finite && u.exponent < F::min_exponent) return {Kind::zero, u.negative, 0, 0};
    return u;
}

// The host's own result where it is the right one: f32 and f64, round to nearest, not a NaN.
template <class F, Round mode, bool ftz>
inline constexpr bool native = F::width >= 32 && mode == Round::rn && !ftz;

template <class F, Round mode, bool ftz = false>
Carrier<F> add(Carrier<F> a, Carrier<F> b) {
    if constexpr (native<F, mode, ftz>) {
        if (Carrier<F> r = a + b; r == r) return r;
    }
    return finish<F, ftz>(sum(open<F, ftz>(a), open<F, ftz>(b), mode), mode, b, a);
}

template <class F, Round mode, bool ftz = false>
Carrier<F> sub(Carrier<F> a, Carrier<F> b) {
    if constexpr (native<F, mode, ftz>) {
        if (Carrier<F> r = a - b; r == r) return r;
    }
    return finish<F, ftz>(sum(open<F, ftz>(a), negated(open<F, ftz>(b)), mode), mode, b, a);
}

template <class F, Round mode, bool ftz = false>
Carrier<F> mul(Carrier<F> a, Carrier<F> b) {
    if constexpr (native<F, mode, ftz>) {
        if (Carrier<F> r = a * b; r == r) return r;
    }
    return finish<F, ftz>(product(open<F, ftz>(a), open<F, ftz>(b)), mode, b, a);
}

template <class F, Round mode, bool ftz = false>
Carrier<F> fma(Carrier<F> a, Carrier<F> b, Carrier<F> c) {
    if constexpr (native<F, mode, ftz>) {
        if (Carrier<F> r = std::fma(a, b, c); r == r) return r;
    }
    Unpacked exact = sum(product(open<F, ftz>(a), open<F, ftz>(b)), open<F, ftz>(c), mode);
    return finish<F, ftz>(exact, mode, b, c, a);
}

template <class F, Round mode, bool ftz = false>
Carrier<F> div(Carrier<F> a, Carrier<F> b) {
    if constexpr (native<F, mode, ftz>) {
        if (Carrier<F> r = a / b; r == r) return r;
    }
    return finish<F, ftz>(quotient(open<F, ftz>(a), open<F, ftz>(b)), mode, a, b);
}

template <class F, Round mode, bool ftz = false>
Carrier<F> rcp(Carrier<F> a) {
    if constexpr (native<F, mode, ftz>) {
        if (Carrier<F> r = 1 / a; r == r) return r;
    }
    Unpacked one{Kind::finite, false, 0, Wide{1} << top_bit};
    return finish<F, ftz>(quotient(one, open<F, ftz>(a)), mode, a);
}

template <class F, Round mode, bool ftz = false>
Carrier<F> sqrt(Carrier<F> a) {
    if constexpr (native<F, mode, ftz>) {
        if (Carrier<F> r = std::sqrt(a); r == r) return r;
    }
    return finish<F, ftz>(square_root(open<F, ftz>(a)), mode, a);
}

enum class Extremum : bool { minimum, maximum };

// min and max: a NaN operand loses against a number, unless `nan` (.NaN) says that it wins; −0 is less than
// +0.
template <class F, Extremum which, bool nan = false>
Carrier<F> extremum(Carrier<F> a, Carrier<F> b) {
    std::uint64_t x = to_bits<F>(a), y = to_bits<F>(b);
    bool x_nan = is_nan<F>(x), y_nan = is_nan<F>(y);
    if (x_nan || y_nan) {
        if (nan || (x_nan && y_nan)) return from_bits<F>(nan_of<F>(y, x));
        return x_nan ? b : a;
    }
    // Sign and magnitude to a number that orders as the floats do.
    auto order = [](std::uint64_t v) {
        auto magnitude = static_cast<std::int64_t>(v & ~F::sign_bit);
        return (v & F::sign_bit) ? -1 - magnitude : magnitude;
    };
    bool a_less = order(x) < order(y);
    return a_less == (which == Extremum::minimum) ? a : b;
}

// .xorsign.abs: the extremum of the magnitudes, with the product's sign.
template <class F, Extremum which, bool nan = false>
Carrier<F> extremum_xorsign(Carrier<F> a, Carrier<F> b) {
    std::uint64_t x = to_bits<F>(a), y = to_bits<F>(b);
    std::uint64_t sign = (x ^ y) & F::sign_bit;
    std::uint64_t r =
        to_bits<F>(extremum<F, which, nan>(from_bits<F>(x & ~F::sign_bit), from_bits<F>(y & ~F::sign_bit)));
    return from_bits<F>(is_nan<F>(r) ? r : r | sign);
}

// .sat: clamps to [0, 1]; NaN becomes +0.
template <class F>
Carrier<F> saturate(Carrier<F> a) {
    std::uint64_t v = to_bits<F>(a);
    constexpr std::uint64_t one = std::uint64_t{F::bias} << F::mantissa_bits;
    if (is_nan<F>(v) || (v & F::sign_bit)) return from_bits<F>(0);
    return from_bits<F>(v > one ? one : v);
}

// .relu: negative becomes +0; NaN becomes the canonical NaN.
template <class F>
Carrier<F> relu(Carrier<F> a) {
    std::uint64_t v = to_bits<F>(a);
    if (is_nan<F>(v)) return from_bits<F>(F::canonical_nan);
    return (v & F::sign_bit) ? from_bits<F>(0) : a;
}

}  // namespace lockstep::exec::soft
