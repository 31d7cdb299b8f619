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
    // the other of a part of the tensor that ends so far from its ends, in the dimensions of pixels.
    bool im2col = false;
    std::uint16_t pixels = 0;
    std::array<std::int16_t, most_tensor_dimensions - 2> lower{}, upper{};
    // CUtensorMapInterleave's number. An interleaved tensor is one of pixels, each a slice of 16 or 32 bytes
    // of its channels: the first dimensions are the pixels', the last but one is that of slices, and the
    // last that of pictures. A copy takes one slice.
    std::uint8_t interleave = 0;
    std::array<std::uint8_t, 15> unused{};

    // A copy takes rows: bytes that stand side by side. From this dimension on they are counted.
    std::uint32_t first_of_rows() const { return interleave ? 0 : 1; }
    // What a coordinate of the first dimension counts.
    std::uint32_t unit_bytes() const;
    std::uint32_t row_units() const { return interleave ? 1 : box[0]; }

    // Dimensions of pixels: where they begin, how many there are, and where pixels may be along them.
    std::uint32_t first_spatial() const { return first_of_rows(); }
    std::uint32_t spatial() const { return rank - 2u; }
    std::int64_t first_pixel(std::uint32_t dimension) const { return lower[dimension - first_spatial()]; }
    std::int64_t last_pixel(std::uint32_t dimension) const {
        return std::int64_t{last[dimension]} + upper[dimension - first_spatial()];
    }

    // Elements of the box that a copy takes along a dimension of rows.
    std::uint32_t taken(std::uint32_t dimension) const {
        if (interleave && dimension == rank - 2u) return 1;
        return (box[dimension] + steps[dimension] - 1u) / steps[dimension];
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

// What is wrong with an argument.
struct TensorMapError {
    std::string why;
};
using MadeTensorMap = std::variant<TensorMap, TensorMapError>;
MadeTensorMap make_tiled_map(const Tensor& tensor, const std::uint32_t* box);
MadeTensorMap make_im2col_map(const Tensor& tensor, const PixelBox& box);

}  // namespace lockstep::exec
