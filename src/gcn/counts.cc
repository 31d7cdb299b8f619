#include "gcn/counts.h"

#include "gcn/matrix-product.h"
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
            const auto kind = static_cast<std::size_t>(mix_of(inst));
            counts.mix[kind] += counts.segments[s].executed;
            if (const auto product = matrix_product(inst))
                counts.operations[kind] += counts.segments[s].executed * product->operations();
        }
}

}  // namespace lockstep::gcn
