// An instruction takes the upper half of a double; one that needs more of its bits is made in two registers,
// where it is needed; in a loop blocks behind that one have it, and its negative. ptxas makes it before a
// loop only if the loop is small and comes to it every turn: with constants of longer loops all registers
// would be full.
#include <algorithm>
#include <set>

#include "kernel/graph.h"
#include "machine/ptxas.h"
#include "machine/selection.h"

namespace lockstep::machine {
namespace {

using kernel::BlockId;

class Maker {
  public:
    explicit Maker(Selection& selection)
        : s_(selection), f_(selection.function), idom_(kernel::dominators(f_)), needed_(f_.blocks.size()) {}

    void run() {
        for (BlockId b = 0; b < f_.blocks.size(); ++b) find_needed(b);
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
        for (BlockId b = 0; b < f_.blocks.size(); ++b) {
            s_.double_constants[b] = static_cast<int>(needed_[b].size());
            for (std::size_t i = 0; i < needed_[b].size(); ++i)
                s_.additions[b].push_back({.opcode = Opcode::mov, .issues = halves});
        }
    }

  private:
    static constexpr int halves = 2;
    static constexpr auto sign = std::uint64_t{1} << 63;

    void find_needed(BlockId b) {
        const auto& instructions = f_.blocks[b].instructions;
        for (std::size_t i = 0; i < instructions.size(); ++i) {
            // A move of its own is counted as such.
            if (instructions[i].opcode == ptx::Opcode::mov && s_.choices[b][i].issues) continue;
            for (const ptx::Operand& operand : instructions[i].operands)
                if (operand.kind == ptx::Operand::Kind::f64 && static_cast<std::uint32_t>(operand.bits))
                    needed_[b].insert(operand.bits & ~sign);
        }
    }

    bool is_small(const kernel::Loop& loop) const {
        int weight = 0;
        for (BlockId b = 0; b < f_.blocks.size(); ++b) {
            if (!loop.contains[b]) continue;
            for (const Choice& choice : s_.choices[b]) weight += choice.issues;
            weight += halves * static_cast<int>(needed_[b].size());
            if (f_.blocks[b].terminator.kind == kernel::Terminator::Kind::branch) ++weight;
        }
        return weight <= ptxas::constant_loop_limit;
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
        if (f_.blocks[block].loop < 0 || s_.shapes.in_region[block]) return false;
        for (BlockId b = idom_[block]; b != kernel::no_block; b = idom_[b]) {
            if (f_.blocks[b].loop == f_.blocks[block].loop && needed_[b].contains(bits)) return true;
            if (b == idom_[b]) break;
        }
        return false;
    }

    Selection& s_;
    const kernel::Function& f_;
    std::vector<BlockId> idom_;
    std::vector<std::set<std::uint64_t>> needed_;  // by block
    std::vector<bool> small_;                      // by loop
};

}  // namespace

void make_double_constants(Selection& selection) { Maker(selection).run(); }

}  // namespace lockstep::machine
