#include "ptx/matrix-shape.h"

#include <charconv>

namespace lockstep::ptx {

std::optional<MatrixShape> parse_matrix_shape(std::string_view text) {
    MatrixShape shape;
    auto extent = [&](char name, std::uint16_t& value) {
        if (text.empty() || text.front() != name) return false;
        text.remove_prefix(1);
        if (name == 'n' && text.starts_with('N')) {
            value = MatrixShape::any;
            text.remove_prefix(1);
            return true;
        }
        auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || value == 0 || value > 512) return false;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        return true;
    };
    if (!extent('m', shape.m) || !extent('n', shape.n) || !extent('k', shape.k) || !text.empty())
        return std::nullopt;
    return shape;
}

std::string matrix_shape_name(const MatrixShape& shape) {
    return "m" + std::to_string(shape.m) + "n" + std::to_string(shape.n) + "k" + std::to_string(shape.k);
}

}  // namespace lockstep::ptx
