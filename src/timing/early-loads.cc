// Found by experiment: loads behind branches of which both ways come back, compiled by ptxas 13.0 for Hopper.
//
// - They go up over an `if` without an `else`, in it or behind it, however long, with what their
//   addresses are computed of, loads among it, as many as there are registers for; not over one of which
//   a way leaves or ends the thread, that calls a routine, or over a loop.
// - Those of memory that nobody writes (ld.global.nc) pass stores, and barriers of the block that stand
// before
//   them in their block of code; others do not. Nothing passes a fence, or an `if` with a barrier in it.
#include "timing/early-loads.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "kernel/graph.h"
#include "machine/ptxas.h"

namespace lockstep::timing {
namespace {

using kernel::BlockId;
using kernel::RegId;
using ptx::Modifier;

namespace ptxas = machine::ptxas;

class EarlyLoads {
  public:
    EarlyLoads(const kernel::Function& function, const machine::View& view,
               const std::vector<BlockId>& region)
        : f_(function),
          view_(view),
          region_(region),
          idom_(kernel::dominators(f_)),
          live_(kernel::live_registers(f_)),
          writers_(f_.registers.size()) {
        for (BlockId b = 0; b < f_.blocks.size(); ++b) {
            const auto& code = f_.blocks[b].instructions;
            Stops stops, own;
            std::vector<const machine::Instruction*> machine(code.size());
            for (const machine::Instruction& instruction : view_.blocks[b].code) {
                const auto at = static_cast<std::size_t>(instruction.ptx);
                if (instruction.ptx >= 0 && at < code.size() && !machine[at]) machine[at] = &instruction;
            }
            for (std::uint32_t i = 0; i < code.size(); ++i) {
                for (const RegId r : kernel::registers_written(f_, code[i])) writers_[r].emplace_back(b, i);
                stops |= stops_at(code[i], machine[i]);
                own |= own_stops_at(code[i], machine[i]);
            }
            stops_.push_back(stops);
            own_stops_.push_back(own);
            machine_.push_back(std::move(machine));
        }
    }

    std::map<InstructionAt, BlockId> run() {
        for (BlockId b = 0; b < f_.blocks.size(); ++b) {
            if (!may_be_left(b) || !has_load(b)) continue;
            const std::vector<Place> places = places_before(b);
            Stops before;
            for (std::uint32_t i = 0; !places.empty() && i < f_.blocks[b].instructions.size(); ++i) {
                if (is_load(b, i)) move_up({b, i}, before, places);
                before |= own_stops_at(f_.blocks[b].instructions[i], machine_[b][i]);
            }
        }
        return std::move(moved_);
    }

  private:
    // What is in the way of loads.
    struct Stops {
        bool all = false, written = false;  // all of them; those of memory that may be written
        Stops& operator|=(const Stops& other) {
            all |= other.all, written |= other.written;
            return *this;
        }
    };
    // Where a block's loads may go: at the end of another, over those between.
    struct Place {
        BlockId block = 0;
        std::vector<bool> between;
        std::vector<BlockId> blocks;  // these
        Stops stops;
    };

    static Stops stops_at(const ptx::Instruction& inst, const machine::Instruction* machine) {
        const ptx::Family family = inst.syntax().family;
        // What calls a routine ends ptxas's block.
        if (family == ptx::Family::barrier || family == ptx::Family::control ||
            (machine && machine->branches > 0))
            return {.all = true, .written = true};
        const bool writes =
            family == ptx::Family::atomic ||
            (family == ptx::Family::memory && (inst.opcode != ptx::Opcode::ld || is_ordered(inst)));
        return {.all = false, .written = writes && !inst.has(Modifier::shared) && !inst.has(Modifier::local)};
    }
    // A barrier of the block's or the warp's.
    static bool meets(const ptx::Instruction& inst) {
        return (inst.opcode == ptx::Opcode::bar || inst.opcode == ptx::Opcode::barrier) &&
               !inst.has(Modifier::cluster);
    }
    // The same in straight code with the load itself.
    static Stops own_stops_at(const ptx::Instruction& inst, const machine::Instruction* machine) {
        return meets(inst) ? Stops{.all = false, .written = true} : stops_at(inst, machine);
    }
    static bool is_ordered(const ptx::Instruction& inst) {
        return inst.has(Modifier::volatile_) || inst.has(Modifier::relaxed) || inst.has(Modifier::acquire);
    }

    bool may_be_left(BlockId b) const {
        return view_.blocks[b].issued_with == b && view_.blocks[b].unrolling.turns == 1;
    }

    bool has_load(BlockId b) const {
        for (std::uint32_t i = 0; i < f_.blocks[b].instructions.size(); ++i)
            if (is_load(b, i)) return true;
        return false;
    }
    bool is_load(BlockId b, std::uint32_t i) const {
        const ptx::Instruction& inst = f_.blocks[b].instructions[i];
        const machine::Instruction* const machine = machine_[b][i];
        // One that stands for several has their results, too.
        return inst.opcode == ptx::Opcode::ld && (inst.has(Modifier::global) || inst.has(Modifier::nc)) &&
               !is_ordered(inst) && machine && machine->access_bytes <= own_bytes(inst);
    }
    static int own_bytes(const ptx::Instruction& inst) {
        const ptx::Operand& value = inst.operands[0];
        const auto count = value.kind == ptx::Operand::Kind::vector ? value.elements.size() : 1;
        return ptx::type_bytes(inst.type()) * static_cast<int>(count);
    }
    bool is_pure(InstructionAt at) const {
        const ptx::Instruction& inst = f_.blocks[at.first].instructions[at.second];
        const machine::Instruction* const machine = machine_[at.first][at.second];
        switch (inst.syntax().family) {
            case ptx::Family::integer:
            case ptx::Family::bits:
            case ptx::Family::compare:
            case ptx::Family::logic:
            case ptx::Family::move:
            case ptx::Family::convert: break;
            default: return false;
        }
        return !inst.has(Modifier::cc) &&
               (!machine || (machine->branches == 0 && machine->issues <= ptxas::early_chain_issues));
    }

    // The nearest first.
    std::vector<Place> places_before(BlockId b) const {
        std::vector<Place> places;
        const int loop = f_.blocks[b].loop;
        Place place{.block = b, .between = std::vector<bool>(f_.blocks.size()), .blocks = {}, .stops = {}};
        for (BlockId join = b; places.size() < ptxas::early_places; join = place.block) {
            if (join != b) pass(join, place, region_[join] == region_[b] ? own_stops_ : stops_);
            const BlockId above = idom_[join];
            if (above == join || f_.blocks[above].loop != loop || !is_if(above, join, place) ||
                place.stops.all)
                break;
            place.block = above;
            if (may_be_left(above) && region_[above] != region_[b]) places.push_back(place);
        }
        return places;
    }
    // Whether all branches between lead to the join, or on to code that nothing else leads to: no `else`.
    bool is_if(BlockId above, BlockId join, Place& place) const {
        const auto ways = kernel::successors(f_.blocks[above]);
        if (std::ranges::find(ways, join) == ways.end()) return false;
        std::vector<BlockId> open;
        BlockId head = kernel::no_block;  // of the code that comes next
        const auto follow = [&](const std::vector<BlockId>& next) {
            for (const BlockId to : next) {
                if (to == join || to == head || place.between[to]) continue;
                if (region_[to] != to) {
                    open.push_back(to);  // predicated: straight code with what is before
                } else if (head != kernel::no_block || f_.blocks[to].predecessors.size() != 1 ||
                           to == above) {
                    return false;
                } else {
                    head = to;
                }
            }
            return true;
        };
        if (!follow(ways)) return false;
        while (!open.empty() || head != kernel::no_block) {
            BlockId at = head;
            if (open.empty())
                head = kernel::no_block;
            else
                at = open.back(), open.pop_back();
            const auto next = kernel::successors(f_.blocks[at]);
            if (next.empty()) return false;
            if (place.between[at]) continue;
            pass(at, place, stops_);
            if (!follow(next)) return false;
        }
        return true;
    }
    static void pass(BlockId b, Place& place, const std::vector<Stops>& stops) {
        place.between[b] = true;
        place.blocks.push_back(b);
        place.stops |= stops[b];
    }
    // Registers that are left behind the block.
    int room_behind(BlockId b) const {
        kernel::RegisterSet live(f_.registers.size());
        for (const BlockId next : kernel::successors(f_.blocks[b])) live |= live_[next];
        int room = static_cast<int>(view_.value_room);
        for (auto r = live.find_first(); r != kernel::RegisterSet::npos; r = live.find_next(r))
            room -= view_.value_costs[r];
        return room;
    }

    // Whether nothing on the way needs, or changes, what the instruction writes.
    bool may_move(InstructionAt at, const Place& place) const {
        const ptx::Instruction& inst = f_.blocks[at.first].instructions[at.second];
        return !inst.guard && std::ranges::all_of(kernel::registers_written(f_, inst), [&](RegId r) {
            if (live_[at.first][r]) return false;
            const bool needed = std::ranges::any_of(place.blocks, [&](BlockId b) { return live_[b][r]; });
            return !needed && std::ranges::none_of(writers_[r], [&](const InstructionAt& writer) {
                return place.between[writer.first] || (writer.first == at.first && writer.second < at.second);
            });
        });
    }

    void move_up(InstructionAt load, Stops before, const std::vector<Place>& places) {
        const ptx::Instruction& inst = f_.blocks[load.first].instructions[load.second];
        const bool written = !inst.has(Modifier::nc);
        std::optional<BlockId> to;
        std::vector<InstructionAt> with;
        for (const Place& place : places) {
            before |= place.stops;
            if (before.all || (written && before.written)) break;
            std::vector<InstructionAt> needed;
            if (!may_move(load, place) || !has_sources(load, load.first, place, needed)) break;
            to = place.block;
            with = std::move(needed);
        }
        if (!to) return;
        const int words = std::max(1, own_bytes(inst) / 4);
        const auto [room, fresh] = room_.try_emplace(*to, 0);
        if (fresh) room->second = room_behind(*to);
        if (words > room->second) return;
        room->second -= words;
        for (const InstructionAt& other : with) moved_.try_emplace(other, *to);
        moved_[load] = *to;
    }

    // Whether what the instruction reads is there at the place; `needed`: with these of its block.
    bool has_sources(InstructionAt at, BlockId b, const Place& place,
                     std::vector<InstructionAt>& needed) const {
        for (const RegId r : kernel::registers_read(f_, f_.blocks[at.first].instructions[at.second]))
            for (const InstructionAt& writer : writers_[r]) {
                if (const auto known = moved_.find(writer); known != moved_.end()) {
                    if (!kernel::dominates(idom_, known->second, place.block)) return false;
                    continue;
                }
                if (std::ranges::find(needed, writer) != needed.end()) continue;
                if (writer.first != b) {
                    if (place.between[writer.first]) return false;
                    continue;
                }
                if (writer.second > at.second) continue;  // in the turn before
                if (!is_pure(writer) || !may_move(writer, place) || !has_sources(writer, b, place, needed))
                    return false;
                needed.push_back(writer);
            }
        return true;
    }

    const kernel::Function& f_;
    const machine::View& view_;
    const std::vector<BlockId>& region_;
    std::vector<BlockId> idom_;
    std::vector<kernel::RegisterSet> live_;                          // by block, where it begins
    std::vector<std::vector<InstructionAt>> writers_;                // by register
    std::vector<Stops> stops_, own_stops_;                           // by block
    std::vector<std::vector<const machine::Instruction*>> machine_;  // by block and instruction
    std::map<BlockId, int> room_;                                    // that were moved there
    std::map<InstructionAt, BlockId> moved_;
};

}  // namespace

std::map<InstructionAt, BlockId> early_loads(const kernel::Function& function, const machine::View& view,
                                             const std::vector<BlockId>& region) {
    return EarlyLoads(function, view, region).run();
}

}  // namespace lockstep::timing
