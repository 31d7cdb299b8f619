// Values stay in registers as long as there are any; what is read last of all makes room (Belady's rule, over
// branches and loops as Braun and Hack extend it to them: "Register Spilling and Live-Range Splitting for
// SSA- Form Programs", 2009). A value that is in local memory already is not stored again.
#include "machine/spills.h"

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_map>

#include "kernel/graph.h"
#include "machine/registers.h"

namespace lockstep::machine {
namespace {

using kernel::BlockId;
using kernel::RegId;

constexpr double never = std::numeric_limits<double>::infinity();
// What is read only behind a loop is further away than anything in it.
constexpr double behind_loop = 1e6;

class Spiller {
  public:
    Spiller(Selection& selection, std::uint32_t registers)
        : f_(selection.function),
          cost_(register_costs(selection)),
          room_(static_cast<int>(registers)),
          slot_(f_.registers.size(), -1),
          next_in_(f_.blocks.size()),
          held_(f_.blocks.size()),
          stored_(f_.blocks.size()),
          spills_(f_.blocks.size()) {}

    std::vector<std::vector<Spill>> run() {
        find_next_uses();
        for (BlockId b = 0; b < f_.blocks.size(); ++b) block(b);
        for (auto& list : spills_)
            std::stable_sort(list.begin(), list.end(),
                             [](const Spill& a, const Spill& b) { return a.before < b.before; });
        return std::move(spills_);
    }

  private:
    using Distances = std::unordered_map<RegId, double>;
    using Set = std::set<RegId>;

    bool leaves_loop(BlockId from, BlockId to) const {
        const int loop = f_.blocks[from].loop;
        return loop >= 0 && !f_.loops[static_cast<std::size_t>(loop)].contains[to];
    }

    Distances at_end(BlockId b) const {
        Distances end;
        for (BlockId next : kernel::successors(f_.blocks[b])) {
            const double more = leaves_loop(b, next) ? behind_loop : 0;
            for (const auto& [r, distance] : next_in_[next]) {
                const auto [known, fresh] = end.try_emplace(r, distance + more);
                if (!fresh) known->second = std::min(known->second, distance + more);
            }
        }
        return end;
    }

    // How many instructions ahead each value that is alive at a block's beginning is read next.
    void find_next_uses() {
        for (bool changed = true; changed;) {
            changed = false;
            for (BlockId b = static_cast<BlockId>(f_.blocks.size()); b-- > 0;) {
                Distances distances = at_end(b);
                const auto& instructions = f_.blocks[b].instructions;
                for (auto& [r, distance] : distances) distance += static_cast<double>(instructions.size());
                for (std::size_t i = instructions.size(); i-- > 0;) {
                    for (RegId r : kernel::registers_written(f_, instructions[i])) distances.erase(r);
                    for (RegId r : kernel::registers_read(f_, instructions[i]))
                        if (cost_[r]) distances[r] = static_cast<double>(i);
                }
                if (distances == next_in_[b]) continue;
                next_in_[b] = std::move(distances);
                changed = true;
            }
        }
    }

    // ---- one block, forwards

    // Where in the block each register is read and written.
    struct Touches {
        std::vector<std::size_t> reads, writes;
    };

    double next_use(RegId r, std::size_t from) const {
        double use = never;
        if (const auto found = touches_.find(r); found != touches_.end()) {
            const auto& [reads, writes] = found->second;
            const auto read = std::lower_bound(reads.begin(), reads.end(), from);
            const auto written = std::lower_bound(writes.begin(), writes.end(), from);
            if (read != reads.end() && (written == writes.end() || *read <= *written))
                return static_cast<double>(*read);
            if (written != writes.end()) return never;
        }
        if (const auto out = end_.find(r); out != end_.end())
            use = out->second + static_cast<double>(length_);
        return use;
    }

    int taken(const Set& held) const {
        int sum = 0;
        for (RegId r : held) sum += cost_[r];
        return sum;
    }

    void add(BlockId b, std::size_t before, RegId r, bool load) {
        if (slot_[r] < 0) {
            slot_[r] = next_slot_;
            next_slot_ += cost_[r];
        }
        spills_[b].push_back({static_cast<std::int32_t>(before), static_cast<std::uint16_t>(slot_[r]), r,
                              static_cast<std::uint8_t>(4 * cost_[r]), load});
    }
    void store(BlockId b, std::size_t before, RegId r, Set& stored) {
        if (stored.insert(r).second) add(b, before, r, false);
    }

    // Puts values away until no more than `room` registers are taken, of those that are not in `wanted`.
    // `from`: the first instruction that may need them again.
    void make_room(BlockId b, std::size_t at, std::size_t from, int room, const std::vector<RegId>& wanted) {
        int now = taken(here_);
        while (now > room) {
            RegId furthest = 0;
            double distance = -1;
            for (RegId r : here_) {
                if (std::find(wanted.begin(), wanted.end(), r) != wanted.end()) continue;
                if (const double use = next_use(r, from); use > distance) furthest = r, distance = use;
            }
            if (distance < 0) return;  // an instruction that needs more than there are
            if (distance != never) store(b, at, furthest, stored_here_);
            here_.erase(furthest);
            now -= cost_[furthest];
        }
    }

    void block(BlockId b) {
        end_ = at_end(b);
        const auto& instructions = f_.blocks[b].instructions;
        length_ = instructions.size();
        touches_.clear();
        for (std::size_t i = 0; i < length_; ++i) {
            for (RegId r : kernel::registers_read(f_, instructions[i]))
                if (cost_[r]) touches_[r].reads.push_back(i);
            for (RegId r : kernel::registers_written(f_, instructions[i]))
                if (cost_[r]) touches_[r].writes.push_back(i);
        }
        enter(b);
        for (std::size_t i = 0; i < length_; ++i) {
            std::vector<RegId> read, written;
            for (RegId r : kernel::registers_read(f_, instructions[i]))
                if (cost_[r]) read.push_back(r);
            for (RegId r : kernel::registers_written(f_, instructions[i]))
                if (cost_[r]) written.push_back(r);
            for (RegId r : read) {
                if (!here_.insert(r).second) continue;
                add(b, i, r, true);
                stored_here_.insert(r);
            }
            make_room(b, i, i, room_, read);
            std::erase_if(here_, [&](RegId r) { return next_use(r, i + 1) == never; });
            int needed = 0;
            for (RegId r : written) {
                here_.erase(r);
                needed += cost_[r];
            }
            make_room(b, i, i + 1, room_ - needed, {});
            for (RegId r : written) {
                stored_here_.erase(r);
                if (next_use(r, i + 1) != never) here_.insert(r);
            }
        }
        held_[b] = here_;
        stored_[b] = stored_here_;
        // What a later block wants from an earlier one is settled when both are known.
        for (BlockId next : kernel::successors(f_.blocks[b]))
            if (next <= b) join(b, next);
    }

    // Chooses what is in registers where the block begins, and has its predecessors see to it.
    void enter(BlockId b) {
        std::vector<BlockId> before;
        bool loop = false;
        for (BlockId p : f_.blocks[b].predecessors) {
            if (p < b)
                before.push_back(p);
            else
                loop = true;
        }
        here_.clear();
        stored_here_.clear();
        if (before.empty()) {
            entry_[b] = {};
            return;
        }
        std::vector<std::pair<double, RegId>> candidates;
        for (const auto& [r, distance] : next_in_[b]) {
            const auto holds = [&, reg = r](BlockId p) { return held_[p].contains(reg); };
            const bool everywhere = std::all_of(before.begin(), before.end(), holds);
            const bool somewhere = everywhere || std::any_of(before.begin(), before.end(), holds);
            // What a loop reads is loaded before it, not at every turn.
            if (everywhere || (loop && distance < behind_loop))
                candidates.push_back({distance, r});
            else if (somewhere)
                candidates.push_back({distance + length_at_most, r});
        }
        std::sort(candidates.begin(), candidates.end());
        int now = 0;
        for (const auto& [distance, r] : candidates) {
            if (now + cost_[r] > room_) continue;
            now += cost_[r];
            here_.insert(r);
        }
        stored_here_ = stored_[before.front()];
        for (BlockId p : before)
            std::erase_if(stored_here_, [&](RegId r) { return !stored_[p].contains(r); });
        // A value that the loop writes is another one at the next turn.
        if (loop)
            for (RegId r : written_in_loop(b)) stored_here_.erase(r);
        entry_[b] = here_;
        for (BlockId p : before) join(p, b);
    }
    static constexpr double length_at_most = 1e5;

    std::vector<RegId> written_in_loop(BlockId header) const {
        std::vector<RegId> result;
        for (const kernel::Loop& loop : f_.loops) {
            if (loop.header != header) continue;
            for (BlockId b = 0; b < f_.blocks.size(); ++b)
                if (loop.contains[b])
                    for (const ptx::Instruction& instruction : f_.blocks[b].instructions)
                        for (RegId r : kernel::registers_written(f_, instruction)) result.push_back(r);
        }
        return result;
    }

    // What differs between the end of one block and the beginning of another goes where only that way passes.
    void join(BlockId from, BlockId to) {
        const bool at_end = kernel::successors(f_.blocks[from]).size() == 1;
        const BlockId where = at_end ? from : to;
        const std::size_t position = at_end ? f_.blocks[from].instructions.size() : 0;
        for (RegId r : entry_[to])
            if (!held_[from].contains(r)) add(where, position, r, true);
        for (RegId r : held_[from])
            if (!entry_[to].contains(r) && next_in_[to].contains(r))
                store(from, f_.blocks[from].instructions.size(), r, stored_[from]);
    }

    const kernel::Function& f_;
    std::vector<int> cost_;
    int room_;
    std::vector<int> slot_;  // by register: its place in local memory, in words; -1: none
    int next_slot_ = 0;
    std::vector<Distances> next_in_;
    std::vector<Set> held_, stored_;  // at a block's end
    std::unordered_map<BlockId, Set> entry_;
    std::vector<std::vector<Spill>> spills_;
    // Of the block at hand.
    Set here_, stored_here_;
    Distances end_;
    std::size_t length_ = 0;
    std::unordered_map<RegId, Touches> touches_;
};

}  // namespace

std::vector<std::vector<Spill>> find_spills(Selection& selection, std::uint32_t registers) {
    return Spiller(selection, registers).run();
}

}  // namespace lockstep::machine
