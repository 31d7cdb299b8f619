// The shape of a matrix product: m by k times k by n. A word of its own after an opcode, neither type nor
// modifier, since wgmma alone has more than a hundred.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep::ptx {

struct MatrixShape {
    static constexpr std::uint16_t any = 0xffff;  // in the instruction table: m64nNk16

    std::uint16_t m = 0, n = 0, k = 0;  // all zero: none

    bool operator==(const MatrixShape&) const = default;
    explicit operator bool() const { return m != 0; }
    // Any n is a multiple of 8 up to 256.
    bool accepts(const MatrixShape& shape) const {
        const bool fits = n == any ? shape.n != 0 && shape.n <= 256 && shape.n % 8 == 0 : n == shape.n;
        return m == shape.m && k == shape.k && fits;
    }
};

std::optional<MatrixShape> parse_matrix_shape(std::string_view spelling);  // m16n8k16, without the dot
std::string matrix_shape_name(const MatrixShape& shape);

}  // namespace lockstep::ptx
