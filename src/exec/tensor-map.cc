#include "exec/tensor-map.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::exec {
namespace {

constexpr std::uint64_t piece = 16;  // bytes; addresses, strides and rows of a box are multiples
constexpr std::uint64_t most_size = std::uint64_t{1} << 32, stride_limit = std::uint64_t{1} << 40;
constexpr std::uint32_t most_box = 256, most_step = 8;

template <class... Arguments>
TensorMapError wrong(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    return {fmt::format(text, std::forward<Arguments>(arguments)...)};
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

bool is_float(TensorElement element) {
    return element >= TensorElement::f16 && element <= TensorElement::tf32_ftz;
}

std::variant<TensorMap, TensorMapError> make_tensor_map(const TiledTensor& tensor) {
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
    if (!tensor.sizes || !tensor.box || !tensor.steps || !tensor.strides)
        return wrong("an array of the tensor's sizes, strides, box or steps is null");
    if (tensor.address % piece)
        return wrong("the tensor's address {:#x} is not a multiple of {}", tensor.address, piece);
    if (tensor.fill && !is_float(element))
        return wrong("elements of an integer type cannot be filled with NaN");
    if (tensor.interleave && tensor.rank < 3)
        return wrong("an interleaved tensor has at least 3 dimensions, not {}", tensor.rank);
    TensorMap map;
    map.marked = TensorMap::mark;
    map.address = tensor.address;
    map.rank = static_cast<std::uint8_t>(tensor.rank);
    map.element = element;
    map.swizzle = static_cast<std::uint8_t>(tensor.swizzle);
    map.promotion = static_cast<std::uint8_t>(tensor.promotion);
    map.fills_with_nan = tensor.fill == 1;
    for (std::uint32_t i = 0; i < tensor.rank; ++i) {
        const std::uint64_t size = tensor.sizes[i];
        if (size == 0 || size > most_size)
            return wrong("dimension {} of the tensor has {} elements; it can have 1 to 2^32", i, size);
        if (tensor.box[i] == 0 || tensor.box[i] > most_box)
            return wrong("the box has {} elements along dimension {}; it can have 1 to {}", tensor.box[i], i,
                         most_box);
        if (tensor.steps[i] == 0 || tensor.steps[i] > most_step)
            return wrong("the step along dimension {} is {}; it can be 1 to {}", i, tensor.steps[i],
                         most_step);
        map.last[i] = static_cast<std::uint32_t>(size - 1);
        map.box[i] = static_cast<std::uint16_t>(tensor.box[i]);
        map.steps[i] = static_cast<std::uint8_t>(tensor.steps[i]);
        if (i == 0) continue;
        const std::uint64_t stride = tensor.strides[i - 1];
        if (stride % piece || stride >= stride_limit)
            return wrong(
                "the stride of dimension {} is {} bytes; it must be a multiple of {} and less than 2^40", i,
                stride, piece);
        map.strides[i - 1] = stride;
    }
    if (tensor.interleave)
        return TensorMapError{"interleaved tensors (CU_TENSOR_MAP_INTERLEAVE_16B and _32B)", true};
    if (element > TensorElement::tf32_ftz)
        return wrong("elements of 4 and 6 bits are of GPUs after compute capability 9.0");
    const std::uint64_t row = std::uint64_t{tensor.box[0]} * bytes_of(element);
    if (row % piece) return wrong("a row of the box has {} bytes; they must be a multiple of {}", row, piece);
    constexpr std::array<std::uint64_t, 4> spans{~std::uint64_t{0}, 32, 64, 128};
    if (row > spans[tensor.swizzle])
        return wrong("a row of the box has {} bytes; with this swizzle it can have {}", row,
                     spans[tensor.swizzle]);
    return map;
}

}  // namespace lockstep::exec
