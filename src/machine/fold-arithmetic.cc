// Instructions with three inputs: two PTX instructions in one, where the first one's result goes nowhere
// else.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "kernel/graph.h"
#include "machine/ptxas.h"
#include "machine/selection.h"

namespace lockstep::machine {
namespace {

using ptx::Modifier;
using ptx::Operand;
using ptx::Type;

class Folder {
  public:
    explicit Folder(Selection& selection) : s_(selection), idom_(kernel::dominators(selection.function)) {}

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
    static bool is_sum(const ptx::Instruction& inst) {
        return inst.opcode == ptx::Opcode::add || inst.opcode == ptx::Opcode::sub;
    }
    static bool contracts(const ptx::Instruction& inst) {
        return (inst.type() == Type::f32 || inst.type() == Type::f64) &&
               inst.syntax().family == ptx::Family::floating && !inst.has(Modifier::rn) &&
               !inst.has(Modifier::rz) && !inst.has(Modifier::rm) && !inst.has(Modifier::rp);
    }

    void visit(Place here, const ptx::Instruction& inst) {
        if (inst.opcode == ptx::Opcode::mul && inst.syntax().family == ptx::Family::integer &&
            ptx::type_bits(inst.type()) == 32 && !inst.has(Modifier::wide) && s_.generation.wide_multiply_add)
            product(here, inst);
        if (s_.folded(here)) return;
        if (is_product(inst) || is_float_product(inst)) {
            share(here, inst);
        } else if (is_integer_add(inst)) {
            add(here, inst);
        } else if (is_sum(inst) && contracts(inst)) {
            if (taken_[here.block].contains(here.index)) return;
            for (std::size_t side : {1, 2}) {
                auto other = partner(here, inst.operands[side]);
                if (!other) continue;
                const ptx::Instruction& writer = *s_.uses.at(*other);
                if (writer.opcode != ptx::Opcode::mul || !contracts(writer)) continue;
                take(here, *other);
                s_.at(here).opcode = inst.type() == Type::f64 ? Opcode::dfma : Opcode::ffma;
                return;
            }
        } else if (is_extreme(inst) && s_.generation.three_input_extremes) {
            extreme(here, inst);
        } else if (inst.opcode == ptx::Opcode::div || inst.opcode == ptx::Opcode::rem) {
            divide(here, inst);
        } else if (inst.opcode == ptx::Opcode::cvt) {
            convert(here, inst);
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

    // By a number of bits that is known.
    bool is_rotation(const ptx::Instruction& inst) const {
        return inst.opcode == ptx::Opcode::shf && inst.has(Modifier::wrap) &&
               inst.operands[1].kind == Operand::Kind::reg && inst.operands[2].kind == Operand::Kind::reg &&
               inst.operands[1].id == inst.operands[2].id &&
               (inst.operands[3].kind == Operand::Kind::integer || is_number(inst.operands[3]));
    }
    bool is_number(const Operand& operand) const {
        const ptx::Instruction* writer = s_.uses.writer(operand);
        return writer && writer->opcode == ptx::Opcode::mov &&
               writer->operands[1].kind == Operand::Kind::integer;
    }

    // Both halves of a product are one IMAD.WIDE.
    void product(Place here, const ptx::Instruction& inst) {
        const auto value = [&](const Operand& operand) {
            if (operand.kind == Operand::Kind::integer) return Factor(true, operand.bits & 0xffffffff);
            if (operand.kind == Operand::Kind::reg && is_number(operand))
                return Factor(true, s_.uses.writer(operand)->operands[1].bits & 0xffffffff);
            return Factor(false, operand.id);
        };
        std::pair<Factor, Factor> key{value(inst.operands[1]), value(inst.operands[2])};
        if (key.second < key.first) std::swap(key.first, key.second);
        const auto [known, fresh] = products_.try_emplace({here.block, key}, here, inst.has(Modifier::hi));
        if (fresh || known->second.second == inst.has(Modifier::hi) || s_.folded(known->second.first)) return;
        s_.fold(here);
        s_.at(known->second.first) = {Opcode::imad_wide};
    }

    // A product of 32 bits, or a shift that is one.
    bool is_product(const ptx::Instruction& inst) const {
        if (inst.opcode == ptx::Opcode::shl)
            return ptx::type_bits(inst.type()) == 32 && inst.operands[2].kind == Operand::Kind::integer;
        if (inst.opcode != ptx::Opcode::mul || !s_.generation.integer_multiply) return false;
        return inst.has(Modifier::lo)
                   ? inst.syntax().family == ptx::Family::integer && ptx::type_bits(inst.type()) == 32
                   : inst.has(Modifier::wide) && ptx::type_bits(inst.type()) == 16;
    }

    static bool is_float_product(const ptx::Instruction& inst) {
        return inst.opcode == ptx::Opcode::mul && contracts(inst);
    }

    // A product that several additions read, and nothing else, is computed in each of them (IMAD, LEA, FFMA).
    void share(Place here, const ptx::Instruction& inst) {
        const kernel::RegId product = inst.operands[0].id;
        const auto& readers = s_.uses.readers(product);
        if (readers.size() < 2 || s_.uses.writers(product).size() != 1) return;
        const bool floats = is_float_product(inst);
        for (const Place& place : readers) {
            const ptx::Instruction* reader = s_.uses.at(place);
            if (!reader || place.block != here.block) return;
            if (floats ? !is_sum(*reader) || !contracts(*reader) : !is_integer_add(*reader)) return;
            if (!floats && reader->opcode == ptx::Opcode::sub && !is_register(reader->operands[2], product))
                return;
            if (is_register(reader->operands[1], product) && is_register(reader->operands[2], product))
                return;
            if (taken_[place.block].contains(place.index)) return;
        }
        s_.fold(here);
        for (const Place& place : readers) {
            taken_[place.block].insert(place.index);
            s_.at(place).opcode = inst.opcode == ptx::Opcode::shl ? Opcode::lea
                                  : !floats                       ? Opcode::imad
                                  : inst.type() == Type::f64      ? Opcode::dfma
                                                                  : Opcode::ffma;
        }
    }
    static bool is_register(const Operand& operand, kernel::RegId reg) {
        return operand.kind == Operand::Kind::reg && operand.id == reg;
    }

    static bool is_extreme(const ptx::Instruction& inst) {
        const ptx::Family family = inst.syntax().family;
        return (inst.opcode == ptx::Opcode::min || inst.opcode == ptx::Opcode::max) &&
               (family == ptx::Family::half ||
                (family == ptx::Family::integer && ptx::type_bits(inst.type()) == 32));
    }
    // The largest of a sum and another, or of three; of halves, too (VHMNMX).
    void extreme(Place here, const ptx::Instruction& inst) {
        for (std::size_t side : {1, 2}) {
            auto other = partner(here, inst.operands[side]);
            if (!other || taken_[other->block].contains(other->index)) continue;
            const ptx::Instruction& writer = *s_.uses.at(*other);
            const bool sum = writer.opcode == ptx::Opcode::add && is_integer_add(writer);
            const bool same = writer.opcode == inst.opcode && writer.type() == inst.type();
            if (!sum && !same) continue;
            take(here, *other);
            return;
        }
    }

    // A variable in shared memory is part of the access where its address is in a uniform register: [R + UR].
    bool is_place_in_shared(Place here, const ptx::Instruction& inst) {
        if (!s_.generation.shared_window || inst.opcode != ptx::Opcode::add) return false;
        for (std::size_t side : {1, 2}) {
            const ptx::Instruction* base = s_.uses.writer(inst.operands[side]);
            if (!base || base->opcode != ptx::Opcode::mov ||
                base->operands[1].kind != Operand::Kind::variable)
                continue;
            const Operand& variable = base->operands[1];
            const auto& variables = variable.local ? s_.function.variables : s_.function.module->variables;
            // Or where its address was made.
            const kernel::BlockId made = s_.uses.writers(inst.operands[side].id)[0].block;
            return variables[variable.id].space == ptx::Space::shared &&
                   (is_together(here.block) || is_together(made)) && only_addresses(s_, inst.operands[0].id);
        }
        return false;
    }
    // Whether all lanes of the warp that have not left are there, where what a loop needs is made before it.
    bool is_together(kernel::BlockId b) const {
        for (int loop = s_.function.blocks[b].loop; loop >= 0;
             loop = s_.function.loops[static_cast<std::size_t>(loop)].parent) {
            const kernel::BlockId header = s_.function.loops[static_cast<std::size_t>(loop)].header;
            if (idom_[header] != kernel::no_block) b = idom_[header];
        }
        return !s_.shapes.in_region[b];
    }

    void add(Place here, const ptx::Instruction& inst) {
        if (taken_[here.block].contains(here.index)) return;
        const bool in_shared = is_place_in_shared(here, inst);
        for (std::size_t side : {1, 2}) {
            auto other = partner(here, inst.operands[side]);
            if (!other) continue;
            const ptx::Instruction& writer = *s_.uses.at(*other);
            const bool constant_shift =
                (writer.opcode == ptx::Opcode::shl || writer.opcode == ptx::Opcode::shr) &&
                ptx::type_bits(writer.type()) == 32 && writer.operands[2].kind == Operand::Kind::integer;
            const bool multiply = writer.opcode == ptx::Opcode::mul && is_product(writer);
            const bool chain = s_.generation.three_input_add && is_integer_add(writer) &&
                               !taken_[other->block].contains(other->index);
            const bool negation = writer.opcode == ptx::Opcode::neg;
            const bool rotation = is_rotation(writer) && inst.opcode == ptx::Opcode::add;
            const bool count = writer.opcode == ptx::Opcode::popc && ptx::type_bits(writer.type()) == 64;
            if (count) {  // the sum of its halves
                s_.at(*other).issues -= 1;
                taken_[here.block].insert(here.index);
                return;
            }
            if (!constant_shift && !multiply && !chain && !negation && !rotation) continue;
            if (multiply && inst.opcode == ptx::Opcode::sub && side == 1) continue;
            take(here, *other);
            if (constant_shift || rotation) s_.at(here).opcode = Opcode::lea;
            if (multiply) s_.at(here) = {Opcode::imad};
            return;
        }
        if (in_shared) s_.fold(here);
    }

    // Whether the divisor's reciprocal has been computed on every way here.
    bool is_divided_by(Place here, const ptx::Instruction& inst) {
        const Operand& divisor = inst.operands[2];
        if (divisor.kind != Operand::Kind::reg) return false;
        const ptx::Instruction* writer = s_.uses.writer(divisor);
        if (!writer) return false;
        const bool parameter = writer->opcode == ptx::Opcode::ld && writer->has(Modifier::param) &&
                               !writer->operands[1].elements.empty();
        const Factor factor{parameter, parameter ? writer->operands[1].elements[0].id : divisor.id};
        auto& seen = divisors_[{ptx::is_signed(inst.type()), factor}];
        for (kernel::BlockId before : seen)
            if (kernel::dominates(idom_, before, here.block)) return true;
        seen.push_back(reciprocal_home(here, divisor));
        return false;
    }
    // Whether every turn goes the same way: no conditions, and no calls of slow ways.
    bool is_straight(const kernel::Loop& loop) const {
        for (kernel::BlockId b = 0; b < s_.function.blocks.size(); ++b) {
            if (!loop.contains[b]) continue;
            if (std::ranges::any_of(s_.choices[b], [](const Choice& choice) { return choice.branches > 0; }))
                return false;
            if (!is_every_turn(s_.function, idom_, loop, b)) return false;
        }
        return true;
    }
    // Where the reciprocal is computed: before a straight loop that does not change the divisor.
    kernel::BlockId reciprocal_home(Place here, const Operand& divisor) const {
        const int number = s_.function.blocks[here.block].loop;
        if (number < 0 || divisor.kind != Operand::Kind::reg) return here.block;
        const kernel::Loop& loop = s_.function.loops[static_cast<std::size_t>(number)];
        for (const Place& place : s_.uses.writers(divisor.id))
            if (loop.contains[place.block]) return here.block;
        if (!is_straight(loop)) return here.block;
        return idom_[loop.header] == kernel::no_block ? here.block : idom_[loop.header];
    }

    // The sign of a divisor that is known needs no work.
    void divide(Place here, const ptx::Instruction& inst) {
        if (ptx::is_float(inst.type()) || ptx::type_bits(inst.type()) != 32) return;
        const int saved = !ptx::is_signed(inst.type())      ? ptxas::known_reciprocal_saves
                          : inst.opcode == ptx::Opcode::div ? ptxas::known_reciprocal_saves_signed
                                                            : ptxas::known_reciprocal_saves_remainder;
        if (is_divided_by(here, inst)) {
            s_.at(here).issues -= saved;
            return;
        }
        if (const kernel::BlockId home = reciprocal_home(here, inst.operands[2]); home != here.block) {
            s_.at(here).issues -= saved;
            s_.additions[home].push_back(
                {.opcode = Opcode::imad, .issues = static_cast<std::uint16_t>(saved)});
            return;
        }
        if (!ptx::is_signed(inst.type())) return;
        const ptx::Instruction* divisor = s_.uses.writer(inst.operands[2]);
        const bool known =
            inst.operands[2].kind == Operand::Kind::integer ||
            (divisor && divisor->opcode == ptx::Opcode::mov &&
             divisor->operands[1].kind == Operand::Kind::special &&
             divisor->operands[1].id == static_cast<std::uint32_t>(ptx::SpecialRegister::warp_size));
        if (known) s_.at(here).issues -= ptxas::known_divisor_saves;
    }

    // Saturation is part of the sum or product; a byte or half at one end of a word is converted from there.
    void convert(Place here, const ptx::Instruction& inst) {
        const auto other = partner(here, inst.operands[1]);
        if (!other || inst.types[0] != Type::f32) return;
        const Opcode made_by = s_.at(*other).opcode;
        if (inst.has(Modifier::sat) && inst.types[1] == Type::f32) {
            if (made_by == Opcode::fadd || made_by == Opcode::fmul || made_by == Opcode::ffma) s_.fold(here);
        } else if (inst.types[1] == Type::u32 && is_end_of_word(*s_.uses.at(*other))) {
            s_.fold(*other);
            s_.at(here) = {Opcode::i2f};
        }
    }
    bool is_end_of_word(const ptx::Instruction& inst) const {
        if (inst.operands.size() < 3 || inst.operands[2].kind != Operand::Kind::integer) return false;
        const std::uint64_t number = inst.operands[2].bits;
        constexpr std::uint64_t byte = 0xff, half = 0xffff;
        if (inst.opcode == ptx::Opcode::and_) {
            const ptx::Instruction* writer = s_.uses.writer(inst.operands[1]);
            const bool is_middle = writer && writer->opcode == ptx::Opcode::shr;  // which takes both
            return !is_middle && (number == byte || number == half);
        }
        return inst.opcode == ptx::Opcode::shr && !ptx::is_signed(inst.type()) &&
               (number == 16 || number == 24);
    }

    // A value that is computed only to be chosen is computed under the predicate, over the other one.
    void select(Place here, const ptx::Instruction& inst) {
        for (std::size_t side : {1, 2}) {
            auto computed = partner(here, inst.operands[side]);
            if (!computed || s_.at(*computed).row().pipe == Pipe::lsu || s_.at(*computed).issues != 1)
                continue;
            const Operand& other = inst.operands[3 - side];
            if (other.kind != Operand::Kind::reg) continue;
            const bool is_kept = other.id == inst.operands[0].id;  // a loop's value, or the new one
            if (!is_kept && !is_last_reader(here, other.id)) continue;
            s_.fold(here);
            s_.at(*computed).chosen_at = here.index;
            return;
        }
    }
    // Whether all others that read the register come before it, in the block or on the way to it: shuffles
    // cut blocks.
    bool is_last_reader(Place here, kernel::RegId reg) const {
        const auto& blocks = s_.function.blocks;
        const auto is_in_loop = [&](const Place& place) {
            return blocks[place.block].loop == blocks[here.block].loop;
        };
        return std::ranges::all_of(s_.uses.readers(reg), [&](const Place& place) {
            if (place.block == here.block) return place <= here;
            return is_in_loop(place) && kernel::dominates(idom_, place.block, here.block) &&
                   std::ranges::all_of(s_.uses.writers(reg), is_in_loop);
        });
    }

    void take(Place here, Place other) {
        s_.fold(other);
        taken_[here.block].insert(here.index);
    }

    // Signs and absolute values are part of a float operand.
    static bool is_modifier(const ptx::Instruction& inst) {
        return (inst.opcode == ptx::Opcode::neg || inst.opcode == ptx::Opcode::abs) &&
               (inst.syntax().family == ptx::Family::half ||
                (ptx::is_float(inst.type()) && ptx::type_bits(inst.type()) >= 32));
    }
    bool all_readers_take_signs(const ptx::Instruction& inst) {
        for (const Place& place : s_.uses.readers(inst.operands[0].id)) {
            const ptx::Instruction* reader = s_.uses.at(place);
            if (!reader) return false;
            const ptx::Family family = reader->syntax().family;
            if (family != ptx::Family::floating && family != ptx::Family::compare &&
                family != ptx::Family::half)
                return false;
            if (s_.at(place).branches) return false;  // an expanded function looks at the bits
        }
        return true;
    }
    static bool is_zero(const Operand& operand) {
        return operand.kind == Operand::Kind::integer && operand.bits == 0;
    }

    using Factor = std::pair<bool, std::uint64_t>;  // a number, or a register
    Selection& s_;
    std::vector<kernel::BlockId> idom_;
    std::map<std::pair<kernel::BlockId, std::pair<Factor, Factor>>, std::pair<Place, bool>> products_;
    std::map<std::pair<bool, Factor>, std::vector<kernel::BlockId>> divisors_;  // signed or not: where seen
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
