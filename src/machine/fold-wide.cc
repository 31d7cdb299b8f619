// Values of 64 bits are two registers: a half that is known to be zero, or that an operation does not change,
// needs no instruction; nor does making a value wider that is so already.
//
// A product is the lower halves' one, of 64 bits (IMAD.WIDE.U32), to which a sum is added at once, one more
// multiplication for each upper half that is not zero, and a sum of upper halves. Where both are zero, that
// sum is left only if an operand was made in another block, as ptxas multiplies before it knows of other
// blocks.
#include <algorithm>
#include <bit>
#include <optional>
#include <set>

#include "machine/known-bits.h"
#include "machine/selection.h"

namespace lockstep::machine {
namespace {

using ptx::Modifier;
using ptx::Operand;

bool is_constant_shift(const ptx::Instruction& inst, ptx::Opcode opcode) {
    return inst.opcode == opcode && inst.operands[2].kind == Operand::Kind::integer;
}

bool is_wide_sum(const ptx::Instruction& inst) {
    return (inst.opcode == ptx::Opcode::add || inst.opcode == ptx::Opcode::sub) &&
           inst.syntax().family == ptx::Family::integer && ptx::type_bits(inst.type()) == 64 &&
           !inst.has(Modifier::cc);
}

// Of 64 bits, without the upper ones.
bool is_wide_product(const ptx::Instruction& inst) {
    return (inst.opcode == ptx::Opcode::mul || inst.opcode == ptx::Opcode::mad) &&
           inst.syntax().family == ptx::Family::integer && inst.has(Modifier::lo) &&
           ptx::type_bits(inst.type()) == 64;
}

class WideFolder {
  public:
    explicit WideFolder(Selection& selection) : s_(selection), known_(selection) {}

    // The sign of an integer that is added is part of the upper halves' sum (LEA.HI.X.SX32): one where that
    // has two inputs. Others, and those that a product takes in, are a register.
    void make_signs(Place here, const ptx::Instruction& inst) {
        if (!is_wide_sum(inst) || inst.operands[2].kind == Operand::Kind::integer) return;
        int free = s_.at(here).opcode == Opcode::iadd3 && !s_.folded(here) && !taken_.contains(here) ? 1 : 0;
        for (std::size_t side : {1, 2}) {
            const ptx::Instruction* const writer = s_.uses.writer(inst.operands[side]);
            if (!writer || writer->opcode != ptx::Opcode::cvt || !ptx::is_signed(writer->types[1]) ||
                ptx::type_bits(writer->types[1]) != half || ptx::is_float(writer->types[0]))
                continue;
            const Place sign = s_.uses.writers(inst.operands[side].id)[0];
            if (s_.folded(sign) && free-- <= 0) s_.at(sign) = {Opcode::shf, 1};
        }
    }

    void visit(Place here, const ptx::Instruction& inst) {
        if (s_.folded(here) || inst.guard) return;
        switch (inst.opcode) {
            case ptx::Opcode::cvt: return convert(here, inst);
            case ptx::Opcode::and_:
            case ptx::Opcode::or_:
            case ptx::Opcode::xor_: return logic(here, inst);
            case ptx::Opcode::shr:
                if (ptx::type_bits(inst.type()) == 64 && known_.width(inst.operands[1]) <= half)
                    s_.at(here).issues = std::min(s_.at(here).issues, 1);
                return;
            case ptx::Opcode::bfi:  // two halves are two registers
                if (ptx::type_bits(inst.type()) == 64 && inst.operands[3].bits == half &&
                    inst.operands[4].bits == half && inst.operands[3].kind == Operand::Kind::integer &&
                    inst.operands[4].kind == Operand::Kind::integer)
                    s_.fold(here);
                return;
            case ptx::Opcode::mul:
            case ptx::Opcode::mad:
                if (is_wide_product(inst)) multiply(here, inst);
                return;
            case ptx::Opcode::add:
            case ptx::Opcode::sub:
                if (is_wide_sum(inst) && !is_product_and_sum(here, inst)) sum(here, inst);
                return;
            default: return;
        }
    }

  private:
    static constexpr int half = 32;

    // Zeros that are there already.
    void convert(Place here, const ptx::Instruction& inst) {
        const ptx::Type to = inst.types[0], from = inst.types[1];
        if (ptx::is_float(to) || ptx::is_float(from) || inst.has(Modifier::sat)) return;
        const bool extends = ptx::type_bits(to) > ptx::type_bits(from) && !ptx::is_signed(from);
        if (extends && known_.width(inst.operands[1]) <= ptx::type_bits(from)) s_.fold(here);
    }

    void logic(Place here, const ptx::Instruction& inst) {
        if (inst.type() == ptx::Type::pred) return;
        if (inst.opcode == ptx::Opcode::and_ && inst.operands[2].kind == Operand::Kind::integer) {
            // A mask that takes nothing away.
            const std::uint64_t mask = inst.operands[2].bits;
            const int ones = std::countr_one(mask);
            if (known_.width(inst.operands[1]) <= ones) return s_.fold(here);
        }
        if (ptx::type_bits(inst.type()) != 64) return;
        if (inst.opcode == ptx::Opcode::or_ && is_rotation(here, inst)) return;
        s_.at(here).issues = needs(inst, 0) + needs(inst, half);
    }

    // Whether the half from bit `low` on takes an instruction.
    int needs(const ptx::Instruction& inst, int low) const {
        for (std::size_t side : {1, 2}) {
            const Operand& operand = inst.operands[side];
            if (operand.kind == Operand::Kind::integer) {
                const auto bits = static_cast<std::uint32_t>(operand.bits >> low);
                if (bits == 0 || (bits == ~0u && inst.opcode != ptx::Opcode::xor_)) return 0;
            } else if (low == half ? known_.width(operand) <= half : known_.zeros(operand) >= half) {
                return 0;
            }
        }
        return 1;
    }

    void multiply(Place here, const ptx::Instruction& inst) {
        if (!s_.generation.wide_multiply_add) return;
        if (inst.opcode == ptx::Opcode::mul && has_upper_product(here, inst)) return s_.fold(here);
        const int upper = has_upper_half(inst.operands[1]) + has_upper_half(inst.operands[2]);
        const bool adds =
            upper || is_made_elsewhere(here, inst.operands[1]) || is_made_elsewhere(here, inst.operands[2]);
        s_.at(here).issues = 1 + upper + (adds ? 1 : 0);
    }
    bool has_upper_half(const Operand& operand) const { return known_.width(operand) > half; }
    bool is_made_elsewhere(Place here, const Operand& operand) const {
        return operand.kind == Operand::Kind::reg &&
               std::ranges::any_of(s_.uses.writers(operand.id),
                                   [&](const Place& place) { return place.block != here.block; });
    }
    // The upper half of the same product, in the same order, has the lower one as well.
    bool has_upper_product(Place here, const ptx::Instruction& product) const {
        const auto& instructions = s_.function.blocks[here.block].instructions;
        return std::ranges::any_of(instructions, [&](const ptx::Instruction& other) {
            return other.opcode == ptx::Opcode::mul && other.has(Modifier::hi) &&
                   ptx::type_bits(other.type()) == 64 && is_same(other.operands[1], product.operands[1]) &&
                   is_same(other.operands[2], product.operands[2]);
        });
    }
    static bool is_same(const Operand& a, const Operand& b) {
        if (a.kind != b.kind) return false;
        return a.kind == Operand::Kind::reg ? a.id == b.id
                                            : a.kind == Operand::Kind::integer && a.bits == b.bits;
    }

    // What is added to a product that nobody else wants is part of it; a constant would be moved into two
    // registers for that, each time.
    bool is_product_and_sum(Place here, const ptx::Instruction& inst) {
        if (inst.opcode != ptx::Opcode::add || s_.at(here).opcode != Opcode::iadd3 ||
            !s_.generation.wide_multiply_add)
            return false;
        for (std::size_t side : {2, 1}) {
            const auto product = partner(here, inst.operands[side]);
            if (!product || inst.operands[3 - side].kind != Operand::Kind::reg ||
                s_.uses.at(*product)->opcode != ptx::Opcode::mul || !is_wide_product(*s_.uses.at(*product)))
                continue;
            s_.at(here) = s_.at(*product);
            s_.fold(*product);
            return true;
        }
        return false;
    }

    void sum(Place here, const ptx::Instruction& inst) {
        if (is_rotation(here, inst) || s_.at(here).opcode != Opcode::iadd3 || taken_.contains(here) ||
            !s_.generation.three_input_add)
            return;
        for (std::size_t side : {1, 2}) {
            const auto other = partner(here, inst.operands[side]);
            const bool of_product = other && s_.at(*other).opcode == Opcode::imad && s_.at(*other).issues > 1;
            if (of_product && inst.opcode == ptx::Opcode::add &&
                inst.operands[3 - side].kind == Operand::Kind::reg) {
                --s_.at(*other).issues;  // the sum of a product's upper halves is part of this one
                return;
            }
            if (!other || taken_.contains(*other) || !is_wide_sum(*s_.uses.at(*other)) ||
                s_.at(*other).opcode != Opcode::iadd3)
                continue;
            s_.fold(*other);
            taken_.insert(here);
            return;
        }
    }

    // Two shifts of one value that are put together turn it round: two funnel shifts, none by half its width.
    bool is_rotation(Place here, const ptx::Instruction& inst) {
        if (inst.opcode == ptx::Opcode::sub) return false;
        for (std::size_t side : {1, 2}) {
            const Operand &a = inst.operands[side], &b = inst.operands[3 - side];
            const ptx::Instruction *left = s_.uses.writer(a), *right = s_.uses.writer(b);
            if (!left || !right || !is_constant_shift(*left, ptx::Opcode::shl) ||
                !is_constant_shift(*right, ptx::Opcode::shr) || ptx::is_signed(right->type()) ||
                left->operands[2].bits + right->operands[2].bits != 64 ||
                left->operands[1].kind != Operand::Kind::reg ||
                right->operands[1].kind != Operand::Kind::reg ||
                left->operands[1].id != right->operands[1].id)
                continue;
            for (const Operand* part : {&a, &b})
                if (s_.uses.readers(part->id).size() == 1) s_.fold(s_.uses.writers(part->id)[0]);
            s_.at(here) = {Opcode::shf, left->operands[2].bits == half ? 0 : 2};
            return true;
        }
        return false;
    }

    std::optional<Place> partner(Place here, const Operand& operand) {
        if (!s_.uses.writer(operand) || s_.uses.readers(operand.id).size() != 1) return {};
        const Place place = s_.uses.writers(operand.id)[0];
        if (place.block != here.block || s_.folded(place)) return {};
        return place;
    }

    Selection& s_;
    KnownBits known_;
    std::set<Place> taken_;  // sums that have three inputs
};

}  // namespace

void fold_wide(Selection& selection) {
    WideFolder folder(selection);
    const auto for_each = [&](const auto& act) {
        for (kernel::BlockId b = 0; b < selection.function.blocks.size(); ++b) {
            const auto& instructions = selection.function.blocks[b].instructions;
            for (std::int32_t i = 0; i < static_cast<std::int32_t>(instructions.size()); ++i)
                act(Place{b, i}, instructions[static_cast<std::size_t>(i)]);
        }
    };
    for_each([&](Place here, const ptx::Instruction& inst) { folder.visit(here, inst); });
    for_each([&](Place here, const ptx::Instruction& inst) { folder.make_signs(here, inst); });
}

}  // namespace lockstep::machine
