// LOP3 takes any function of three inputs: operations whose results go nowhere else are part of the one that
// reads them, as long as all of them together read no more, and no two numbers.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "machine/known-bits.h"
#include "machine/selection.h"

namespace lockstep::machine {
namespace {

using ptx::Operand;

constexpr std::size_t most_inputs = 3;

bool is_logic_or_not(const ptx::Instruction& inst) {
    return (inst.opcode == ptx::Opcode::and_ || inst.opcode == ptx::Opcode::or_ ||
            inst.opcode == ptx::Opcode::xor_ || inst.opcode == ptx::Opcode::not_) &&
           inst.type() != ptx::Type::pred && !inst.guard;
}

// An input: a register, or a number.
struct Input {
    bool number = false;
    std::uint64_t value = 0;
    bool operator==(const Input&) const = default;
};
using Inputs = std::vector<Input>;

Inputs united(Inputs a, const Inputs& b) {
    for (const Input& input : b)
        if (std::ranges::find(a, input) == a.end()) a.push_back(input);
    return a;
}

class LogicFolder {
  public:
    explicit LogicFolder(Selection& selection) : s_(selection) {}

    void block(kernel::BlockId b) {
        inputs_.clear();
        const auto& instructions = s_.function.blocks[b].instructions;
        for (std::int32_t i = 0; i < static_cast<std::int32_t>(instructions.size()); ++i) {
            const ptx::Instruction& inst = instructions[static_cast<std::size_t>(i)];
            const Place here{b, i};
            if (is_logic_or_not(inst) && s_.at(here).opcode == Opcode::lop3 && !s_.folded(here))
                visit(here, inst);
        }
    }

  private:
    // The operation that makes an operand, if nobody else reads it.
    std::optional<Place> part(Place here, const ptx::Instruction& inst, const Operand& operand) const {
        if (!s_.uses.writer(operand) || s_.uses.readers(operand.id).size() != 1) return {};
        const Place place = s_.uses.writers(operand.id)[0];
        if (place.block != here.block || !inputs_.contains(place.index)) return {};
        if (ptx::type_bits(s_.uses.at(place)->type()) != ptx::type_bits(inst.type())) return {};
        return place;
    }
    static Inputs plain(const Operand& operand) {
        if (operand.kind == Operand::Kind::reg) return {{false, operand.id}};
        return {{true, operand.bits}};
    }

    void visit(Place here, const ptx::Instruction& inst) {
        std::vector<std::optional<Place>> parts;
        Inputs inputs;
        for (std::size_t side = 1; side < inst.operands.size(); ++side) {
            parts.push_back(part(here, inst, inst.operands[side]));
            inputs = united(inputs, plain(inst.operands[side]));
        }
        // Both, or the one that leaves the fewest inputs.
        const auto with = [&](bool first, bool second) {
            Inputs all;
            for (std::size_t i = 0; i < parts.size(); ++i) {
                const bool taken = i == 0 ? first : second;
                all = united(all, taken ? inputs_.at(parts[i]->index) : plain(inst.operands[i + 1]));
            }
            return all;
        };
        const bool first = !parts.empty() && parts[0], second = parts.size() > 1 && parts[1];
        std::pair<bool, bool> taken;
        const auto consider = [&](bool a, bool b) {
            if ((a && !first) || (b && !second) || taken != std::pair(false, false)) return;
            if (Inputs all = with(a, b);
                all.size() <= most_inputs && std::ranges::count(all, true, &Input::number) <= 1)
                inputs = std::move(all), taken = {a, b};
        };
        if (first && second) consider(true, true);
        consider(true, false);
        consider(false, true);
        if (taken.first) s_.fold(*parts[0]);
        if (taken.second) s_.fold(*parts[1]);
        inputs_[here.index] = std::move(inputs);
    }

    Selection& s_;
    std::map<std::int32_t, Inputs> inputs_;  // of operations of this block, with what they took in
};

}  // namespace

void fold_disjoint(Selection& s) {
    if (!s.generation.integer_multiply) return;
    const KnownBits known(s);
    for (kernel::BlockId b = 0; b < s.function.blocks.size(); ++b) {
        const auto& instructions = s.function.blocks[b].instructions;
        for (std::int32_t i = 0; i < static_cast<std::int32_t>(instructions.size()); ++i) {
            const ptx::Instruction& inst = instructions[static_cast<std::size_t>(i)];
            if (inst.opcode != ptx::Opcode::or_ || inst.type() == ptx::Type::pred ||
                ptx::type_bits(inst.type()) != 32 || inst.guard ||
                (known.possible(inst.operands[1]) & known.possible(inst.operands[2])) != 0)
                continue;
            for (std::size_t side : {1, 2}) {
                const ptx::Instruction* shift = s.uses.writer(inst.operands[side]);
                if (!shift || shift->opcode != ptx::Opcode::shl || ptx::type_bits(shift->type()) != 32 ||
                    shift->operands[2].kind != Operand::Kind::integer ||
                    inst.operands[3 - side].kind != Operand::Kind::reg ||
                    s.uses.readers(inst.operands[side].id).size() != 1)
                    continue;
                const Place place = s.uses.writers(inst.operands[side].id)[0];
                if (place.block != b || s.folded(place)) continue;
                s.fold(place);
                s.at({b, i}) = {Opcode::lea};
                break;
            }
        }
    }
}

void fold_logic(Selection& selection) {
    if (!selection.generation.three_input_logic) return;
    LogicFolder folder(selection);
    for (kernel::BlockId b = 0; b < selection.function.blocks.size(); ++b) folder.block(b);
}

}  // namespace lockstep::machine
