// What a texture has at a point: addressing, filtering between texels and between levels, formats. The bits
// are an H200's (tests/golden).
#pragma once
#include <array>
#include <cstdint>

#include "exec/texture.h"

namespace lockstep::exec {

// What an instruction asks a texture for.
struct Fetch {
    enum class Geometry : std::uint8_t { d1, d2, d3, cube };
    enum class Level : std::uint8_t { base, given, gradient };
    Geometry geometry = Geometry::d2;
    bool layered = false;
    bool whole_numbers = false;  // coordinates are s32
    Level level = Level::base;
    std::int8_t gathered = -1;  // the channel that tld4 takes of four texels
    bool floats = true;         // of the result: f32, not u32 or s32
};

// Where a lane looks.
struct FetchPoint {
    std::uint32_t layer = 0;
    std::array<std::uint32_t, 3> at{};  // bits of f32 or s32
    float level = 0;
    std::array<float, 3> dx{}, dy{};
};

// The texels that a fetch has read.
struct TexelAddresses {
    std::array<std::uint64_t, 16> address;
    std::uint32_t count = 0;
    void add(std::uint64_t a) { address[count++] = a; }
};

// What is the same for all points.
struct SamplingPlan {
    bool floats = false;          // the result's channels are numbers
    bool filters = false;         // between texels
    std::int32_t base_level = 0;  // in units of 1/256, where the instruction gives none
    bool plane = false;           // sample_plane will do
};
SamplingPlan plan_of(const Texture& texture, const Fetch& fetch);

std::array<std::uint32_t, 4> sample(const Texture& texture, const Fetch& fetch, const SamplingPlan& plan,
                                    const FetchPoint& point, TexelAddresses& read);

// The commonest fetch, of all lanes of a warp at once: one level of a plain picture with coordinates that are
// clamped. For each lane of the mask, four values, each an array by lane, and the texels that were read.
void sample_plane(const Texture& texture, const SamplingPlan& plan, std::uint32_t mask,
                  const std::uint32_t* x, const std::uint32_t* y, std::uint64_t* values,
                  TexelAddresses* read);

// A texel as the number of its channels say, channels that the format lacks filled up.
std::array<std::uint32_t, 4> texel_bits(TexelFormat format, std::uint64_t address);
// What sust.p stores of 32-bit values, and in how many bytes.
void store_texel(TexelFormat format, std::uint64_t address, const std::array<std::uint32_t, 4>& values);

}  // namespace lockstep::exec
