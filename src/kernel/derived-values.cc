#include "kernel/derived-values.h"

#include <algorithm>

#include "kernel/graph.h"

namespace lockstep::kernel {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;

// Of memory that a block has for itself; also what may be, where no space is said.
bool may_be_of_block(const Instruction& inst) {
    return !inst.has(Modifier::global) && !inst.has(Modifier::param) && !inst.has(Modifier::const_);
}

}  // namespace

DerivedValues::DerivedValues(const Function& function,
                             const std::function<bool(const Instruction&)>& is_source, Ways ways)
    : function_(function),
      registers_(function.registers.size()),
      leads_(function.blocks.size()),
      led_(function.blocks.size()) {
    if (ways.branches) ipdom_ = post_dominators(function);
    const auto through = [&](const Instruction& inst) {
        return ways.memory == Ways::Memory::all ||
               (ways.memory == Ways::Memory::of_block && may_be_of_block(inst));
    };
    bool stored = false;
    for (bool changed = true; changed;) {
        changed = false;
        for (BlockId b = 0; b < function.blocks.size(); ++b) {
            for (const Instruction& inst : function.blocks[b].instructions) {
                const std::vector<RegId> reads = registers_read(function, inst);
                const bool follows =
                    is_source(inst) || led_[b] || (stored && inst.opcode == Opcode::ld && through(inst)) ||
                    std::any_of(reads.begin(), reads.end(), [&](RegId r) { return registers_[r]; });
                if (!follows) continue;
                if (inst.opcode == Opcode::st && !stored && through(inst)) stored = changed = true;
                for (const RegId r : registers_written(function, inst)) {
                    changed |= !registers_[r];
                    registers_[r] = true;
                }
            }
            if (ways.branches) changed |= lead(b);
        }
    }
}

bool DerivedValues::decides(BlockId block) const {
    const Terminator& end = function_.blocks[block].terminator;
    return (end.guard && registers_[end.guard->reg]) ||
           (end.kind == Terminator::Kind::table && end.index.kind == ptx::Operand::Kind::reg &&
            registers_[end.index.id]);
}

bool DerivedValues::lead(BlockId block) {
    const Terminator& end = function_.blocks[block].terminator;
    if (end.targets.size() < 2 || leads_[block] || !decides(block)) return false;
    leads_[block] = true;
    bool changed = false;
    for (const BlockId target : end.targets) {
        const std::vector<bool> reached = reachable_until(function_, target, ipdom_[block]);
        for (BlockId b = 0; b < reached.size(); ++b) {
            if (!reached[b] || led_[b]) continue;
            led_[b] = changed = true;
        }
    }
    return changed;
}

}  // namespace lockstep::kernel
