// Functions that the hardware approximates, of arrays of lanes.
#pragma once
#include <cstdint>

namespace lockstep::exec::wave {

extern "C" {
void wave_exp2(const float* x, float* result, std::uint32_t count);
void wave_log2(const float* x, float* result, std::uint32_t count);
// Of turns: 1 is the whole circle.
void wave_sin(const float* x, float* result, std::uint32_t count);
void wave_cos(const float* x, float* result, std::uint32_t count);
// 53 bits of 2/pi, from the place that the segment and x's exponent name: for the remainder of a large angle.
void wave_trig_preop(const double* x, const std::uint32_t* segment, double* result, std::uint32_t count);
}

}  // namespace lockstep::exec::wave
