#include "gcn/matrix-product.h"

#include <charconv>
#include <utility>

namespace lockstep::gcn {
namespace {

constexpr std::uint32_t matrix_lanes = 64;

bool takes_word(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word)) return false;
    text.remove_prefix(word.size());
    return true;
}

std::uint32_t taken_number(std::string_view& text) {
    std::uint32_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc()) return 0;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

std::optional<MatrixType> type_named(std::string_view name) {
    for (const auto& [text, type] : {std::pair{"f32", MatrixType::f32},
                                     {"f16", MatrixType::f16},
                                     {"bf16", MatrixType::bf16},
                                     {"i8", MatrixType::i8},
                                     {"f64", MatrixType::f64},
                                     {"fp8", MatrixType::fp8},
                                     {"bf8", MatrixType::bf8},
                                     {"xf32", MatrixType::xf32}})
        if (name == text) return type;
    return std::nullopt;
}

}  // namespace

std::uint32_t bytes_of(MatrixType type) {
    switch (type) {
        case MatrixType::f64: return 8;
        case MatrixType::f32:
        case MatrixType::xf32: return 4;
        case MatrixType::f16:
        case MatrixType::bf16: return 2;
        default: return 1;
    }
}

std::uint32_t MatrixProduct::cycles(std::string_view target) const {
    const std::uint32_t plain = size == 32 ? 64 : size == 16 ? 32 : type == MatrixType::f64 ? 16 : 8;
    // CDNA 3 made one block of narrow numbers twice as fast.
    const bool narrow = type != MatrixType::f32 && type != MatrixType::f64;
    return target.starts_with("gfx94") && narrow && blocks == 1 ? plain / 2 : plain;
}

std::optional<MatrixProduct> matrix_product(const Instruction& instruction) {
    std::string_view name = instruction.name;
    if (instruction.operands.size() < 4) return std::nullopt;
    MatrixProduct made;
    made.sparse = takes_word(name, "v_smfmac_");
    if (!made.sparse && !takes_word(name, "v_mfma_")) return std::nullopt;
    const auto sums = type_named(name.substr(0, name.find('_')));
    const bool integers = takes_word(name, "i32_");
    if (!integers && !takes_word(name, "f64_") && !takes_word(name, "f32_")) return std::nullopt;
    made.size = taken_number(name);
    if (!takes_word(name, "x") || taken_number(name) != made.size || !takes_word(name, "x"))
        return std::nullopt;
    made.depth = taken_number(name);
    // gfx940 writes the number of blocks, too: 32x32x1_2b_f32.
    if (takes_word(name, "_") && taken_number(name) > 0 && !takes_word(name, "b_")) return std::nullopt;
    if (name.ends_with("_1k")) name.remove_suffix(3);
    const std::size_t between = name.find('_');
    const auto type = type_named(name.substr(0, between));
    const auto other = between == name.npos ? type : type_named(name.substr(between + 1));
    if (!type || !other || bytes_of(*type) != bytes_of(*other)) return std::nullopt;
    made.type = *type, made.other = *other;
    if ((*type == MatrixType::i8) != integers ||
        (*type == MatrixType::f64) != (sums == std::optional(MatrixType::f64)) || made.depth == 0 ||
        (made.size != 4 && made.size != 16 && made.size != 32))
        return std::nullopt;
    const auto registers = [&](std::size_t operand) {
        return static_cast<std::uint32_t>(instruction.operands[operand].count);
    };
    made.blocks = matrix_lanes * registers(0) / (made.size * made.size * made.sum_words());
    const std::uint32_t elements = made.lane_elements();
    if (!made.blocks || elements * matrix_lanes != made.size * made.depth * made.blocks ||
        elements * bytes_of(*other) != 4 * registers(2) ||
        (made.sparse ? elements / 2 : elements) * bytes_of(*type) != 4 * registers(1))
        return std::nullopt;
    return made;
}

}  // namespace lockstep::gcn
