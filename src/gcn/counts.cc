#include "gcn/counts.h"

#include "gcn/segments.h"

namespace lockstep::gcn {

InstructionCounts LaunchCounts::all() const {
    InstructionCounts sum;
    for (const InstructionCounts& unit : units) sum += unit;
    return sum;
}

void count_units(const Code& code, LaunchCounts& counts) {
    const std::vector<Segment> segments = segments_of(code);
    for (std::size_t s = 0; s < segments.size() && s < counts.segments.size(); ++s)
        for (std::uint32_t i = 0; i < segments[s].count; ++i) {
            const Instruction& inst = code.instructions[segments[s].first + i];
            if (inst.joined) continue;
            counts.units[static_cast<std::size_t>(unit_of(inst))] += counts.segments[s];
            counts.mix[static_cast<std::size_t>(mix_of(inst))] += counts.segments[s].executed;
        }
}

}  // namespace lockstep::gcn
