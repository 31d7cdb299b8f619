// Found by experiment: kernels that differ in the instructions which lanes execute together, where a branch
// may have parted them, compiled by ptxas 13.0 for Hopper and for 8.0.
//
// - One that the kernel has several of there (a shuffle of the same kind, a vote of the same kind) asks first
//   whether the lanes are together: BRA.DIV, to a copy of it that waits for them. From 9.0 on all that follow
//   each other in a block are asked for once.
// - One that it has only once there waits for the whole warp (WARPSYNC.ALL); others behind it in the block
//   need nothing.
// - With another mask than that of the whole warp it waits for the lanes that this one names (WARPSYNC).
// - A mask that lanes compute, each for itself (the tiles of cooperative groups), is asked for wherever it
// is:
//   several shuffles whether all that have one mask are together (VOTE, MATCH, REDUX, LOP3, BRA.DIV), several
//   of the others whether there is only one mask (REDUX, R2UR, BRA.DIV), once for those that follow each
//   other; votes by several masks are then another way, one mask after the other. A shuffle alone waits
//   (WARPSYNC), a vote alone between BSSY and BSYNC.
#include "machine/collectives.h"

#include <map>
#include <set>

namespace lockstep::machine {
namespace {

using kernel::BlockId;
using ptx::Operand;

bool is_of_whole_warp(const Selection& s, const ptx::Instruction& collective) {
    const Operand* mask = &collective.operands.back();
    if (const ptx::Instruction* writer = s.uses.writer(*mask); writer && writer->opcode == ptx::Opcode::mov)
        mask = &writer->operands[1];
    return mask->kind == Operand::Kind::integer && static_cast<std::uint32_t>(mask->bits) == ~0u;
}

// Whether lanes may name others each.
bool names_others(const Selection& s, const ptx::Instruction& collective) {
    const Operand& mask = collective.operands.back();
    return mask.kind == Operand::Kind::reg && !s.shapes.registers[mask.id].is_uniform();
}

bool is_of_a_kind(const ptx::Instruction& a, const ptx::Instruction& b) {
    return a.opcode == b.opcode && a.mods == b.mods;
}

}  // namespace

bool is_collective(const ptx::Instruction& inst) {
    switch (inst.opcode) {
        case ptx::Opcode::shfl:
        case ptx::Opcode::vote:
        case ptx::Opcode::match:
        case ptx::Opcode::redux: return inst.has(ptx::Modifier::sync);
        case ptx::Opcode::bar:
        case ptx::Opcode::barrier: return inst.has(ptx::Modifier::warp);
        default: return false;
    }
}

std::vector<bool> bring_together(const Selection& s, const MachineBlocks& machine,
                                 const std::vector<bool>& apart, std::vector<Block>& blocks) {
    const kernel::Function& f = s.function;
    const auto for_each = [&](auto&& act) {
        for (BlockId b = 0; b < blocks.size(); ++b)
            for (const ptx::Instruction& inst : f.blocks[b].instructions)
                if (is_collective(inst) && (apart[b] || names_others(s, inst))) act(b, inst);
    };
    const auto has_several = [&](const ptx::Instruction& inst) {
        std::uint32_t number = 0;
        for_each([&](BlockId b, const ptx::Instruction& other) {
            if (is_of_a_kind(inst, other)) number += blocks[b].unrolling.turns;
        });
        return number > 1;
    };
    const auto add = [&](BlockId b, Opcode opcode, std::uint16_t branches) {
        blocks[b].code.push_back({.opcode = opcode, .branches = branches, .once_a_trip = true});
    };
    std::vector<bool> gathers(blocks.size());
    std::set<BlockId> asked, together;           // by the first block of those that are one of the machine
    std::map<BlockId, bool> asked_for_shuffles;  // the last question there about masks of lanes
    // Who votes by different masks, does so one mask after the other, elsewhere: as a rule there are two.
    const auto take_turns = [&](BlockId b) {
        for (const Opcode opcode : {Opcode::bssy, Opcode::plop3, Opcode::warpsync, Opcode::warpsync,
                                    Opcode::vote, Opcode::warpsync, Opcode::bsync})
            add(b, opcode, 0);
    };
    const auto ask_for_masks = [&](BlockId b, const ptx::Instruction& inst) {
        const bool shuffles = inst.opcode == ptx::Opcode::shfl;
        if (inst.syntax().family == ptx::Family::barrier) return;  // __syncwarp is that itself
        if (!has_several(inst)) {
            add(b, Opcode::warpsync, 0);
            if (shuffles) return;
            add(b, Opcode::bssy, 0);
            add(b, Opcode::bsync, 0);
            return;
        }
        if (!shuffles) take_turns(b);
        const auto [last, fresh] = asked_for_shuffles.try_emplace(machine.first[b], shuffles);
        if (!fresh && last->second == shuffles) return;
        last->second = shuffles;
        add(b, Opcode::redux, 0);
        if (shuffles) {
            add(b, Opcode::vote, 0);
            add(b, Opcode::match, 0);
            add(b, Opcode::lop3, 0);
        } else {
            add(b, Opcode::mov, 0);
            add(b, Opcode::bra, 1);
        }
        add(b, Opcode::bra_div, 1);
    };
    for_each([&](BlockId b, const ptx::Instruction& inst) {
        if (s.generation.groups_collectives && names_others(s, inst)) return ask_for_masks(b, inst);
        const BlockId first = machine.first[b];
        if (together.contains(first)) return;
        if (has_several(inst)) {
            if (s.generation.groups_collectives && !asked.insert(first).second) return;
            add(b, Opcode::mov, 0);
            add(b, Opcode::bra_div, 1);
        } else {
            // __syncwarp is that itself.
            if (inst.syntax().family != ptx::Family::barrier) add(b, Opcode::warpsync, 0);
            if (!is_of_whole_warp(s, inst)) return;
            together.insert(first);
            gathers[b] = true;
        }
    });
    return gathers;
}

}  // namespace lockstep::machine
