// Moves, sums of two and shifts can be done by the integer unit or, as a multiply-add, by the other: ptxas
// spreads them, so that neither has much more to do.
#include "machine/balance-pipes.h"

#include <algorithm>
#include <map>

namespace lockstep::machine {
namespace {

using kernel::BlockId;
using ptx::Operand;

// What the multiply-add unit would do for it: itself where it cannot.
Opcode other_way(Opcode opcode) {
    switch (opcode) {
        case Opcode::mov: return Opcode::mov_imad;
        case Opcode::iadd3: return Opcode::iadd3_imad;
        case Opcode::shf: return Opcode::shf_imad;
        default: return opcode;
    }
}

// Nothing was folded into it, and it is a sum of two or a shift to the left by a known number.
bool is_simple(Selection& s, Place place) {
    const ptx::Instruction* inst = s.uses.at(place);
    if (!inst || ptx::type_bits(inst->type()) > 32 || inst->operands.size() < 3) return false;
    if (inst->opcode == ptx::Opcode::shl) return inst->operands[2].kind == Operand::Kind::integer;
    if (inst->opcode != ptx::Opcode::add && inst->opcode != ptx::Opcode::sub) return false;
    return std::ranges::none_of(inst->operands, [&](const Operand& operand) {
        if (!s.uses.writer(operand) || operand.id == inst->operands[0].id) return false;
        const Place from = s.uses.writers(operand.id)[0];
        return from.block == place.block && s.folded(from) && s.uses.at(from)->opcode != ptx::Opcode::mov;
    });
}

}  // namespace

void balance_pipes(Selection& s, const MachineBlocks& machine, std::vector<Block>& blocks) {
    struct Load {
        double alu = 0, multiply = 0;  // in cycles of a warp
    };
    constexpr double float_share = 0.5;  // the unit does two of these while it does one of integers
    std::map<BlockId, Load> loads;
    const auto can_move = [&](BlockId b, const Instruction& instruction) {
        if (instruction.opcode == Opcode::mov) return true;
        return other_way(instruction.opcode) != instruction.opcode && instruction.issues == 1 &&
               instruction.ptx >= 0 && is_simple(s, {b, instruction.ptx});
    };
    const auto for_each = [&](auto&& act) {
        for (BlockId b = 0; b < blocks.size(); ++b)
            for (Instruction& instruction : blocks[b].code) act(b, instruction, loads[machine.first[b]]);
    };
    for_each([&](BlockId b, const Instruction& instruction, Load& load) {
        if (can_move(b, instruction)) return;
        const OpcodeRow& row = instruction.row();
        if (row.pipe == Pipe::alu) load.alu += instruction.issues;
        if (row.pipe == Pipe::fma)
            load.multiply += instruction.issues * (row.unit == Unit::imad ? 1 : float_share);
    });
    for_each([&](BlockId b, Instruction& instruction, Load& load) {
        if (!can_move(b, instruction)) return;
        const bool moves = load.multiply < load.alu;
        (moves ? load.multiply : load.alu) += instruction.issues;
        if (moves) instruction.opcode = other_way(instruction.opcode);
    });
}

}  // namespace lockstep::machine
