// Instructions with three inputs: two PTX instructions in one, where the first one's result goes nowhere
// else.
#include <map>
#include <optional>
#include <set>

#include "machine/ptxas.h"
#include "machine/selection.h"

namespace lockstep::machine {
namespace {

using ptx::Modifier;
using ptx::Operand;
using ptx::Type;

class Folder {
  public:
    explicit Folder(Selection& selection) : s_(selection) {}

    void run() {
        for (kernel::BlockId b = 0; b < s_.function.blocks.size(); ++b) {
            const auto& instructions = s_.function.blocks[b].instructions;
            for (std::int32_t i = 0; i < static_cast<std::int32_t>(instructions.size()); ++i)
                visit({b, i}, instructions[static_cast<std::size_t>(i)]);
        }
    }

  private:
    // The writer of an operand, if it stands in the same block, nobody else reads it and it still issues.
    std::optional<Place> partner(Place here, const Operand& operand) {
        if (!s_.uses.writer(operand) || s_.uses.readers(operand.id).size() != 1) return {};
        const Place place = s_.uses.writers(operand.id)[0];
        if (place.block != here.block || s_.folded(place)) return {};
        return place;
    }

    bool is_integer_add(const ptx::Instruction& inst) const {
        return (inst.opcode == ptx::Opcode::add || inst.opcode == ptx::Opcode::sub) &&
               inst.syntax().family == ptx::Family::integer && ptx::type_bits(inst.type()) == 32 &&
               !inst.has(Modifier::cc) && !inst.has(Modifier::sat);
    }
    static bool is_logic(const ptx::Instruction& inst) {
        return (inst.opcode == ptx::Opcode::and_ || inst.opcode == ptx::Opcode::or_ ||
                inst.opcode == ptx::Opcode::xor_) &&
               inst.type() != Type::pred && ptx::type_bits(inst.type()) <= 32;
    }
    static bool contracts(const ptx::Instruction& inst) {
        return (inst.type() == Type::f32 || inst.type() == Type::f64) &&
               inst.syntax().family == ptx::Family::floating && !inst.has(Modifier::rn) &&
               !inst.has(Modifier::rz) && !inst.has(Modifier::rm) && !inst.has(Modifier::rp);
    }

    void visit(Place here, const ptx::Instruction& inst) {
        if (is_integer_add(inst)) {
            add(here, inst);
        } else if (is_logic(inst) && s_.generation.three_input_logic) {
            for (std::size_t side : {1, 2}) {
                auto other = partner(here, inst.operands[side]);
                if (!other) continue;
                const ptx::Instruction& writer = *s_.uses.at(*other);
                const bool joins = (is_logic(writer) && !taken_[other->block].contains(other->index)) ||
                                   writer.opcode == ptx::Opcode::not_;
                if (!joins) continue;
                take(here, *other);
                return;
            }
        } else if ((inst.opcode == ptx::Opcode::add || inst.opcode == ptx::Opcode::sub) && contracts(inst)) {
            for (std::size_t side : {1, 2}) {
                auto other = partner(here, inst.operands[side]);
                if (!other) continue;
                const ptx::Instruction& writer = *s_.uses.at(*other);
                if (writer.opcode != ptx::Opcode::mul || !contracts(writer)) continue;
                take(here, *other);
                s_.at(here).opcode = inst.type() == Type::f64 ? Opcode::dfma : Opcode::ffma;
                return;
            }
        } else if (inst.opcode == ptx::Opcode::div || inst.opcode == ptx::Opcode::rem) {
            divide(here, inst);
        } else if (inst.opcode == ptx::Opcode::selp) {
            select(here, inst);
        } else if (is_modifier(inst) && all_readers_take_signs(inst)) {
            s_.fold(here);
        } else if (inst.opcode == ptx::Opcode::setp && inst.operands.size() >= 3 &&
                   is_zero(inst.operands[2]) && (inst.has(Modifier::eq) || inst.has(Modifier::ne)) &&
                   s_.generation.three_input_logic) {
            // LOP3 writes a predicate too.
            if (auto other = partner(here, inst.operands[1]); other && is_logic(*s_.uses.at(*other)))
                s_.fold(here);
        }
    }

    void add(Place here, const ptx::Instruction& inst) {
        for (std::size_t side : {1, 2}) {
            auto other = partner(here, inst.operands[side]);
            if (!other) continue;
            const ptx::Instruction& writer = *s_.uses.at(*other);
            const bool constant_shift =
                (writer.opcode == ptx::Opcode::shl || writer.opcode == ptx::Opcode::shr) &&
                ptx::type_bits(writer.type()) == 32 && writer.operands[2].kind == Operand::Kind::integer;
            const bool multiply = writer.opcode == ptx::Opcode::mul && writer.has(Modifier::lo) &&
                                  ptx::type_bits(writer.type()) == 32 && s_.generation.integer_multiply;
            const bool chain = s_.generation.three_input_add && is_integer_add(writer) &&
                               !taken_[other->block].contains(other->index);
            const bool negation = writer.opcode == ptx::Opcode::neg;
            if (!constant_shift && !multiply && !chain && !negation) continue;
            if (multiply && inst.opcode == ptx::Opcode::sub && side == 1) continue;
            take(here, *other);
            if (constant_shift) s_.at(here).opcode = Opcode::lea;
            if (multiply) s_.at(here) = {Opcode::imad};
            return;
        }
    }

    // The sign of a divisor that is known needs no work.
    void divide(Place here, const ptx::Instruction& inst) {
        if (!ptx::is_signed(inst.type()) || ptx::type_bits(inst.type()) != 32) return;
        const ptx::Instruction* divisor = s_.uses.writer(inst.operands[2]);
        const bool known =
            inst.operands[2].kind == Operand::Kind::integer ||
            (divisor && divisor->opcode == ptx::Opcode::mov &&
             divisor->operands[1].kind == Operand::Kind::special &&
             divisor->operands[1].id == static_cast<std::uint32_t>(ptx::SpecialRegister::warp_size));
        if (known) s_.at(here).issues -= ptxas::known_divisor_saves;
    }

    // A value that is computed only to be chosen is computed under the predicate, over the other one.
    void select(Place here, const ptx::Instruction& inst) {
        for (std::size_t side : {1, 2}) {
            auto computed = partner(here, inst.operands[side]);
            if (!computed || s_.at(*computed).row().pipe == Pipe::lsu || s_.at(*computed).issues != 1)
                continue;
            const Operand& other = inst.operands[3 - side];
            if (other.kind != Operand::Kind::reg) continue;
            bool last = true;
            for (const Place& place : s_.uses.readers(other.id))
                last &= place.block == here.block && place <= here;
            if (!last) continue;
            s_.fold(here);
            return;
        }
    }

    void take(Place here, Place other) {
        s_.fold(other);
        taken_[here.block].insert(here.index);
    }

    // Signs and absolute values are part of a float operand.
    static bool is_modifier(const ptx::Instruction& inst) {
        return (inst.opcode == ptx::Opcode::neg || inst.opcode == ptx::Opcode::abs) &&
               ptx::is_float(inst.type()) && ptx::type_bits(inst.type()) >= 32;
    }
    bool all_readers_take_signs(const ptx::Instruction& inst) {
        for (const Place& place : s_.uses.readers(inst.operands[0].id)) {
            const ptx::Instruction* reader = s_.uses.at(place);
            if (!reader) return false;
            const ptx::Family family = reader->syntax().family;
            if (family != ptx::Family::floating && family != ptx::Family::compare) return false;
            if (s_.at(place).branches) return false;  // an expanded function looks at the bits
        }
        return true;
    }
    static bool is_zero(const Operand& operand) {
        return operand.kind == Operand::Kind::integer && operand.bits == 0;
    }

    Selection& s_;
    std::map<kernel::BlockId, std::set<std::int32_t>> taken_;  // instructions that have all their inputs
};

}  // namespace

void fold_arithmetic(Selection& selection) { Folder(selection).run(); }

void fold_predicates(Selection& s) {
    for (kernel::BlockId b = 0; b < s.function.blocks.size(); ++b) {
        const auto& instructions = s.function.blocks[b].instructions;
        for (std::int32_t i = 0; i < static_cast<std::int32_t>(instructions.size()); ++i) {
            const ptx::Instruction& inst = instructions[static_cast<std::size_t>(i)];
            if (inst.type() != Type::pred || inst.operands.size() != 3) continue;
            for (std::size_t side : {1, 2}) {
                const ptx::Instruction* writer = s.uses.writer(inst.operands[side]);
                if (!writer || writer->opcode != ptx::Opcode::setp) continue;
                if (s.uses.readers(inst.operands[side].id).size() != 1) continue;
                s.fold({b, i});
                break;
            }
        }
    }
}

}  // namespace lockstep::machine
