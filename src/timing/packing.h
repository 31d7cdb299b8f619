// A block whose lanes that part from their warp's are packed with those of its other warps that do the same.
#pragma once
#include <algorithm>
#include <cstdint>

#include "timing/code.h"
#include "timing/trace.h"

namespace lockstep::timing {

// Whether anything was packed.
bool pack_lanes(const Code& code, BlockTrace& block);

// So many pieces of `of` bytes hold these.
inline std::uint16_t pieces(std::uint32_t bytes, std::uint32_t of) {
    return static_cast<std::uint16_t>(std::max(1u, (bytes + of - 1) / of));
}
inline std::uint32_t bytes_of(const Access& access) {
    return std::uint32_t{access.lanes} * access.lane_bytes;
}

}  // namespace lockstep::timing
