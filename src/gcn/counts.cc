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
        for (std::uint32_t i = 0; i < segments[s].count; ++i)
            counts.units[static_cast<std::size_t>(unit_of(code.instructions[segments[s].first + i]))] +=
                counts.segments[s];
}

}  // namespace lockstep::gcn
