// Float functions: the C library's result in double, rounded once; of one lane, and of a warp. The bits of
// both are the same: a warp's come from an estimate where that says which float the double would become,
// which is nearly always, and from the C library in the other lanes.
#pragma once
#include <cstdint>

namespace lockstep::exec::rounded {

// The functions of one number, and of two.
#define LOCKSTEP_ROUNDED_1(X)                                                                               \
    X(exp)                                                                                                  \
    X(exp2)                                                                                                 \
    X(exp10) X(expm1) X(log) X(log2) X(log10) X(log1p) X(cbrt) X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) \
        X(sinh) X(cosh) X(tanh)
#define LOCKSTEP_ROUNDED_2(X) X(pow) X(hypot) X(atan2)

#define LOCKSTEP_DECLARE(name) \
    float name(float a);       \
    void warp_##name(std::uint32_t mask, const float* a, float* results);
LOCKSTEP_ROUNDED_1(LOCKSTEP_DECLARE)
#undef LOCKSTEP_DECLARE
#define LOCKSTEP_DECLARE(name)    \
    float name(float a, float b); \
    void warp_##name(std::uint32_t mask, const float* a, const float* b, float* results);
LOCKSTEP_ROUNDED_2(LOCKSTEP_DECLARE)
#undef LOCKSTEP_DECLARE

}  // namespace lockstep::exec::rounded
