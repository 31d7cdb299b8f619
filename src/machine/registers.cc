// The largest number of values alive at once, in 32-bit registers, with two corrections: what lives in the
// constant bank or in predicates takes none, and ptxas issues the loads of a block early, so that their
// results are alive together.
#include "machine/registers.h"

#include <algorithm>
#include <cmath>

#include "kernel/graph.h"
#include "machine/ptxas.h"

namespace lockstep::machine {
namespace {

using kernel::BlockId;
using kernel::RegId;

int width(const kernel::Function& f, RegId r) {
    const ptx::Type type = f.registers[r].type;
    if (type == ptx::Type::pred) return 0;
    return ptx::type_bits(type) == 64 ? 2 : ptx::type_bits(type) == 128 ? 4 : 1;
}

// Values that the machine reads from the constant bank or makes again where it needs them.
std::vector<bool> free_registers(Selection& s) {
    std::vector<bool> result(s.function.registers.size());
    for (RegId r = 0; r < result.size(); ++r) {
        if (s.uses.writers(r).size() != 1) continue;
        const Place place = s.uses.writers(r)[0];
        const ptx::Instruction* writer = s.uses.at(place);
        if (!writer) continue;
        const bool parameter = writer->opcode == ptx::Opcode::ld && writer->has(ptx::Modifier::param);
        const bool constant = writer->opcode == ptx::Opcode::mov &&
                              writer->operands[1].kind != ptx::Operand::Kind::reg &&
                              writer->operands[1].kind != ptx::Operand::Kind::special;
        result[r] = parameter || constant || writer->opcode == ptx::Opcode::cvta || s.folded(place);
    }
    return result;
}

}  // namespace

std::vector<int> register_costs(Selection& s) {
    const std::vector<bool> is_free = free_registers(s);
    std::vector<int> costs;
    for (RegId r = 0; r < is_free.size(); ++r) costs.push_back(is_free[r] ? 0 : width(s.function, r));
    return costs;
}

RegisterEstimate estimate_registers(Selection& s, const gpu::GpuModel& gpu) {
    const kernel::Function& f = s.function;
    const std::vector<int> cost = register_costs(s);
    const auto live_in = kernel::live_registers(f);
    double most = 0;
    int values = 0;
    for (BlockId b = 0; b < f.blocks.size(); ++b) {
        const kernel::Block& block = f.blocks[b];
        kernel::RegisterSet live(f.registers.size());
        for (BlockId next : kernel::successors(block)) live |= live_in[next];
        if (block.terminator.guard) live[block.terminator.guard->reg] = true;
        int now = s.array_registers;
        for (RegId r = 0; r < live.size(); ++r) now += live[r] ? cost[r] : 0;
        int peak = now, early = 0, early_peak = 0;
        for (std::size_t i = block.instructions.size(); i-- > 0;) {
            const ptx::Instruction& inst = block.instructions[i];
            for (RegId r : kernel::registers_written(f, inst)) {
                if (live[r]) now -= cost[r];
                live[r] = false;
            }
            for (RegId r : kernel::registers_read(f, inst)) {
                if (!live[r]) now += cost[r];
                live[r] = true;
            }
            // Loads are moved up to the first of them unless a barrier is between.
            const Choice& choice = s.choices[b][i];
            if (choice.row().access != Access::none && inst.opcode == ptx::Opcode::ld)
                early += std::max(1, choice.access_bytes / 4);
            if (inst.syntax().family == ptx::Family::barrier) early = 0;
            early_peak = std::max(early_peak, early);
            peak = std::max(peak, now);
        }
        values = std::max(values, peak);
        most = std::max(most, peak + ptxas::early_load_share * std::min(early_peak, ptxas::early_loads));
    }
    const double needed = std::max<double>(ptxas::least_registers, most + ptxas::registers_besides);
    // With so many the SM is full, or to three quarters. ptxas spends what is free up to there, and saves to
    // get down to it.
    const auto with_threads = [&](double share) {
        const double threads = share * gpu.max_threads_per_sm;
        return threads > 0
                   ? std::floor(gpu.registers_per_sm / threads / ptxas::register_step) * ptxas::register_step
                   : 0;
    };
    const double full = with_threads(1), most_of_it = with_threads(ptxas::most_of_sm);
    const bool fills = needed >= ptxas::full_sm_from * full && needed <= ptxas::full_sm_to * full;
    const double wanted = fills                                                          ? full
                          : needed > full && needed <= ptxas::most_of_sm_to * most_of_it ? most_of_it
                                                                                         : needed;
    return {.wanted = static_cast<std::uint32_t>(std::lround(wanted)),
            .values = static_cast<std::uint32_t>(values),
            .room = static_cast<std::uint32_t>(std::max(wanted, full)) - ptxas::early_loads_leave};
}

}  // namespace lockstep::machine
