// Instructions of AMD's machine code in a profile: each is what the machine executes.
#include "gcn/segments.h"
#include "session/profiled-kernel.h"

namespace lockstep::session {

void list_wave_instructions(ProfiledKernel& profiled, const exec::Kernel& kernel) {
    const gcn::Module& module = *exec::gcn_code(kernel)->module;
    for (const gcn::Instruction& inst : exec::gcn_code(kernel)->kernel->code.instructions) {
        report::InstructionCounts one;
        one.ptx_line = inst.text_line;
        one.ptx = inst.text;
        one.machine = inst.name;
        if (inst.source >= 0) {
            const gcn::SourceLine& line = module.lines[static_cast<std::size_t>(inst.source)];
            if (static_cast<std::size_t>(line.file) < module.files.size()) {
                one.file = module.files[static_cast<std::size_t>(line.file)];
                one.line = line.line;
            }
        }
        profiled.instructions.push_back(std::move(one));
    }
}

std::vector<report::InstructionCounts> place_wave_counts(const exec::Kernel& kernel,
                                                         const metrics::Launch& counts) {
    const gcn::Code& code = exec::gcn_code(kernel)->kernel->code;
    const std::vector<gcn::Segment> segments = gcn::segments_of(code);
    std::vector<report::InstructionCounts> result(code.instructions.size());
    for (std::size_t s = 0; s < segments.size() && s < counts.waves->segments.size(); ++s)
        for (std::uint32_t i = 0; i < segments[s].count; ++i) {
            report::InstructionCounts& at = result[segments[s].first + i];
            at.executed = counts.waves->segments[s].executed;
            at.active = at.predicated_on = counts.waves->segments[s].lanes;
            if (gcn::unit_of(code.instructions[segments[s].first + i]) == gcn::Unit::branch)
                at.branches = at.executed;
        }
    return result;
}

}  // namespace lockstep::session
