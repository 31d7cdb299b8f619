// Addresses: what PTX computes in 64-bit steps the machine puts into the access or into one multiply-add.
#include "machine/selection.h"

namespace lockstep::machine {
namespace {

using ptx::Modifier;
using ptx::Operand;

bool is_wide_add(const ptx::Instruction& inst) {
    return (inst.opcode == ptx::Opcode::add || inst.opcode == ptx::Opcode::sub) &&
           inst.syntax().family == ptx::Family::integer && ptx::type_bits(inst.type()) == 64 &&
           !inst.has(Modifier::cc);
}

// Of a constant, to an address in shared or local memory.
bool is_narrow_step(const ptx::Instruction& inst) {
    return inst.opcode == ptx::Opcode::add && inst.syntax().family == ptx::Family::integer &&
           ptx::type_bits(inst.type()) == 32 && !inst.has(Modifier::cc) && !inst.has(Modifier::sat) &&
           inst.operands[2].kind == Operand::Kind::integer;
}

bool is_wide_multiply(const ptx::Instruction& inst) {
    return inst.opcode == ptx::Opcode::mul && inst.has(Modifier::wide) && ptx::type_bits(inst.type()) == 32;
}

bool is_wide_shift(const ptx::Instruction& inst) {
    return inst.opcode == ptx::Opcode::shl && ptx::type_bits(inst.type()) == 64 &&
           inst.operands[2].kind == Operand::Kind::integer;
}

bool is_extension(const ptx::Instruction& inst) {
    return inst.opcode == ptx::Opcode::cvt && ptx::type_bits(inst.types[0]) == 64 &&
           ptx::type_bits(inst.types[1]) == 32 && !ptx::is_float(inst.types[1]) &&
           !ptx::is_float(inst.types[0]);
}

}  // namespace

bool only_addresses(Selection& s, kernel::RegId reg) {
    for (const Place& place : s.uses.readers(reg)) {
        const ptx::Instruction* reader = s.uses.at(place);
        if (!reader) return false;
        if ((is_wide_add(*reader) || is_narrow_step(*reader)) &&
            reader->operands[2].kind == Operand::Kind::integer && s.folded(place))
            continue;
        bool as_address = false, otherwise = false;
        for (const Operand& operand : reader->operands) {
            if (operand.kind == Operand::Kind::address && !operand.elements.empty() &&
                operand.elements[0].kind == Operand::Kind::reg && operand.elements[0].id == reg)
                as_address = true;
            else if (operand.kind == Operand::Kind::reg && operand.id == reg)
                otherwise = true;
        }
        if (!as_address || otherwise) return false;
    }
    return true;
}

namespace {

// A place in a variable of the constant bank, which accesses name by its distance from there.
bool is_constant_address(Selection& s, const ptx::Instruction& sum) {
    for (std::size_t side : {1, 2}) {
        const ptx::Instruction* base = s.uses.writer(sum.operands[side]);
        if (!base || base->opcode != ptx::Opcode::mov || base->operands[1].kind != Operand::Kind::variable)
            continue;
        const Operand& variable = base->operands[1];
        const auto& variables = variable.local ? s.function.variables : s.function.module->variables;
        if (variables[variable.id].space == ptx::Space::constant && only_addresses(s, sum.operands[0].id))
            return true;
    }
    return false;
}

template <class Test>
bool all_readers(Selection& s, kernel::RegId reg, Test test) {
    for (const Place& place : s.uses.readers(reg)) {
        const ptx::Instruction* reader = s.uses.at(place);
        if (!reader || !test(*reader)) return false;
    }
    return true;
}

}  // namespace

void fold_addresses(Selection& s) {
    const bool one_step = s.generation.wide_multiply_add;
    // Backwards, so that of a chain of constant offsets the last is decided first.
    for (kernel::BlockId b = static_cast<kernel::BlockId>(s.function.blocks.size()); b-- > 0;) {
        const auto& instructions = s.function.blocks[b].instructions;
        for (std::int32_t i = static_cast<std::int32_t>(instructions.size()); i-- > 0;) {
            const ptx::Instruction& inst = instructions[static_cast<std::size_t>(i)];
            const Place here{b, i};
            if (is_wide_add(inst) || is_narrow_step(inst)) {
                if (inst.operands[2].kind == Operand::Kind::integer) {
                    if (s.uses.writers(inst.operands[0].id).size() == 1 &&
                        only_addresses(s, inst.operands[0].id))
                        s.fold(here);
                    continue;
                }
                if (inst.opcode == ptx::Opcode::sub) continue;
                if (is_constant_address(s, inst)) {
                    s.fold(here);
                    continue;
                }
                for (std::size_t side : {1, 2}) {
                    const ptx::Instruction* writer = s.uses.writer(inst.operands[side]);
                    if (!writer) continue;
                    if (is_wide_multiply(*writer)) {
                        s.at(here) = one_step ? Choice{Opcode::imad_wide} : Choice{Opcode::lea, 2};
                        break;
                    }
                    if (is_wide_shift(*writer) && s.uses.readers(writer->operands[0].id).size() == 1) {
                        s.at(here) = {Opcode::lea, 2};
                        break;
                    }
                }
                continue;
            }
            if (inst.operands.empty() || inst.operands[0].kind != Operand::Kind::reg) continue;
            const kernel::RegId written = inst.operands[0].id;
            if (s.uses.readers(written).empty()) continue;
            const auto joins_add = [&](const ptx::Instruction& reader) {
                return is_wide_add(reader) && reader.opcode == ptx::Opcode::add &&
                       reader.operands[2].kind != Operand::Kind::integer && !is_constant_address(s, reader);
            };
            // A shift that several additions need is done once.
            const bool once = is_wide_shift(inst) && s.uses.readers(written).size() == 1;
            if ((is_wide_multiply(inst) || once) && all_readers(s, written, joins_add)) s.fold(here);
            // The sign of an index is part of one addition (LEA.HI.X.SX32); more readers, or a shift, need it
            // as a register.
            const bool has_sign = is_extension(inst) && ptx::is_signed(inst.types[1]);
            if (is_extension(inst) && (!has_sign || s.uses.readers(written).size() == 1) &&
                all_readers(s, written, [&](const ptx::Instruction& reader) {
                    return joins_add(reader) || (!has_sign && is_wide_shift(reader));
                }))
                s.fold(here);
        }
    }
}

}  // namespace lockstep::machine
