// What a tensor copy knows of its tensor: the 128 bytes of a CUtensorMap, which programs do not look into.
// The layout is our own. The driver API makes them, and copies in kernels read them.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

namespace lockstep::exec {

constexpr std::uint32_t most_tensor_dimensions = 5;

// The elements, with CUtensorMapDataType's numbers.
enum class TensorElement : std::uint8_t {
    u8,
    u16,
    u32,
    s32,
    u64,
    s64,
    f16,
    f32,
    f64,
    bf16,
    f32_ftz,
    tf32,
    tf32_ftz,
    u4_align8,  // these and those behind are of GPUs after 9.0
    u4_align16,
    u6_align16,
    count
};
std::uint32_t bytes_of(TensorElement element);
bool is_float(TensorElement element);

struct alignas(64) TensorMap {
    static constexpr std::uint64_t mark = 0x70616d2d65747370;  // what no other 128 bytes begin with by chance

    std::uint64_t marked = 0;
    std::uint64_t address = 0;
    std::array<std::uint64_t, most_tensor_dimensions - 1> strides{};  // bytes, from the second dimension on
    std::array<std::uint32_t, most_tensor_dimensions> last{};         // the largest coordinate
    std::array<std::uint16_t, most_tensor_dimensions> box{};          // that a copy goes through
    std::array<std::uint8_t, most_tensor_dimensions> steps{};         // between the elements that it takes
    std::uint8_t rank = 0;
    TensorElement element{};
    std::uint8_t swizzle = 0;  // CUtensorMapSwizzle's number
    std::uint8_t promotion = 0;
    bool fills_with_nan = false;  // what is out of bounds; else with zeros
    // Pixels for a convolution: a copy goes through `pixels` of them, box[0] elements each, one line after
    // the other of a part of the tensor that ends so far from its ends, in all dimensions but the first and
    // last.
    bool im2col = false;
    std::uint16_t pixels = 0;
    std::array<std::int16_t, most_tensor_dimensions - 2> lower{}, upper{};
    std::array<std::uint8_t, 16> unused{};

    // Where pixels may be, in all dimensions but the first and last.
    std::int64_t first_pixel(std::uint32_t dimension) const { return lower[dimension - 1]; }
    std::int64_t last_pixel(std::uint32_t dimension) const {
        return std::int64_t{last[dimension]} + upper[dimension - 1];
    }

    // Elements that a copy takes along a dimension. The first has no steps.
    std::uint32_t taken(std::uint32_t dimension) const {
        const std::uint32_t step = dimension == 0 ? 1 : steps[dimension];
        return (box[dimension] + step - 1) / step;
    }
    std::uint64_t size(std::uint32_t dimension) const { return std::uint64_t{last[dimension]} + 1; }
};
static_assert(sizeof(TensorMap) == 128);

// cuTensorMapEncodeTiled's and cuTensorMapEncodeIm2col's arguments, numbers as CUDA has them.
struct Tensor {
    std::uint32_t element = 0, rank = 0;
    std::uint64_t address = 0;
    const std::uint64_t* sizes = nullptr;
    const std::uint64_t* strides = nullptr;
    const std::uint32_t* steps = nullptr;
    std::uint32_t interleave = 0, swizzle = 0, promotion = 0, fill = 0;
};
struct PixelBox {
    const int* lower = nullptr;
    const int* upper = nullptr;
    std::uint32_t channels = 0, pixels = 0;
};

// What is wrong with an argument; `lacking`: nothing is, but lockstep does not have it.
struct TensorMapError {
    std::string why;
    bool lacking = false;
};
using MadeTensorMap = std::variant<TensorMap, TensorMapError>;
MadeTensorMap make_tiled_map(const Tensor& tensor, const std::uint32_t* box);
MadeTensorMap make_im2col_map(const Tensor& tensor, const PixelBox& box);

}  // namespace lockstep::exec
