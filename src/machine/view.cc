#include "machine/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>

#include "kernel/graph.h"
#include "kernel/print.h"
#include "machine/balance-pipes.h"
#include "machine/collectives.h"
#include "machine/machine-blocks.h"
#include "machine/predicate.h"
#include "machine/ptxas.h"
#include "machine/registers.h"
#include "machine/selection.h"
#include "machine/spills.h"
#include "machine/unroll.h"
#include "ptx/printer.h"

namespace lockstep::machine {
namespace {

using kernel::BlockId;
using kernel::Terminator;

class Viewer {
  public:
    Viewer(Selection& selection, const gpu::GpuModel& gpu, const Options& options)
        : s_(selection),
          gpu_(gpu),
          f_(selection.function),
          options_(options),
          idom_(kernel::dominators(f_)),
          ipdom_(kernel::post_dominators(f_)),
          machine_(machine_blocks(f_, options.optimise ? predicate_blocks(s_) : own_blocks())) {}

    View run() {
        View view;
        view.blocks.resize(f_.blocks.size());
        blocks_ = &view.blocks;
        make_windows();
        make_constant_loads();
        for (BlockId b = 0; b < f_.blocks.size(); ++b) body(b);
        for (BlockId b = 0; b < f_.blocks.size(); ++b) terminator(b);
        if (options_.optimise) {
            for (const UnrolledLoop& loop : unrolled_loops(s_, machine_)) unroll(loop);
            for (const UnrolledLoop& loop : loops_left_in_the_middle(s_, machine_)) straighten(loop);
        }
        if (options_.optimise) copy_pointers();
        if (options_.optimise && s_.generation.wide_multiply_add) balance_pipes(s_, machine_, view.blocks);
        leave_loops();
        reconverge(options_.optimise && s_.generation.yields
                       ? bring_together(s_, machine_, lanes_apart(), view.blocks)
                       : std::vector<bool>(f_.blocks.size()));
        const RegisterEstimate estimate = estimate_registers(s_, gpu_);
        view.array_bytes = s_.array_bytes;
        view.registers = std::min(estimate.wanted, options_.max_registers);
        view.value_costs = register_costs(s_);
        view.value_room = std::min(estimate.room, options_.max_registers - ptxas::early_loads_leave);
        if (const auto room = options_.max_registers - ptxas::spills_besides; estimate.values > room) {
            auto spills = find_spills(s_, room);
            for (BlockId b = 0; b < f_.blocks.size(); ++b) at(b).spills = std::move(spills[b]);
        }
        return view;
    }

  private:
    Block& at(BlockId b) { return (*blocks_)[b]; }

    // Unoptimised, each block is its own.
    std::vector<BlockId> own_blocks() const {
        std::vector<BlockId> blocks(f_.blocks.size());
        std::iota(blocks.begin(), blocks.end(), BlockId{0});
        return blocks;
    }

    // Addresses of shared variables are made in each block of the machine that needs them, outside loops; the
    // way to the window is the same for all of them.
    void make_windows() {
        std::map<BlockId, std::set<std::uint32_t>> made;
        for (BlockId b = 0; b < f_.blocks.size(); ++b)
            for (const std::uint32_t variable : s_.windows[b]) {
                auto& variables = made[machine_.first[b]];
                const int before = window_issues(s_, variables);
                variables.insert(variable);
                if (const int issues = window_issues(s_, variables) - before)
                    s_.additions[b].push_back(
                        {.opcode = Opcode::ulea, .issues = static_cast<std::uint16_t>(issues)});
            }
    }

    // Parameters are loaded once in each block of the machine that needs them.
    void make_constant_loads() {
        std::map<BlockId, std::set<ConstantLoad>> made;
        for (BlockId b = 0; b < f_.blocks.size(); ++b)
            made[machine_.first[b]].insert(s_.constants_at_hand[b].begin(), s_.constants_at_hand[b].end());
        for (BlockId b = 0; b < f_.blocks.size(); ++b)
            for (const ConstantLoad& load : s_.constant_loads[b])
                if (made[machine_.first[b]].insert(load).second)
                    s_.additions[b].push_back({.opcode = load.wide ? Opcode::ldc_64 : Opcode::ldc});
    }

    void body(BlockId b) {
        Block& out = at(b);
        out.issued_with = machine_.issued_with[b];
        out.has_branch = machine_.branch_remains(f_, b);
        out.code = s_.additions[b];
        const auto& instructions = f_.blocks[b].instructions;
        for (std::size_t i = 0; i < instructions.size(); ++i) {
            const Choice& choice = s_.choices[b][i];
            if (choice.issues == 0) continue;
            const bool both = out.issued_with != b && scales_operand(instructions[i]);
            const int issues = both ? ptxas::predicated_scaling_issues : choice.issues;
            out.code.push_back({.opcode = choice.opcode,
                                .issues = static_cast<std::uint16_t>(issues),
                                .branches = static_cast<std::uint16_t>(choice.branches),
                                .ptx = static_cast<std::int32_t>(i),
                                .access_bytes = static_cast<std::uint16_t>(choice.access_bytes),
                                .times = static_cast<std::uint16_t>(choice.times),
                                .waits = choice.waits,
                                .guarded = instructions[i].guard.has_value(),
                                .chosen_at = choice.chosen_at});
        }
    }

    bool branch_remains(BlockId b) const { return machine_.branch_remains(f_, b); }

    void add(BlockId b, Opcode opcode, int branches) {
        at(b).code.push_back({.opcode = opcode,
                              .branches = static_cast<std::uint16_t>(branches),
                              .ptx = static_cast<std::int32_t>(f_.blocks[b].instructions.size())});
    }

    void terminator(BlockId b) {
        const Terminator& end = f_.blocks[b].terminator;
        switch (end.kind) {
            case Terminator::Kind::ret:
            case Terminator::Kind::exit:
                // Lanes that branch to an exit are gone already; whoever falls into it has the instruction.
                if (b == 0 || !kernel::is_leaving(f_, b))
                    add(b, f_.entry || end.kind == Terminator::Kind::exit ? Opcode::exit : Opcode::ret, 0);
                break;
            case Terminator::Kind::table:
                add(b, Opcode::brx, 1);
                at(b).code.back().issues = ptxas::table_branch_issues;
                break;
            case Terminator::Kind::branch:
                if (s_.tables[b] != kernel::no_block)
                    table(b);
                else if (exits(b))
                    add(b, Opcode::exit, 0);  // predicated
                else if (branch_remains(b) || goes_elsewhere(b))
                    add(b, Opcode::bra, 1);
                break;
            case Terminator::Kind::jump: jump(b, end); break;
            case Terminator::Kind::unreachable: break;
        }
    }

    // Of a `switch`: one branch for all that its blocks ask.
    void table(BlockId b) {
        if (s_.tables[b] != b) return;
        add(b, Opcode::brx, 1);
        at(b).code.back().issues = ptxas::switch_issues;
    }

    // The block's condition became part of the branch behind a second one.
    bool asks_again(BlockId b) const {
        return std::ranges::any_of(f_.blocks[b].terminator.targets, [&](BlockId target) {
            return machine_.is_predicated_into(target, b) && f_.blocks[target].predecessors.size() == 1 &&
                   f_.blocks[target].terminator.kind == Terminator::Kind::branch;
        });
    }

    // By its own condition, or by one that became part of it.
    bool may_split(BlockId b) const {
        while (!s_.shapes.divergent[b]) {
            const auto& before = f_.blocks[b].predecessors;
            if (before.size() != 1 || !machine_.is_predicated_into(b, before[0]) || !asks_again(before[0]))
                return false;
            b = before[0];
        }
        return true;
    }

    // What was predicated into the block goes on to another place than the next one.
    bool goes_elsewhere(BlockId b) const {
        if (asks_again(b)) return false;
        BlockId last = b;
        for (BlockId target : f_.blocks[b].terminator.targets)
            if (machine_.is_predicated_into(target, b)) last = std::max(last, target);
        while (last + 1 < f_.blocks.size() && machine_.is_predicated_into(last + 1, b)) ++last;
        return ipdom_[b] != kernel::no_block && !kernel::is_leaving(f_, ipdom_[b]) &&
               next_in_layout(last) != ipdom_[b];
    }

    // Its branch sends lanes of a warp different ways: also where only one side was predicated, and the
    // branch leads over the other.
    bool parts_lanes(BlockId b) const {
        if (branch_remains(b)) return true;
        return goes_elsewhere(b) && std::ranges::any_of(f_.blocks[b].terminator.targets, [&](BlockId target) {
                   return !machine_.is_predicated_into(target, b) && target != ipdom_[b];
               });
    }

    // The blocks lie in the order of the kernel IR; whoever goes on elsewhere needs a branch.
    void jump(BlockId b, const Terminator& end) {
        if (kernel::is_leaving(f_, end.targets[0])) {
            // The conditional branch that only this block follows was the exit.
            if (!options_.optimise || !follows_branch(f_, b)) add(b, Opcode::exit, 0);
            return;
        }
        if (!options_.optimise) {
            const bool kept = s_.generation.debug_jumps || end.targets[0] != b + 1 || follows_branch(f_, b);
            if (end.has_instruction && kept) add(b, Opcode::bra, 1);
            return;
        }
        // The second half of a two-way branch is the first one turned round.
        const bool empty =
            f_.blocks[b].instructions.empty() && (!end.has_instruction || follows_branch(f_, b));
        if (empty || machine_.issued_with[b] != b || end.targets[0] == next_in_layout(b)) return;
        add(b, Opcode::bra, 1);
    }
    BlockId next_in_layout(BlockId b) const {
        do ++b;
        while (b < f_.blocks.size() && (machine_.issued_with[b] != b || kernel::is_leaving(f_, b)));
        return b;
    }

    // The pointer of a loop is copied each turn, so that its step need not wait for the accesses that read
    // it. Where turns are unrolled, what they access lies at distances from it. A result of a load may lie in
    // half of its copy, and where nothing is loaded nothing need be copied; what all threads of the grid step
    // is in uniform registers, from where it has to come.
    void copy_pointers() {
        for (BlockId b = 0; b < f_.blocks.size(); ++b) {
            const int loop = f_.blocks[b].loop;
            if (loop < 0 || at(b).unrolling.turns > 1) continue;
            const auto& contains = f_.loops[static_cast<std::size_t>(loop)].contains;
            const auto& instructions = f_.blocks[b].instructions;
            for (std::size_t i = 0; i < instructions.size(); ++i) {
                if (!s_.choices[b][i].issues || !is_pointer_step(instructions[i])) continue;
                const bool uniform = is_given(instructions[i].operands[0], contains);
                const bool loads = accesses_in(contains, Access::load),
                           stores = accesses_in(contains, Access::store);
                const std::uint16_t halves = uniform || (loads && stores) ? 2 : loads ? 1 : 0;
                if (halves) at(b).code.push_back({.opcode = Opcode::mov, .issues = halves});
            }
        }
    }
    bool accesses_in(const std::vector<bool>& blocks, Access access) const {
        for (BlockId b = 0; b < blocks.size(); ++b)
            if (blocks[b] && std::ranges::any_of(s_.choices[b], [&](const Choice& choice) {
                    return choice.issues && choice.row().access == access;
                }))
                return true;
        return false;
    }
    // Whether a pointer begins as a parameter, or at a distance from one that is a number.
    bool is_given(const ptx::Operand& value, const std::vector<bool>& loop) const {
        std::vector<kernel::RegId> open;
        std::set<kernel::RegId> seen;  // registers may step each other
        const auto takes = [&](const ptx::Operand& operand) {
            if (operand.kind != ptx::Operand::Kind::reg) return operand.kind == ptx::Operand::Kind::integer;
            if (seen.insert(operand.id).second) open.push_back(operand.id);
            return true;
        };
        if (!takes(value)) return false;
        while (!open.empty()) {
            const kernel::RegId reg = open.back();
            open.pop_back();
            for (const Place& place : s_.uses.writers(reg)) {
                if (loop[place.block]) continue;
                const ptx::Instruction* const writer = s_.uses.at(place);
                if (writer && writer->has(ptx::Modifier::param)) continue;
                const bool passes =
                    writer && (writer->opcode == ptx::Opcode::mov || writer->opcode == ptx::Opcode::cvta ||
                               (writer->opcode == ptx::Opcode::add && !ptx::is_float(writer->type())));
                if (!passes || !std::ranges::all_of(writer->operands, takes)) return false;
            }
        }
        return true;
    }
    bool is_pointer_step(const ptx::Instruction& inst) const {
        if (!is_step(inst) || ptx::type_bits(inst.type()) != 64) return false;
        return std::ranges::any_of(s_.uses.readers(inst.operands[0].id), [&](const Place& place) {
            return f_.blocks[place.block].loop >= 0 && s_.uses.at(place) &&
                   is_global(s_.at(place).row().access) && !s_.uses.at(place)->has(ptx::Modifier::local);
        });
    }

    // Branches that may split the warp are bracketed by BSSY and BSYNC, one pair for all that meet at the
    // same place; each path that arrives there issues the BSYNC. A loop whose lanes leave at different times
    // is bracketed as a whole. Where all lanes of the warp are brought together in between, none may wait.
    void reconverge(const std::vector<bool>& gathers) {
        std::map<BlockId, BlockId> opens;  // by meeting place: the block that dominates all its branches
        for (BlockId b = 0; b < f_.blocks.size(); ++b) {
            const Terminator& end = f_.blocks[b].terminator;
            if (end.kind != Terminator::Kind::branch && end.kind != Terminator::Kind::table) continue;
            if (!may_split(b) || !parts_lanes(b) || exits(b)) continue;
            const BlockId meet = ipdom_[b];
            if (meet == kernel::no_block || kernel::is_leaving(f_, meet) || gather_in(region_of(b), gathers))
                continue;
            at(b).code.push_back({.opcode = Opcode::bsync, .on_divergence = true});
            BlockId opener = machine_.issued_with[b];
            if (const int loop = f_.blocks[b].loop; loop >= 0 && leaves(b, loop)) {
                const BlockId header = f_.loops[static_cast<std::size_t>(loop)].header;
                if (idom_[header] != kernel::no_block) opener = idom_[header];
            }
            const auto [found, fresh] = opens.try_emplace(meet, opener);
            if (!fresh) found->second = kernel::common_dominator(idom_, found->second, opener);
        }
        for (const auto& [meet, opener] : opens) {
            at(opener).code.push_back({.opcode = Opcode::bssy});
            at(opener).code.push_back({.opcode = Opcode::bsync});
        }
    }
    // Blocks between a branch and where its ways meet.
    std::vector<bool> region_of(BlockId b) const {
        std::vector<bool> region(f_.blocks.size());
        for (BlockId target : f_.blocks[b].terminator.targets) {
            const auto way = kernel::reachable_until(f_, target, ipdom_[b]);
            for (BlockId x = 0; x < region.size(); ++x) region[x] = region[x] || way[x];
        }
        return region;
    }
    bool gather_in(const std::vector<bool>& region, const std::vector<bool>& gathers) const {
        for (BlockId b = 0; b < region.size(); ++b)
            if (region[b] && gathers[b]) return true;
        return false;
    }
    // By block: whether a branch before it may have parted the warp. Lanes that have left are no others, but
    // those that leave a loop are, even the last one.
    std::vector<bool> lanes_apart() const {
        std::vector<bool> apart(f_.blocks.size());
        for (BlockId b = 0; b < f_.blocks.size(); ++b) {
            const Terminator& end = f_.blocks[b].terminator;
            if (end.kind != Terminator::Kind::branch && end.kind != Terminator::Kind::table) continue;
            const bool last = leads_out_of(b) && closes_loop(b);
            const bool parts = last ? !s_.shapes.registers[end.guard->reg].is_uniform() : may_split(b);
            if (!parts || !parts_lanes(b) || exits(b)) continue;
            const auto& region =
                last ? f_.loops[static_cast<std::size_t>(f_.blocks[b].loop)].contains : region_of(b);
            for (BlockId x = 0; x < apart.size(); ++x) apart[x] = apart[x] || region[x];
            if (ipdom_[b] != kernel::no_block && has_collective(region)) stay_apart(ipdom_[b], apart);
        }
        return apart;
    }
    bool has_collective(const std::vector<bool>& region) const {
        for (BlockId b = 0; b < region.size(); ++b)
            if (region[b] && std::ranges::any_of(f_.blocks[b].instructions, is_collective)) return true;
        return false;
    }
    // Lanes some of which exchanged values meanwhile are not known to be together where they meet, up to the
    // next barrier.
    void stay_apart(BlockId meet, std::vector<bool>& apart) const {
        std::vector<BlockId> open{meet};
        while (!open.empty()) {
            const BlockId b = open.back();
            open.pop_back();
            if (apart[b] || std::ranges::any_of(f_.blocks[b].instructions, kernel::is_block_barrier))
                continue;
            apart[b] = true;
            const auto& targets = f_.blocks[b].terminator.targets;
            open.insert(open.end(), targets.begin(), targets.end());
        }
    }
    bool exits(BlockId b) const {
        const Terminator& end = f_.blocks[b].terminator;
        if (end.kind != Terminator::Kind::branch) return false;
        if (!options_.optimise)
            return kernel::is_leaving(f_, end.targets[0]) || kernel::is_leaving(f_, end.targets[1]);
        return leads_out_of(b) && !closes_loop(b);
    }
    bool leads_out_of(BlockId b) const {
        const auto& targets = f_.blocks[b].terminator.targets;
        return std::ranges::any_of(targets, [&](BlockId target) { return leads_out(f_, target); });
    }
    // The branch at the end of a loop, by which its next turn begins.
    bool closes_loop(BlockId b) const {
        for (BlockId target : f_.blocks[b].terminator.targets) {
            const kernel::Block& there = f_.blocks[target];
            const bool latch = there.is_latch && there.instructions.empty();
            const BlockId header = latch ? there.terminator.targets[0] : target;
            const int loop = f_.blocks[header].loop;
            if (loop >= 0 && f_.loops[static_cast<std::size_t>(loop)].header == header &&
                f_.loops[static_cast<std::size_t>(loop)].contains[b])
                return true;
        }
        return false;
    }
    // Behind a loop that is the last of the kernel stands the EXIT that its end is for all others.
    void leave_loops() {
        if (!options_.optimise) return;
        for (BlockId b = 0; b < f_.blocks.size(); ++b) {
            if (f_.blocks[b].terminator.kind != Terminator::Kind::branch || !leads_out_of(b) ||
                !closes_loop(b))
                continue;
            const BlockId header = f_.loops[static_cast<std::size_t>(f_.blocks[b].loop)].header;
            if (idom_[header] != kernel::no_block) at(idom_[header]).code.push_back({.opcode = Opcode::exit});
        }
    }
    bool leaves(BlockId b, int loop) const {
        const auto& contains = f_.loops[static_cast<std::size_t>(loop)].contains;
        for (BlockId target : f_.blocks[b].terminator.targets)
            if (!contains[target]) return true;
        return false;
    }

    // Nothing is counted or asked any more.
    void straighten(const UnrolledLoop& loop) {
        for (BlockId b : loop.blocks) {
            const auto& instructions = f_.blocks[b].instructions;
            std::erase_if(at(b).code, [&](const Instruction& instruction) {
                if (instruction.ptx < 0) return false;
                const auto index = static_cast<std::size_t>(instruction.ptx);
                return index == instructions.size() || is_loop_overhead(f_, loop, instructions[index]);
            });
        }
    }

    void unroll(const UnrolledLoop& loop) {
        const BlockId entry = idom_[loop.header];
        for (BlockId b = 0; b < f_.blocks.size(); ++b) {
            if (machine_.first[b] != loop.header) continue;
            at(b).unrolling = loop.how;
            at(b).loop_entry = entry;
            at(b).loop_end = loop.closing;
        }
        for (BlockId b : loop.blocks) {
            const auto& instructions = f_.blocks[b].instructions;
            for (Instruction& instruction : at(b).code) {
                if (instruction.on_divergence) continue;
                if (instruction.ptx < 0) {  // what the block needs besides is made once for all turns
                    instruction.once_a_trip = true;
                    continue;
                }
                const auto index = static_cast<std::size_t>(instruction.ptx);
                instruction.once_a_trip =
                    index == instructions.size() || is_loop_overhead(f_, loop, instructions[index]);
            }
        }
        if (loop.how.rest == Rest::copies || loop.how.rest == Rest::none) return;
        // How much is left is asked four times on the way through, once less where the loop is not begun
        // again.
        const int fewer = loop.how.rest == Rest::one && !loop.asks_more ? 1 : 0;
        // Behind the last loop of a kernel what is left over is asked for by an EXIT.
        const int predicated =
            loop.how.half_predicated + (loop.how.last_predicated || leads_out_of(loop.closing));
        const auto comparisons = static_cast<std::uint16_t>(ptxas::unroll_comparisons - fewer);
        const auto branches = static_cast<std::uint16_t>(ptxas::unroll_branches - fewer - predicated);
        at(entry).code.push_back({.opcode = Opcode::isetp, .issues = comparisons});
        const auto add_branches = [&](std::uint16_t number, BlockId asks_for) {
            if (number)
                at(entry).code.push_back(
                    {.opcode = Opcode::bra, .issues = number, .branches = number, .asks_for = asks_for});
        };
        // That one more is about the counter's end, not about turns.
        const std::uint16_t others = loop.asks_more && branches ? 1 : 0;
        add_branches(static_cast<std::uint16_t>(branches - others), loop.closing);
        add_branches(others, kernel::no_block);
    }

    Selection& s_;
    const gpu::GpuModel& gpu_;
    const kernel::Function& f_;
    const Options& options_;
    std::vector<BlockId> idom_, ipdom_;
    MachineBlocks machine_;
    std::vector<Block>* blocks_ = nullptr;
};

// Unoptimised, the sign of a remainder is set behind a branch; before Volta the whole division is a
// subroutine: a call, that branch and the return.
void keep_division_branches(Selection& selection) {
    const int branches = selection.generation.debug_jumps ? ptxas::debug_division_branches
                                                          : ptxas::debug_division_branches_before_volta;
    for (auto& row : selection.choices)
        for (Choice& choice : row)
            if (choice.opcode == Opcode::div || choice.opcode == Opcode::rem) choice.branches = branches;
}

}  // namespace

View look(const kernel::Function& function, const gpu::GpuModel& gpu, const Options& options,
          const kernel::PassTap& tap) {
    // ptxas does not know how threads will lie in warps.
    const kernel::Shapes shapes = kernel::find_shapes(function, 0);
    Selection selection(function, shapes, generation_of(gpu));
    const auto listing = [&] { return to_string(selection); };
    tap.after("select", listing);
    load_constants(selection);
    tap.after("constants", listing);
    if (!options.optimise) keep_division_branches(selection);
    if (options.optimise) {
        make_jump_tables(selection);
        tap.after("tables", listing);
        fold_addresses(selection);
        tap.after("addresses", listing);
        fold_wide(selection);
        tap.after("wide", listing);
        fold_narrow(selection);
        tap.after("narrow", listing);
        keep_local_arrays(selection);
        tap.after("arrays", listing);
        fold_disjoint(selection);
        fold_logic(selection);
        tap.after("logic", listing);
        fold_arithmetic(selection);
        tap.after("arithmetic", listing);
        fold_predicates(selection);
        tap.after("predicates", listing);
        fold_repeated(selection);
        scale_operands(selection);
        tap.after("repeated", listing);
        join_atomics(selection);
        tap.after("atomics", listing);
        merge_accesses(selection);
        tap.after("merge", listing);
    }
    make_double_constants(selection);
    if (options.optimise && selection.generation.wide_multiply_add) make_single_constants(selection);
    tap.after("literals", listing);
    add_swap_loops(selection);
    tap.after("swaps", listing);
    View view = Viewer(selection, gpu, options).run();
    tap.after("machine", [&] { return to_string(view, function); });
    return view;
}

std::vector<View> look(const kernel::Kernel& kernel, const gpu::GpuModel& gpu, const Options& options,
                       const kernel::PassTap& tap) {
    std::vector<View> views;
    for (std::size_t f = 0; f < kernel.functions.size(); ++f)
        views.push_back(look(kernel.functions[f], gpu, options, tap));
    return views;
}

namespace {

std::uint32_t spilled_bytes(const View& view, bool load) {
    std::uint32_t sum = 0;
    for (const Block& block : view.blocks)
        for (const Spill& spill : block.spills)
            if (spill.load == load) sum += spill.bytes;
    return sum;
}

}  // namespace

std::uint32_t View::spill_stores() const { return spilled_bytes(*this, false); }
std::uint32_t View::spill_loads() const { return spilled_bytes(*this, true); }
std::uint32_t View::spill_frame() const {
    std::uint32_t end = 0;
    for (const Block& block : blocks)
        for (const Spill& spill : block.spills) end = std::max(end, 4u * spill.slot + spill.bytes);
    return end;
}

std::vector<std::string> mnemonics(const Block& block, std::size_t instructions) {
    std::vector<std::string> texts(instructions + 2);
    const auto add = [&](std::int32_t ptx, std::string_view word) {
        std::string& text = texts[static_cast<std::size_t>(ptx + 1)];
        if (!text.empty()) text += ", ";
        text += word;
    };
    for (const Spill& spill : block.spills) add(spill.before, row_of(spill.opcode()).mnemonic);
    for (const Instruction& instruction : block.code) {
        const std::string_view word = instruction.row().mnemonic;
        if (instruction.issues > 1)
            add(instruction.ptx, fmt::format("{} x{}", word, instruction.issues));
        else
            add(instruction.ptx, word);
    }
    return texts;
}

std::string to_string(const View& view, const kernel::Function& function) {
    const ptx::Function names = kernel::names_of(function);
    std::string text = fmt::format("{}: {} registers\n", function.name, view.registers);
    for (BlockId b = 0; b < view.blocks.size(); ++b) {
        const Block& block = view.blocks[b];
        fmt::format_to(std::back_inserter(text), "block {}", b);
        if (block.issued_with != b)
            fmt::format_to(std::back_inserter(text), " (predicated into {})", block.issued_with);
        if (block.unrolling.turns > 1)
            fmt::format_to(std::back_inserter(text), " (unrolled {} times)", block.unrolling.turns);
        text += ":\n";
        const auto& instructions = function.blocks[b].instructions;
        const std::vector<std::string> lines = mnemonics(block, instructions.size());
        if (!lines.front().empty()) fmt::format_to(std::back_inserter(text), "  {:<24}\n", lines.front());
        for (std::size_t i = 0; i < instructions.size(); ++i)
            fmt::format_to(std::back_inserter(text), "  {:<24} {}\n", lines[i + 1],
                           ptx::print(instructions[i], *function.module, names));
        if (!lines.back().empty())
            fmt::format_to(std::back_inserter(text), "  {:<24} (end of block)\n", lines.back());
    }
    return text;
}

}  // namespace lockstep::machine
