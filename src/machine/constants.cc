// Constants that instructions cannot take as they are. An instruction takes the upper half of a double; one
// that needs more of its bits is made in two registers, where it is needed; in a loop blocks behind that one
// have it, and its negative. Of 32 bits an instruction takes one whole: where it reads two (x * 0.3 + 0.7, or
// a choice between them) the other one is moved to a register, which all blocks behind that one have. ptxas
// makes constants before a loop only if the loop is small and comes to them every turn: with constants of
// longer loops all registers would be full. Those of 32 bits stay in loops that wait for loads anyway.
#include <algorithm>
#include <bit>
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

using kernel::BlockId;
using ptx::Operand;

// By block: what is needed there.
using Needed = std::vector<std::set<std::uint64_t>>;

// How constants of one size are made.
struct Making {
    int issues = 1;
    int loop_limit = 0;         // instructions of the longest loop before which they are made, with them
    bool in_loops_only = true;  // blocks behind the one that makes them have them
};

class Maker {
  public:
    Maker(Selection& selection, Needed needed, const Making& making)
        : s_(selection),
          f_(selection.function),
          idom_(kernel::dominators(f_)),
          needed_(std::move(needed)),
          making_(making) {}

    // How many are made in each block.
    std::vector<int> run() {
        const auto asked_for = needed_;
        for (const kernel::Loop& loop : f_.loops) small_.push_back(is_small(loop));
        for (BlockId b = 0; b < f_.blocks.size(); ++b) {
            const BlockId home = home_of(b);
            if (home == b) continue;
            needed_[home].insert(asked_for[b].begin(), asked_for[b].end());
            for (const std::uint64_t bits : asked_for[b]) needed_[b].erase(bits);
        }
        for (BlockId b = 0; b < f_.blocks.size(); ++b)
            std::erase_if(needed_[b], [&](std::uint64_t bits) { return is_at_hand(b, bits); });
        std::vector<int> made;
        for (BlockId b = 0; b < f_.blocks.size(); ++b) {
            made.push_back(static_cast<int>(needed_[b].size()));
            for (std::size_t i = 0; i < needed_[b].size(); ++i)
                s_.additions[b].push_back(
                    {.opcode = Opcode::mov, .issues = static_cast<std::uint16_t>(making_.issues)});
        }
        return made;
    }

  private:
    bool is_small(const kernel::Loop& loop) const {
        int weight = 0;
        for (BlockId b = 0; b < f_.blocks.size(); ++b) {
            if (!loop.contains[b]) continue;
            if (!making_.in_loops_only && loads_along(loop, b)) return false;
            for (const Choice& choice : s_.choices[b]) weight += choice.issues;
            weight += making_.issues * static_cast<int>(needed_[b].size());
            if (f_.blocks[b].terminator.kind == kernel::Terminator::Kind::branch) ++weight;
        }
        return weight <= making_.loop_limit;
    }

    // From global memory, at addresses that the loop changes: meanwhile constants are made for nothing.
    bool loads_along(const kernel::Loop& loop, BlockId block) const {
        const auto& instructions = f_.blocks[block].instructions;
        for (std::size_t i = 0; i < instructions.size(); ++i) {
            if (s_.choices[block][i].row().access != Access::load || instructions[i].operands.size() < 2 ||
                instructions[i].operands[1].elements.empty())
                continue;
            const Operand& base = instructions[i].operands[1].elements[0];
            if (base.kind == Operand::Kind::reg &&
                std::ranges::any_of(s_.uses.writers(base.id),
                                    [&](const Place& place) { return bool{loop.contains[place.block]}; }))
                return true;
        }
        return false;
    }

    BlockId home_of(BlockId block) const {
        while (f_.blocks[block].loop >= 0) {
            const auto number = static_cast<std::size_t>(f_.blocks[block].loop);
            const kernel::Loop& loop = f_.loops[number];
            if (!small_[number] || !is_every_turn(f_, idom_, loop, block) ||
                idom_[loop.header] == kernel::no_block)
                break;
            block = idom_[loop.header];
        }
        return block;
    }

    // Blocks that dominate it come before it, and keep theirs.
    bool is_at_hand(BlockId block, std::uint64_t bits) const {
        if (making_.in_loops_only && (f_.blocks[block].loop < 0 || s_.shapes.in_region[block])) return false;
        for (BlockId b = block; b != idom_[b] && idom_[b] != kernel::no_block;) {
            b = idom_[b];
            const bool counts = !making_.in_loops_only || f_.blocks[b].loop == f_.blocks[block].loop;
            if (counts && needed_[b].contains(bits)) return true;
        }
        return false;
    }

    Selection& s_;
    const kernel::Function& f_;
    std::vector<BlockId> idom_;
    Needed needed_;
    Making making_;
    std::vector<bool> small_;  // by loop
};

constexpr auto double_sign = std::uint64_t{1} << 63;

Needed doubles_needed(const Selection& s) {
    Needed needed(s.function.blocks.size());
    for (BlockId b = 0; b < needed.size(); ++b) {
        const auto& instructions = s.function.blocks[b].instructions;
        for (std::size_t i = 0; i < instructions.size(); ++i) {
            // A move of its own is counted as such.
            if (instructions[i].opcode == ptx::Opcode::mov && s.choices[b][i].issues) continue;
            for (const Operand& operand : instructions[i].operands)
                if (operand.kind == Operand::Kind::f64 && static_cast<std::uint32_t>(operand.bits))
                    needed[b].insert(operand.bits & ~double_sign);
        }
    }
    return needed;
}

// Pairs of constants that an instruction of 32 bits reads.
class Pairs {
  public:
    explicit Pairs(Selection& selection) : s_(selection), pairs_(selection.function.blocks.size()) {
        for (BlockId b = 0; b < pairs_.size(); ++b) {
            const auto& instructions = s_.function.blocks[b].instructions;
            for (std::int32_t i = 0; i < static_cast<std::int32_t>(instructions.size()); ++i)
                if (!s_.folded({b, i})) visit({b, i}, instructions[static_cast<std::size_t>(i)]);
        }
    }

    // Of each pair one, those first that most pairs have.
    Needed needed() const {
        std::map<std::uint64_t, int> pairs_with;
        for (const auto& row : pairs_)
            for (const auto& [a, b] : row) {
                ++pairs_with[a];
                if (b != a) ++pairs_with[b];
            }
        Needed needed(pairs_.size());
        for (BlockId b = 0; b < pairs_.size(); ++b)
            for (const auto& [first, second] : pairs_[b])
                needed[b].insert(pairs_with[second] > pairs_with[first] ? second : first);
        return needed;
    }

  private:
    void visit(Place here, const ptx::Instruction& inst) {
        const auto& operands = inst.operands;
        switch (s_.at(here).opcode) {
            case Opcode::sel:
            case Opcode::fsel:
                if (inst.opcode == ptx::Opcode::selp && ptx::type_bits(inst.type()) == 32) {
                    add(here.block, constant(operands[1]), constant(operands[2]));
                    s_.at(here).issues = 1;  // without a move of its own
                }
                return;
            case Opcode::imad:
            case Opcode::ffma: {
                if (ptx::type_bits(inst.type()) != 32) return;
                if (operands.size() == 4) {
                    const auto product = factor(operands[1], operands[2]);
                    return add(here.block, product, constant(operands[3]));
                }
                for (std::size_t side : {1, 2})  // a sum that a product was folded into
                    if (const ptx::Instruction* writer = s_.uses.writer(operands[side]);
                        writer && writer->opcode == ptx::Opcode::mul &&
                        s_.folded(s_.uses.writers(operands[side].id)[0]))
                        return add(here.block, factor(writer->operands[1], writer->operands[2]),
                                   constant(operands[3 - side]));
                return;
            }
            default: return;
        }
    }
    void add(BlockId block, std::optional<std::uint64_t> a, std::optional<std::uint64_t> b) {
        if (a && b) pairs_[block].emplace_back(*a, *b);
    }

    // A number that is not zero, which is a register of its own; negatives of floats are the same.
    std::optional<std::uint64_t> constant(const Operand& operand) const {
        const Operand* value = &operand;
        if (operand.kind == Operand::Kind::reg) {
            const ptx::Instruction* writer = s_.uses.writer(operand);
            if (!writer || writer->opcode != ptx::Opcode::mov || !s_.folded(s_.uses.writers(operand.id)[0]))
                return {};
            value = &writer->operands[1];
        }
        constexpr std::uint64_t all = 0xffffffff, sign = 0x80000000, is_float = std::uint64_t{1} << 32;
        const std::uint64_t bits = value->bits & all;
        if (value->kind == Operand::Kind::f32 && (bits & ~sign)) return is_float | (bits & ~sign);
        if (value->kind == Operand::Kind::integer && bits) return bits;
        return {};
    }
    // That of a product; a power of two is a shift.
    std::optional<std::uint64_t> factor(const Operand& a, const Operand& b) const {
        const auto found = constant(a) ? constant(a) : constant(b);
        if (found && std::has_single_bit(*found)) return {};
        return found;
    }

    Selection& s_;
    std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>> pairs_;  // by block
};

}  // namespace

void make_double_constants(Selection& s) {
    s.double_constants =
        Maker(s, doubles_needed(s), {.issues = 2, .loop_limit = ptxas::constant_loop_limit}).run();
}

void make_single_constants(Selection& s) {
    Maker(s, Pairs(s).needed(), {.loop_limit = ptxas::single_constant_loop_limit, .in_loops_only = false})
        .run();
}

}  // namespace lockstep::machine
