// PTX's approximate functions. Hardware looks them up in tables with a few bits of error; here they are the
// double result rounded once, which lies within every bound that the PTX manual gives. Subnormal operands and
// results are kept: .ftz is the caller's. Sines, logarithms and the like are in rounded.h.
#pragma once
#include "exec/scalar/scalar-function.h"

namespace lockstep::exec::approximate {

float rcp(float a);
float rsqrt(float a);
float sqrt(float a);
float div(float a, float b);       // div.approx: 0 (or NaN) for a divisor from 2^126 on
float div_full(float a, float b);  // div.full: all divisors
Bits16 ex2_f16(Bits16 a);
Bits16 ex2_bf16(Bits16 a);
Bits16 tanh_f16(Bits16 a);
Bits16 tanh_bf16(Bits16 a);
double rcp_f64(double a);  // rcp.approx.ftz.f64: only the upper 32 bits are computed, the lower are zero
double rsqrt_ftz_f64(double a);  // rsqrt.approx.ftz.f64: likewise
double rsqrt_f64(double a);      // rsqrt.approx.f64

}  // namespace lockstep::exec::approximate
