#include "kernel/index-arithmetic.h"

#include <utility>

#include "kernel/graph.h"

namespace lockstep::kernel {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

bool is_32_bits(const ptx::Instruction& inst) { return ptx::type_bits(inst.type()) == 32; }

// 32-bit operations that an overflow would change.
bool sums(const ptx::Instruction& inst) {
    if (!is_32_bits(inst) || ptx::is_float(inst.type()) || inst.has(Modifier::cc) || inst.has(Modifier::sat))
        return false;
    switch (inst.opcode) {
        case Opcode::add:
        case Opcode::sub: return true;
        case Opcode::mul:
        case Opcode::mad: return inst.has(Modifier::lo);
        default: return false;
    }
}

}  // namespace

std::vector<std::vector<bool>> index_arithmetic(const Function& function) {
    std::vector<std::vector<bool>> found(function.blocks.size());
    std::vector<std::vector<std::pair<BlockId, std::size_t>>> made(function.registers.size());
    // Registers that addresses are made of, and those whose sign decides.
    std::vector<bool> address(function.registers.size()), index(function.registers.size());
    std::vector<RegId> left;
    const auto mark = [&](std::vector<bool>& set, const Operand& operand) {
        if (operand.kind != Operand::Kind::reg || set[operand.id]) return;
        set[operand.id] = true;
        left.push_back(operand.id);
    };
    for (BlockId b = 0; b < function.blocks.size(); ++b) {
        const auto& instructions = function.blocks[b].instructions;
        found[b].resize(instructions.size());
        for (std::size_t i = 0; i < instructions.size(); ++i) {
            for (const RegId reg : registers_written(function, instructions[i])) made[reg].emplace_back(b, i);
            for (const Operand& operand : instructions[i].operands)
                if (operand.kind == Operand::Kind::address) mark(address, operand.elements[0]);
        }
    }
    while (!left.empty()) {
        const RegId reg = left.back();
        left.pop_back();
        for (const auto& [b, i] : made[reg]) {
            const ptx::Instruction& inst = function.blocks[b].instructions[i];
            const auto& ops = inst.operands;
            if (index[reg] && sums(inst)) {
                found[b][i] = true;
                for (std::size_t o = 1; o < ops.size(); ++o) mark(index, ops[o]);
                continue;
            }
            if (index[reg]) {
                if (inst.opcode == Opcode::mov && ops.size() == 2) mark(index, ops[1]);
                continue;
            }
            const bool extends = ptx::is_signed(inst.type()) && is_32_bits(inst) && inst.has(Modifier::wide);
            switch (inst.opcode) {
                case Opcode::mul:
                case Opcode::mad:
                    if (extends) {
                        mark(index, ops[1]);
                        mark(index, ops[2]);
                    }
                    if (inst.opcode == Opcode::mad) mark(address, ops[3]);
                    break;
                case Opcode::cvt:
                    if (inst.types.size() > 1 && inst.types[1] == ptx::Type::s32 &&
                        ptx::type_bits(inst.types[0]) == 64)
                        mark(index, ops[1]);
                    break;
                case Opcode::add:
                case Opcode::sub:
                case Opcode::mov:
                case Opcode::cvta:
                case Opcode::shl:
                    if (ptx::type_bits(inst.type()) != 64) break;
                    for (std::size_t o = 1; o < ops.size(); ++o) mark(address, ops[o]);
                    break;
                default: break;
            }
        }
    }
    return found;
}

}  // namespace lockstep::kernel
