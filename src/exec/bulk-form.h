// What a bulk copy says of itself, in a number that compiled code hands on, and where its operands are.
#pragma once
#include <bit>
#include <cstdint>
#include <type_traits>

#include "exec/tensor-map.h"

namespace lockstep::exec {

struct BulkForm {
    enum class Direction : std::uint8_t { to_shared, to_global, between_shared };
    enum class Combine : std::uint8_t { none, add, min, max, inc, dec, and_, or_, xor_ };

    Direction direction = Direction::to_shared;
    Combine combine = Combine::none;
    TensorElement element{};  // that is combined; a tensor has its own
    std::uint8_t rank = 0;    // of a tensor; 0: bytes that follow each other
    bool multicast = false;
    bool im2col = false;
    std::uint8_t unused[2] = {};

    std::uint64_t number() const { return std::bit_cast<std::uint64_t>(*this); }
    static BulkForm of(std::uint64_t number) { return std::bit_cast<BulkForm>(number); }
};
static_assert(sizeof(BulkForm) == 8 && std::is_trivially_copyable_v<BulkForm>);

// The operands' places in an array of 64 bits by lane; addresses are generic ones.
enum class BulkOperand : std::uint8_t {
    to,
    from,
    bytes,
    barrier,
    blocks,                                          // of the cluster that it is cast to
    coordinates,                                     // the first of as many as a tensor may have dimensions
    offsets = coordinates + most_tensor_dimensions,  // of pixels, in all dimensions but the first and last
    count = offsets + most_tensor_dimensions - 2
};
// A tensor map stands in the place of the tensor's own address.

// Places that can fault, as the instruction numbers them from one on: beside its own.
enum class BulkSite : std::uint8_t { to, from, barrier, map, count };

}  // namespace lockstep::exec
