// Copies and fills: every range is checked against the table of allocations before a byte moves.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "exec/address-map.h"
#include "exec/image.h"
#include "session/status.h"

namespace lockstep::session {

// As cudaMemcpyKind.
enum class Direction : int {
    host_to_host = 0,
    host_to_device = 1,
    device_to_host = 2,
    device_to_device = 3,
    by_address = 4,
};

// A box of bytes: `depth` slices of `height` rows of `width` bytes; rows are `pitch` bytes apart and slices
// `pitch * rows_per_slice`. In an array it is a box of its texels, whose rows lie as the array has them.
struct Box {
    std::uint64_t address = 0;
    std::uint64_t pitch = 0;
    std::uint64_t rows_per_slice = 0;
    std::shared_ptr<const exec::Image> image = nullptr;
    std::uint32_t level = 0;
    std::array<std::uint64_t, 3> at{};  // in the array: bytes, rows, slices
};
struct BoxSize {
    std::uint64_t width = 0, height = 1, depth = 1;
    bool empty() const { return width == 0 || height == 0 || depth == 0; }
};

// Calls f(slice, row, address) for each row of a box that lies in plain memory.
template <class F>
void each_row(const Box& box, const BoxSize& size, F f) {
    if (box.image) return;
    for (std::uint64_t z = 0; z < size.depth; ++z)
        for (std::uint64_t y = 0; y < size.height; ++y)
            f(z, y, box.address + (z * box.rows_per_slice + y) * box.pitch);
}

// Calls f(address, bytes) for each stretch of memory that a box covers: rows, or pieces of an array's tiles.
template <class F>
void each_piece(const Box& box, const BoxSize& size, F f) {
    if (!box.image)
        return each_row(box, size,
                        [&](std::uint64_t, std::uint64_t, std::uint64_t row) { f(row, size.width); });
    constexpr std::uint64_t piece = exec::Image::piece_bytes;
    const exec::ImageLevel& level = box.image->levels[box.level];
    const exec::ImageExtent& extent = level.extent;
    if (size.width == std::uint64_t{extent.width} * box.image->format.bytes() &&
        size.height == std::max(extent.height, 1u) && size.depth == std::max(extent.depth, 1u))
        return f(level.address, size.depth * level.slice_bytes);
    for (std::uint64_t z = 0; z < size.depth; ++z)
        for (std::uint64_t y = 0; y < size.height; ++y)
            for (std::uint64_t x = 0; x < size.width;) {
                const std::uint64_t bytes = std::min(size.width - x, piece - (box.at[0] + x) % piece);
                f(box.image->byte(level, box.at[0] + x, box.at[1] + y, box.at[2] + z), bytes);
                x += bytes;
            }
}

enum class Route : std::uint8_t { on_host, to_device, to_host, on_device };

// A copy that was found right: it can be done at any time.
struct Transfer {
    Box to, from;
    BoxSize size;
    Route route{};
    bool pageable = false;         // its host memory is not pinned
    bool between_devices = false;  // that are different ones
    std::uint64_t bytes() const { return size.empty() ? 0 : size.width * size.height * size.depth; }
};
// Whether memory must be there, or may be what a graph will allocate.
enum class MemoryIs : bool { there, coming };
Found<Transfer> check_copy(const exec::AddressMap& memory, const Box& to, const Box& from,
                           const BoxSize& size, Direction direction, MemoryIs when = MemoryIs::there);
void copy(const Transfer& transfer);

// Fills with a repeated value of 1, 2 or 4 bytes; a fill that was found right can be done at any time.
Outcome check_fill(const exec::AddressMap& memory, const Box& to, const BoxSize& size, int value_bytes,
                   MemoryIs when = MemoryIs::there);
void fill(const Box& to, const BoxSize& size, std::uint32_t value, int value_bytes);

}  // namespace lockstep::session
