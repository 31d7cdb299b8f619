#include "machine/known-bits.h"

#include <algorithm>
#include <bit>

#include "machine/ptxas.h"

namespace lockstep::machine {

using ptx::Modifier;
using ptx::Operand;

namespace {

constexpr int most_steps = 12;  // that a value is followed back: a bound on the work
constexpr int unknown = 64;

}  // namespace

int KnownBits::zeros(const Operand& operand, int depth) const {
    if (operand.kind == Operand::Kind::integer) return operand.bits ? std::countr_zero(operand.bits) : 64;
    if (operand.kind == Operand::Kind::variable) {
        const ptx::Variable& variable =
            operand.local ? s_.function.variables[operand.id] : s_.function.module->variables[operand.id];
        // Shared memory begins aligned, and ptxas sees where it puts each variable.
        constexpr std::uint64_t widest = ptxas::access_bytes;
        const std::uint64_t align =
            variable.size() >= widest ? std::max<std::uint64_t>(variable.align(), widest) : variable.align();
        return std::min(std::countr_zero(align),
                        std::countr_zero(static_cast<std::uint64_t>(operand.offset) | 1ull << 62));
    }
    const ptx::Instruction* writer = depth < most_steps ? s_.uses.writer(operand) : nullptr;
    if (!writer) return 0;
    const auto of = [&](std::size_t i) { return zeros(writer->operands[i], depth + 1); };
    switch (writer->opcode) {
        case ptx::Opcode::mov: return of(1);
        case ptx::Opcode::cvta: return of(1);
        case ptx::Opcode::cvt: return ptx::is_float(writer->types[1]) ? 0 : of(1);
        case ptx::Opcode::add:
        case ptx::Opcode::sub:
        case ptx::Opcode::or_:
        case ptx::Opcode::xor_: return std::min(of(1), of(2));
        case ptx::Opcode::and_: return std::max(of(1), of(2));
        case ptx::Opcode::mul:
            return ptx::is_float(writer->type()) || writer->has(Modifier::hi) ? 0 : of(1) + of(2);
        case ptx::Opcode::mad:
            return ptx::is_float(writer->type()) || writer->has(Modifier::hi)
                       ? 0
                       : std::min(of(1) + of(2), of(3));
        case ptx::Opcode::shl:
            return writer->operands[2].kind == Operand::Kind::integer
                       ? of(1) + static_cast<int>(writer->operands[2].bits)
                       : 0;
        default: return 0;
    }
}

int KnownBits::width(const Operand& operand, int depth) const {
    if (operand.kind == Operand::Kind::integer) return std::bit_width(operand.bits);
    const ptx::Instruction* writer = depth < most_steps ? s_.uses.writer(operand) : nullptr;
    if (!writer) return unknown;
    const auto of = [&](std::size_t i) { return width(writer->operands[i], depth + 1); };
    const int bits = ptx::type_bits(writer->type());
    const bool constant = writer->operands.size() > 2 && writer->operands[2].kind == Operand::Kind::integer;
    switch (writer->opcode) {
        case ptx::Opcode::ld:
            return ptx::is_signed(writer->type()) || ptx::is_float(writer->type()) ? unknown : bits;
        case ptx::Opcode::mov: return of(1);
        case ptx::Opcode::cvt: {
            const ptx::Type from = writer->types[1];
            if (ptx::is_float(from) || ptx::is_float(writer->types[0])) return unknown;
            const int narrower = std::min(ptx::type_bits(from), ptx::type_bits(writer->types[0]));
            if (const int source = of(1); source <= narrower) return source;
            const bool extends = ptx::type_bits(writer->types[0]) > ptx::type_bits(from);
            return extends && !ptx::is_signed(from) ? narrower : unknown;
        }
        case ptx::Opcode::and_: return std::min(of(1), of(2));
        case ptx::Opcode::or_:
        case ptx::Opcode::xor_: return std::max(of(1), of(2));
        case ptx::Opcode::selp: return std::max(of(1), of(2));
        case ptx::Opcode::shr: {
            if (!constant || ptx::is_signed(writer->type())) return unknown;
            const int source = std::min(of(1), bits);
            return std::max(0, source - static_cast<int>(writer->operands[2].bits));
        }
        case ptx::Opcode::popc: return 7;
        default: return unknown;
    }
}

}  // namespace lockstep::machine
