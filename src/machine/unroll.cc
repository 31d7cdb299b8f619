// ptxas unrolls a counted loop of one block four times: a main loop while more than three turns are left, a
// copy for two more, and the loop itself for the last one. Counters and pointers are then stepped once a
// trip.
#include "machine/unroll.h"

#include "kernel/graph.h"
#include "machine/ptxas.h"

namespace lockstep::machine {
namespace {

using kernel::BlockId;
using kernel::Terminator;
using ptx::Operand;

// r = r + constant.
bool is_step(const ptx::Instruction& inst) {
    return (inst.opcode == ptx::Opcode::add || inst.opcode == ptx::Opcode::sub) &&
           inst.operands.size() == 3 && inst.operands[0].kind == Operand::Kind::reg &&
           inst.operands[1].kind == Operand::Kind::reg && inst.operands[0].id == inst.operands[1].id &&
           inst.operands[2].kind == Operand::Kind::integer;
}

// The only block of its loop, which it ends by itself or through an empty latch.
bool is_one_block_loop(const kernel::Function& f, BlockId b) {
    const Terminator& end = f.blocks[b].terminator;
    if (end.kind != Terminator::Kind::branch) return false;
    for (BlockId target : end.targets) {
        if (target == b) return true;
        const kernel::Block& latch = f.blocks[target];
        if (latch.is_latch && latch.instructions.empty() && latch.terminator.targets.size() == 1 &&
            latch.terminator.targets[0] == b)
            return true;
    }
    return false;
}

// The branch compares a counter that moves by a constant with something that does not move.
bool is_counted(const Selection& s, BlockId b) {
    const auto& body = s.function.blocks[b].instructions;
    const Terminator& end = s.function.blocks[b].terminator;
    for (const ptx::Instruction& inst : body) {
        if (inst.opcode != ptx::Opcode::setp || inst.operands[0].kind != Operand::Kind::reg || !end.guard ||
            inst.operands[0].id != end.guard->reg)
            continue;
        for (const ptx::Instruction& step : body)
            if (is_step(step) && inst.operands[1].kind == Operand::Kind::reg &&
                inst.operands[1].id == step.operands[0].id && inst.operands[2].kind == Operand::Kind::integer)
                return true;
    }
    return false;
}

}  // namespace

std::vector<bool> unrolled_loops(Selection& s) {
    std::vector<bool> result(s.function.blocks.size());
    for (BlockId b = 0; b < s.function.blocks.size(); ++b) {
        const auto& body = s.function.blocks[b].instructions;
        if (body.empty() || body.size() > ptxas::unroll_largest || body[0].no_unroll) continue;
        if (!is_one_block_loop(s.function, b) || !is_counted(s, b)) continue;
        bool plain = true;
        for (const ptx::Instruction& inst : body) {
            const ptx::Family family = inst.syntax().family;
            plain &= family != ptx::Family::barrier && family != ptx::Family::control &&
                     family != ptx::Family::warp && family != ptx::Family::atomic &&
                     family != ptx::Family::matrix;
        }
        result[b] = plain;
    }
    return result;
}

bool is_loop_overhead(const kernel::Function& f, BlockId b, const ptx::Instruction& inst) {
    const Terminator& end = f.blocks[b].terminator;
    if (is_step(inst)) return true;
    return inst.opcode == ptx::Opcode::setp && end.guard && inst.operands[0].kind == Operand::Kind::reg &&
           inst.operands[0].id == end.guard->reg;
}

}  // namespace lockstep::machine
