// Copies and fills: every range is checked against the table of allocations before a byte moves.
#pragma once
#include <cstddef>
#include <cstdint>

#include "exec/memory.h"
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
// `pitch * rows_per_slice`.
struct Box {
    std::uint64_t address = 0;
    std::uint64_t pitch = 0;
    std::uint64_t rows_per_slice = 0;
};
struct BoxSize {
    std::uint64_t width = 0, height = 1, depth = 1;
    bool empty() const { return width == 0 || height == 0 || depth == 0; }
};

// What the copied bytes are counted as.
struct TransferCounts {
    std::uint64_t to_device = 0, to_host = 0, on_device = 0, on_host = 0;
};

Outcome copy(const exec::DeviceMemory& memory, const Box& to, const Box& from, const BoxSize& size,
             Direction direction, TransferCounts& counts);
// Fills with a repeated value of 1, 2 or 4 bytes.
Outcome fill(const exec::DeviceMemory& memory, const Box& to, const BoxSize& size, std::uint32_t value,
             int value_bytes);

}  // namespace lockstep::session
