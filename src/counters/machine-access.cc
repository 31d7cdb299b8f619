#include "counters/machine-access.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "kernel/print.h"
#include "machine/join-atomics.h"
#include "machine/swap-loops.h"
#include "machine/uses.h"

namespace lockstep::counters {
namespace {

using kernel::SiteKind;
using ptx::Modifier;

// Whether ptxas can know that all lanes of a warp have one address.
bool has_one_address(const ptx::Instruction& instruction, const kernel::Shapes& shapes) {
    for (const ptx::Operand& operand : instruction.operands) {
        if (operand.kind != ptx::Operand::Kind::address || operand.elements.empty()) continue;
        const ptx::Operand& base = operand.elements[0];
        return base.kind != ptx::Operand::Kind::reg || shapes.registers[base.id].is_uniform();
    }
    return false;
}

// Other SMs may have written what it loads, or the GPU keeps such loads out of its L1 (unless asked to by
// ptxas's -dlcm=ca, where it can).
bool bypasses_l1(const ptx::Instruction& load, const gpu::GpuModel& gpu) {
    constexpr int first_asked = 35;
    for (Modifier modifier : {Modifier::volatile_, Modifier::relaxed, Modifier::acquire, Modifier::cg,
                              Modifier::cv, Modifier::mmio})
        if (load.has(modifier)) return true;
    if (gpu.timing.l1_caches_loads || load.has(Modifier::nc)) return false;
    return !(gpu.compute_capability() >= first_asked && load.has(Modifier::ca));
}

// Read-only loads have another way than the L1's on GPUs whose transactions are lines.
Transactions transactions_of(const MachineAccess& access, const ptx::Instruction& instruction,
                             const gpu::GpuModel& gpu) {
    if (!transactions_are_lines(gpu) || is_atomic(access.kind)) return Transactions::sectors;
    const bool through_l1 =
        access.kind == SiteKind::load && !access.bypasses_l1 && !instruction.has(Modifier::nc);
    return through_l1 ? Transactions::whole_lines : Transactions::lines;
}

}  // namespace

std::vector<MachineAccess> machine_accesses(const kernel::Kernel& kernel,
                                            std::span<const machine::View> views, const gpu::GpuModel& gpu) {
    std::vector<machine::Uses> uses;
    std::vector<kernel::Shapes> shapes;
    std::vector<std::vector<machine::SwapLoop>> loops;
    for (const kernel::Function& function : kernel.functions) {
        uses.emplace_back(function);
        shapes.push_back(kernel::find_shapes(function, 0));  // ptxas does not know how threads lie in warps
        loops.push_back(machine::swap_loops(function));
    }
    std::vector<MachineAccess> accesses;
    for (const kernel::Site& site : kernel.sites) {
        MachineAccess& access = accesses.emplace_back();
        access.kind = site.kind;
        if (!is_access(site.kind)) continue;
        for (const machine::Instruction& machine : views[site.function].blocks[site.block].code)
            if (machine.ptx == static_cast<std::int32_t>(site.instruction) && machine.access_bytes)
                access.bytes = machine.access_bytes;
        const ptx::Instruction& instruction = kernel.instruction_of(site);
        access.bypasses_l1 = site.kind == SiteKind::load && bypasses_l1(instruction, gpu);
        access.transactions = transactions_of(access, instruction, gpu);
        access.copies = instruction.opcode == ptx::Opcode::cp;
        if (!is_atomic(site.kind)) continue;
        const bool used = machine::result_is_used(uses[site.function], instruction);
        access.one_lane_for_all =
            machine::joins_lanes(instruction, used) && has_one_address(instruction, shapes[site.function]);
        access.compares = instruction.has(Modifier::cas);
        access.tries_again = std::ranges::any_of(loops[site.function], [&](const machine::SwapLoop& loop) {
            return loop.block == site.block && loop.instruction == site.instruction && loop.expects_result &&
                   !loop.swaps_extreme;
        });
        if (machine::spins(instruction))
            for (const machine::RoundPart& part : machine::spin_round(instruction))
                access.spin_instructions = static_cast<std::uint8_t>(access.spin_instructions + part.issues);
        access.adds_floats = instruction.has(Modifier::add) && ptx::is_float(instruction.type());
        if (site.kind == SiteKind::atomic && !used) access.kind = SiteKind::reduction;
    }
    return accesses;
}

std::string print(std::span<const MachineAccess> accesses, const kernel::Kernel& kernel) {
    std::string out = fmt::format("kernel {}\n", kernel.functions.front().name);
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        const MachineAccess& access = accesses[i];
        fmt::format_to(std::back_inserter(out), "site {} (line {}): ", i, kernel.sites[i].ptx_line);
        if (!is_access(access.kind)) {
            fmt::format_to(std::back_inserter(out), "{}\n", kernel::name_of(access.kind));
            continue;
        }
        if (access.bytes == 0) {
            out += "done by another access\n";
            continue;
        }
        fmt::format_to(std::back_inserter(out), "{} of {} bytes a lane{}{}\n", kernel::name_of(access.kind),
                       access.bytes, access.one_lane_for_all ? ", one lane acts for all of one address" : "",
                       access.compares ? ", passes twice" : "");
    }
    return out;
}

}  // namespace lockstep::counters
