// Atomics on an address that is the same for the whole warp: ptxas lets one lane act for all. It counts the
// lanes or adds up their values first, and where results are wanted tells each lane its own.
#include "machine/join-atomics.h"

#include <optional>

#include "machine/ptxas.h"
#include "machine/selection.h"

namespace lockstep::machine {
namespace {

using ptx::Modifier;
using ptx::Operand;

bool is_uniform(const Selection& s, const Operand& operand) {
    if (operand.kind == Operand::Kind::address)
        return !operand.elements.empty() && is_uniform(s, operand.elements[0]);
    return operand.kind != Operand::Kind::reg || s.shapes.registers[operand.id].is_uniform();
}

std::size_t address_index(const ptx::Instruction& atomic) {
    return atomic.opcode == ptx::Opcode::atom ? 1 : 0;
}

// A number, also where PTX has moved it into a register.
std::optional<std::uint64_t> constant(const Selection& s, const Operand& operand) {
    if (operand.kind == Operand::Kind::integer) return operand.bits;
    const ptx::Instruction* writer = s.uses.writer(operand);
    if (writer && writer->opcode == ptx::Opcode::mov && writer->operands[1].kind == Operand::Kind::integer)
        return writer->operands[1].bits;
    return {};
}

void join(Selection& s, kernel::BlockId block, const ptx::Instruction& atomic, bool used) {
    const auto add = [&](Opcode opcode, int issues, int branches = 0) {
        if (issues)
            s.additions[block].push_back({.opcode = opcode,
                                          .issues = static_cast<std::uint16_t>(issues),
                                          .branches = static_cast<std::uint16_t>(branches)});
    };
    const Operand& value = atomic.operands[address_index(atomic) + 1];
    const auto number = constant(s, value);
    const bool sum = atomic.has(Modifier::add);
    if (!used) {
        // ATOMS.POPC.INC counts by itself.
        if (sum && number == 1 && is_shared(atomic)) return;
        add(Opcode::vote, ptxas::joined_atomic_issues);
        if (sum && is_uniform(s, value))
            add(Opcode::popc, number == 1 ? 1 : 2);
        else
            add(Opcode::redux, number ? 3 : 2);
    } else if (is_uniform(s, value)) {
        add(Opcode::vote, ptxas::joined_result_issues);
        if (number != 1) add(Opcode::imad, 1);
    } else {
        add(Opcode::shfl, ptxas::scanned_result_issues - 1);
        add(Opcode::bra, 1, 1);
    }
}

}  // namespace

bool joins_lanes(const ptx::Instruction& atomic, bool used) {
    const ptx::Type type = atomic.type();
    if (type != ptx::Type::u32 && type != ptx::Type::s32 && type != ptx::Type::b32) return false;
    if (used) return atomic.has(Modifier::add);
    return atomic.has(Modifier::add) || atomic.has(Modifier::min) || atomic.has(Modifier::max) ||
           atomic.has(Modifier::and_) || atomic.has(Modifier::or_) || atomic.has(Modifier::xor_);
}

bool result_is_used(const Uses& uses, const ptx::Instruction& atomic) {
    return atomic.opcode == ptx::Opcode::atom && atomic.operands[0].kind == Operand::Kind::reg &&
           !uses.readers(atomic.operands[0].id).empty();
}

void join_atomics(Selection& s) {
    for (kernel::BlockId b = 0; b < s.function.blocks.size(); ++b)
        for (const ptx::Instruction& inst : s.function.blocks[b].instructions) {
            if (inst.syntax().family != ptx::Family::atomic) continue;
            const Operand& address = inst.operands[address_index(inst)];
            const bool used = result_is_used(s.uses, inst);
            if (joins_lanes(inst, used) && is_uniform(s, address)) join(s, b, inst, used);
        }
}

}  // namespace lockstep::machine
