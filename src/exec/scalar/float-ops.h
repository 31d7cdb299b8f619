// The float operations that compiled kernels call lane by lane, found by a name in PTX's own spelling, with
// every rounding mode written out; where no .ftz is named the caller flushes:
//
//   add|sub|mul|div.RND{.ftz}.f32 .RND.f64   fma.RND…   rcp|sqrt.RND…              RND = rn rz rm rp
//   add|sub|mul|fma.rn{.ftz}.f16   add|sub|mul|fma.rn.bf16
//   min|max{.NaN}{.xorsign.abs}.f16|bf16|f32|f64       sat.F  relu.F               F = f16 bf16 f32 f64
//   cvt.RND{.satfinite}.F.F        narrowing; cvt.F.F widening (no rounding)       cvt.RND.ftz.f32.f64
//   cvt.rn|rz|rna{.satfinite}{.relu}.tf32.f32
//   cvt.IRND.F.F                   to an integral value, same format                IRND = rni rzi rmi rpi
//   cvt.IRND.INT.F   cvt.RND.F.INT                     INT = s8 u8 s16 u16 s32 u32 s64 u64
//   cvt.rn|rz{.satfinite}{.relu}.f16x2|bf16x2.f32      (a: upper half, b: lower half)
//   cvt.rn.satfinite{.relu}.e4m3x2|e5m2x2.f32  (a, b)   cvt.rn.satfinite{.relu}.e4m3x2|e5m2x2.f16x2   (a)
//   cvt.rn{.relu}.f16x2.e4m3x2|e5m2x2
//   rcp|rsqrt|sqrt|sin|cos|lg2|ex2|tanh.approx.f32     div.approx.f32  div.full.f32
//   ex2.approx.f16|bf16  tanh.approx.f16|bf16          rcp|rsqrt.approx.ftz.f64  rsqrt.approx.f64
//
// f16 and bf16 travel as ScalarType::i16, pairs as i32.
#pragma once
#include <string_view>

#include "exec/scalar/scalar-function.h"

namespace lockstep::exec {

const ScalarFunction* find_float_op(std::string_view name);

}  // namespace lockstep::exec
