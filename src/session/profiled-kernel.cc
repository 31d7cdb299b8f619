#include "session/profiled-kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernel/print.h"
#include "ptx/printer.h"

namespace lockstep::session {
namespace {

std::string terminator_text(const kernel::Terminator& terminator, const kernel::Function& function) {
    using Kind = kernel::Terminator::Kind;
    if (!terminator.has_instruction) return "";
    const std::string guard = terminator.guard ? fmt::format("@{}{} ", terminator.guard->negated ? "!" : "",
                                                             function.registers[terminator.guard->reg].name)
                                               : "";
    switch (terminator.kind) {
        case Kind::jump: return "bra;";
        case Kind::branch: return guard + "bra;";
        case Kind::table: return guard + "brx.idx;";
        case Kind::ret: return guard + "ret;";
        case Kind::exit: return guard + "exit;";
        case Kind::unreachable: return "";
    }
    return "";
}

class Lister {
  public:
    Lister(const kernel::Function& function, const machine::View& view,
           std::vector<report::InstructionCounts>& out)
        : function_(function), view_(view), out_(out), names_(kernel::names_of(function)) {}

    void block(kernel::BlockId b) {
        const kernel::Block& block = function_.blocks[b];
        const kernel::Terminator& end = block.terminator;
        const bool empty = block.instructions.empty();
        std::vector<std::string> machine = machine::mnemonics(view_.blocks[b], block.instructions.size());
        add(machine.front(), empty ? end.source : block.instructions[0].source,
            empty ? end.line : block.instructions[0].line, "");
        std::size_t next = 1;
        for (const ptx::Instruction& instruction : block.instructions)
            add(machine[next++], instruction.source, instruction.line,
                ptx::print(instruction, *function_.module, names_));
        add(machine[next], end.source, end.line, terminator_text(end, function_));
    }

  private:
    void add(std::string& machine, int source, int ptx_line, std::string text) {
        report::InstructionCounts one;
        one.ptx_line = ptx_line;
        one.ptx = std::move(text);
        one.machine = std::move(machine);
        const ptx::Module& module = *function_.module;
        if (source >= 0 && static_cast<std::size_t>(source) < module.lines.size()) {
            const auto& line = module.lines[static_cast<std::size_t>(source)];
            if (line.file > 0 && static_cast<std::size_t>(line.file) < module.files.size()) {
                one.file = module.files[static_cast<std::size_t>(line.file)];
                one.line = line.line;
            }
        }
        out_.push_back(std::move(one));
    }

    const kernel::Function& function_;
    const machine::View& view_;
    std::vector<report::InstructionCounts>& out_;
    ptx::Function names_;
};

}  // namespace

void list_instructions(ProfiledKernel& profiled) {
    if (!profiled.first.empty()) return;
    const pipeline::Derived& variant = profiled.variants.front();
    for (std::size_t f = 0; f < variant.kernel->functions.size(); ++f) {
        const kernel::Function& function = variant.kernel->functions[f];
        Lister lister(function, variant.views[f], profiled.instructions);
        auto& first = profiled.first.emplace_back();
        for (kernel::BlockId b = 0; b < function.blocks.size(); ++b) {
            first.push_back(profiled.instructions.size());
            lister.block(b);
        }
    }
}

const pipeline::Derived& variant_for(ProfiledKernel& profiled, std::shared_ptr<const kernel::Kernel> kernel,
                                     const gpu::GpuModel& gpu) {
    for (const pipeline::Derived& variant : profiled.variants)
        if (variant.kernel == kernel) return variant;
    const kernel::Function& entry = kernel->functions.front();
    const machine::Options options = pipeline::machine_options(*entry.module, entry.index, gpu);
    profiled.variants.push_back(pipeline::derive(std::move(kernel), gpu, options));
    return profiled.variants.back();
}

std::vector<report::InstructionCounts> place_counts(const ProfiledKernel& profiled,
                                                    const metrics::Launch& counts) {
    using counters::Memory;
    std::vector<report::InstructionCounts> result(profiled.instructions.size());
    for (const counters::InstructionCounts& one : counts.instructions) {
        report::InstructionCounts& at = result[profiled.position(one)];
        at.executed = one.executed;
        at.active = one.active;
        at.predicated_on = one.predicated_on;
        at.branches = one.branches;
        at.divergent_branches = one.divergent_branches;
        at.pattern = one.pattern;
        for (const counters::AccessCounts& access : one.accesses) {
            at.requests += access.requests;
            at.sectors += access.sectors;
            at.ideal_sectors += access.ideal_sectors;
            at.wavefronts += access.wavefronts;
            at.ideal_wavefronts += access.ideal_wavefronts;
        }
    }
    for (const auto& one : counts.unsynchronised)
        result[profiled.position(one)].unsynchronised += one.meetings;
    if (counts.prediction)
        for (const timing::Prediction::Place& place : counts.prediction->places) {
            report::WarpCycles& cycles = result[profiled.position(place)].warp_cycles;
            for (std::size_t s = 0; s < cycles.size(); ++s)
                cycles[s] += static_cast<std::uint64_t>(std::llround(place.states[s]));
        }
    return result;
}

}  // namespace lockstep::session
