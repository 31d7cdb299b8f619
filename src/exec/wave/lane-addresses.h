// What lanes' addresses have in common.
#pragma once
#include <cstdint>

namespace lockstep::exec::wave {

// Whether all 64 lanes run, or the first 32 and no other, and access memory one behind the other.
inline bool is_contiguous(std::uint32_t bytes, std::uint64_t lanes, const std::uint64_t* addresses) {
    if (lanes != ~std::uint64_t{0} && lanes != 0xffffffff) return false;
    const std::uint64_t count = lanes >> 63 ? 64 : 32;
    std::uint64_t differences = 0;
    for (std::uint64_t lane = 0; lane < count; ++lane)
        differences |= addresses[lane] ^ (addresses[0] + bytes * lane);
    return differences == 0;
}

}  // namespace lockstep::exec::wave
