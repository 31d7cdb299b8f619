// Found by experiment with small kernels, compiled by ptxas for Hopper; the figures, and what they were
// fitted on, are in ptxas.def.
//
// - A side of an `if` is predicated up to a weight: an instruction weighs 1, stores, loads from shared memory
// and
//   floats with a constant weigh more.
// - In a loop the limit is lower, and lower still where the whole warp goes one way, so that a branch costs
//   little.
// - A side that waits for a load from global memory is predicated only if there is something to do meanwhile:
//   instructions behind the `if` that do not need the result, or another load that is under way before it.
//   Otherwise a warp that skips the body would wait for nothing.
// - Calls, atomics, exchanges between lanes, loops, and what has a branch of its own (an expanded division)
// are
//   never predicated; a barrier only where it begins the side.
#include "machine/predicate.h"

#include <algorithm>
#include <map>
#include <set>

#include "kernel/graph.h"
#include "machine/ptxas.h"

namespace lockstep::machine {
namespace {

using kernel::BlockId;
using kernel::Terminator;
using ptx::Operand;

bool is_global_load(const Choice& choice) { return choice.row().access == Access::load; }

bool has_constant(const ptx::Instruction& inst) {
    for (const Operand& operand : inst.operands)
        if (operand.kind == Operand::Kind::f32) return true;
    return false;
}

double weight_of(const Choice& choice, const ptx::Instruction& inst) {
    if (choice.issues == 0) return 0;
    switch (choice.row().access) {
        // Merged loads weigh as what they were: merging comes later in ptxas.
        case Access::shared_load: return ptxas::weight_shared_load * std::max(1, choice.access_bytes / 4);
        case Access::shared_store: return ptxas::weight_shared_store;
        case Access::store: return ptxas::weight_store * choice.issues;
        default: break;
    }
    if (choice.row().pipe == Pipe::fma && inst.syntax().family == ptx::Family::floating)
        return has_constant(inst) ? ptxas::weight_float_constant : ptxas::weight_float;
    return choice.issues;
}

class Predicator {
  public:
    explicit Predicator(Selection& selection)
        : s_(selection),
          f_(selection.function),
          into_(f_.blocks.size()),
          weight_(f_.blocks.size()),
          loads_(f_.blocks.size()),
          fits_(f_.blocks.size(), true),
          pointers_(f_.blocks.size()) {
        count_pointers();
        for (BlockId b = 0; b < f_.blocks.size(); ++b) {
            into_[b] = b;
            weigh(b);
        }
    }

    std::vector<BlockId> run() {
        for (bool changed = true; changed;) {
            changed = false;
            for (BlockId b = static_cast<BlockId>(f_.blocks.size()); b-- > 0;) changed |= try_head(b);
        }
        for (BlockId& b : into_)
            while (into_[b] != b) b = into_[b];
        return into_;
    }

  private:
    // Pointers from parameters, each where it is first needed. nvcc writes cvta there, or before
    // the loops around it; other compilers write nothing where a parameter is one to global memory already.
    void count_pointers() {
        const std::vector<BlockId> dominators = kernel::dominators(f_);
        for (const kernel::Block& block : f_.blocks)
            for (const ptx::Instruction& inst : block.instructions) {
                if (inst.opcode == ptx::Opcode::cvta) ++pointers_[index_of(block)];
                if (inst.opcode != ptx::Opcode::ld || !inst.has(ptx::Modifier::param)) continue;
                for (kernel::RegId r : kernel::registers_written(f_, inst)) {
                    const auto& readers = s_.uses.readers(r);
                    if (readers.empty() || !std::ranges::all_of(readers, [&](const Place& place) {
                            return is_address(s_.uses.at(place));
                        }))
                        continue;
                    BlockId first = readers[0].block;
                    for (const Place& place : readers)
                        first = kernel::common_dominator(dominators, first, place.block);
                    ++pointers_[before_loops(first, dominators)];
                }
            }
    }
    // Where what no trip changes is computed.
    BlockId before_loops(BlockId block, const std::vector<BlockId>& dominators) const {
        while (f_.blocks[block].loop >= 0)
            block = dominators[f_.loops[static_cast<std::size_t>(f_.blocks[block].loop)].header];
        return block;
    }
    BlockId index_of(const kernel::Block& block) const {
        return static_cast<BlockId>(&block - f_.blocks.data());
    }
    static bool is_address(const ptx::Instruction* inst) {
        if (!inst) return false;
        const bool sum = inst->opcode == ptx::Opcode::add || inst->opcode == ptx::Opcode::mad;
        return (sum && ptx::type_bytes(inst->type()) == 8) || inst->syntax().family == ptx::Family::memory ||
               inst->syntax().family == ptx::Family::atomic;
    }

    void weigh(BlockId b) {
        const kernel::Block& block = f_.blocks[b];
        for (std::size_t i = 0; i < block.instructions.size(); ++i) {
            const ptx::Instruction& inst = block.instructions[i];
            const Choice& choice = s_.choices[b][i];
            const ptx::Family family = inst.syntax().family;
            if (family == ptx::Family::atomic || family == ptx::Family::control ||
                family == ptx::Family::warp || family == ptx::Family::matrix ||
                (family == ptx::Family::barrier && block.instructions.size() > 1) || choice.branches)
                fits_[b] = false;
            weight_[b] += weight_of(choice, inst);
            loads_[b] = loads_[b] || is_global_load(choice);
        }
        if (block.loop >= 0 && f_.loops[static_cast<std::size_t>(block.loop)].header == b) fits_[b] = false;
    }

    // One side of an `if`: blocks that only follow each other.
    struct Side {
        std::vector<BlockId> blocks;
        BlockId next = kernel::no_block;  // where it goes on
        double weight = 0;
        bool loads = false, fits = true;
    };
    Side side_of(BlockId head, BlockId first) const {
        Side side;
        BlockId before = head;
        for (BlockId b = first; f_.blocks[b].predecessors.size() == 1 &&
                                f_.blocks[b].predecessors[0] == before && into_[b] == b &&
                                f_.blocks[b].loop == f_.blocks[head].loop;) {
            side.blocks.push_back(b);
            side.weight += weight_[b];
            side.loads = side.loads || loads_[b];
            side.fits = side.fits && fits_[b] && (side.blocks.size() == 1 || !is_barrier(b));
            before = b;
            const Terminator& end = f_.blocks[b].terminator;
            if (end.kind == Terminator::Kind::jump)
                b = end.targets[0];
            else
                break;
            side.next = b;
        }
        if (side.blocks.empty() || side.weight > limit_of(head)) side.fits = false;
        return side;
    }
    bool is_barrier(BlockId b) const {
        const auto& instructions = f_.blocks[b].instructions;
        return !instructions.empty() && instructions[0].syntax().family == ptx::Family::barrier;
    }

    double limit_of(BlockId head) const {
        if (!s_.shapes.divergent[head]) return ptxas::predicate_limit_uniform;
        return f_.blocks[head].loop >= 0 ? ptxas::predicate_limit_in_loops : ptxas::predicate_limit;
    }

    bool try_head(BlockId head) {
        const Terminator& end = f_.blocks[head].terminator;
        if (end.kind != Terminator::Kind::branch || join_.contains(head)) return false;
        const BlockId a = end.targets[0], b = end.targets[1];
        if (leads_out(f_, a) || leads_out(f_, b)) return false;
        const Side first = side_of(head, a), second = side_of(head, b);
        if (second.fits && second.next == a) return falls_into(second, a) && convert(head, a, {second});
        if (first.fits && first.next == b) return falls_into(first, b) && convert(head, b, {first});
        if (first.fits && second.fits && first.next == second.next && first.next != kernel::no_block)
            return convert(head, first.next, {first, second});
        return false;
    }

    // One side alone is predicated where nothing lies between it and what follows.
    bool falls_into(const Side& side, BlockId join) const {
        BlockId next = side.blocks.back() + 1;
        while (next < join && (into_[next] != next || f_.blocks[next].instructions.empty())) ++next;
        return next == join;
    }

    bool convert(BlockId head, BlockId join, const std::vector<Side>& sides) {
        if (join == head) return false;  // a loop
        for (const Side& side : sides)
            if ((side.loads && !waits_usefully(head, side, join)) || stores_wait(head, side)) return false;
        for (const Side& side : sides) {
            for (BlockId b : side.blocks) into_[b] = head;
            weight_[head] += side.weight;
            loads_[head] = loads_[head] || side.loads;
        }
        join_[head] = join;
        return true;
    }

    // Whether there is something to do while the side's loads are under way.
    bool waits_usefully(BlockId head, const Side& side, BlockId join) const {
        std::set<kernel::RegId> written;
        int constants = 0;
        for (BlockId b : side.blocks) {
            for (const ptx::Instruction& inst : f_.blocks[b].instructions)
                for (kernel::RegId r : kernel::registers_written(f_, inst)) written.insert(r);
            constants += pointers_[b];
        }
        int work = -constants;
        // Barriers cut blocks, and so do `if`s that were predicated; what follows them is still ahead.
        for (BlockId b = join;;) {
            work += independent_work(b, written);
            const Terminator& end = f_.blocks[b].terminator;
            if (const auto converted = join_.find(b); converted != join_.end()) {
                for (BlockId target : end.targets)
                    if (into_[target] == b) work += independent_work(target, written);
                b = converted->second;
                continue;
            }
            if (end.kind != Terminator::Kind::jump || end.has_instruction) break;
            if (end.targets[0] <= b || f_.blocks[end.targets[0]].predecessors.size() != 1) break;
            b = end.targets[0];
        }
        return work >= ptxas::predicate_overlap || loads_in_flight(head);
    }

    // Several stores to global memory among which one waits for a load: the side's own, or one that is under
    // way before the branch.
    bool stores_wait(BlockId head, const Side& side) const {
        int stores = 0;
        bool waits = side.loads;
        for (BlockId b : side.blocks)
            for (std::size_t i = 0; i < f_.blocks[b].instructions.size(); ++i) {
                if (s_.choices[b][i].row().access != Access::store) continue;
                ++stores;
                for (kernel::RegId r : kernel::registers_read(f_, f_.blocks[b].instructions[i]))
                    for (const Place& place : s_.uses.writers(r))
                        waits = waits || (place.block == head && is_global_load(s_.at(place)));
            }
        return stores > 1 && waits;
    }

    // Instructions of a block that need nothing of what is `written`.
    int independent_work(BlockId b, std::set<kernel::RegId>& written) const {
        int work = pointers_[b];
        const auto& instructions = f_.blocks[b].instructions;
        for (std::size_t i = 0; i < instructions.size(); ++i) {
            bool depends = false;
            for (kernel::RegId r : kernel::registers_read(f_, instructions[i]))
                depends |= written.contains(r);
            if (depends) {
                for (kernel::RegId r : kernel::registers_written(f_, instructions[i])) written.insert(r);
                continue;
            }
            const Choice& choice = s_.choices[b][i];
            const Pipe pipe = choice.row().pipe;
            if (pipe != Pipe::lsu && pipe != Pipe::branch) work += choice.issues;
        }
        for (const Instruction& addition : s_.additions[b]) work += addition.issues;
        if (!s_.windows[b].empty()) work += ptxas::shared_window_issues;
        return work;
    }

    // A load before the branch whose value the branch does not wait for.
    bool loads_in_flight(BlockId head) const {
        const auto& instructions = f_.blocks[head].instructions;
        for (std::size_t i = 0; i < instructions.size(); ++i) {
            if (!is_global_load(s_.choices[head][i])) continue;
            bool waited = false;
            for (kernel::RegId r : kernel::registers_written(f_, instructions[i]))
                for (const Place& place : s_.uses.readers(r)) waited |= place.block == head;
            if (!waited) return true;
        }
        return false;
    }

    Selection& s_;
    const kernel::Function& f_;
    std::vector<BlockId> into_;
    std::vector<double> weight_;
    std::vector<bool> loads_, fits_;
    std::vector<int> pointers_;        // to load from parameters, by block
    std::map<BlockId, BlockId> join_;  // heads whose sides were predicated, and where they go on
};

}  // namespace

std::vector<BlockId> predicate_blocks(Selection& selection) { return Predicator(selection).run(); }

}  // namespace lockstep::machine
