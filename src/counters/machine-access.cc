#include "counters/machine-access.h"

#include <fmt/format.h>

#include <iterator>

#include "kernel/graph.h"
#include "kernel/print.h"

namespace lockstep::counters {
namespace {

using kernel::SiteKind;
using ptx::Modifier;

// Registers that some instruction or terminator of the function reads.
std::vector<bool> registers_read(const kernel::Function& function) {
    std::vector<bool> read(function.registers.size());
    for (const kernel::Block& block : function.blocks) {
        for (const ptx::Instruction& instruction : block.instructions)
            for (kernel::RegId reg : kernel::registers_read(function, instruction)) read[reg] = true;
        if (block.terminator.guard) read[block.terminator.guard->reg] = true;
        if (block.terminator.index.kind == ptx::Operand::Kind::reg) read[block.terminator.index.id] = true;
    }
    return read;
}

bool combines(const ptx::Instruction& atomic) {
    const bool commutes = atomic.has(Modifier::add) || atomic.has(Modifier::min) ||
                          atomic.has(Modifier::max) || atomic.has(Modifier::and_) ||
                          atomic.has(Modifier::or_);
    const ptx::Type type = atomic.type();
    return commutes && (type == ptx::Type::u32 || type == ptx::Type::s32 || type == ptx::Type::b32);
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
    std::vector<std::vector<bool>> read;
    for (const kernel::Function& function : kernel.functions) read.push_back(registers_read(function));
    std::vector<MachineAccess> accesses;
    for (const kernel::Site& site : kernel.sites) {
        MachineAccess& access = accesses.emplace_back();
        access.kind = site.kind;
        if (!is_access(site.kind)) continue;
        for (const machine::Instruction& machine : views[site.function].blocks[site.block].code)
            if (machine.ptx == static_cast<std::int32_t>(site.instruction) && machine.access_bytes)
                access.bytes = machine.access_bytes;
        const ptx::Instruction& instruction =
            kernel.functions[site.function].blocks[site.block].instructions[site.instruction];
        access.bypasses_l1 = site.kind == SiteKind::load && bypasses_l1(instruction, gpu);
        access.transactions = transactions_of(access, instruction, gpu);
        access.copies = instruction.opcode == ptx::Opcode::cp;
        if (!is_atomic(site.kind)) continue;
        access.one_lane_for_all = combines(instruction);
        access.compares = instruction.has(Modifier::cas);
        access.adds_floats = instruction.has(Modifier::add) && ptx::is_float(instruction.type());
        const ptx::Operand& result = instruction.operands[0];
        const bool used = result.kind == ptx::Operand::Kind::reg && read[site.function][result.id];
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
