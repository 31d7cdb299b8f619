#include "exec/wave/approximations.h"

#include <cmath>
#include <numbers>

namespace lockstep::exec::wave {
namespace {

// Beyond this many turns the hardware gives up.
constexpr float most_turns = 256;

double angle(float turns) {
    const double part = static_cast<double>(turns) - std::floor(static_cast<double>(turns));
    return part * 2 * std::numbers::pi;
}

}  // namespace

extern "C" {
void wave_exp2(const float* x, float* result, std::uint32_t count) {
    for (std::uint32_t lane = 0; lane < count; ++lane)
        result[lane] = static_cast<float>(std::exp2(static_cast<double>(x[lane])));
}
void wave_log2(const float* x, float* result, std::uint32_t count) {
    for (std::uint32_t lane = 0; lane < count; ++lane)
        result[lane] = static_cast<float>(std::log2(static_cast<double>(x[lane])));
}
void wave_sin(const float* x, float* result, std::uint32_t count) {
    for (std::uint32_t lane = 0; lane < count; ++lane)
        result[lane] = std::fabs(x[lane]) > most_turns ? 0.0f : static_cast<float>(std::sin(angle(x[lane])));
}
void wave_cos(const float* x, float* result, std::uint32_t count) {
    for (std::uint32_t lane = 0; lane < count; ++lane)
        result[lane] = std::fabs(x[lane]) > most_turns ? 1.0f : static_cast<float>(std::cos(angle(x[lane])));
}
}

}  // namespace lockstep::exec::wave
