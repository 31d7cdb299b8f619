#include "machine/swap-loops.h"

#include <algorithm>

#include "kernel/graph.h"
#include "machine/selection.h"

namespace lockstep::machine {
namespace {

using kernel::BlockId;
using kernel::Function;
using ptx::Modifier;
using ptx::Operand;

// Whether what `atomic` returns is what it compares with the next time: through copies.
bool compares_with_result(const Function& function, const ptx::Instruction& atomic) {
    if (atomic.operands[0].kind != Operand::Kind::reg || atomic.operands[2].kind != Operand::Kind::reg)
        return false;
    std::vector<bool> holds(function.registers.size());
    holds[atomic.operands[0].id] = true;
    for (bool more = true; more;) {
        more = false;
        for (const kernel::Block& block : function.blocks)
            for (const ptx::Instruction& copy : block.instructions) {
                if (copy.opcode != ptx::Opcode::mov || copy.operands[0].kind != Operand::Kind::reg ||
                    copy.operands[1].kind != Operand::Kind::reg || !holds[copy.operands[1].id] ||
                    holds[copy.operands[0].id])
                    continue;
                holds[copy.operands[0].id] = more = true;
            }
    }
    return holds[atomic.operands[2].id];
}

bool stores_extreme(const Function& function, const ptx::Instruction& atomic) {
    const auto made = [&](kernel::RegId reg) -> const ptx::Instruction* {
        for (const kernel::Block& block : function.blocks)
            for (const ptx::Instruction& one : block.instructions)
                if (!one.operands.empty() && one.operands[0].kind == Operand::Kind::reg &&
                    one.operands[0].id == reg)
                    return &one;
        return nullptr;
    };
    const Operand* value = &atomic.operands[3];
    for (int copies = 0; copies < 8 && value->kind == Operand::Kind::reg; ++copies) {
        const ptx::Instruction* const maker = made(value->id);
        if (!maker || maker->operands.size() < 2) return false;
        if (maker->opcode == ptx::Opcode::max || maker->opcode == ptx::Opcode::min) return true;
        if (maker->opcode != ptx::Opcode::mov) return false;
        value = &maker->operands[1];
    }
    return false;
}

// Loops have one latch.
BlockId latch_of(const Function& function, const kernel::Loop& loop) {
    for (const BlockId before : function.blocks[loop.header].predecessors)
        if (loop.contains[before]) return before;
    return kernel::no_block;
}

// Edges that leave it.
int exits_of(const Function& function, const kernel::Loop& loop) {
    int exits = 0;
    for (BlockId b = 0; b < function.blocks.size(); ++b)
        if (loop.contains[b])
            for (const BlockId next : kernel::successors(function.blocks[b])) exits += !loop.contains[next];
    return exits;
}

}  // namespace

std::vector<SwapLoop> swap_loops(const Function& function) {
    std::vector<SwapLoop> result;
    std::vector<BlockId> idom;
    for (BlockId b = 0; b < function.blocks.size(); ++b) {
        const kernel::Block& block = function.blocks[b];
        if (block.loop < 0) continue;
        for (std::uint32_t i = 0; i < block.instructions.size(); ++i) {
            const ptx::Instruction& atomic = block.instructions[i];
            if (atomic.opcode != ptx::Opcode::atom || !atomic.has(Modifier::cas) ||
                atomic.operands.size() < 4)
                continue;
            if (idom.empty()) idom = kernel::dominators(function);
            const kernel::Loop& loop = function.loops[static_cast<std::size_t>(block.loop)];
            const BlockId latch = latch_of(function, loop);
            if (latch == kernel::no_block || !kernel::dominates(idom, b, latch)) continue;
            SwapLoop& found = result.emplace_back();
            found.block = b;
            found.instruction = i;
            found.one_exit = exits_of(function, loop) == 1;
            found.expects_result = compares_with_result(function, atomic);
            found.swaps_extreme = stores_extreme(function, atomic);
            for (BlockId other = 0; other < function.blocks.size(); ++other)
                if (function.blocks[other].loop == block.loop && kernel::dominates(idom, other, latch))
                    found.round.push_back(other);
        }
    }
    return result;
}

bool spins(const ptx::Instruction& atomic) {
    return atomic.syntax().family == ptx::Family::atomic && is_shared(atomic) && atomic.has(Modifier::add) &&
           (ptx::is_float(atomic.type()) || ptx::type_bytes(atomic.type()) > 4);
}

std::vector<RoundPart> spin_round(const ptx::Instruction& atomic) {
    const bool wide = ptx::type_bytes(atomic.type()) > 4;
    const std::uint16_t words = wide ? 2 : 1;
    const RoundPart sum = !ptx::is_float(atomic.type()) ? RoundPart{Opcode::iadd3, words}
                          : wide                        ? RoundPart{Opcode::dadd}
                                                        : RoundPart{Opcode::fadd};
    return {{Opcode::lds}, sum, {Opcode::atoms}, {Opcode::isetp, words}, {Opcode::bra, 1, 1}};
}

void add_swap_loops(Selection& s) {
    // Lanes that others of their warp wait for get their turn; a loop that counts its turns ends anyway.
    if (s.generation.yields)
        for (const SwapLoop& loop : swap_loops(s.function))
            if (loop.expects_result || loop.one_exit)
                s.additions[loop.block].push_back({.opcode = Opcode::yield});
    for (BlockId b = 0; b < s.function.blocks.size(); ++b) {
        const auto& instructions = s.function.blocks[b].instructions;
        for (std::size_t i = 0; i < instructions.size(); ++i) {
            if (!spins(instructions[i])) continue;
            const auto add = [&](const RoundPart& part) {
                if (part.opcode != Opcode::atoms)
                    s.additions[b].push_back({.opcode = part.opcode,
                                              .issues = part.issues,
                                              .branches = part.branches,
                                              .ptx = static_cast<std::int32_t>(i),
                                              .of_swap = true});
            };
            add({Opcode::bssy});
            for (const RoundPart& part : spin_round(instructions[i])) add(part);
            add({Opcode::bsync});
        }
    }
}

}  // namespace lockstep::machine
