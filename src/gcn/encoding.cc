#include "gcn/encoding.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace lockstep::gcn {
namespace {

constexpr std::uint32_t word = 4;

// A constant that the encoding has no place of its own for, and that follows the instruction.
bool is_literal(const Operand& operand) {
    using Kind = Operand::Kind;
    if (operand.kind == Kind::symbol) return true;
    if (operand.kind == Kind::integer) return operand.integer < -16 || operand.integer > 64;
    if (operand.kind != Kind::floating) return false;
    const double size = operand.floating < 0 ? -operand.floating : operand.floating;
    const bool turns = operand.floating > 0.15915 && operand.floating < 0.15916;  // 1 / (2 pi)
    return !turns && size != 0 && size != 0.5 && size != 1 && size != 2 && size != 4;
}

bool has_literal(const Instruction& instruction) {
    return std::ranges::any_of(instruction.operands, is_literal);
}

bool is_any_of(std::string_view name, std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
}

std::uint32_t scalar_bytes(const Instruction& instruction) {
    const std::string_view name = instruction.name;
    switch (unit_of(instruction)) {
        case Unit::smem: return 2 * word;
        case Unit::branch:
        case Unit::message:
        case Unit::internal: return word;
        default: break;
    }
    if (name.starts_with("s_setreg_imm32")) return 2 * word;
    // These have 16 bits of constant in their own word.
    if (name.find("k_") != name.npos || name.starts_with("s_getreg") || name.starts_with("s_setreg") ||
        name.starts_with("s_version") || name.starts_with("s_round_mode") ||
        name.starts_with("s_denorm_mode") || name.starts_with("s_clause"))
        return word;
    return has_literal(instruction) ? 2 * word : word;
}

std::uint32_t vector_bytes(const Instruction& instruction) {
    const std::string_view text = instruction.text;
    const std::string_view mnemonic = text.substr(0, text.find_first_of(" \t"));
    // A pair's halves share one constant, which either may have; LLVM writes such ones with their bits.
    if (mnemonic.starts_with("v_dual_")) return text.find("0x") == text.npos ? 2 * word : 3 * word;
    const std::uint32_t literal = has_literal(instruction) ? word : 0;
    if (mnemonic.ends_with("_e64_dpp")) return 3 * word;
    if (mnemonic.ends_with("_dpp") || mnemonic.ends_with("_sdwa")) return 2 * word;
    if (mnemonic.ends_with("_e32") ||
        is_any_of(instruction.name, {"v_nop", "v_readfirstlane_b32", "v_swap_b32", "v_accvgpr_mov_b32"}))
        return word + literal;
    for (const std::string_view with_constant : {"v_madmk", "v_madak", "v_fmamk", "v_fmaak"})
        if (instruction.name.starts_with(with_constant)) return 2 * word;
    return 2 * word + literal;
}

}  // namespace

std::uint32_t encoded_bytes(const Instruction& instruction) {
    if (instruction.joined) return 0;
    if (instruction.name.starts_with("s_")) return scalar_bytes(instruction);
    if (instruction.name.starts_with("v_")) return vector_bytes(instruction);
    return 2 * word;  // memory
}

}  // namespace lockstep::gcn
