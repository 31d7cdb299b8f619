// Finds the table rows that accept an instruction's words.
#pragma once
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/modifiers.h"
#include "ptx/table.h"
#include "ptx/types.h"

namespace lockstep::ptx {

struct WordMatch {
    Opcode opcode{};
    ModifierSet mods;
    std::array<Type, 4> types{};
    MatrixShape shape;
    std::vector<const Row*> rows;  // those that accept the words, in the table's order; empty: see problem
    std::string problem;
};

// `words` are those after the opcode, without their dots. NVIDIA's assembler takes modifiers in any order
// (types keep theirs), and compilers make use of that, so the order of modifiers is not checked here either.
WordMatch match_words(std::string_view opcode, std::span<const std::string_view> words);

// The row's words for these modifiers and types, in the table's order: ".rn.ftz.f32".
std::string spell_words(const Row& row, const ModifierSet& mods, const std::array<Type, 4>& types,
                        const MatrixShape& shape);

}  // namespace lockstep::ptx
