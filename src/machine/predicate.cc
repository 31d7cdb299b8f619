// Found by experiment: kernels that differ in one instruction, compiled by ptxas 13.0 for Hopper; the figures
// are in ptxas.def.
//
// - A side of an `if` is predicated up to a number of instructions, fewer where the whole warp goes one way.
//   What stands before a jump over the `else` has one less.
// - The number is higher where a load from global memory is under way in the block before, for whose value
//   the branch does not wait, and enough follows the `if`: then the warp would stand still otherwise.
// - A side with a load from global memory of its own is predicated only if there is something to do
//   meanwhile: instructions behind the `if` that do not need the result, those before the branch that this
//   does not need, or another load that is under way before it, or that the next `if` has. Otherwise a warp
//   that skips the body would wait for nothing. A comparison that takes in one before it which needs the
//   result needs it, too.
// - Of an `if` and `else` of which only the first fits, or is worth it, that one is predicated, and a branch
//   leads over the other.
// - The second condition of `a && b` or `a || b` becomes part of the first branch if it is short, loads
//   nothing, and nobody else reads what it computes: from the last one on, as many as are short together.
//   Only then are sides predicated.
// - Calls, atomics, exchanges between lanes, loops, and what has a branch of its own (an expanded division)
//   are never predicated; a barrier only where it begins the side.
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

// A copy from one register to another is none for ptxas, which names values anew.
bool is_copy(const ptx::Instruction& inst) {
    return inst.opcode == ptx::Opcode::mov && inst.operands[1].kind == Operand::Kind::reg;
}

// Merged loads weigh as what they were: merging comes later.
int weight_of(const Choice& choice, const ptx::Instruction& inst) {
    if (choice.issues == 0 || is_copy(inst)) return 0;
    if (choice.row().access == Access::shared_load && inst.operands[0].kind == Operand::Kind::reg)
        return std::max(1, choice.access_bytes / std::max(4, ptx::type_bytes(inst.type())));
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
          pointers_(f_.blocks.size()),
          asked_(f_.blocks.size()),
          idom_(kernel::dominators(f_)) {
        count_pointers();
        for (BlockId b = 0; b < f_.blocks.size(); ++b) {
            into_[b] = b;
            asked_[b] = {b};
            weigh(b);
        }
    }

    std::vector<BlockId> run() {
        for (BlockId b = static_cast<BlockId>(f_.blocks.size()); b-- > 0;)
            while (join_conditions(b)) {
            }
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
        const std::vector<BlockId>& dominators = idom_;
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

    bool may_diverge(BlockId head) const {
        return std::ranges::any_of(asked_[head], [&](BlockId b) { return bool{s_.shapes.divergent[b]}; });
    }
    // Of all that is asked at once.
    const Terminator& end_of(BlockId head) const { return f_.blocks[asked_[head].back()].terminator; }
    bool comes_from(BlockId block, BlockId head) const {
        const auto& ways = f_.blocks[block].predecessors;
        return !ways.empty() && std::ranges::all_of(ways, [&](BlockId before) {
            return std::ranges::find(asked_[head], before) != asked_[head].end();
        });
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
        weight_[b] += s_.double_constants[b];
        fits_[b] = fits_[b] && s_.tables[b] == kernel::no_block;
        if (block.loop >= 0 && f_.loops[static_cast<std::size_t>(block.loop)].header == b) fits_[b] = false;
    }

    // One side of an `if`: blocks that only follow each other.
    struct Side {
        std::vector<BlockId> blocks;
        BlockId next = kernel::no_block;  // where it goes on
        int weight = 0;
        bool loads = false, fits = true;
        bool rereads = false;  // it loads what stores before it may have changed
    };
    Side side_of(BlockId head, BlockId first) const {
        Side side;
        BlockId before = head;
        for (BlockId b = first;
             comes_from(b, before) && into_[b] == b && f_.blocks[b].loop == f_.blocks[head].loop;) {
            side.blocks.push_back(b);
            side.weight += weight_[b] + constants_weight(head, b);
            side.loads = side.loads || loads_[b];
            side.rereads = side.rereads || rereads(b);
            side.fits = side.fits && fits_[b] && (side.blocks.size() == 1 || !is_barrier(b));
            before = b;
            const Terminator& end = f_.blocks[b].terminator;
            if (end.kind == Terminator::Kind::jump)
                b = end.targets[0];
            else
                break;
            side.next = b;
        }
        if (side.blocks.empty()) side.fits = false;
        side.weight += window_weight(head, side);
        return side;
    }
    bool rereads(BlockId b) const {
        for (std::size_t i = 0; i < f_.blocks[b].instructions.size(); ++i)
            if (is_global_load(s_.choices[b][i]) && !f_.blocks[b].instructions[i].has(ptx::Modifier::nc))
                return true;
        return false;
    }
    // For addresses of shared variables that neither the block before has nor what follows in any case.
    int window_weight(BlockId head, const Side& side) const {
        std::set<std::uint32_t> variables = s_.windows[head];
        const auto add = [&](BlockId b) { variables.insert(s_.windows[b].begin(), s_.windows[b].end()); };
        if (side.next != kernel::no_block) for_each_behind(side.next, add);
        const int besides = window_issues(s_, variables);
        std::ranges::for_each(side.blocks, add);
        return window_issues(s_, variables) - besides;
    }
    // Parameters that no block before has loaded.
    int constants_weight(BlockId head, BlockId b) const {
        return static_cast<int>(std::ranges::count_if(s_.constant_loads[b], [&](const ConstantLoad& load) {
            for (BlockId before = head;; before = idom_[before]) {
                if (s_.constant_loads[before].contains(load) || s_.constants_at_hand[before].contains(load))
                    return false;
                if (idom_[before] == before || idom_[before] == kernel::no_block) return true;
            }
        }));
    }
    bool is_barrier(BlockId b) const {
        const auto& instructions = f_.blocks[b].instructions;
        return !instructions.empty() && instructions[0].syntax().family == ptx::Family::barrier;
    }

    // Whether the side is short enough; `jumps` where a jump over the other side ends it.
    bool is_short(BlockId head, const Side& side, BlockId join, bool jumps) const {
        const bool waits = goes_on(head, join) && size_behind(join) >= ptxas::predicate_behind &&
                           (loads_in_flight(head, side) || loads_behind(side, join));
        const int limit = side.loads || waits ? ptxas::predicate_limit_waiting
                          : may_diverge(head) ? ptxas::predicate_limit
                                              : ptxas::predicate_limit_uniform;
        return side.weight + (jumps ? 1 : 0) <= limit;
    }

    bool try_head(BlockId head) {
        const Terminator& end = end_of(head);
        if (end.kind != Terminator::Kind::branch || into_[head] != head || join_.contains(head) ||
            s_.tables[head] != kernel::no_block)
            return false;
        const BlockId a = end.targets[0], b = end.targets[1];
        if (leads_out(f_, a) || leads_out(f_, b)) return false;
        const Side first = side_of(head, std::min(a, b)), second = side_of(head, std::max(a, b));
        const BlockId behind = std::max(a, b);
        if (first.fits && first.next == behind)
            return falls_into(first, behind) && is_short(head, first, behind, false) &&
                   convert(head, behind, {first});
        if (second.fits && second.next == std::min(a, b))
            return falls_into(second, second.next) && is_short(head, second, second.next, false) &&
                   convert(head, second.next, {second});
        if (!first.fits || first.next == kernel::no_block || first.next != second.next) return false;
        if (!is_short(head, first, first.next, true)) return false;
        const bool both = second.fits && is_short(head, second, second.next, false);
        return (both && convert(head, first.next, {first, second})) || convert(head, first.next, {first});
    }

    bool join_conditions(BlockId head) {
        const Terminator& end = end_of(head);
        if (end.kind != Terminator::Kind::branch || into_[head] != head ||
            s_.tables[head] != kernel::no_block)
            return false;
        const BlockId a = end.targets[0], b = end.targets[1];
        if (leads_out(f_, a) || leads_out(f_, b)) return false;
        return join_conditions(head, a, b) || join_conditions(head, b, a);
    }
    // The block does nothing but ask for further conditions, with which the branch before it goes the same
    // way.
    bool join_conditions(BlockId head, BlockId second, BlockId other) {
        const Terminator& end = end_of(second);
        const int loop = f_.blocks[head].loop;
        if (end.kind != Terminator::Kind::branch || second < head || into_[second] != second ||
            !comes_from(second, head) || f_.blocks[second].loop != loop)
            return false;
        if (end.targets[0] != other && end.targets[1] != other) return false;
        for (BlockId target : end.targets)
            if (target <= second || f_.blocks[target].loop != loop) return false;
        int weight = 0;
        for (std::size_t c = 0; c < asked_[head].size() + asked_[second].size(); ++c) {
            if (c == 0) continue;
            const BlockId b =
                c < asked_[head].size() ? asked_[head][c] : asked_[second][c - asked_[head].size()];
            if (!only_asks(b)) return false;
            weight += condition_weight(b);
        }
        if (weight > ptxas::condition_limit) return false;
        for (BlockId b : asked_[second]) {
            into_[b] = head;
            asked_[head].push_back(b);
            weight_[head] += weight_[b];
        }
        return true;
    }
    bool only_asks(BlockId b) const {
        const auto& instructions = f_.blocks[b].instructions;
        for (std::size_t i = 0; i < instructions.size(); ++i) {
            if (s_.choices[b][i].row().access != Access::none) return false;
            if (is_constant(instructions[i])) continue;
            for (kernel::RegId r : kernel::registers_written(f_, instructions[i]))
                for (const Place& place : s_.uses.readers(r))
                    if (place.block != b) return false;
        }
        return fits_[b];
    }
    static bool is_constant(const ptx::Instruction& inst) {
        return inst.opcode == ptx::Opcode::mov && inst.operands[1].kind == Operand::Kind::integer;
    }
    // Comparisons that take in another one are two here.
    int condition_weight(BlockId b) const {
        int weight = 0;
        const auto& instructions = f_.blocks[b].instructions;
        for (std::size_t i = 0; i < instructions.size(); ++i) {
            const bool joins = instructions[i].type() == ptx::Type::pred && s_.choices[b][i].issues == 0 &&
                               instructions[i].opcode != ptx::Opcode::mov;
            weight += joins ? 1 : weight_of(s_.choices[b][i], instructions[i]);
        }
        return weight;
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
            if (side.loads && !waits_usefully(head, side, join)) return false;
        for (const Side& side : sides) {
            for (BlockId b : side.blocks) into_[b] = head;
            weight_[head] += side.weight;
            loads_[head] = loads_[head] || side.loads;
        }
        join_[head] = join;
        return true;
    }

    // Calls for each block of the straight code that begins at `join`. Barriers cut blocks, and so do `if`s
    // that were predicated; what follows them is still ahead.
    template <typename Call>
    void for_each_behind(BlockId join, const Call& call) const {
        for (BlockId b = join;;) {
            for (BlockId asked : asked_[b]) call(asked);
            const Terminator& end = end_of(b);
            if (const auto converted = join_.find(b); converted != join_.end()) {
                for (BlockId target : end.targets)
                    if (into_[target] == b) call(target);
                b = converted->second;
                continue;
            }
            if (end.kind != Terminator::Kind::jump || end.has_instruction) break;
            if (end.targets[0] <= b || f_.blocks[end.targets[0]].predecessors.size() != 1) break;
            b = end.targets[0];
        }
    }

    // What follows the `if` is one block with it: no other way leads there.
    bool goes_on(BlockId head, BlockId join) const {
        const auto leads_here = [&](BlockId b) {
            for (; b != head && !comes_from(b, head); b = f_.blocks[b].predecessors[0])
                if (f_.blocks[b].predecessors.size() != 1) return false;
            return true;
        };
        return std::ranges::all_of(f_.blocks[join].predecessors, leads_here);
    }

    int size_behind(BlockId join) const {
        int size = 0;
        for_each_behind(join, [&](BlockId b) {
            size += weight_[b] + pointers_[b];
            for (const Instruction& addition : s_.additions[b]) size += addition.issues;
        });
        return size;
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
        if (loads_in_flight(head, side) || loads_behind(side, join)) return true;
        if (!goes_on(head, join)) return false;
        for_each_behind(join, [&](BlockId b) { work += independent_work(b, written); });
        return work + work_before(head, side) >= ptxas::predicate_overlap || loads_next(join);
    }
    // The load of an `if` that comes next, and is predicated with this one, would be under way.
    bool loads_next(BlockId join) const {
        const Terminator& end = end_of(join);
        if (end.kind != Terminator::Kind::branch || s_.tables[join] != kernel::no_block) return false;
        const BlockId a = end.targets[0], b = end.targets[1];
        if (leads_out(f_, a) || leads_out(f_, b)) return false;
        const Side next = side_of(join, std::min(a, b));
        return next.fits && next.loads && next.next == std::max(a, b) &&
               is_short(join, next, next.next, false);
    }
    // What the block before the branch computes neither for that nor for the side may as well come behind the
    // side's load.
    int work_before(BlockId head, const Side& side) const {
        std::set<kernel::RegId> needed;
        const auto needs = [&](const ptx::Instruction& inst) {
            for (kernel::RegId r : kernel::registers_read(f_, inst)) needed.insert(r);
        };
        for (auto b = side.blocks.rbegin(); b != side.blocks.rend(); ++b) {
            const auto& instructions = f_.blocks[*b].instructions;
            for (std::size_t i = instructions.size(); i-- > 0;)
                if (is_global_load(s_.choices[*b][i]) ||
                    std::ranges::any_of(kernel::registers_written(f_, instructions[i]),
                                        [&](kernel::RegId r) { return needed.contains(r); }))
                    needs(instructions[i]);
        }
        int work = 0;
        for (auto b = asked_[head].rbegin(); b != asked_[head].rend(); ++b) {
            if (const auto& guard = f_.blocks[*b].terminator.guard) needed.insert(guard->reg);
            const auto& instructions = f_.blocks[*b].instructions;
            for (std::size_t i = instructions.size(); i-- > 0;) {
                const ptx::Instruction& inst = instructions[i];
                const ptx::Family family = inst.syntax().family;
                if (stays_before(inst, side) ||
                    std::ranges::any_of(kernel::registers_written(f_, inst),
                                        [&](kernel::RegId r) { return needed.contains(r); }))
                    needs(inst);
                else if (family != ptx::Family::memory &&
                         (inst.opcode != ptx::Opcode::mov || inst.operands[1].kind == Operand::Kind::special))
                    work += s_.choices[*b][i].issues;
            }
        }
        return work;
    }

    // A copy, or a constant that others than stores take as an operand.
    bool is_operand(const ptx::Instruction& inst) const {
        if (is_copy(inst)) return true;
        return inst.opcode == ptx::Opcode::mov && inst.operands[1].kind == Operand::Kind::integer &&
               std::ranges::none_of(s_.uses.readers(inst.operands[0].id), [&](const Place& place) {
                   const ptx::Instruction* reader = s_.uses.at(place);
                   return reader && reader->opcode == ptx::Opcode::st;
               });
    }

    // A comparison that takes in another one before it, which needs some of what is `written`: ISETP.AND.
    bool takes_in(const std::set<kernel::RegId>& written, Place comparison) const {
        const ptx::Instruction& inst = *s_.uses.at(comparison);
        if (inst.opcode != ptx::Opcode::setp) return false;
        const auto& readers = s_.uses.readers(inst.operands[0].id);
        if (readers.size() != 1 || !s_.uses.at(readers[0]) || s_.at(readers[0]).issues) return false;
        const ptx::Instruction& both = *s_.uses.at(readers[0]);
        return std::ranges::any_of(both.operands, [&](const Operand& operand) {
            return s_.uses.writer(operand) && operand.id != both.operands[0].id &&
                   written.contains(operand.id) && s_.uses.writers(operand.id)[0] < comparison;
        });
    }

    // Instructions of a block that need nothing of what is `written`.
    int independent_work(BlockId b, std::set<kernel::RegId>& written) const {
        int work = pointers_[b];
        const auto& instructions = f_.blocks[b].instructions;
        std::vector<std::size_t> independent;
        for (std::size_t i = 0; i < instructions.size(); ++i) {
            const auto sources = kernel::registers_read(f_, instructions[i]);
            if (std::ranges::any_of(sources, [&](kernel::RegId r) { return written.contains(r); }))
                for (kernel::RegId r : kernel::registers_written(f_, instructions[i])) written.insert(r);
            else
                independent.push_back(i);
        }
        for (const std::size_t i : independent) {
            const Choice& choice = s_.choices[b][i];
            const Pipe pipe = choice.row().pipe;
            if (pipe != Pipe::lsu && pipe != Pipe::branch && !is_operand(instructions[i]) &&
                !takes_in(written, {b, static_cast<std::int32_t>(i)}))
                work += choice.issues;
        }
        for (const Instruction& addition : s_.additions[b]) work += addition.issues;
        if (!s_.windows[b].empty()) work += ptxas::shared_window_issues;
        return work;
    }

    // A load behind the `if` that may go up over it: it needs nothing of the side, and no access stands
    // before it that others could see.
    bool loads_behind(const Side& side, BlockId join) const {
        std::set<kernel::RegId> written;
        for (BlockId b : side.blocks)
            for (const ptx::Instruction& inst : f_.blocks[b].instructions)
                for (kernel::RegId r : kernel::registers_written(f_, inst)) written.insert(r);
        const auto& instructions = f_.blocks[join].instructions;
        for (std::size_t i = 0; i < instructions.size() && !is_anchored(instructions[i]); ++i) {
            const auto sources = kernel::registers_read(f_, instructions[i]);
            const bool needs =
                std::ranges::any_of(sources, [&](kernel::RegId r) { return written.contains(r); });
            if (!needs && is_global_load(s_.choices[join][i]) && s_.choices[join][i].issues) return true;
            for (kernel::RegId r : kernel::registers_written(f_, instructions[i]))
                if (needs) written.insert(r);
        }
        return false;
    }
    // It stays where it is.
    static bool is_anchored(const ptx::Instruction& inst) {
        const ptx::Family family = inst.syntax().family;
        return family == ptx::Family::atomic || family == ptx::Family::warp ||
               family == ptx::Family::barrier || family == ptx::Family::control ||
               inst.opcode == ptx::Opcode::st;
    }

    // Before the side, too: what that loads may come before stores that cannot change it.
    static bool stays_before(const ptx::Instruction& inst, const Side& side) {
        if (inst.opcode != ptx::Opcode::st || !side.loads) return is_anchored(inst);
        return side.rereads && !is_shared(inst);
    }

    // A load before the branch whose value neither the branch nor what stays before it waits for: in its
    // block, or in one that was predicated just before it.
    bool loads_in_flight(BlockId head, const Side& side) const {
        std::set<kernel::RegId> needed;
        for (auto b = asked_[head].rbegin(); b != asked_[head].rend(); ++b) {
            if (const auto& guard = f_.blocks[*b].terminator.guard) needed.insert(guard->reg);
            if (loads_unless_needed(*b, side, needed)) return true;
        }
        for (const auto& [before, join] : join_) {
            if (join != head) continue;
            for (BlockId predicated : end_of(before).targets)
                if (into_[predicated] == before && loads_unless_needed(predicated, side, needed)) return true;
        }
        // A barrier cuts blocks, but no block of the machine.
        for (BlockId b = head; f_.blocks[b].predecessors.size() == 1 && f_.blocks[b].predecessors[0] < b;) {
            b = f_.blocks[b].predecessors[0];
            if (f_.blocks[b].terminator.kind != Terminator::Kind::jump || into_[b] != b) break;
            if (loads_unless_needed(b, side, needed)) return true;
        }
        return false;
    }
    // Whether the block loads what is not needed; what it computes of the rest is added to it.
    bool loads_unless_needed(BlockId b, const Side& side, std::set<kernel::RegId>& needed) const {
        const auto& instructions = f_.blocks[b].instructions;
        for (std::size_t i = instructions.size(); i-- > 0;) {
            const auto results = kernel::registers_written(f_, instructions[i]);
            const bool waited =
                std::ranges::any_of(results, [&](kernel::RegId r) { return needed.contains(r); });
            if (!waited && is_global_load(s_.choices[b][i]) && s_.choices[b][i].issues) return true;
            if (waited || stays_before(instructions[i], side))
                for (kernel::RegId r : kernel::registers_read(f_, instructions[i])) needed.insert(r);
        }
        return false;
    }

    Selection& s_;
    const kernel::Function& f_;
    std::vector<BlockId> into_;
    std::vector<int> weight_;
    std::vector<bool> loads_, fits_;
    std::vector<int> pointers_;  // to load from parameters, by block
    // By block: those whose conditions are asked at once, it and others; the last one's branch is that of
    // all.
    std::vector<std::vector<BlockId>> asked_;
    std::vector<BlockId> idom_;
    std::map<BlockId, BlockId> join_;  // heads whose sides were predicated, and where they go on
};

}  // namespace

std::vector<BlockId> predicate_blocks(Selection& selection) { return Predicator(selection).run(); }

}  // namespace lockstep::machine
