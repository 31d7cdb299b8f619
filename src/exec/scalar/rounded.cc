#include "exec/scalar/rounded.h"

#include <cmath>

#include "base/fusing-clones.h"
#include "exec/scalar/estimates.h"
#include "exec/scalar/float-value.h"
#include "kernel/lanes.h"

namespace lockstep::exec::rounded {

namespace {

using soft::F32;

float to_float(double v) {
    return std::isnan(v) ? soft::from_bits<F32>(F32::canonical_nan) : static_cast<float>(v);
}

constexpr int lanes = kernel::warp_lanes;

// Where both ends of an estimate become the same float, so does everything in between; a NaN is like nothing.
template <auto estimate, auto exact, class... A>
inline __attribute__((always_inline)) void for_warp(std::uint32_t mask, float* __restrict results,
                                                    const A* __restrict... operands) {
    std::uint32_t unsure[lanes], any = 0;
    for (int lane = 0; lane < lanes; ++lane) {
        const estimates::Estimate near = estimate(static_cast<double>(operands[lane])...);
        const float low = static_cast<float>(near.value - near.error);
        const float high = static_cast<float>(near.value + near.error);
        results[lane] = low;
        unsure[lane] = low == high ? 0 : 1;
    }
    for (int lane = 0; lane < lanes; ++lane) any |= unsure[lane];
    if (any == 0) return;
    for (int lane = 0; lane < lanes; ++lane)
        if (unsure[lane] && (mask >> lane & 1)) results[lane] = exact(operands[lane]...);
}

namespace of_c {
using ::acos, ::asin, ::atan, ::atan2, ::cbrt, ::cos, ::cosh, ::exp, ::exp2, ::expm1, ::hypot, ::log, ::log10;
using ::log1p, ::log2, ::pow, ::sin, ::sinh, ::tan, ::tanh;
double exp10(double x) { return ::pow(10.0, x); }
}  // namespace of_c

}  // namespace

#define LOCKSTEP_DEFINE(name)                                                                     \
    float name(float a) { return to_float(of_c::name(static_cast<double>(a))); }                  \
    LOCKSTEP_FUSING_CLONES void warp_##name(std::uint32_t mask, const float* a, float* results) { \
        for_warp<estimates::name, name>(mask, results, a);                                        \
    }
LOCKSTEP_ROUNDED_1(LOCKSTEP_DEFINE)
#undef LOCKSTEP_DEFINE

#define LOCKSTEP_DEFINE(name)                                                                   \
    float name(float a, float b) {                                                              \
        return to_float(of_c::name(static_cast<double>(a), static_cast<double>(b)));            \
    }                                                                                           \
    LOCKSTEP_FUSING_CLONES void warp_##name(std::uint32_t mask, const float* a, const float* b, \
                                            float* results) {                                   \
        for_warp<estimates::name, name>(mask, results, a, b);                                   \
    }
LOCKSTEP_ROUNDED_2(LOCKSTEP_DEFINE)
#undef LOCKSTEP_DEFINE

}  // namespace lockstep::exec::rounded
