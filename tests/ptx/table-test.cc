// The instruction table, checked for itself: what parser, printer and JIT all rely on.
#include "ptx/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "ptx/match.h"
#include "ptx/syntax.h"

namespace lockstep::ptx {
namespace {

std::vector<std::string> slot_words(const Slot& slot) {
    std::vector<std::string> words;
    for (Modifier m : slot.modifiers) words.emplace_back(modifier_name(m));
    for (Type t : slot.types) words.emplace_back(type_name(t));
    for (MatrixShape shape : slot.shapes) {
        if (shape.n == MatrixShape::any) shape.n = 8;
        words.push_back(matrix_shape_name(shape));
    }
    return words;
}

// Spellings of a row: each slot takes its `turn`-th word, optional slots are all there or all missing.
std::vector<std::string> spelling(const Row& row, std::size_t turn, bool optional) {
    std::vector<std::string> words;
    for (const Slot& slot : row.slots) {
        if (slot.optional && !optional) continue;
        std::vector<std::string> choices = slot_words(slot);
        // The same word must not be chosen twice in one instruction.
        for (std::size_t i = 0; i < choices.size(); ++i) {
            const std::string& word = choices[(turn + i) % choices.size()];
            if (!slot.types.empty() || std::ranges::find(words, word) == words.end()) {
                words.push_back(word);
                break;
            }
        }
    }
    return words;
}

WordMatch match(const Row& row, const std::vector<std::string>& words) {
    std::vector<std::string_view> views(words.begin(), words.end());
    return match_words(opcode_name(row.opcode), views);
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) (text += '.') += word;
    return text;
}

TEST(Table, EveryRowAcceptsItsOwnSpellings) {
    for (const Row& row : rows()) {
        if (row.any_words) continue;
        for (std::size_t turn = 0; turn < 16; ++turn) {
            for (bool optional : {false, true}) {
                std::vector<std::string> words = spelling(row, turn, optional);
                WordMatch found = match(row, words);
                EXPECT_NE(std::ranges::find(found.rows, &row), found.rows.end())
                    << row.syntax << " does not accept " << joined(words) << ": " << found.problem;
                // Written back, the words are the same instruction.
                std::string written = spell_words(row, found.mods, found.types, found.shape);
                EXPECT_EQ(written, joined(words)) << row.syntax;
            }
        }
    }
}

// Rows that share words must differ in what their operands look like, or the parser could not choose.
TEST(Table, RowsThatShareWordsDiffer) {
    auto shape = [](const Row& row) {
        std::vector<std::tuple<OperandSpec::Shape, bool, bool, bool>> shapes;
        for (const OperandSpec& spec : row.specs)
            shapes.emplace_back(spec.shape, spec.pair, spec.half_pair, spec.optional);
        return shapes;
    };
    std::set<std::string> reported;
    for (const Row& row : rows()) {
        for (std::size_t turn = 0; turn < 16; ++turn) {
            for (bool optional : {false, true}) {
                for (const Row* other : match(row, spelling(row, turn, optional)).rows) {
                    if (other == &row || row.any_words || other->any_words) continue;
                    if (shape(row) == shape(*other))
                        reported.insert(std::string(row.syntax) + "  and  " + std::string(other->syntax));
                }
            }
        }
    }
    EXPECT_EQ(reported, std::set<std::string>{});
}

TEST(Table, EveryWordIsUsed) {
    std::set<std::string> used;
    for (const Row& row : rows())
        for (const Slot& slot : row.slots)
            for (const std::string& word : slot_words(slot)) used.insert(word);
    for (std::size_t i = 0; i < static_cast<std::size_t>(Modifier::count); ++i) {
        std::string name(modifier_name(static_cast<Modifier>(i)));
        EXPECT_TRUE(used.contains(name)) << "no row has ." << name;
    }
    for (auto [name, words] : word_sets()) {
        std::string reference = "<" + std::string(name) + ">";
        bool found = std::ranges::any_of(
            rows(), [&](const Row& row) { return row.syntax.find(reference) != row.syntax.npos; });
        EXPECT_TRUE(found) << "no row has " << reference;
    }
}

TEST(Table, EveryOpcodeHasRowsThatStandTogether) {
    std::vector<Opcode> order;
    for (const Row& row : rows())
        if (order.empty() || order.back() != row.opcode) order.push_back(row.opcode);
    EXPECT_EQ(order.size(), static_cast<std::size_t>(Opcode::count));
    EXPECT_TRUE(std::ranges::is_sorted(order)) << "opcodes.def and instructions.def have different orders";
}

TEST(Table, SpellingsReadBack) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(Modifier::count); ++i) {
        auto modifier = static_cast<Modifier>(i);
        EXPECT_EQ(parse_modifier(modifier_name(modifier)), modifier);
        EXPECT_FALSE(parse_type(modifier_name(modifier))) << "both a type and a modifier";
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(Opcode::count); ++i)
        EXPECT_EQ(parse_opcode(opcode_name(static_cast<Opcode>(i))), static_cast<Opcode>(i));
    for (int i = 1; i <= static_cast<int>(Type::surfref); ++i)
        EXPECT_EQ(parse_type(type_name(static_cast<Type>(i))), static_cast<Type>(i));
}

TEST(Table, RowsFitTheTree) {
    for (const Row& row : rows()) {
        std::size_t types = 0;
        for (const Slot& slot : row.slots) {
            EXPECT_TRUE(slot.types.empty() || slot.modifiers.empty())
                << row.syntax << ": a type or a modifier in one place";
            EXPECT_FALSE(slot.optional && !slot.types.empty()) << row.syntax << ": an optional type";
            types += slot.types.empty() ? 0 : 1;
        }
        EXPECT_LE(types, 4u) << row.syntax;
        for (const OperandSpec& spec : row.specs) {
            bool needs_type =
                spec.type == Type::none && !spec.unchecked && !spec.constant &&
                (spec.shape == OperandSpec::Shape::value || spec.shape == OperandSpec::Shape::pack);
            EXPECT_TRUE(!needs_type || spec.type_index < types)
                << row.syntax << ": operand " << spec.name << " has no type";
        }
    }
}

TEST(Match, ModifiersMayStandInAnyOrder) {
    std::string_view usual[] = {"relaxed", "gpu", "global", "add", "u32"};
    std::string_view other[] = {"global", "gpu", "relaxed", "add", "u32"};
    WordMatch a = match_words("atom", usual);
    WordMatch b = match_words("atom", other);
    ASSERT_EQ(a.rows.size(), 1u);
    EXPECT_EQ(a.rows, b.rows);
    EXPECT_EQ(a.mods, b.mods);
}

}  // namespace
}  // namespace lockstep::ptx
