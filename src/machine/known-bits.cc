#include "machine/known-bits.h"

#include <algorithm>
#include <bit>

#include "machine/ptxas.h"
#include "machine/unroll.h"

namespace lockstep::machine {

using ptx::Modifier;
using ptx::Operand;

namespace {

constexpr int most_steps = 12;  // that a value is followed back: a bound on the work
constexpr int bits_of_all = 64;
constexpr std::uint64_t all = ~std::uint64_t{0};

constexpr std::uint64_t below(int bits) { return bits >= bits_of_all ? all : (std::uint64_t{1} << bits) - 1; }
// All but so many low bits.
constexpr std::uint64_t from(int bits) { return bits >= bits_of_all ? 0 : all << bits; }
constexpr int low_zeros(std::uint64_t possible) { return std::countr_zero(possible); }

}  // namespace

int KnownBits::zeros(const Operand& operand) const { return low_zeros(possible(operand)); }
int KnownBits::width(const Operand& operand) const { return std::bit_width(possible(operand)); }

// Zeros at the end of what begins as one value and is stepped by constants.
int KnownBits::steps_in_loop(const Operand& operand, int depth) const {
    if (operand.kind != Operand::Kind::reg || depth >= most_steps || s_.uses.writers(operand.id).size() < 2)
        return 0;
    int zeros = bits_of_all;
    for (const Place& place : s_.uses.writers(operand.id)) {
        const ptx::Instruction* const writer = s_.uses.at(place);
        if (!writer || writer->guard) return 0;
        const bool steps = is_step(*writer), begins = writer->opcode == ptx::Opcode::mov;
        if ((!steps && !begins) || writer->operands[1].kind == Operand::Kind::vector) return 0;
        zeros = std::min(zeros, low_zeros(possible(writer->operands[steps ? 2 : 1], depth + 1)));
    }
    return zeros;
}

std::uint64_t KnownBits::possible(const Operand& operand, int depth) const {
    if (operand.kind == Operand::Kind::integer) return operand.bits;
    if (operand.kind == Operand::Kind::variable) {
        const ptx::Variable& variable =
            operand.local ? s_.function.variables[operand.id] : s_.function.module->variables[operand.id];
        // Shared memory begins aligned, and ptxas sees where it puts each variable.
        constexpr std::uint64_t widest = ptxas::access_bytes;
        const std::uint64_t align =
            variable.size() >= widest ? std::max<std::uint64_t>(variable.align(), widest) : variable.align();
        return from(std::min(std::countr_zero(align),
                             std::countr_zero(static_cast<std::uint64_t>(operand.offset) | 1ull << 62)));
    }
    const ptx::Instruction* writer = depth < most_steps ? s_.uses.writer(operand) : nullptr;
    if (!writer) return from(steps_in_loop(operand, depth));
    const auto of = [&](std::size_t i) { return possible(writer->operands[i], depth + 1); };
    const int bits = ptx::type_bits(writer->type());
    const bool by_constant =
        writer->operands.size() > 2 && writer->operands[2].kind == Operand::Kind::integer;
    const auto amount = [&] {
        return static_cast<int>(std::min<std::uint64_t>(writer->operands[2].bits, 64));
    };
    const bool product = !ptx::is_float(writer->type()) && !writer->has(Modifier::hi);
    switch (writer->opcode) {
        case ptx::Opcode::ld:
            return ptx::is_signed(writer->type()) || ptx::is_float(writer->type()) ? all : below(bits);
        case ptx::Opcode::mov:
        case ptx::Opcode::cvta: return of(1);
        case ptx::Opcode::cvt: {
            const ptx::Type source = writer->types[1];
            if (ptx::is_float(source) || ptx::is_float(writer->types[0])) return all;
            const int narrower = std::min(ptx::type_bits(source), ptx::type_bits(writer->types[0]));
            const std::uint64_t before = of(1);
            // The highest bit is a sign, where there is one.
            if ((before & ~below(narrower - (ptx::is_signed(source) ? 1 : 0))) == 0) return before;
            const bool extends = ptx::type_bits(writer->types[0]) > ptx::type_bits(source);
            return extends && !ptx::is_signed(source) ? before & below(narrower) : from(low_zeros(before));
        }
        case ptx::Opcode::and_: return of(1) & of(2);
        case ptx::Opcode::or_:
        case ptx::Opcode::xor_:
        case ptx::Opcode::selp: return of(1) | of(2);
        case ptx::Opcode::add:
        case ptx::Opcode::sub: return from(std::min(low_zeros(of(1)), low_zeros(of(2))));
        case ptx::Opcode::mul: return product ? from(low_zeros(of(1)) + low_zeros(of(2))) : all;
        case ptx::Opcode::mad:
            return product ? from(std::min(low_zeros(of(1)) + low_zeros(of(2)), low_zeros(of(3)))) : all;
        case ptx::Opcode::shl: {
            if (!by_constant) return all;
            const std::uint64_t before = of(1);
            if (amount() >= bits) return 0;
            return before == all ? from(amount()) : (before << amount()) & below(bits);
        }
        case ptx::Opcode::shr: {
            if (!by_constant || ptx::is_signed(writer->type())) return all;
            return amount() >= bits ? 0 : (of(1) & below(bits)) >> amount();
        }
        case ptx::Opcode::popc: return below(7);
        default: return all;
    }
}

}  // namespace lockstep::machine
