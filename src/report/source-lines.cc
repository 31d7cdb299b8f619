#include "report/source-lines.h"

namespace lockstep::report {
namespace {

void add(InstructionCounts& sum, const InstructionCounts& one) {
    sum.executed += one.executed;
    sum.active += one.active;
    sum.predicated_on += one.predicated_on;
    sum.branches += one.branches;
    sum.divergent_branches += one.divergent_branches;
    sum.requests += one.requests;
    sum.sectors += one.sectors;
    sum.ideal_sectors += one.ideal_sectors;
    sum.wavefronts += one.wavefronts;
    sum.ideal_wavefronts += one.ideal_wavefronts;
    sum.unsynchronised += one.unsynchronised;
    for (std::size_t s = 0; s < sum.warp_cycles.size(); ++s) sum.warp_cycles[s] += one.warp_cycles[s];
}

// The end of a block that falls into the next one, or a block that the machine adds nothing to.
bool is_nothing(const InstructionCounts& counts) {
    return counts.ptx.empty() && counts.machine.empty() && total(counts.warp_cycles) == 0;
}

}  // namespace

Result<SourceLines> source_lines(const RunFile& run, const KernelResult& kernel) {
    auto instructions = run.instructions(kernel.id);
    if (!instructions) return instructions.error();
    SourceLines result;
    result.instructions = std::move(*instructions);
    for (const InstructionCounts& one : result.instructions) {
        if (is_nothing(one)) continue;
        add(result.all, one);
        // Compilers give code that belongs to no line in particular the line 0.
        const bool placed = !one.file.empty() && one.line != 0;
        SourceLine& line = result.files[placed ? one.file : ""][placed ? one.line : 0];
        add(line.sum, one);
        line.instructions.push_back(&one);
    }
    return result;
}

}  // namespace lockstep::report
