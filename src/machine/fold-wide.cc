// Values of 64 bits are two registers: a half that is known to be zero, or that an operation does not change,
// needs no instruction; nor does making a value wider that is so already.
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

class WideFolder {
  public:
    explicit WideFolder(Selection& selection) : s_(selection), known_(selection) {}

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
            case ptx::Opcode::add:
            case ptx::Opcode::sub:
                if (is_wide_sum(inst)) sum(here, inst);
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

    void sum(Place here, const ptx::Instruction& inst) {
        if (is_rotation(here, inst) || s_.at(here).opcode != Opcode::iadd3 || taken_.contains(here) ||
            !s_.generation.three_input_add)
            return;
        for (std::size_t side : {1, 2}) {
            const auto other = partner(here, inst.operands[side]);
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
    for (kernel::BlockId b = 0; b < selection.function.blocks.size(); ++b) {
        const auto& instructions = selection.function.blocks[b].instructions;
        for (std::int32_t i = 0; i < static_cast<std::int32_t>(instructions.size()); ++i)
            folder.visit({b, i}, instructions[static_cast<std::size_t>(i)]);
    }
}

}  // namespace lockstep::machine
