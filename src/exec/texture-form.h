// What a texture or surface instruction says of itself, in a number that compiled code hands on.
#pragma once
#include <bit>
#include <cstdint>
#include <type_traits>

#include "exec/sampling.h"

namespace lockstep::exec {

struct TextureForm {
    enum class Operation : std::uint8_t { fetch, load, store, store_formatted, reduce, query };
    enum class Bound : std::uint8_t { trap, clamp, zero };
    enum class Combine : std::uint8_t { add, min, max, and_, or_ };
    enum class Query : std::uint8_t { width, height, depth, layers, levels };

    Operation operation = Operation::fetch;
    Fetch::Geometry geometry = Fetch::Geometry::d2;
    Fetch::Level level = Fetch::Level::base;
    // A bit each.
    std::uint8_t layered : 1 = 0, whole_numbers : 1 = 0, floats : 1 = 0, is_signed : 1 = 0, texels : 1 = 0;
    std::int8_t detail = -1;  // fetch: the channel that is gathered; a Bound and Combine, or a Query
    std::uint8_t combine = 0;
    std::uint8_t elements = 1;  // of what is read or written
    std::uint8_t element_bytes = 4;

    std::uint64_t number() const { return std::bit_cast<std::uint64_t>(*this); }
    static TextureForm of(std::uint64_t number) { return std::bit_cast<TextureForm>(number); }
};
static_assert(sizeof(TextureForm) == 8 && std::is_trivially_copyable_v<TextureForm>);

// Coordinates of a lane, as the instruction gives them: a layer first, where there are any.
constexpr std::uint32_t coordinates_of(const TextureForm& form) {
    const std::uint32_t space = form.geometry == Fetch::Geometry::d1   ? 1
                                : form.geometry == Fetch::Geometry::d2 ? 2
                                                                       : 3;
    return space + form.layered;
}

}  // namespace lockstep::exec
