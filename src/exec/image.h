// A picture in device memory: what textures sample and surfaces read and write. CUDA arrays are tiled, so
// that neighbours in all directions lie near each other; plain memory that a texture looks at is rows.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

namespace lockstep::exec {

// As cudaChannelFormatKind numbers them.
enum class ChannelKind : std::uint8_t { signed_int, unsigned_int, floating };

struct TexelFormat {
    ChannelKind kind = ChannelKind::floating;
    std::uint8_t bits = 32;     // of a channel: 8, 16 or 32
    std::uint8_t channels = 1;  // 1, 2 or 4
    std::uint32_t bytes() const { return bits / 8u * channels; }
    bool operator==(const TexelFormat&) const = default;
};

struct ImageExtent {
    std::uint32_t width = 1, height = 1, depth = 1;
    bool operator==(const ImageExtent&) const = default;
};

// How the texels of a level lie.
struct ImageLevel {
    std::uint64_t address = 0;
    ImageExtent extent;       // depth: slices of 3-D, layers, and faces of cubes
    std::uint64_t pitch = 0;  // bytes of a row; of a row of tiles where it is tiled
    std::uint64_t slice_bytes = 0;
};

struct Image {
    TexelFormat format;
    std::uint32_t dimensions = 2;  // of a layer or face
    bool layered = false, cube = false;
    bool tiled = false;
    std::uint64_t address = 0, bytes = 0;  // all of it
    std::vector<ImageLevel> levels;

    // A tile is 512 bytes: 64 bytes of 8 rows. Its sectors of 32 bytes are 16 bytes of two rows each; four of
    // them, 32 bytes of four rows, are a line of the cache. So it is for Tegra's GPUs (NVIDIA's reference
    // manual, "block linear"), and the sectors that an H200 counts for rows, columns and squares are those of
    // this order.
    static constexpr std::uint64_t tile_width = 64, tile_height = 8, tile_bytes = tile_width * tile_height;
    static constexpr std::uint64_t piece_bytes = 16;  // of a row that lie together

    // Of the texel's first byte. Inside the extent.
    std::uint64_t texel(const ImageLevel& level, std::uint64_t x, std::uint64_t y, std::uint64_t z) const {
        return byte(level, x * format.bytes(), y, z);
    }
    std::uint64_t byte(const ImageLevel& level, std::uint64_t x, std::uint64_t y, std::uint64_t z) const {
        const std::uint64_t slice = level.address + z * level.slice_bytes;
        if (!tiled) return slice + y * level.pitch + x;
        const std::uint64_t tile = slice + y / tile_height * level.pitch + x / tile_width * tile_bytes;
        return tile + x % 64 / 32 * 256 + y % 8 / 2 * 64 + x % 32 / 16 * 32 + y % 2 * 16 + x % 16;
    }
};

// The levels of a tiled picture that begins at `address`, one behind the other; with 0 for it, how large it
// is.
struct ImageShape {
    TexelFormat format;
    ImageExtent extent;
    std::uint32_t dimensions = 2, levels = 1;
    bool layered = false, cube = false;
};
Image lay_out(const ImageShape& shape, std::uint64_t address);

}  // namespace lockstep::exec
