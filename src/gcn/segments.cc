#include "gcn/segments.h"

#include <string_view>

namespace lockstep::gcn {

bool writes_exec(const Instruction& instruction) {
    const std::string_view name = instruction.name;
    if (name.find("saveexec") != std::string_view::npos || name.find("_wrexec") != std::string_view::npos ||
        name.starts_with("v_cmpx"))
        return true;
    // Comparisons and branches have no result.
    if (instruction.operands.empty() || name.starts_with("s_cmp") || name.starts_with("s_bitcmp"))
        return false;
    return instruction.operands[0].kind == Operand::Kind::exec;
}

std::vector<Segment> segments_of(const Code& code) {
    const std::size_t count = code.instructions.size();
    std::vector<bool> begins(count + 1, false);
    if (count) begins[0] = true;
    for (const auto& [name, at] : code.labels) begins[at] = true;
    for (std::size_t i = 0; i < count; ++i)
        if (unit_of(code.instructions[i]) == Unit::branch || code.instructions[i].name == "s_endpgm" ||
            writes_exec(code.instructions[i]))
            begins[i + 1] = true;
    std::vector<Segment> segments;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (begins[i]) segments.push_back({i, 0});
        ++segments.back().count;
    }
    return segments;
}

}  // namespace lockstep::gcn
