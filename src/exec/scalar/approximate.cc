#include "exec/scalar/approximate.h"

#include <cmath>

#include "exec/scalar/float-convert.h"

namespace lockstep::exec::approximate {

namespace {

using namespace soft;

float rounded(double v) { return std::isnan(v) ? from_bits<F32>(F32::canonical_nan) : static_cast<float>(v); }

template <class F>
Bits16 rounded_to(double v) {
    return std::isnan(v) ? from_bits<F>(F::canonical_nan) : convert<F, F64>(v);
}

template <class F>
double widened(Bits16 a) {
    return convert<F64, F>(a);
}

double flushed(double a) { return std::fpclassify(a) == FP_SUBNORMAL ? std::copysign(0.0, a) : a; }

constexpr std::uint64_t upper_word_nan = 0x7fffffff00000000;

double upper_half(double a) { return from_bits<F64>(to_bits<F64>(a) & 0xffffffff00000000); }

}  // namespace

float rcp(float a) { return rounded(1.0 / a); }
float rsqrt(float a) { return rounded(1.0 / std::sqrt(static_cast<double>(a))); }
float sqrt(float a) { return rounded(std::sqrt(static_cast<double>(a))); }

float div(float a, float b) {
    if (std::isinf(a) && std::fabs(b) > 0x1p126f && std::isfinite(b))
        return from_bits<F32>(F32::canonical_nan);
    if (std::fabs(b) > 0x1p126f && std::isfinite(a) && std::isfinite(b))
        return std::copysign(0.0f, std::signbit(a) != std::signbit(b) ? -1.0f : 1.0f);
    return div_full(a, b);
}

float div_full(float a, float b) { return rounded(static_cast<double>(a) / b); }

Bits16 ex2_f16(Bits16 a) { return rounded_to<F16>(std::exp2(widened<F16>(a))); }
Bits16 ex2_bf16(Bits16 a) { return rounded_to<Bf16>(std::exp2(widened<Bf16>(a))); }
Bits16 tanh_f16(Bits16 a) { return rounded_to<F16>(std::tanh(widened<F16>(a))); }
Bits16 tanh_bf16(Bits16 a) { return rounded_to<Bf16>(std::tanh(widened<Bf16>(a))); }

// The f64 reciprocals with .ftz see and make only the upper words; their NaN is that of f32.
double rcp_f64(double a) {
    double upper = flushed(upper_half(a));
    return std::isnan(upper) ? from_bits<F64>(upper_word_nan) : upper_half(flushed(1.0 / upper));
}

double rsqrt_ftz_f64(double a) {
    double upper = flushed(upper_half(a));
    if (std::isnan(upper) || upper < 0) return from_bits<F64>(upper_word_nan);
    return upper_half(1.0 / std::sqrt(upper));
}

double rsqrt_f64(double a) {
    double r = 1.0 / std::sqrt(a);
    return std::isnan(r) ? from_bits<F64>(nan_of<F64>(to_bits<F64>(a))) : r;
}

}  // namespace lockstep::exec::approximate
