// Found by experiment: kernels that differ in the constants, or in what stands between the questions,
// compiled by ptxas 13.0 for Hopper.
//
// - Blocks that only ask whether one 32-bit integer is a constant, one after the other, as nvcc writes a
//   `switch`, become a branch by a table if their constants lie near enough to each other. What is asked
//   behind other instructions, or the other way round (`ne`), is no part of it, and long or short integers
//   have none.
// - That is decided before conditions are joined and sides predicated.
#include <algorithm>
#include <cstdint>

#include "kernel/graph.h"
#include "machine/ptxas.h"
#include "machine/selection.h"

namespace lockstep::machine {
namespace {

using kernel::BlockId;
using kernel::Terminator;
using ptx::Modifier;
using ptx::Operand;

// The block's only instruction, a comparison for its own branch, which is taken where they are equal.
const ptx::Instruction* question_of(const Selection& s, BlockId b) {
    const kernel::Block& block = s.function.blocks[b];
    const Terminator& end = block.terminator;
    if (end.kind != Terminator::Kind::branch || !end.guard || end.guard->negated ||
        block.instructions.size() != 1)
        return nullptr;
    const ptx::Instruction& inst = block.instructions[0];
    const bool asks = inst.opcode == ptx::Opcode::setp && inst.has(Modifier::eq) && !inst.guard &&
                      !ptx::is_float(inst.type()) && ptx::type_bits(inst.type()) == 32 &&
                      inst.operands.size() == 3 && inst.operands[0].kind == Operand::Kind::reg &&
                      inst.operands[0].id == end.guard->reg && inst.operands[1].kind == Operand::Kind::reg &&
                      inst.operands[2].kind == Operand::Kind::integer;
    return asks && s.uses.readers(end.guard->reg).size() == 1 ? &inst : nullptr;
}

// Where its branch is not taken: beyond the jump that may be the other half of it.
BlockId otherwise(const kernel::Function& f, BlockId b) {
    const BlockId next = f.blocks[b].terminator.targets[1];
    const Terminator& end = f.blocks[next].terminator;
    return follows_branch(f, next) && end.kind == Terminator::Kind::jump ? end.targets[0] : next;
}

// It is a block of the machine by itself.
bool begins_a_block(const kernel::Function& f, BlockId b) {
    const auto& before = f.blocks[b].predecessors;
    if (before.size() != 1) return true;
    return f.blocks[before[0]].terminator.kind != Terminator::Kind::jump || follows_branch(f, before[0]);
}

}  // namespace

void make_jump_tables(Selection& s) {
    const kernel::Function& f = s.function;
    for (BlockId first = 0; first < f.blocks.size(); ++first) {
        const ptx::Instruction* question = question_of(s, first);
        if (!question || s.tables[first] != kernel::no_block || !begins_a_block(f, first)) continue;
        const kernel::RegId asked = question->operands[1].id;
        std::vector<BlockId> blocks;
        std::int64_t least = 0, most = 0;
        for (BlockId b = first; question && question->operands[1].id == asked;
             b = otherwise(f, b), question = question_of(s, b)) {
            if (b != first && (b <= first || f.blocks[b].predecessors.size() != 1)) break;
            const auto constant = static_cast<std::int32_t>(question->operands[2].bits);
            least = blocks.empty() ? constant : std::min<std::int64_t>(least, constant);
            most = blocks.empty() ? constant : std::max<std::int64_t>(most, constant);
            blocks.push_back(b);
        }
        const auto steps = static_cast<std::int64_t>(blocks.size()) - 1;
        if (steps == 0 || most - least > ptxas::table_spread * steps) continue;
        for (BlockId b : blocks) {
            s.tables[b] = first;
            s.fold({b, 0});
        }
    }
}

}  // namespace lockstep::machine
