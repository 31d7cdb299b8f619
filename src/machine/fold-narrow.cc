// Bytes and halves of words. A register holds one of them; several that are loaded together come in one word,
// of which each is taken (PRMT) by who reads it, or by a conversion to a float itself (I2F.S8, I2F.U16.H1),
// and those that are stored together are put into one. Bits above a value of 16 bits or less are cleared
// where they matter, so that making it narrower is no work for who does not look at them.
#include <algorithm>
#include <vector>

#include "machine/selection.h"

namespace lockstep::machine {
namespace {

using ptx::Modifier;
using ptx::Operand;
using ptx::Type;

bool is_conversion(const ptx::Instruction& inst, bool to_float) {
    return inst.opcode == ptx::Opcode::cvt && !ptx::is_float(inst.types[1]) &&
           ptx::is_float(inst.types[0]) == to_float;
}
// To a wider one: its sign goes into all bits above.
bool extends_sign(const ptx::Instruction& inst) {
    return is_conversion(inst, false) && ptx::is_signed(inst.types[1]) &&
           ptx::type_bits(inst.types[0]) > ptx::type_bits(inst.types[1]);
}
bool makes_narrower(const ptx::Instruction& inst) {
    return is_conversion(inst, false) && !inst.has(Modifier::sat) && ptx::type_bits(inst.types[0]) < 32 &&
           ptx::type_bits(inst.types[1]) == 32;
}
bool is_store(const ptx::Instruction& inst) { return inst.opcode == ptx::Opcode::st; }

class NarrowFolder {
  public:
    explicit NarrowFolder(Selection& selection) : s_(selection) {}

    void run() {
        for_each([&](Place here, const ptx::Instruction& inst) {
            if (makes_narrower(inst)) narrow(here, inst);
        });
        for_each([&](Place here, const ptx::Instruction& inst) {
            if (inst.opcode == ptx::Opcode::ld && is_word_of_several(inst, inst.operands[0]))
                unpack(here, inst);
            if (is_store(inst) && is_word_of_several(inst, inst.operands[1])) pack(here, inst);
            if (extends_sign(inst)) convert_at_once(here, inst);
            if (inst.opcode == ptx::Opcode::mov && ptx::type_bits(inst.type()) == word) {
                if (inst.operands[0].kind == Operand::Kind::vector) take_halves(here, inst);
                if (inst.operands[1].kind == Operand::Kind::vector) join_halves(here, inst);
            }
        });
    }

  private:
    static constexpr int word = 32;

    template <class Act>
    void for_each(Act act) {
        for (kernel::BlockId b = 0; b < s_.function.blocks.size(); ++b) {
            const auto& instructions = s_.function.blocks[b].instructions;
            for (std::int32_t i = 0; i < static_cast<std::int32_t>(instructions.size()); ++i)
                act(Place{b, i}, instructions[static_cast<std::size_t>(i)]);
        }
    }

    // Constants come element by element.
    static bool is_word_of_several(const ptx::Instruction& access, const Operand& values) {
        return values.kind == Operand::Kind::vector && ptx::type_bits(access.type()) < word &&
               !access.has(Modifier::param) && !access.has(Modifier::const_);
    }

    // Whether the instruction does not look at the bits above.
    bool takes_any(const Place& place) const {
        const ptx::Instruction* reader = s_.uses.at(place);
        if (!reader) return false;
        switch (reader->opcode) {
            case ptx::Opcode::st:
            case ptx::Opcode::add:
            case ptx::Opcode::sub:
            case ptx::Opcode::and_:
            case ptx::Opcode::or_:
            case ptx::Opcode::xor_:
            case ptx::Opcode::not_:
            case ptx::Opcode::shl: return true;
            case ptx::Opcode::cvt: return extends_sign(*reader) || is_converted_whole(*reader);
            default: return false;
        }
    }
    // From 16 bits of a word, whichever (I2F.U16).
    static bool is_converted_whole(const ptx::Instruction& inst) {
        return is_conversion(inst, true) && inst.types[0] == Type::f32 && ptx::type_bits(inst.types[1]) == 16;
    }

    // Operands that are halves name one of a word (HADD2.F32 R0, -RZ, R2.H1_H1).
    static bool names_half(const ptx::Instruction& inst) {
        return inst.syntax().family == ptx::Family::half ||
               (inst.opcode == ptx::Opcode::cvt && inst.types[1] == Type::f16);
    }

    void take_halves(Place here, const ptx::Instruction& inst) {
        for (const Operand& value : inst.operands[0].elements) {
            if (value.kind != Operand::Kind::reg) continue;
            for (const Place& place : s_.uses.readers(value.id)) {
                const ptx::Instruction* reader = s_.uses.at(place);
                if (!reader ||
                    (!names_half(*reader) && !is_store(*reader) && reader->opcode != ptx::Opcode::mov))
                    return;
            }
        }
        s_.fold(here);
    }

    // Two floats become a word of halves at once (F2FP.PACK_AB).
    void join_halves(Place here, const ptx::Instruction& inst) {
        std::vector<Place> made;
        for (const Operand& value : inst.operands[1].elements) {
            const ptx::Instruction* writer = s_.uses.writer(value);
            if (!writer || writer->opcode != ptx::Opcode::cvt || writer->types[0] != Type::f16 ||
                writer->types[1] != Type::f32 || s_.uses.readers(value.id).size() != 1 ||
                s_.uses.writers(value.id)[0].block != here.block)
                return;
            made.push_back(s_.uses.writers(value.id)[0]);
        }
        for (const Place& place : made) s_.fold(place);
        s_.at(here) = {Opcode::hadd2_f32};
    }

    void narrow(Place here, const ptx::Instruction& inst) {
        if (s_.folded(here) || inst.operands[0].kind != Operand::Kind::reg) return;
        const auto& readers = s_.uses.readers(inst.operands[0].id);
        if (std::ranges::all_of(readers, [&](const Place& place) { return takes_any(place); })) s_.fold(here);
    }

    // One more instruction takes a value out of its word for all who read it but those that do that
    // themselves.
    void unpack(Place here, const ptx::Instruction& load) {
        const int bits = ptx::type_bits(load.type());
        const auto& values = load.operands[0].elements;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const Operand& value = values[i];
            if (value.kind != Operand::Kind::reg) continue;
            for (const Place& place : s_.uses.readers(value.id)) {
                const ptx::Instruction* reader = s_.uses.at(place);
                if (!reader || extends_sign(*reader) || names_half(*reader) ||
                    (bits == 16 && is_converted_whole(*reader)) || is_copy(*reader, load) ||
                    (i == 0 && is_upper_half(*reader)))
                    continue;
                if (place.block != here.block || s_.at(place).access_bytes) {
                    s_.additions[here.block].push_back({.opcode = Opcode::prmt});
                } else if (s_.folded(place)) {
                    s_.at(place) = {Opcode::prmt};
                } else {
                    ++s_.at(place).issues;
                }
                break;
            }
        }
    }
    // Of a float: bits below are shifted out.
    static bool is_upper_half(const ptx::Instruction& inst) {
        return inst.opcode == ptx::Opcode::cvt && inst.types[1] == Type::bf16;
    }
    static bool is_copy(const ptx::Instruction& store, const ptx::Instruction& load) {
        return is_store(store) && store.operands[1].kind == Operand::Kind::vector &&
               std::ranges::equal(store.operands[1].elements, load.operands[0].elements,
                                  [](const Operand& a, const Operand& b) {
                                      return a.kind == Operand::Kind::reg && b.kind == a.kind && a.id == b.id;
                                  });
    }

    // All but the first of each word take an instruction, which is counted with what makes them.
    void pack(Place here, const ptx::Instruction& store) {
        const auto in_word = static_cast<std::size_t>(word / ptx::type_bits(store.type()));
        const auto& values = store.operands[1].elements;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const ptx::Instruction* writer = s_.uses.writer(values[i]);
            if (!writer || is_copy(store, *writer) || i % in_word == 0) continue;
            const Place place = s_.uses.writers(values[i].id)[0];
            if (place.block != here.block || writer->opcode == ptx::Opcode::ld)
                s_.additions[here.block].push_back({.opcode = Opcode::prmt});
            else if (s_.folded(place))
                s_.at(place) = {Opcode::prmt};
            else
                ++s_.at(place).issues;
        }
    }

    // The conversion to a float takes signs from bytes and halves itself (I2F.S8).
    void convert_at_once(Place here, const ptx::Instruction& inst) {
        if (inst.operands[0].kind != Operand::Kind::reg || s_.folded(here)) return;
        const auto& readers = s_.uses.readers(inst.operands[0].id);
        const auto converts = [&](const Place& place) {
            const ptx::Instruction* reader = s_.uses.at(place);
            return reader && is_conversion(*reader, true) && reader->types[0] == Type::f32;
        };
        if (readers.empty() || !std::ranges::all_of(readers, converts)) return;
        s_.fold(here);
        for (const Place& place : readers) s_.at(place) = {Opcode::i2f};
    }

    Selection& s_;
};

}  // namespace

void fold_narrow(Selection& selection) { NarrowFolder(selection).run(); }

}  // namespace lockstep::machine
