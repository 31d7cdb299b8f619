#include "exec/wave/approximations.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace lockstep::exec::wave {
namespace {

// Beyond this many turns the hardware gives up.
constexpr float most_turns = 256;

// The first bits of 2/pi behind the point.
constexpr std::uint64_t two_over_pi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
    0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
    0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
};
constexpr int known_bits = 1201;  // that the hardware has

bool bit_of_two_over_pi(int place) {
    return place < known_bits && (two_over_pi[place / 64] >> (63 - place % 64) & 1) != 0;
}

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

void wave_trig_preop(const double* x, const std::uint32_t* segment, double* result, std::uint32_t count) {
    for (std::uint32_t lane = 0; lane < count; ++lane) {
        const auto exponent = static_cast<int>(std::bit_cast<std::uint64_t>(x[lane]) >> 52 & 0x7ff);
        const int shift = static_cast<int>(segment[lane] & 31) * 53 + std::max(0, exponent - 1077);
        std::uint64_t bits = 0;
        for (int k = 0; k < 53; ++k) bits = bits << 1 | std::uint64_t{bit_of_two_over_pi(shift + k)};
        result[lane] = std::ldexp(static_cast<double>(bits), -53 - shift + (exponent >= 1968 ? 128 : 0));
    }
}
}

}  // namespace lockstep::exec::wave
