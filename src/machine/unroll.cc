// ptxas unrolls a counted loop of one block four times: a main loop while more than three turns are left, a
// copy for two more, and the loop itself for the last one. Counters and pointers are then stepped once a
// trip.
#include "machine/unroll.h"

#include <algorithm>

#include "kernel/graph.h"
#include "machine/ptxas.h"

namespace lockstep::machine {
namespace {

using kernel::BlockId;
using kernel::Terminator;
using ptx::Operand;

// Where the loop's branch goes back: its only block that has one, which it ends by itself or through an empty
// latch.
BlockId closing_block(const kernel::Function& f, const kernel::Loop& loop) {
    BlockId closing = kernel::no_block;
    for (BlockId p : f.blocks[loop.header].predecessors) {
        if (!loop.contains[p]) continue;
        const kernel::Block& latch = f.blocks[p];
        const bool empty = latch.is_latch && latch.instructions.empty() && latch.predecessors.size() == 1;
        if (closing != kernel::no_block) return kernel::no_block;
        closing = empty ? latch.predecessors[0] : p;
    }
    return closing;
}

// Blocks of the loop that every turn executes: they lie in one block of the machine, which other blocks may
// have been predicated into. Nothing where there are several of them.
std::vector<BlockId> blocks_of_turn(const kernel::Function& f, const kernel::Loop& loop,
                                    const MachineBlocks& machine) {
    std::vector<BlockId> blocks;
    for (BlockId b = 0; b < f.blocks.size(); ++b) {
        if (!loop.contains[b] || (f.blocks[b].is_latch && f.blocks[b].instructions.empty())) continue;
        if (machine.first[b] != loop.header) return {};
        if (machine.issued_with[b] == b) blocks.push_back(b);
    }
    return blocks;
}

// The branch compares a counter that moves by a constant with something that does not move: what it is.
const Operand* bound_of(const kernel::Function& f, const Uses& uses, const kernel::Loop& loop,
                        const std::vector<BlockId>& blocks, BlockId closing) {
    const Terminator& end = f.blocks[closing].terminator;
    if (end.kind != Terminator::Kind::branch || !end.guard) return nullptr;
    const auto has_step = [&](kernel::RegId counter) {
        for (BlockId b : blocks)
            for (const ptx::Instruction& step : f.blocks[b].instructions)
                if (is_step(step) && step.operands[0].id == counter) return true;
        return false;
    };
    const auto stays = [&](const Operand& bound) {
        if (bound.kind != Operand::Kind::reg) return bound.kind == Operand::Kind::integer;
        return std::ranges::none_of(uses.writers(bound.id),
                                    [&](const Place& place) { return loop.contains[place.block]; });
    };
    for (BlockId b : blocks)
        for (const ptx::Instruction& inst : f.blocks[b].instructions)
            if (inst.opcode == ptx::Opcode::setp && inst.operands[0].kind == Operand::Kind::reg &&
                inst.operands[0].id == end.guard->reg && inst.operands[1].kind == Operand::Kind::reg &&
                stays(inst.operands[2]) && has_step(inst.operands[1].id))
                return &inst.operands[2];
    return nullptr;
}

// Nothing in the loop stands in the way: no barrier, no exchange between lanes, no branch of an expansion.
bool is_plain(const Selection& s, const kernel::Loop& loop) {
    std::size_t size = 0;
    for (BlockId b = 0; b < s.function.blocks.size(); ++b) {
        if (!loop.contains[b]) continue;
        const auto& instructions = s.function.blocks[b].instructions;
        size += instructions.size();
        for (std::size_t i = 0; i < instructions.size(); ++i) {
            const ptx::Family family = instructions[i].syntax().family;
            if (family == ptx::Family::barrier || family == ptx::Family::control ||
                family == ptx::Family::warp || family == ptx::Family::atomic ||
                family == ptx::Family::matrix || instructions[i].no_unroll || s.choices[b][i].branches)
                return false;
        }
    }
    return size > 0 && size <= ptxas::unroll_largest;
}

// A loop with predicated code in it is unrolled where that brings accesses together.
bool accesses_memory(const Selection& s, const kernel::Loop& loop) {
    for (BlockId b = 0; b < s.function.blocks.size(); ++b)
        if (loop.contains[b] && std::ranges::any_of(s.choices[b], [](const Choice& choice) {
                return choice.issues && is_global(choice.row().access);
            }))
            return true;
    return false;
}

}  // namespace

bool is_step(const ptx::Instruction& inst) {
    return (inst.opcode == ptx::Opcode::add || inst.opcode == ptx::Opcode::sub) &&
           inst.operands.size() == 3 && inst.operands[0].kind == Operand::Kind::reg &&
           inst.operands[1].kind == Operand::Kind::reg && inst.operands[0].id == inst.operands[1].id &&
           inst.operands[2].kind == Operand::Kind::integer;
}

std::vector<UnrolledLoop> unrolled_loops(const Selection& s, const MachineBlocks& machine) {
    const kernel::Function& f = s.function;
    std::vector<UnrolledLoop> result;
    for (const kernel::Loop& loop : f.loops) {
        const BlockId closing = closing_block(f, loop);
        std::vector<BlockId> blocks = blocks_of_turn(f, loop, machine);
        if (closing == kernel::no_block || blocks.empty() || !is_plain(s, loop)) continue;
        const Operand* bound = bound_of(f, s.uses, loop, blocks, closing);
        if (!bound) continue;
        if (blocks.size() > 1 && !accesses_memory(s, loop)) continue;
        result.push_back({loop.header, closing, std::move(blocks), bound->kind == Operand::Kind::reg});
    }
    return result;
}

bool is_loop_overhead(const kernel::Function& f, const UnrolledLoop& loop, const ptx::Instruction& inst) {
    const Terminator& end = f.blocks[loop.closing].terminator;
    if (is_step(inst)) return true;
    return inst.opcode == ptx::Opcode::setp && end.guard && inst.operands[0].kind == Operand::Kind::reg &&
           inst.operands[0].id == end.guard->reg;
}

}  // namespace lockstep::machine
