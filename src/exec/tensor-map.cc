#include "exec/tensor-map.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::exec {
namespace {

constexpr std::uint64_t piece = 16;  // bytes; addresses, strides and rows of a box are multiples
constexpr std::uint64_t most_size = std::uint64_t{1} << 32, stride_limit = std::uint64_t{1} << 40;
constexpr std::uint32_t most_box = 256, most_step = 8, most_pixels = 1024;

template <class... Arguments>
std::string wrong(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    return fmt::format(text, std::forward<Arguments>(arguments)...);
}

// What both kinds of maps have. Empty: nothing is wrong.
std::string describe(TensorMap& map, const Tensor& tensor) {
    const auto element = static_cast<TensorElement>(tensor.element);
    if (tensor.element >= static_cast<std::uint32_t>(TensorElement::count))
        return wrong("{} is no data type", tensor.element);
    if (tensor.rank == 0 || tensor.rank > most_tensor_dimensions)
        return wrong("the tensor has {} dimensions; it can have 1 to {}", tensor.rank,
                     most_tensor_dimensions);
    if (tensor.interleave > 2) return wrong("{} is no interleaved layout", tensor.interleave);
    if (tensor.swizzle > 6) return wrong("{} is no swizzle", tensor.swizzle);
    if (tensor.swizzle > 3)
        return wrong("swizzles of larger pieces are of GPUs after compute capability 9.0");
    if (tensor.promotion > 3) return wrong("{} is no L2 promotion", tensor.promotion);
    if (tensor.fill > 1) return wrong("{} is no way to fill what is out of bounds", tensor.fill);
    if (!tensor.sizes || !tensor.steps || !tensor.strides)
        return wrong("an array of the tensor's sizes, strides or steps is null");
    const std::uint64_t unit = tensor.interleave == 2 ? 2 * piece : piece;
    if (tensor.address % unit)
        return wrong("the tensor's address {:#x} is not a multiple of {}", tensor.address, unit);
    if (tensor.fill && !is_float(element))
        return wrong("elements of an integer type cannot be filled with NaN");
    if (tensor.interleave && tensor.rank < 3)
        return wrong("an interleaved tensor has at least 3 dimensions, not {}", tensor.rank);
    if (tensor.interleave == 2 && tensor.swizzle != 1)
        return wrong("a tensor that is interleaved by 32 bytes needs a swizzle of 32 bytes");
    if (element > TensorElement::tf32_ftz)
        return wrong("elements of 4 and 6 bits are of GPUs after compute capability 9.0");
    map.marked = TensorMap::mark;
    map.address = tensor.address;
    map.rank = static_cast<std::uint8_t>(tensor.rank);
    map.element = element;
    map.interleave = static_cast<std::uint8_t>(tensor.interleave);
    map.swizzle = static_cast<std::uint8_t>(tensor.swizzle);
    map.promotion = static_cast<std::uint8_t>(tensor.promotion);
    map.fills_with_nan = tensor.fill == 1;
    for (std::uint32_t i = 0; i < tensor.rank; ++i) {
        const std::uint64_t size = tensor.sizes[i];
        if (size == 0 || size > most_size)
            return wrong("dimension {} of the tensor has {} elements; it can have 1 to 2^32", i, size);
        if (tensor.steps[i] == 0 || tensor.steps[i] > most_step)
            return wrong("the step along dimension {} is {}; it can be 1 to {}", i, tensor.steps[i],
                         most_step);
        map.last[i] = static_cast<std::uint32_t>(size - 1);
        map.steps[i] = static_cast<std::uint8_t>(tensor.steps[i]);
        if (i == 0) continue;
        const std::uint64_t stride = tensor.strides[i - 1];
        if (stride % unit || stride >= stride_limit)
            return wrong(
                "the stride of dimension {} is {} bytes; it must be a multiple of {} and less than 2^40", i,
                stride, unit);
        map.strides[i - 1] = stride;
    }
    return {};
}

// The elements that a row of the box has.
std::string describe_row(TensorMap& map, std::uint32_t elements) {
    const std::uint64_t row = std::uint64_t{elements} * bytes_of(map.element);
    map.box[0] = static_cast<std::uint16_t>(elements);
    if (map.interleave) return {};
    if (row % piece) return wrong("a row of the box has {} bytes; they must be a multiple of {}", row, piece);
    constexpr std::array<std::uint64_t, 4> spans{~std::uint64_t{0}, 32, 64, 128};
    if (row > spans[map.swizzle])
        return wrong("a row of the box has {} bytes; with this swizzle it can have {}", row,
                     spans[map.swizzle]);
    return {};
}

}  // namespace

std::uint32_t bytes_of(TensorElement element) {
    switch (element) {
        case TensorElement::u8: return 1;
        case TensorElement::u16:
        case TensorElement::f16:
        case TensorElement::bf16: return 2;
        case TensorElement::u64:
        case TensorElement::s64:
        case TensorElement::f64: return 8;
        default: return 4;
    }
}

std::uint32_t TensorMap::unit_bytes() const {
    return interleave ? static_cast<std::uint32_t>(piece) * interleave : bytes_of(element);
}

bool is_float(TensorElement element) {
    return element >= TensorElement::f16 && element <= TensorElement::tf32_ftz;
}

MadeTensorMap make_tiled_map(const Tensor& tensor, const std::uint32_t* box) {
    TensorMap map;
    if (std::string why = describe(map, tensor); !why.empty()) return TensorMapError{why};
    if (!box) return TensorMapError{wrong("the array of the box' sizes is null")};
    for (std::uint32_t i = 0; i < tensor.rank; ++i) {
        if (box[i] == 0 || box[i] > most_box)
            return TensorMapError{wrong("the box has {} elements along dimension {}; it can have 1 to {}",
                                        box[i], i, most_box)};
        map.box[i] = static_cast<std::uint16_t>(box[i]);
    }
    if (std::string why = describe_row(map, box[0]); !why.empty()) return TensorMapError{why};
    return map;
}

MadeTensorMap make_im2col_map(const Tensor& tensor, const PixelBox& box) {
    TensorMap map;
    if (tensor.rank < 3)
        return TensorMapError{wrong("a tensor of pixels has at least 3 dimensions, not {}", tensor.rank)};
    if (std::string why = describe(map, tensor); !why.empty()) return TensorMapError{why};
    if (!box.lower || !box.upper) return TensorMapError{wrong("an array of the pixel box' corners is null")};
    map.im2col = true;
    const std::uint32_t spatial = tensor.rank - 2;
    const int limit = spatial == 1 ? 1 << 15 : spatial == 2 ? 1 << 7 : 1 << 4;
    for (std::uint32_t i = 0; i < spatial; ++i) {
        for (const int corner : {box.lower[i], box.upper[i]})
            if (corner < -limit || corner >= limit)
                return TensorMapError{
                    wrong("a corner of the pixel box is {} along dimension {}; it can be {} to {}", corner,
                          i + 1, -limit, limit - 1)};
        if (std::int64_t{map.last[i + 1]} + box.upper[i] < box.lower[i])
            return TensorMapError{wrong("the pixel box has nothing along dimension {}", i + 1)};
        map.lower[i] = static_cast<std::int16_t>(box.lower[i]);
        map.upper[i] = static_cast<std::int16_t>(box.upper[i]);
    }
    if (box.channels == 0 || box.channels > most_box)
        return TensorMapError{wrong("a pixel has {} channels; it can have 1 to {}", box.channels, most_box)};
    if (box.pixels == 0 || box.pixels > most_pixels)
        return TensorMapError{
            wrong("the column has {} pixels; it can have 1 to {}", box.pixels, most_pixels)};
    map.pixels = static_cast<std::uint16_t>(box.pixels);
    if (std::string why = describe_row(map, box.channels); !why.empty()) return TensorMapError{why};
    return map;
}

}  // namespace lockstep::exec
