// tensormap.replace: which field of a tensor map gets a new value, in a number that compiled code hands on.
#pragma once
#include <bit>
#include <cstdint>
#include <type_traits>

#include "exec/tensor-map.h"

namespace lockstep::exec {

struct MapChange {
    enum class Field : std::uint8_t {
        address,
        rank,  // less one
        box,
        size,
        step,
        stride,
        element,  // with PTX's numbers, which are not CUDA's
        interleave,
        swizzle,
        fill
    };
    Field field{};
    std::uint8_t dimension = 0;
    std::uint8_t unused[6] = {};

    std::uint64_t number() const { return std::bit_cast<std::uint64_t>(*this); }
    static MapChange of(std::uint64_t number) { return std::bit_cast<MapChange>(number); }

    // Empty: it was done. Otherwise what is wrong with the value.
    std::string apply(TensorMap& map, std::uint64_t value) const;
};
static_assert(sizeof(MapChange) == 8 && std::is_trivially_copyable_v<MapChange>);

}  // namespace lockstep::exec
