#include "ptx/table.h"

#include <array>
#include <unordered_map>

#include "ptx/syntax.h"

namespace lockstep::ptx {
namespace {

constexpr std::array opcode_spellings{
#define LOCKSTEP_OPCODE(name, spelling) std::string_view{spelling},
#include "ptx/opcodes.def"
#undef LOCKSTEP_OPCODE
};

constexpr bool yes = true;
constexpr bool no = false;

// Read once, at first use; a row that cannot be read is our own mistake, and aborts with its text.
const std::vector<Row>& all_rows() {
    static const std::vector<Row> table = [] {
        std::vector<Row> list;
#define LOCKSTEP_INSTRUCTION(name, kin, executed, text) \
    list.push_back(read_syntax(Opcode::name, Family::kin, executed, text));
#include "ptx/instructions.def"
#undef LOCKSTEP_INSTRUCTION
        return list;
    }();
    return table;
}

}  // namespace

std::string_view family_name(Family family) {
    switch (family) {
        case Family::integer: return "integer";
        case Family::bits: return "bits";
        case Family::floating: return "floating";
        case Family::half: return "half";
        case Family::compare: return "compare";
        case Family::logic: return "logic";
        case Family::move: return "move";
        case Family::convert: return "convert";
        case Family::memory: return "memory";
        case Family::atomic: return "atomic";
        case Family::barrier: return "barrier";
        case Family::warp: return "warp";
        case Family::control: return "control";
        case Family::texture: return "texture";
        case Family::matrix: return "matrix";
        case Family::video: return "video";
        case Family::misc: return "misc";
    }
    return "";
}

std::string_view opcode_name(Opcode opcode) { return opcode_spellings[static_cast<std::size_t>(opcode)]; }

std::optional<Opcode> parse_opcode(std::string_view spelling) {
    static const auto by_spelling = [] {
        std::unordered_map<std::string_view, Opcode> map;
        for (std::size_t i = 0; i < opcode_spellings.size(); ++i)
            map.emplace(opcode_spellings[i], static_cast<Opcode>(i));
        return map;
    }();
    auto found = by_spelling.find(spelling);
    if (found == by_spelling.end()) return std::nullopt;
    return found->second;
}

std::span<const Row> rows() { return all_rows(); }

std::size_t row_index(const Row& row) { return static_cast<std::size_t>(&row - all_rows().data()); }

std::vector<const Row*> rows_of(Opcode opcode) {
    std::vector<const Row*> list;
    for (const Row& row : all_rows())
        if (row.opcode == opcode) list.push_back(&row);
    return list;
}

}  // namespace lockstep::ptx
