#include "ptx/match.h"

#include <algorithm>

namespace lockstep::ptx {
namespace {

// A modifier or, where `type` or `shape` is set, that.
struct Word {
    Type type = Type::none;
    MatrixShape shape{};
    Modifier modifier{};
    bool known = false;
};

bool accepts(const Slot& slot, const Word& word) {
    if (!word.known) return false;
    if (word.shape)
        return std::ranges::any_of(slot.shapes, [&](const MatrixShape& s) { return s.accepts(word.shape); });
    if (word.type != Type::none) return std::ranges::find(slot.types, word.type) != slot.types.end();
    return std::ranges::find(slot.modifiers, word.modifier) != slot.modifiers.end();
}

// Words go to the first free slot that accepts them; types may not overtake each other. Returns how many
// words found a place, or -1 if all did but a required slot stayed empty.
int place_words(const Row& row, std::span<const Word> words) {
    std::vector<bool> used(row.slots.size());
    std::size_t type_from = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        bool is_type = words[i].type != Type::none;
        std::size_t s = is_type ? type_from : 0;
        while (s < row.slots.size() && (used[s] || !accepts(row.slots[s], words[i]))) ++s;
        if (s == row.slots.size()) {
            if (row.any_words && std::ranges::all_of(used, std::identity{})) break;
            return static_cast<int>(i);
        }
        used[s] = true;
        if (is_type) type_from = s + 1;
    }
    for (std::size_t s = 0; s < row.slots.size(); ++s)
        if (!used[s] && !row.slots[s].optional) return -1;
    return static_cast<int>(words.size());
}

std::string list_forms(std::span<const Row* const> candidates) {
    std::string text;
    std::size_t shown = std::min<std::size_t>(candidates.size(), 4);
    for (std::size_t i = 0; i < shown; ++i) {
        if (i != 0) text += "; ";
        text += candidates[i]->syntax;
    }
    if (shown < candidates.size()) text += "; …";
    return text;
}

std::string explain(std::string_view opcode, std::span<const std::string_view> words,
                    std::span<const Row* const> candidates, std::span<const int> placed) {
    std::string spelling(opcode);
    for (std::string_view word : words) (spelling += '.') += word;
    // The rows that got furthest are the ones that the writer most likely meant.
    bool incomplete = std::ranges::find(placed, -1) != placed.end();
    int best = incomplete ? -1 : *std::ranges::max_element(placed);
    std::vector<const Row*> closest;
    for (std::size_t i = 0; i < candidates.size(); ++i)
        if (placed[i] == best) closest.push_back(candidates[i]);
    if (incomplete) return "'" + spelling + "' is incomplete; expected " + list_forms(closest);
    return "'." + std::string(words[static_cast<std::size_t>(best)]) + "' cannot stand here in '" + spelling +
           "'; expected " + list_forms(closest);
}

}  // namespace

WordMatch match_words(std::string_view opcode, std::span<const std::string_view> words) {
    WordMatch match;
    auto code = parse_opcode(opcode);
    if (!code) {
        match.problem = "unknown instruction '" + std::string(opcode) + "'";
        return match;
    }
    match.opcode = *code;
    std::vector<Word> parsed;
    std::vector<std::string_view> read;  // what stands for each
    std::size_t type_count = 0;
    std::string repeated;
    std::vector<std::string> layouts;  // of two matrices
    layouts.reserve(words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::string_view text = words[i];
        // The order of a's and b's layouts says which is whose: a word together.
        auto is_layout = [](std::string_view word) { return word == "row" || word == "col"; };
        if (is_layout(text) && i + 1 < words.size() && is_layout(words[i + 1]))
            text = layouts.emplace_back(std::string(text) + "." + std::string(words[++i]));
        Word word;
        if (auto type = parse_type(text)) {
            word = {*type, {}, {}, true};
            if (type_count < match.types.size()) match.types[type_count] = *type;
            ++type_count;
        } else if (auto modifier = parse_modifier(text)) {
            word = {Type::none, {}, *modifier, true};
            if (match.mods.has(*modifier) && repeated.empty()) repeated = text;
            match.mods.add(*modifier);
        } else if (auto shape = parse_matrix_shape(text); shape && shape->n != MatrixShape::any) {
            word = {Type::none, *shape, {}, true};
            if (match.shape && repeated.empty()) repeated = text;
            match.shape = *shape;
        }
        parsed.push_back(word);
        read.push_back(text);
    }
    std::vector<const Row*> candidates = rows_of(*code);
    std::vector<int> placed;
    for (const Row* row : candidates) {
        int count = place_words(*row, parsed);
        placed.push_back(count);
        if (count == static_cast<int>(parsed.size())) match.rows.push_back(row);
    }
    bool fits_tree = !match.rows.empty() && (match.rows.front()->any_words ||
                                             (type_count <= match.types.size() && repeated.empty()));
    if (fits_tree) return match;
    if (!match.rows.empty()) {
        match.rows.clear();
        match.problem = "'." + repeated + "' is repeated";
    } else {
        match.problem = explain(opcode, read, candidates, placed);
    }
    return match;
}

std::string spell_words(const Row& row, const ModifierSet& mods, const std::array<Type, 4>& types,
                        const MatrixShape& shape) {
    std::string text;
    std::size_t next_type = 0;
    ModifierSet written;
    for (const Slot& slot : row.slots) {
        if (next_type < types.size() && types[next_type] != Type::none &&
            std::ranges::find(slot.types, types[next_type]) != slot.types.end()) {
            (text += '.') += type_name(types[next_type++]);
            continue;
        }
        if (!slot.shapes.empty()) {
            (text += '.') += matrix_shape_name(shape);
            continue;
        }
        for (Modifier m : slot.modifiers) {
            if (!mods.has(m) || written.has(m)) continue;
            (text += '.') += modifier_name(m);
            written.add(m);
            break;
        }
    }
    return text;
}

}  // namespace lockstep::ptx
