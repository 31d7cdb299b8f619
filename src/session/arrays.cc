#include "session/arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "session/device.h"

namespace lockstep::session {
namespace {

struct Limits {
    std::uint64_t width, height, depth;
};

// The largest textures of each kind, as GPUs from compute capability 5.0 on have them (an H200's attributes).
Limits limits_of(const ArrayShape& shape, bool levels) {
    const bool layered = shape.flags & ArrayShape::layered;
    if (shape.flags & ArrayShape::cube) return {32768, 32768, layered ? 2046u : 6u};
    switch (shape.dimensions()) {
        case 1: return {layered || levels ? 32768u : 131072u, 0, layered ? 2048u : 0u};
        case 2:
            return layered  ? Limits{32768, 32768, 2048}
                   : levels ? Limits{32768, 32768, 0}
                            : Limits{131072, 65536, 0};
        default: return {16384, 16384, 16384};
    }
}

Outcome check(const ArrayShape& shape, bool levels) {
    const auto& [width, height, depth] = shape.extent;
    const auto bad = [&](const std::string& why) {
        return Outcome(Status::invalid_value,
                       fmt::format("an array of {} x {} x {} texels: {}", width, height, depth, why));
    };
    constexpr unsigned known =
        ArrayShape::layered | ArrayShape::surface | ArrayShape::cube | ArrayShape::gather;
    if (shape.flags & ~known)
        return Outcome(Status::invalid_value, fmt::format("there are no such flags as {:#x}", shape.flags));
    if (width == 0) return bad("it has no width");
    const bool layered = shape.flags & ArrayShape::layered, cube = shape.flags & ArrayShape::cube;
    if (cube && (width != height || depth == 0 || depth % 6 != 0 || (!layered && depth != 6)))
        return bad("a cube has six faces as wide as they are high");
    if (layered && depth == 0) return bad("it has no layers");
    if (!layered && !cube && depth != 0 && height == 0) return bad("it has a depth and no height");
    if ((shape.flags & ArrayShape::gather) && (shape.dimensions() != 2 || layered || cube))
        return bad("only two-dimensional ones can be gathered");
    const Limits most = limits_of(shape, levels);
    if (width > most.width || height > most.height || depth > most.depth)
        return bad(
            fmt::format("the largest of its kind is {} x {} x {}", most.width, most.height, most.depth));
    return {};
}

std::uint32_t full_levels(const ArrayShape& shape) {
    std::uint64_t longest = std::max(shape.extent[0], shape.extent[1]);
    if (shape.dimensions() == 3) longest = std::max(longest, shape.extent[2]);
    return static_cast<std::uint32_t>(std::bit_width(longest));
}

}  // namespace

Found<exec::TexelFormat> texel_format(const std::array<int, 4>& bits, int kind) {
    const auto bad = [&] {
        return Outcome(static_cast<Status>(20),
                       fmt::format("there are no texels of {}, {}, {} and {} bits and kind {}", bits[0],
                                   bits[1], bits[2], bits[3], kind));
    };
    std::size_t channels = 0;
    while (channels < 4 && bits[channels] != 0) ++channels;
    for (std::size_t c = 0; c < 4; ++c)
        if (bits[c] != (c < channels ? bits[0] : 0)) return bad();
    if (channels != 1 && channels != 2 && channels != 4) return bad();
    if (bits[0] != 8 && bits[0] != 16 && bits[0] != 32) return bad();
    if (kind < 0 || kind > 2 || (kind == 2 && bits[0] == 8)) return bad();
    return exec::TexelFormat{static_cast<exec::ChannelKind>(kind), static_cast<std::uint8_t>(bits[0]),
                             static_cast<std::uint8_t>(channels)};
}

Found<std::shared_ptr<const exec::Image>> Arrays::place(const ArrayShape& shape, std::uint32_t levels) {
    const auto size = [](std::uint64_t n) {
        return static_cast<std::uint32_t>(std::max<std::uint64_t>(n, 1));
    };
    const exec::ImageShape laid{
        .format = shape.format,
        .extent = {size(shape.extent[0]), size(shape.extent[1]), size(shape.extent[2])},
        .dimensions = shape.dimensions(),
        .levels = levels,
        .layered = (shape.flags & ArrayShape::layered) != 0,
        .cube = (shape.flags & ArrayShape::cube) != 0};
    const auto address = device_.allocate(exec::lay_out(laid, 0).bytes, exec::MemoryKind::device);
    if (!address) return address.outcome;
    return std::make_shared<const exec::Image>(exec::lay_out(laid, *address));
}

Found<Array*> Arrays::create(const ArrayShape& shape) {
    if (Outcome wrong = check(shape, false); !wrong) return wrong;
    const auto image = place(shape, 1);
    if (!image) return image.outcome;
    return arrays_.create(Array{&device_, shape, *image});
}

Found<MipmappedArray*> Arrays::create(const ArrayShape& shape, std::uint64_t levels) {
    if (Outcome wrong = check(shape, true); !wrong) return wrong;
    const auto count = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(levels, 1, full_levels(shape)));
    const auto image = place(shape, count);
    if (!image) return image.outcome;
    MipmappedArray* const made = mipmapped_.create(MipmappedArray{&device_, shape, *image});
    for (std::uint32_t l = 0; l < count; ++l) {
        ArrayShape level = shape;
        const exec::ImageExtent& extent = (*image)->levels[l].extent;
        level.extent = {extent.width, shape.extent[1] ? extent.height : 0,
                        shape.extent[2] ? extent.depth : 0};
        made->levels.push_back(arrays_.create(Array{&device_, level, *image, l, true}));
    }
    return made;
}

Outcome Arrays::destroy(const void* handle) {
    const auto array = arrays_.find(handle);
    if (!array)
        return Outcome(Status::invalid_handle,
                       fmt::format("{} is no array of this device, or was freed", handle));
    if (array->part) return Outcome(Status::invalid_value, "a level is freed with its mipmapped array");
    arrays_.destroy(handle);
    return device_.release(array->image->address, false);
}

Outcome Arrays::destroy_mipmapped(const void* handle) {
    const auto array = mipmapped_.find(handle);
    if (!array)
        return Outcome(Status::invalid_handle,
                       fmt::format("{} is no mipmapped array of this device, or was freed", handle));
    for (const Array* level : array->levels) arrays_.destroy(level);
    mipmapped_.destroy(handle);
    return device_.release(array->image->address, false);
}

// Their memory is the device's, which frees it.
void Arrays::forget_all() {
    arrays_.take_all();
    mipmapped_.take_all();
}

}  // namespace lockstep::session
