// Instructions of AMD's machine code in a profile: each is what the machine executes.
#include <tuple>

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

namespace {

// In the words that CUDA's kernels are told in: sectors of 32 bytes, and passes through shared memory.
void place_accesses(const gcn::SiteCounts& site, std::uint64_t line_bytes, report::InstructionCounts& at) {
    constexpr std::uint64_t sector_bytes = 32;
    const std::uint64_t sectors = line_bytes / sector_bytes;
    at.requests = at.executed;
    at.sectors = site.requests * sectors, at.ideal_sectors = site.least_requests * sectors;
    at.wavefronts = site.lds_cycles, at.ideal_wavefronts = site.lds_cycles - site.lds_conflict_cycles;
    using counters::PatternKind;
    for (const auto& [kind, stride, surplus] :
         {std::tuple{PatternKind::packed, std::int64_t{0}, site.offset_surplus},
          std::tuple{PatternKind::strided, site.stride, site.strided_surplus},
          std::tuple{PatternKind::scattered, std::int64_t{0}, site.other_surplus}})
        at.pattern.keep_worse({{kind, stride, 0}, at.requests, surplus * sectors});
}

}  // namespace

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
            const gcn::Unit unit = gcn::unit_of(code.instructions[segments[s].first + i]);
            if (unit == gcn::Unit::branch) at.branches = at.executed;
            if (const gcn::SiteCounts& site = counts.waves->sites[segments[s].first + i];
                site.requests || site.lds_accesses)
                place_accesses(
                    site, unit == gcn::Unit::load ? counts.gpu->wave.l1_line_bytes : gcn::write_line_bytes,
                    at);
        }
    return result;
}

}  // namespace lockstep::session
