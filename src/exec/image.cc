#include "exec/image.h"

#include <algorithm>

namespace lockstep::exec {

Image lay_out(const ImageShape& shape, std::uint64_t address) {
    Image image{.format = shape.format,
                .dimensions = shape.dimensions,
                .layered = shape.layered,
                .cube = shape.cube,
                .tiled = shape.dimensions > 1,
                .address = address};
    const auto up = [](std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; };
    const auto halved = [](std::uint32_t size, std::uint32_t times) { return std::max(size >> times, 1u); };
    std::uint64_t end = address;
    for (std::uint32_t l = 0; l < shape.levels; ++l) {
        ImageLevel level;
        const bool keeps_depth = shape.layered || shape.cube;
        level.extent = {halved(shape.extent.width, l), halved(shape.extent.height, l),
                        keeps_depth ? shape.extent.depth : halved(shape.extent.depth, l)};
        const std::uint64_t row = std::uint64_t{level.extent.width} * shape.format.bytes();
        level.address = end;
        if (image.tiled) {
            level.pitch = up(row, Image::tile_width) * Image::tile_height;
            level.slice_bytes =
                level.pitch * (up(level.extent.height, Image::tile_height) / Image::tile_height);
        } else {
            level.pitch = level.slice_bytes = up(row, Image::tile_bytes);
        }
        end += level.slice_bytes * level.extent.depth;
        image.levels.push_back(level);
    }
    image.bytes = end - address;
    return image;
}

}  // namespace lockstep::exec
