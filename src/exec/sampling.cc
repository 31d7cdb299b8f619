#include "exec/sampling.h"

#include <algorithm>
#include <bit>
#include <climits>
#include <cmath>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include "base/cpu-clones.h"

namespace lockstep::exec {
namespace {

constexpr int weight_bits = 8;  // behind the point, of the place between two texels
constexpr std::int32_t whole = 1 << weight_bits;
constexpr int coordinate_bits = 21;  // … of a coordinate from 0 to 1; what is finer is cut off

float as_float(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }

// The library's floor, frexp and ldexp are calls, and most of what a fetch would take. These give the same
// for all numbers that come here.

// From 2^-1022 to 2^1023.
double power_of_two(int exponent) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}
// But for the sign of a zero.
double floor_of(double value) {
    constexpr double all_whole = 0x1p52;  // from here on, and NaN
    if (!(std::fabs(value) < all_whole)) return value;
    const auto i = static_cast<std::int64_t>(value);
    return static_cast<double>(i - (static_cast<double>(i) > value));
}
// Halves away from zero; below 2^52.
std::int64_t nearest_integer(double value) {
    const auto i = static_cast<std::int64_t>(value);
    const double rest = value - static_cast<double>(i);
    return i + (rest >= 0.5) - (rest <= -0.5);
}
// As frexp: value = f × 2^exponent with f from 0.5 to 1. Not for infinities and NaN.
int exponent_of(double value) {
    const auto field = static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52 & 0x7ff);
    if (field != 0) return field - 1022;
    int exponent = 0;
    std::frexp(value, &exponent);
    return exponent;
}

// A number with so many bits and the last of all at 2^lowest: the nearest, halves away from zero.
float rounded(double value, int bits, int lowest) {
    const int last = std::max(exponent_of(value) - bits, lowest);
    const auto steps = static_cast<double>(nearest_integer(value * power_of_two(-last)));
    return static_cast<float>(std::copysign(steps * power_of_two(last), value));
}
float to_float(double value) { return rounded(value, 24, -149); }
float to_half(double value) {
    const float half = rounded(value, 11, -24);
    return std::fabs(half) > 65504.0f ? std::copysign(INFINITY, half) : half;
}

float from_half(std::uint16_t half) {
    const std::uint32_t sign = (half & 0x8000u) << 16, exponent = half >> 10 & 31, fraction = half & 0x3ff;
    if (exponent == 31) return as_float(sign | 0x7f800000 | fraction << 13);
    if (exponent == 0) {
        const float value = std::ldexp(static_cast<float>(fraction), -24);
        return sign ? -value : value;
    }
    return as_float(sign | (exponent + 112) << 23 | fraction << 13);
}

// Channels as integers, signs extended.
std::array<std::uint32_t, 4> channels_at(TexelFormat format, std::uint64_t address) {
    std::array<std::uint32_t, 4> values{};
    const auto* bytes = reinterpret_cast<const std::byte*>(address);
    const bool extend = format.kind == ChannelKind::signed_int;
    for (std::size_t c = 0; c < format.channels; ++c) {
        if (format.bits == 8) {
            std::uint8_t v = 0;
            std::memcpy(&v, bytes + c, 1);
            values[c] = extend ? static_cast<std::uint32_t>(static_cast<std::int8_t>(v)) : v;
        } else if (format.bits == 16) {
            std::uint16_t v = 0;
            std::memcpy(&v, bytes + 2 * c, 2);
            values[c] = extend ? static_cast<std::uint32_t>(static_cast<std::int16_t>(v)) : v;
        } else {
            std::memcpy(&values[c], bytes + 4 * c, 4);
        }
    }
    return values;
}

// The unit's table has eight bits of each number, and none finer than 2^-14.
float srgb_to_linear(std::uint32_t channel) {
    static const std::array<float, 256> table = [] {
        std::array<float, 256> numbers{};
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const float value = static_cast<float>(i) / 255.0f;
            const double linear =
                value <= 0.04045f ? value / 12.92 : std::pow((double{value} + 0.055) / 1.055, 2.4);
            numbers[i] = rounded(linear, 8, -14);
        }
        return numbers;
    }();
    return table[channel & 0xff];
}

bool is_srgb(const Texture& texture, std::size_t channel) {
    const TexelFormat format = texture.image->format;
    return texture.sampler.srgb && format.kind == ChannelKind::unsigned_int && format.bits == 8 &&
           channel < 3;
}

// A channel as a number that can be filtered.
float number_of(const Texture& texture, std::uint32_t channel, std::size_t index) {
    const TexelFormat format = texture.image->format;
    if (format.kind == ChannelKind::floating)
        return format.bits == 16 ? from_half(static_cast<std::uint16_t>(channel)) : as_float(channel);
    if (format.kind == ChannelKind::unsigned_int) {
        if (is_srgb(texture, index)) return srgb_to_linear(channel);
        return static_cast<float>(channel) / static_cast<float>((1u << format.bits) - 1);
    }
    const auto most = static_cast<float>((1u << (format.bits - 1)) - 1);
    return std::max(static_cast<float>(static_cast<std::int32_t>(channel)) / most, -1.0f);
}

bool gives_floats(const Texture& texture) {
    return texture.image->format.kind == ChannelKind::floating || texture.sampler.reads_floats;
}

// Of integers the border has the low bits of what was given.
std::uint32_t whole_border(TexelFormat format, std::uint32_t bits) {
    const std::uint32_t shift = 32u - format.bits;
    return format.kind == ChannelKind::signed_int
               ? static_cast<std::uint32_t>(static_cast<std::int32_t>(bits << shift) >> shift)
               : bits << shift >> shift;
}

// Of numbers it has the format's range and precision.
float number_border(TexelFormat format, float value) {
    switch (format.kind) {
        case ChannelKind::floating: {
            if (format.bits == 32) return value;
            int exponent = 0;
            std::frexp(value, &exponent);
            const int last = std::max(exponent - 11, -24);
            return std::ldexp(std::trunc(std::ldexp(value, -last)), last);
        }
        case ChannelKind::unsigned_int: {
            const auto most = static_cast<float>((1u << format.bits) - 1);
            return std::trunc(std::clamp(value, 0.0f, 1.0f) * most) / most;
        }
        case ChannelKind::signed_int: {
            const auto most = static_cast<float>((1u << (format.bits - 1)) - 1);
            return std::floor(std::clamp(value, -1.0f, 1.0f) * most) / most;
        }
    }
    return value;
}

struct Texel {
    std::int32_t x = 0, y = 0, z = 0;
    bool inside = true;  // else the border
};

// One axis: the texels on both sides of a point, and how near the second is.
struct Taps {
    std::array<std::int32_t, 2> index{};
    std::array<bool, 2> inside{true, true};
    std::int32_t weight = 0;  // of the second, of `whole`
};

std::int32_t fold(std::int64_t i, std::int32_t size, AddressMode mode, bool& inside) {
    if (i >= 0 && i < size) return static_cast<std::int32_t>(i);
    switch (mode) {
        case AddressMode::wrap: {
            const std::int64_t rest = i % size;
            return static_cast<std::int32_t>(rest < 0 ? rest + size : rest);
        }
        case AddressMode::mirror: {
            std::int64_t rest = i % (2 * std::int64_t{size});
            if (rest < 0) rest += 2 * std::int64_t{size};
            return static_cast<std::int32_t>(rest < size ? rest : 2 * size - 1 - rest);
        }
        case AddressMode::border: inside = false; [[fallthrough]];
        case AddressMode::clamp: return static_cast<std::int32_t>(std::clamp<std::int64_t>(i, 0, size - 1));
    }
    return 0;
}

// To the bits that a coordinate from 0 to 1 has.
double cut_off(double at) {
    constexpr double steps = 1 << coordinate_bits;
    return floor_of(at * steps) / steps;
}

Taps taps_of(float coordinate, std::int32_t size, AddressMode mode, bool normalised, bool linear) {
    if (!normalised && (mode == AddressMode::wrap || mode == AddressMode::mirror)) mode = AddressMode::clamp;
    double at = std::isnan(coordinate) ? 0.0 : coordinate;
    if (normalised) {
        const bool repeats = mode == AddressMode::wrap || mode == AddressMode::mirror;
        if (std::isinf(at)) at = repeats ? 0.0 : std::copysign(1e9, at);
        at = cut_off(at);
        if (mode == AddressMode::wrap) at -= floor_of(at);
        if (mode == AddressMode::mirror) at -= 2 * floor_of(at / 2);
        at *= size;
    }
    at = std::clamp(at, -1e9, 1e9);
    Taps taps;
    if (!linear) {
        taps.index[0] = fold(static_cast<std::int64_t>(floor_of(at)), size, mode, taps.inside[0]);
        taps.index[1] = taps.index[0];
        taps.inside[1] = taps.inside[0];
        return taps;
    }
    const auto fixed = static_cast<std::int64_t>(floor_of((at - 0.5) * whole + 0.5));
    const std::int64_t first = fixed >> weight_bits;
    taps.weight = static_cast<std::int32_t>(fixed & (whole - 1));
    for (std::size_t k = 0; k < 2; ++k)
        taps.index[k] = fold(first + static_cast<std::int64_t>(k), size, mode, taps.inside[k]);
    if (mode == AddressMode::clamp && taps.index[0] == taps.index[1]) taps.weight = 0;
    return taps;
}

Taps taps_beyond(float coordinate, std::int32_t size) {
    const double at = cut_off(double{coordinate}) * size;
    const auto fixed = static_cast<std::int32_t>(floor_of((at - 0.5) * whole + 0.5));
    Taps taps;
    taps.weight = fixed & (whole - 1);
    taps.index = {fixed >> weight_bits, (fixed >> weight_bits) + 1};
    return taps;
}

// Four texels, by x + 2y, that the filter unit adds at once. A slice of a 3-D texture and a level have one
// each.
struct Pass {
    std::array<std::int32_t, 4> weights;
    std::array<std::array<float, 4>, 4> values;  // by channel; of texels without a weight, anything
};

constexpr std::int32_t product(std::int32_t a, std::int32_t b) { return (a * b + whole / 2) >> weight_bits; }

// The weights of a pass that has `share` in all, by one axis after the other. Each product keeps 8 bits; what
// it loses the texel beside it gets, so that they always add up.
std::array<std::int32_t, 4> weights_of(std::int32_t share, std::int32_t x, std::int32_t y) {
    const std::int32_t right = product(share, x), left = share - right;
    const std::int32_t right_below = product(right, y), left_above = product(left, whole - y);
    return {left_above, right - right_below, left - left_above, right_below};
}

// The sum of a channel's texels: all are brought to the largest exponent among them, `kept` bits of it
// (four more than the format has), and what is smaller is cut off.
double sum_of(const Pass& pass, std::size_t channel, int kept) {
    const std::array<float, 4>& values = pass.values[channel];
    int top = INT_MIN;
    for (std::size_t n = 0; n < 4; ++n) {
        if (values[n] == 0 || pass.weights[n] == 0) continue;
        top = std::max(top, exponent_of(double{values[n]}));
    }
    if (top == INT_MIN) return 0;
    std::int64_t sum = 0;
    const double scale = power_of_two(kept - top);
    for (std::size_t n = 0; n < 4; ++n)
        if (pass.weights[n] != 0)
            sum += static_cast<std::int64_t>(double{values[n]} * scale) * pass.weights[n];
    return static_cast<double>(sum) * power_of_two(top - kept - weight_bits);
}

float filtered_floats(std::span<const Pass> passes, std::size_t channel, bool half) {
    bool nan = false, above = false, below = false, negative = true;
    for (const Pass& pass : passes)
        for (std::size_t n = 0; n < 4; ++n) {
            if (pass.weights[n] == 0) continue;
            const float value = pass.values[channel][n];
            nan |= std::isnan(value);
            above |= std::isinf(value) && value > 0;
            below |= std::isinf(value) && value < 0;
            negative &= value == 0 && std::signbit(value);
        }
    if (nan || (above && below)) return as_float(0x7fffffff);
    if (above || below) return above ? INFINITY : -INFINITY;
    if (negative) return -0.0f;
    double sum = 0;
    for (const Pass& pass : passes) sum += sum_of(pass, channel, half ? 15 : 28);
    return half ? to_half(sum) : to_float(sum);
}

// Integers are filtered with 16 bits, whatever they had.
float filtered_integers(std::span<const Pass> passes, std::size_t channel, float most, bool is_s8) {
    constexpr std::int64_t unit = 8;  // s8 is no whole number of these 16 bits
    std::int64_t sum = 0;
    for (const Pass& pass : passes)
        for (std::size_t n = 0; n < 4; ++n)
            if (pass.weights[n] != 0)
                sum += (is_s8 ? static_cast<std::int64_t>(
                                    floor_of(double{pass.values[channel][n]} * most * unit + 1e-2))
                              : nearest_integer(double{pass.values[channel][n]} * most) * unit) *
                       pass.weights[n];
    const std::int64_t one = unit * whole;
    const std::int64_t q = (sum + one / 2) >> std::countr_zero(static_cast<std::uint64_t>(one));
    return static_cast<float>(static_cast<double>(q) / most);
}

float filtered(std::span<const Pass> passes, std::size_t channel, TexelFormat format, bool srgb) {
    if (srgb) return filtered_floats(passes, channel, true);
    switch (format.kind) {
        case ChannelKind::floating: return filtered_floats(passes, channel, format.bits == 16);
        case ChannelKind::unsigned_int: return filtered_integers(passes, channel, 65535, false);
        case ChannelKind::signed_int: return filtered_integers(passes, channel, 32767, format.bits == 8);
    }
    return 0;
}

// The face of a cube that a direction meets, and where from 0 to 1.
struct FacePoint {
    std::uint32_t face = 0;
    float s = 0, t = 0;
};
FacePoint face_of(float x, float y, float z) {
    const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
    FacePoint p;
    float major = 0, s = 0, t = 0;
    if (az >= ax && az >= ay) {
        p.face = z < 0 ? 5 : 4;
        major = az, s = z < 0 ? -x : x, t = -y;
    } else if (ay >= ax) {
        p.face = y < 0 ? 3 : 2;
        major = ay, s = x, t = y < 0 ? -z : z;
    } else {
        p.face = x < 0 ? 1 : 0;
        major = ax, s = x < 0 ? z : -z, t = -y;
    }
    p.s = (s / major + 1) / 2;
    p.t = (t / major + 1) / 2;
    return p;
}

// The direction of a point of a face; s and t from -1 to 1, or a little beyond.
std::array<double, 3> direction_of(std::uint32_t face, double s, double t) {
    switch (face) {
        case 0: return {1, -t, -s};
        case 1: return {-1, -t, s};
        case 2: return {s, 1, t};
        case 3: return {s, -1, -t};
        case 4: return {s, -t, 1};
        default: return {-s, -t, -1};
    }
}

// The level that a texture has for one that was asked for, in units of 1/256.
std::int32_t level_of(const Texture& texture, float level) {
    const auto last = static_cast<std::int32_t>(texture.last_level - texture.first_level);
    const Sampler& s = texture.sampler;
    if (std::isnan(level)) level = 0;
    level = std::min(std::max(level, s.lowest_level), s.highest_level);
    level = std::clamp(level, 0.0f, static_cast<float>(last));
    const std::int32_t base = static_cast<std::int32_t>(texture.first_level) << weight_bits;
    if (!s.linear_levels) return base + (static_cast<std::int32_t>(std::floor(level + 0.5f)) << weight_bits);
    return base + static_cast<std::int32_t>(std::floor(level * whole));
}

class Sampling {
  public:
    Sampling(const Texture& texture, const Fetch& fetch, const SamplingPlan& plan, TexelAddresses& read)
        : texture_(texture), image_(*texture.image), fetch_(fetch), plan_(plan), read_(read) {}

    std::array<std::uint32_t, 4> run(const FetchPoint& point) {
        if (texture_.memory) return by_index(point);
        std::array<float, 3> at{};
        for (std::size_t a = 0; a < 3; ++a)
            at[a] = fetch_.whole_numbers ? static_cast<float>(static_cast<std::int32_t>(point.at[a]))
                                         : as_float(point.at[a]);
        slice_ = 0;
        if (fetch_.geometry == Fetch::Geometry::cube) {
            const FacePoint face = face_of(at[0], at[1], at[2]);
            at = {face.s, face.t, 0};
            slice_ = face.face;
        }
        if (fetch_.layered) {
            const std::uint32_t faces = fetch_.geometry == Fetch::Geometry::cube ? 6 : 1;
            const std::uint32_t layers = image_.levels[0].extent.depth / faces;
            // A negative number is a large one.
            slice_ += std::min(point.layer, layers - 1) * faces;
        }
        const std::int32_t level =
            fetch_.level == Fetch::Level::base ? plan_.base_level : level_of(texture_, level_at(point));
        const auto first = static_cast<std::uint32_t>(level >> weight_bits);
        const std::int32_t part = level & (whole - 1);
        if (part == 0 && !plan_.filters) return nearest(first, at);
        add_passes(first, at, whole - part);
        if (part != 0) add_passes(first + 1, at, part);
        std::array<std::uint32_t, 4> result{};
        for (std::size_t c = 0; c < image_.format.channels; ++c)
            result[c] = bits_of(
                filtered(std::span(passes_).first(pass_count_), c, image_.format, is_srgb(texture_, c)));
        return result;
    }

  private:
    // Plain memory has no address modes: what lies outside is 0.
    std::array<std::uint32_t, 4> by_index(const FetchPoint& point) {
        const std::int64_t i =
            fetch_.whole_numbers
                ? static_cast<std::int32_t>(point.at[0])
                : static_cast<std::int64_t>(floor_of(std::clamp(double{as_float(point.at[0])}, -1e9, 1e9)));
        Texel texel{.x = static_cast<std::int32_t>(i)};
        texel.inside = i >= 0 && i < image_.levels[0].extent.width;
        return result_of(image_.levels[0], texel);
    }

    // That the instruction names.
    float level_at(const FetchPoint& point) const {
        const float level = fetch_.level == Fetch::Level::given ? point.level : gradient_level(point);
        return std::trunc(level * whole) / whole + std::trunc(texture_.sampler.bias * whole) / whole;
    }

    float gradient_level(const FetchPoint& point) const {
        const ImageExtent& e = image_.levels[texture_.first_level].extent;
        const std::array<double, 3> size{double(e.width), double(e.height), double(e.depth)};
        const std::size_t axes = fetch_.geometry == Fetch::Geometry::d1   ? 1
                                 : fetch_.geometry == Fetch::Geometry::d2 ? 2
                                                                          : 3;
        // The longer axis of the ellipse that the two steps span.
        double x = 0, y = 0, both = 0;
        for (std::size_t a = 0; a < axes; ++a) {
            const double scale = texture_.sampler.normalised ? size[a] : 1;
            const double dx = point.dx[a] * scale, dy = point.dy[a] * scale;
            x += dx * dx, y += dy * dy, both += dx * dy;
        }
        const double longest = (x + y + std::sqrt((x - y) * (x - y) + 4 * both * both)) / 2;
        return static_cast<float>(0.5 * std::log2(longest));
    }

    // Where a point lies in a level: taps by axis, and the texel that they name.
    struct Place {
        const ImageLevel* level = nullptr;
        std::array<Taps, 3> taps{};
        std::size_t axes = 2;
        bool seamless = false;
    };
    Place place_of(std::uint32_t number, const std::array<float, 3>& at, bool linear) const {
        Place place;
        place.level = &image_.levels[std::min<std::size_t>(number, image_.levels.size() - 1)];
        const ImageExtent& extent = place.level->extent;
        const std::array<std::uint32_t, 3> size{extent.width, extent.height, extent.depth};
        const bool cube = fetch_.geometry == Fetch::Geometry::cube;
        place.axes = fetch_.geometry == Fetch::Geometry::d1   ? 1
                     : fetch_.geometry == Fetch::Geometry::d3 ? 3
                                                              : 2;
        place.seamless = cube && linear && texture_.sampler.seamless;
        for (std::size_t a = 0; a < place.axes; ++a) {
            const auto length = static_cast<std::int32_t>(size[a]);
            // Behind the edge of a face lies another: its index is kept.
            if (place.seamless)
                place.taps[a] = taps_beyond(at[a], length);
            else
                place.taps[a] = taps_of(
                    at[a], length,
                    cube && texture_.sampler.seamless ? AddressMode::clamp : texture_.sampler.address[a],
                    (texture_.sampler.normalised || cube) && !fetch_.whole_numbers, linear);
        }
        // A texture of one dimension is a row, above which the border lies.
        if (linear && place.axes == 1 && !fetch_.layered &&
            texture_.sampler.address[1] == AddressMode::border)
            place.taps[1] = taps_of(0, 1, AddressMode::border, false, true);
        return place;
    }
    std::array<std::uint32_t, 4> texel(const Place& place, std::size_t i, std::size_t j, std::size_t k) {
        const auto& taps = place.taps;
        Texel t{taps[0].index[i], taps[1].index[j],
                place.axes > 2 ? taps[2].index[k] : static_cast<std::int32_t>(slice_)};
        t.inside = taps[0].inside[i] && taps[1].inside[j] && taps[2].inside[k];
        if (place.seamless) step_over(*place.level, t);
        return result_of(*place.level, t);
    }

    // Beyond a corner of a cube there is no texel: the three others share its weight.
    static void share_corner(const Place& place, std::array<std::int32_t, 4>& weights) {
        const auto size = static_cast<std::int32_t>(place.level->extent.width);
        const auto beyond = [&](std::size_t axis, std::size_t k) {
            return place.taps[axis].index[k] < 0 || place.taps[axis].index[k] >= size;
        };
        for (std::size_t n = 0; n < 4; ++n) {
            if (!beyond(0, n & 1) || !beyond(1, n >> 1)) continue;
            const std::int32_t lost = std::exchange(weights[n], 0), third = (lost + 1) / 3;
            weights[n ^ 1] += third;
            weights[n ^ 2] += third;
            weights[n ^ 3] += lost - 2 * third;
        }
    }

    // To the face that lies beyond the edge.
    void step_over(const ImageLevel& level, Texel& t) const {
        const auto size = static_cast<std::int32_t>(level.extent.width);
        const auto beyond = [&](std::int32_t i) { return i < 0 || i >= size; };
        if (!beyond(t.x) && !beyond(t.y)) return;
        const auto place = [&](std::int32_t i) { return (2.0 * i + 1) / size - 1; };
        const auto face = static_cast<std::uint32_t>(t.z) % 6;
        const auto [x, y, z] = direction_of(face, place(t.x), place(t.y));
        const FacePoint p = face_of(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));
        const auto index = [&](float s) {
            return std::clamp(static_cast<std::int32_t>(std::floor(s * static_cast<float>(size))), 0,
                              size - 1);
        };
        t = {index(p.s), index(p.t),
             t.z - static_cast<std::int32_t>(face) + static_cast<std::int32_t>(p.face)};
    }

    std::array<std::uint32_t, 4> nearest(std::uint32_t number, const std::array<float, 3>& at) {
        if (fetch_.gathered < 0) return texel(place_of(number, at, false), 0, 0, 0);
        const Place place = place_of(number, at, true);
        const auto channel = static_cast<std::size_t>(fetch_.gathered);
        return {texel(place, 0, 1, 0)[channel], texel(place, 1, 1, 0)[channel],
                texel(place, 1, 0, 0)[channel], texel(place, 0, 0, 0)[channel]};
    }

    void add_passes(std::uint32_t number, const std::array<float, 3>& at, std::int32_t share) {
        const Place place = place_of(number, at, plan_.filters);
        const std::int32_t back = product(share, place.taps[2].weight);
        for (std::size_t k = 0; k < 2; ++k) {
            const std::int32_t slice = k ? back : share - back;
            if (slice == 0) continue;
            Pass& pass = passes_[pass_count_++];
            pass.weights = weights_of(slice, place.taps[0].weight, place.taps[1].weight);
            if (place.seamless) share_corner(place, pass.weights);
            for (std::size_t n = 0; n < 4; ++n) {
                if (pass.weights[n] == 0) continue;
                const auto value = texel(place, n & 1, n >> 1, k);
                for (std::size_t c = 0; c < 4; ++c) pass.values[c][n] = as_float(value[c]);
            }
        }
    }

    std::array<std::uint32_t, 4> result_of(const ImageLevel& level, const Texel& texel) {
        const TexelFormat format = image_.format;
        const bool floats = plan_.floats;
        if (!texel.inside) {
            std::array<std::uint32_t, 4> border{};
            if (texture_.memory) return border;
            for (std::size_t c = 0; c < format.channels; ++c)
                border[c] = floats ? bits_of(number_border(format, texture_.sampler.border[c]))
                                   : whole_border(format, bits_of(texture_.sampler.border[c]));
            return border;
        }
        const std::uint64_t address =
            image_.texel(level, static_cast<std::uint64_t>(texel.x), static_cast<std::uint64_t>(texel.y),
                         static_cast<std::uint64_t>(texel.z));
        read_.add(address);
        std::array<std::uint32_t, 4> values = channels_at(format, address);
        for (std::size_t c = 0; floats && c < format.channels; ++c)
            values[c] = bits_of(number_of(texture_, values[c], c));
        return values;
    }

    const Texture& texture_;
    const Image& image_;
    const Fetch& fetch_;
    const SamplingPlan& plan_;
    TexelAddresses& read_;
    std::uint32_t slice_ = 0;
    std::array<Pass, 4> passes_;  // two slices of two levels
    std::size_t pass_count_ = 0;
};

}  // namespace

namespace {

bool is_plane(const Texture& texture, const Fetch& fetch, std::int32_t level) {
    if (fetch.geometry != Fetch::Geometry::d2 || fetch.layered || fetch.whole_numbers ||
        fetch.gathered >= 0 || fetch.level != Fetch::Level::base || texture.memory ||
        (level & (whole - 1)) != 0)
        return false;
    const Sampler& sampler = texture.sampler;
    const auto clamps = [&](AddressMode mode) {
        return mode == AddressMode::clamp || (!sampler.normalised && mode != AddressMode::border);
    };
    return clamps(sampler.address[0]) && clamps(sampler.address[1]);
}

constexpr std::size_t lanes = 32;

// Lanes of an axis: the texels on both sides of each point, or the one that it is in, twice.
struct LaneTaps {
    std::array<std::int32_t, lanes> first, second, weight;
};

// As taps_of, for coordinates that are clamped.
LOCKSTEP_CPU_CLONES void taps_of_lanes(const std::uint32_t* bits, std::int32_t size, bool normalised,
                                       bool linear, LaneTaps& taps) {
    const auto floored = [](double value) {
        const auto i = static_cast<std::int64_t>(value);
        return i - (static_cast<double>(i) > value);
    };
    const auto in_range = [](double value) { return std::min(std::max(value, -1e9), 1e9); };
    const std::int64_t last = size - 1;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        const float coordinate = as_float(bits[lane]);
        double at = in_range(coordinate == coordinate ? coordinate : 0.0f);
        if (normalised) {
            constexpr double steps = 1 << coordinate_bits;
            at = in_range(static_cast<double>(floored(at * steps)) / steps * size);
        }
        const std::int64_t fixed = linear ? floored((at - 0.5) * whole + 0.5) : floored(at) << weight_bits;
        const std::int64_t first = fixed >> weight_bits;
        const std::int64_t a = std::min(std::max(first, std::int64_t{0}), last);
        const std::int64_t b = std::min(std::max(first + (linear ? 1 : 0), std::int64_t{0}), last);
        taps.first[lane] = static_cast<std::int32_t>(a);
        taps.second[lane] = static_cast<std::int32_t>(b);
        taps.weight[lane] = a == b ? 0 : static_cast<std::int32_t>(fixed & (whole - 1));
    }
}

// As filtered_floats of f32 and one pass, for texels that are neither very small nor infinite or NaN; nothing
// for others.
std::optional<float> filtered_ordinary(const std::array<std::int32_t, 4>& weights,
                                       const std::array<float, 4>& values) {
    constexpr int kept = 28, lowest = 40,
                  infinite = 255;  // exponents' fields: 2^-87 is far above what is cut off
    int top = 0;
    for (std::size_t n = 0; n < 4; ++n) {
        if (weights[n] == 0) continue;
        const auto field = static_cast<int>(bits_of(values[n]) >> 23 & 0xff);
        if (field == infinite) return std::nullopt;
        top = std::max(top, field);
    }
    if (top < lowest) return std::nullopt;
    const int exponent = top - 126;
    const double scale = power_of_two(kept - exponent);
    std::int64_t sum = 0;
    for (std::size_t n = 0; n < 4; ++n)
        if (weights[n] != 0) sum += static_cast<std::int64_t>(double{values[n]} * scale) * weights[n];
    // To 24 bits, halves away from zero.
    auto size = static_cast<std::uint64_t>(sum < 0 ? -sum : sum);
    const int dropped = std::max(static_cast<int>(std::bit_width(size)) - 24, 0);
    if (dropped > 0) size = (size + (std::uint64_t{1} << (dropped - 1))) >> dropped;
    const double result = static_cast<double>(size) * power_of_two(dropped + exponent - kept - weight_bits);
    return static_cast<float>(sum < 0 ? -result : result);
}

}  // namespace

SamplingPlan plan_of(const Texture& texture, const Fetch& fetch) {
    const bool floats = gives_floats(texture);
    const std::int32_t level = level_of(texture, 0);
    return {.floats = floats,
            .filters = texture.sampler.linear && !fetch.whole_numbers && fetch.gathered < 0 && floats,
            .base_level = level,
            .plane = is_plane(texture, fetch, level)};
}

void sample_plane(const Texture& texture, const SamplingPlan& plan, std::uint32_t mask,
                  const std::uint32_t* x, const std::uint32_t* y, std::uint64_t* values,
                  TexelAddresses* read) {
    const Image& image = *texture.image;
    const TexelFormat format = image.format;
    const ImageLevel& level = image.levels[std::min<std::size_t>(
        static_cast<std::size_t>(plan.base_level >> weight_bits), image.levels.size() - 1)];
    const bool normalised = texture.sampler.normalised;
    LaneTaps across, down;
    taps_of_lanes(x, static_cast<std::int32_t>(level.extent.width), normalised, plan.filters, across);
    taps_of_lanes(y, static_cast<std::int32_t>(level.extent.height), normalised, plan.filters, down);
    const bool plain = format.kind == ChannelKind::floating && format.bits == 32;
    const auto texel = [&](std::int32_t column, std::int32_t row, TexelAddresses& addresses) {
        const std::uint64_t address =
            image.texel(level, static_cast<std::uint64_t>(column), static_cast<std::uint64_t>(row), 0);
        addresses.add(address);
        std::array<std::uint32_t, 4> channels{};
        if (plain && format.channels == 1) {
            std::memcpy(&channels[0], reinterpret_cast<const void*>(address), sizeof channels[0]);
            return channels;
        }
        channels = channels_at(format, address);
        for (std::size_t c = 0; plan.floats && !plain && c < format.channels; ++c)
            channels[c] = bits_of(number_of(texture, channels[c], c));
        return channels;
    };
    for (std::uint32_t rest = mask; rest; rest &= rest - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
        std::array<std::uint32_t, 4> result{};
        if (!plan.filters) {
            result = texel(across.first[lane], down.first[lane], read[lane]);
        } else {
            Pass pass;
            pass.weights = weights_of(whole, across.weight[lane], down.weight[lane]);
            for (std::size_t n = 0; n < 4; ++n) {
                if (pass.weights[n] == 0) continue;
                const auto channels = texel(n & 1 ? across.second[lane] : across.first[lane],
                                            n & 2 ? down.second[lane] : down.first[lane], read[lane]);
                for (std::size_t c = 0; c < format.channels; ++c) pass.values[c][n] = as_float(channels[c]);
            }
            for (std::size_t c = 0; c < format.channels; ++c) {
                const auto value = plain ? filtered_ordinary(pass.weights, pass.values[c]) : std::nullopt;
                result[c] =
                    bits_of(value ? *value : filtered(std::span(&pass, 1), c, format, is_srgb(texture, c)));
            }
        }
        for (std::size_t c = 0; c < 4; ++c) values[c * lanes + lane] = result[c];
    }
}

std::array<std::uint32_t, 4> sample(const Texture& texture, const Fetch& fetch, const SamplingPlan& plan,
                                    const FetchPoint& point, TexelAddresses& read) {
    return Sampling(texture, fetch, plan, read).run(point);
}

void store_texel(TexelFormat format, std::uint64_t address, const std::array<std::uint32_t, 4>& values) {
    auto* bytes = reinterpret_cast<std::byte*>(address);
    for (std::size_t c = 0; c < format.channels; ++c) {
        std::uint32_t value = values[c];
        if (format.kind == ChannelKind::floating && format.bits == 16) {
            // To the nearest, ties to even.
            const float f = as_float(value);
            const std::uint32_t sign = value >> 16 & 0x8000;
            const float magnitude = std::fabs(f);
            std::uint32_t half = 0;
            if (std::isnan(f))
                half = 0x7fff;
            else if (magnitude >= 65520.0f)
                half = 0x7c00;
            else if (magnitude < 0x1p-14f)
                half = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, 24)));
            else {
                const std::uint32_t m = bits_of(magnitude);
                half = (m - (112u << 23) + 0xfff + (m >> 13 & 1)) >> 13;
            }
            value = sign | half;
        } else if (format.kind == ChannelKind::unsigned_int && format.bits < 32) {
            value = std::min(value, (1u << format.bits) - 1);
        } else if (format.kind == ChannelKind::signed_int && format.bits < 32) {
            const std::int32_t most = (1 << (format.bits - 1)) - 1;
            value = static_cast<std::uint32_t>(std::clamp(static_cast<std::int32_t>(value), -most - 1, most));
        }
        std::memcpy(bytes + c * format.bits / 8, &value, format.bits / 8);
    }
}

}  // namespace lockstep::exec
