#include "timing/code.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "counters/geometry.h"
#include "kernel/graph.h"
#include "kernel/matrix-units.h"
#include "kernel/parameters.h"
#include "timing/early-loads.h"
#include "timing/fit.h"
#include "timing/schedule.h"
#include "timing/stalls.h"
#include "timing/units.h"

namespace lockstep::timing {
namespace {

using kernel::BlockId;
using kernel::RegId;
using kernel::SiteKind;
using ptx::Modifier;

constexpr std::uint32_t none = ~0u;
constexpr std::uint64_t parameters_begin = 16;  // bytes into a line

// Item::memory
constexpr std::uint8_t memory_of_global = 0, memory_of_shared = 1, memory_of_local = 2, memory_of_spills = 3;

// By block: the one whose region has its code. Where all ways of a branch were predicated, or where lanes
// only wait for each other, what comes behind is straight code with what is before, if it is in the same
// loop, and ptxas moves instructions as freely as in a block.
std::vector<BlockId> straight_regions(const kernel::Function& f, const machine::View& view) {
    std::vector<BlockId> region;
    std::vector<std::vector<BlockId>> members(f.blocks.size());
    for (BlockId b = 0; b < f.blocks.size(); ++b) {
        region.push_back(view.blocks[b].issued_with);
        members[region.back()].push_back(b);
    }
    // Whether all ways out of the region lead forwards, to `join`.
    const auto leads_on = [&](BlockId head, BlockId join) {
        return std::ranges::all_of(members[head], [&](BlockId b) {
            const auto next = kernel::successors(f.blocks[b]);
            return !next.empty() && std::ranges::all_of(next, [&](BlockId to) {
                return to > b && (to == join || region[to] == head);
            });
        });
    };
    for (BlockId join = 0; join < f.blocks.size(); ++join) {
        const auto& before = f.blocks[join].predecessors;
        if (region[join] != join || before.empty()) continue;
        const BlockId head = region[before.front()];
        const bool one =
            std::ranges::all_of(before, [&](BlockId b) { return b < join && region[b] == head; });
        if (!one || f.blocks[head].loop != f.blocks[join].loop || !leads_on(head, join)) continue;
        for (const BlockId b : members[join]) region[b] = head, members[head].push_back(b);
        members[join].clear();
    }
    return region;
}

// Parts of a wide value, each a result of its own: the second does not wait for the first.
bool are_parts(machine::Opcode opcode) {
    using machine::Opcode;
    return opcode == Opcode::lop3 || opcode == Opcode::shf || opcode == Opcode::sel ||
           opcode == Opcode::mov || opcode == Opcode::mov_imad || opcode == Opcode::ldc;
}

// What the machine has no instruction for, and does step by step; not the parts of a wide value.
bool is_sequence(const machine::Instruction& instruction) {
    using machine::Opcode;
    if (instruction.issues == 1 || instruction.waits > 0 || machine::is_library_call(instruction.opcode))
        return false;
    return !are_parts(instruction.opcode) && instruction.opcode != Opcode::iadd3;
}

// Makes the regions of one function.
class FunctionCode {
  public:
    FunctionCode(const kernel::Kernel& kernel, std::uint32_t function, const machine::View& view,
                 std::span<const counters::MachineAccess> accesses, const gpu::GpuModel& gpu, Code& out)
        : f_(kernel.functions[function]),
          view_(view),
          region_(straight_regions(f_, view)),
          early_(early_loads(f_, view, region_)),
          accesses_(accesses),
          gpu_(gpu),
          figures_(gpu.timing),
          number_(function),
          spill_site_(static_cast<std::uint32_t>(kernel.sites.size())),
          first_(kernel.first_block(function)),
          live_(kernel::live_registers(f_)),
          out_(out) {
        for (std::uint32_t s = 0; s < kernel.sites.size(); ++s)
            if (kernel.sites[s].function == function)
                sites_[{kernel.sites[s].block, kernel.sites[s].instruction}] = {s, kernel.sites[s].space};
        find_slots();
    }

    void run() {
        for (BlockId b = 0; b < f_.blocks.size(); ++b) {
            if (region_[b] != b) continue;
            std::vector<BlockId> parts{b};
            for (BlockId p = 0; p < f_.blocks.size(); ++p)
                if (p != b && region_[p] == b) parts.push_back(p);
            Region& region = out_.regions[first_ + b];
            region.once = section(parts, 1);
            region.unroll = view_.blocks[b].unrolling.turns;
            if (region.unroll > 1) region.unrolled = section(parts, region.unroll);
        }
    }

    std::uint32_t slots() const { return slots_; }
    const std::vector<BlockId>& regions() const { return region_; }

  private:
    struct Site {
        std::uint32_t number = 0;
        ptx::Space space{};
    };
    struct Wide {
        std::int32_t index = -1;
        RegId base = 0;
        std::int64_t first = 0, last = 0;
        std::size_t item = none;  // where it was put
    };

    BlockId issued_at(InstructionAt at) const {
        const auto moved = early_.find(at);
        return moved == early_.end() ? at.first : moved->second;
    }

    // A register that one region alone uses, and writes before it reads, needs a slot only there.
    void find_slots() {
        std::vector<std::uint32_t> home(f_.registers.size(), none);
        shared_slot_.assign(f_.registers.size(), none);
        std::vector<bool> shared(f_.registers.size());
        const auto touch = [&](RegId r, BlockId region, bool write) {
            if (home[r] == none && !write) shared[r] = true;
            if (home[r] != none && home[r] != region) shared[r] = true;
            home[r] = region;
        };
        for (BlockId b = 0; b < f_.blocks.size(); ++b) {
            for (std::uint32_t i = 0; i < f_.blocks[b].instructions.size(); ++i) {
                const ptx::Instruction& instruction = f_.blocks[b].instructions[i];
                const BlockId region = region_[issued_at({b, i})];
                for (RegId r : kernel::registers_read(f_, instruction)) touch(r, region, false);
                // A guarded write may leave the old value.
                for (RegId r : kernel::registers_written(f_, instruction)) touch(r, region, true);
            }
            const kernel::Terminator& end = f_.blocks[b].terminator;
            if (end.guard) touch(end.guard->reg, region_[b], false);
        }
        for (RegId r = 0; r < shared.size(); ++r)
            if (shared[r]) {
                shared_slot_[r] = slots_++;
                slot_cost_.push_back(view_.value_costs[r]);
            }
        local_begin_ = slots_;
    }

    std::uint16_t slot_of(RegId r) {
        if (shared_slot_[r] != none) return static_cast<std::uint16_t>(shared_slot_[r]);
        const auto [known, fresh] = local_slot_.try_emplace(r, local_begin_ + local_count_);
        if (fresh) new_local_slot(view_.value_costs[r]);
        return static_cast<std::uint16_t>(known->second);
    }
    std::uint16_t new_local_slot(int registers) {
        const std::uint32_t slot = local_begin_ + local_count_++;
        slots_ = std::max(slots_, slot + 1);
        slot_cost_.resize(std::max<std::size_t>(slot_cost_.size(), slot + 1));
        slot_cost_[slot] = registers;
        return static_cast<std::uint16_t>(slot);
    }

    // Sources, seen through what was folded away.
    void add_sources(Op& op, const std::vector<RegId>& registers) {
        for (RegId r : registers) {
            const auto known = folded_.find(r);
            if (known != folded_.end())
                for (std::uint16_t slot : known->second) add_source(op, slot);
            else
                add_source(op, slot_of(r));
        }
    }
    static void add_source(Op& op, std::uint16_t slot) {
        for (std::size_t i = 0; i < op.source_count; ++i)
            if (op.sources[i] == slot) return;
        if (op.source_count < op.sources.size()) op.sources[op.source_count++] = slot;
    }
    void add_targets(Op& op, const std::vector<RegId>& registers) {
        for (RegId r : registers) {
            folded_.erase(r);
            if (op.target_count < op.targets.size()) op.targets[op.target_count++] = slot_of(r);
        }
    }

    std::uint32_t place(BlockId b, std::int32_t instruction) {
        const auto [known, fresh] =
            places_.try_emplace({b, instruction}, static_cast<std::uint32_t>(out_.places.size()));
        if (fresh) out_.places.push_back({number_, b, instruction});
        return known->second;
    }

    Item plain_item(const machine::Instruction& instruction, BlockId b) {
        Item item;
        Op& op = item.op;
        op.unit = instruction.row().unit;
        op.issues = instruction.issues;
        const bool expanded = instruction.issues > 1;
        op.xu_issues = expanded ? instruction.row().xu : 0;
        if (op.xu_issues && op.unit == Unit::xu) op.unit = Unit::fma;  // what follows its approximation
        if (machine::is_library_call(instruction.opcode)) op.chains = fit::library_chains;
        if (machine::is_library_call(instruction.opcode) || instruction.waits > 0)
            op.branches = static_cast<std::uint8_t>(instruction.branches);
        if (are_parts(instruction.opcode)) op.chains = static_cast<std::uint8_t>(instruction.issues);
        op.latency = static_cast<std::uint16_t>(latency_of(op.unit, figures_) +
                                                (is_sequence(instruction) ? fit::expansion_wait : 0));
        if (instruction.waits > 0) {
            const double steps = op.issues - op.xu_issues;
            op.gaps = static_cast<std::uint16_t>(
                std::lround(steps - 1 + instruction.waits * steps * (latency_of(op.unit, figures_) - 1)));
        }
        if (machine::is_tensor(
                instruction.row().pipe)) {  // parts of a product that do not wait for each other
            op.chains = static_cast<std::uint8_t>(instruction.issues);
            op.times = instruction.times;
            op.latency = static_cast<std::uint16_t>(latency_of(op.unit, figures_) +
                                                    (op.times - 1) * issue_interval(op.unit, gpu_));
        }
        op.only_on_split = instruction.on_divergence;
        op.ends_step = instruction.opcode == machine::Opcode::bra ||
                       instruction.opcode == machine::Opcode::brx ||
                       instruction.opcode == machine::Opcode::exit;
        op.place = place(b, instruction.ptx);
        const auto& code = f_.blocks[b].instructions;
        const bool has_source =
            instruction.ptx >= 0 && static_cast<std::size_t>(instruction.ptx) < code.size();
        const ptx::Instruction* source =
            has_source ? &code[static_cast<std::size_t>(instruction.ptx)] : nullptr;
        if (source) describe_async(item, *source);
        // An expansion with branches ends ptxas's block: what stands behind it is not begun before.
        item.ends_block = instruction.branches > 0;
        if (op.unit == Unit::fence || instruction.branches > 0) item.order = MemoryOrder::wall;
        if (op.unit == Unit::barrier) item.order = op.of_cluster ? MemoryOrder::wall : MemoryOrder::barrier;
        if (op.unit == Unit::fence) {  // its last instruction waits; what the SM itself sees is in order
            op.chains = static_cast<std::uint8_t>(op.issues);
            const bool of_block = source && source->has(Modifier::cta);
            op.latency = static_cast<std::uint16_t>(of_block ? 0 : figures_.fence_latency);
        }
        return item;
    }

    static void describe_async(Item& item, const ptx::Instruction& instruction) {
        Op& op = item.op;
        op.of_cluster = op.unit == Unit::barrier && instruction.has(Modifier::cluster);
        const bool products = instruction.opcode == ptx::Opcode::wgmma;
        if (!products && instruction.opcode != ptx::Opcode::cp) return;
        op.async_kind = products                          ? AsyncKind::products
                        : instruction.has(Modifier::bulk) ? AsyncKind::bulk
                                                          : AsyncKind::copies;
        if (instruction.has(Modifier::commit_group)) {
            op.async = Async::commits;
        } else if (instruction.has(Modifier::wait_group) || instruction.has(Modifier::wait_all)) {
            op.async = Async::waits;
            if (!instruction.operands.empty())
                op.pending =
                    static_cast<std::uint8_t>(std::min<std::uint64_t>(instruction.operands[0].bits, 255));
        } else if (instruction.has(Modifier::mma_async)) {
            op.async = Async::begins;  // copies: where their accesses are known
            op.wavefronts = static_cast<std::uint16_t>(machine::group_wavefronts(instruction));
        }
        // Nothing that touches memory passes them.
        if (op.async != Async::none) item.order = MemoryOrder::wall;
    }

    void add_site(Op& op, const Site& site, bool shared) {
        op.access = static_cast<std::uint16_t>(section_->sites.size());
        section_->sites.push_back(site.number);
        section_->shared.push_back(shared);
    }

    void describe_access(Item& item, const ptx::Instruction& instruction, const Site& site) {
        const counters::MachineAccess& access = accesses_[site.number];
        if (is_phase(site) || item.op.unit == Unit::bulk) {
            add_site(item.op, site, true);
            item.order = MemoryOrder::wall;
            return;
        }
        if (is_match(site)) return add_site(item.op, site, false);
        const bool load = access.kind == SiteKind::load;
        item.op.reads_memory = load || access.kind == SiteKind::atomic;
        item.op.bypasses_l1 = access.bypasses_l1;
        add_site(item.op, site, site.space == ptx::Space::shared);
        item.memory = site.space == ptx::Space::shared  ? memory_of_shared
                      : site.space == ptx::Space::local ? memory_of_local
                                                        : memory_of_global;
        item.order = !load                           ? MemoryOrder::store
                     : instruction.has(Modifier::nc) ? MemoryOrder::free_load
                                                     : MemoryOrder::load;
        if (instruction.has(Modifier::volatile_)) item.order = MemoryOrder::store;
        for (const ptx::Operand& operand : instruction.operands) {
            if (operand.kind != ptx::Operand::Kind::address || operand.elements.empty()) continue;
            const ptx::Operand& base = operand.elements[0];
            if (base.kind == ptx::Operand::Kind::reg && f_.registers.size() > base.id &&
                shared_slot_[base.id] == none)
                item.base = base.id;
            item.first = operand.offset + base.offset;
            item.last = item.first + std::max<std::int64_t>(access.bytes, 1);
        }
    }

    // Not what ends a group of copies, waits for one, or tells a barrier of them.
    static bool is_copy(const ptx::Instruction& instruction) {
        if (instruction.opcode != ptx::Opcode::cp || instruction.has(Modifier::bulk)) return false;
        return !instruction.has(Modifier::commit_group) && !instruction.has(Modifier::wait_group) &&
               !instruction.has(Modifier::wait_all) && !instruction.has(Modifier::mbarrier);
    }

    // cp.async has two sites: `site`, where it stores, behind the one from which it loads.
    void describe_copy(Item& item, const ptx::Instruction& instruction, Site site) {
        item.op.unit = Unit::memory;
        describe_access(item, instruction, site);
        describe_access(item, instruction, {site.number - 1, ptx::Space::global});
        item.op.reads_memory = false;  // nobody waits for a register
        item.op.async = Async::begins;
        item.op.async_kind = AsyncKind::copies;
        item.order = MemoryOrder::store;
    }

    Item spill_item(const machine::Spill& spill, BlockId b) {
        Item item;
        item.op.unit = machine::row_of(spill.opcode()).unit;
        item.op.reads_memory = spill.load;
        item.op.place = place(b, spill.before);
        item.op.access = static_cast<std::uint16_t>(section_->sites.size());
        section_->spills.push_back(
            {item.op.access, spill.slot, static_cast<std::uint8_t>(spill.bytes / 4), spill.load});
        section_->sites.push_back(spill_site_);
        section_->shared.push_back(false);
        item.memory = memory_of_spills;
        item.order = spill.load ? MemoryOrder::load : MemoryOrder::store;
        item.base = static_cast<std::int64_t>(f_.registers.size());  // one for all of them
        item.first = 4 * std::int64_t{spill.slot};
        item.last = item.first + spill.bytes;
        set_guard(item.op, std::nullopt);
        if (spill.load)
            add_targets(item.op, {spill.value});
        else
            add_sources(item.op, {spill.value});
        return item;
    }

    bool accesses_memory(Unit unit, const Site& site) const {
        return unit == Unit::memory || unit == Unit::bulk || is_phase(site) ||
               (unit == Unit::constant && (site.space == ptx::Space::constant || is_match(site)));
    }
    // A barrier in shared memory: nothing that touches memory passes it.
    bool is_phase(const Site& site) const { return accesses_[site.number].kind == SiteKind::phase; }

    // Lanes that look for others with the same value are served as those that want constants, value by value.
    bool is_match(const Site& site) const { return accesses_[site.number].kind == SiteKind::warp_sync; }

    bool is_slow_way(const Site& site) const { return accesses_[site.number].kind == SiteKind::slow_way; }

    const Site* site_at(BlockId b, std::size_t i) const {
        const auto found = sites_.find({b, static_cast<std::uint32_t>(i)});
        return found == sites_.end() ? nullptr : &found->second;
    }

    // Wide accesses that stand for several loads of this block.
    void find_wide(BlockId b) {
        wide_.clear();
        for (const machine::Instruction& instruction : view_.blocks[b].code) {
            if (!instruction.access_bytes || instruction.ptx < 0) continue;
            const auto i = static_cast<std::size_t>(instruction.ptx);
            if (f_.blocks[b].instructions[i].opcode != ptx::Opcode::ld) continue;
            const Site* site = site_at(b, i);
            if (!site || accesses_[site->number].bytes <= static_cast<std::uint32_t>(own_bytes(b, i)))
                continue;
            const ptx::Operand& address = f_.blocks[b].instructions[i].operands[1];
            if (address.elements.empty()) continue;
            const std::int64_t first = address.offset + address.elements[0].offset;
            wide_.push_back(
                {instruction.ptx, address.elements[0].id, first, first + instruction.access_bytes, none});
        }
    }
    int own_bytes(BlockId b, std::size_t i) const {
        return ptx::type_bytes(f_.blocks[b].instructions[i].type());
    }
    Wide* wide_for(const ptx::Instruction& instruction) {
        if (instruction.opcode != ptx::Opcode::ld || instruction.operands.size() < 2 ||
            instruction.operands[1].elements.empty())
            return nullptr;
        const ptx::Operand& address = instruction.operands[1];
        const std::int64_t offset = address.offset + address.elements[0].offset;
        for (Wide& wide : wide_)
            if (wide.base == address.elements[0].id && offset >= wide.first && offset < wide.last)
                return &wide;
        return nullptr;
    }

    // A block that was predicated into another executes where the branch to it would have been taken.
    void find_block_guard(BlockId b) {
        block_guard_.reset();
        if (view_.blocks[b].issued_with == b || f_.blocks[b].predecessors.empty()) return;
        const kernel::Terminator& end = f_.blocks[f_.blocks[b].predecessors[0]].terminator;
        if (end.guard) block_guard_ = end.guard->reg;
    }
    void set_guard(Op& op, const std::optional<ptx::Guard>& own) {
        const std::optional<RegId> reg = own ? std::optional<RegId>(own->reg) : block_guard_;
        if (!reg) return;
        const auto known = folded_.find(*reg);
        if (known == folded_.end()) {
            op.guard = slot_of(*reg);
        } else if (const auto& slots = known->second; !slots.empty()) {  // conditions in a row: the last one
            op.guard = slots.back();
            for (std::size_t i = 0; i + 1 < slots.size(); ++i) add_source(op, slots[i]);
        }
    }

    void add_block(BlockId b, std::vector<Item>& items, bool last_copy) {
        find_block_guard(b);
        const kernel::Block& block = f_.blocks[b];
        const machine::Block& machine_block = view_.blocks[b];
        find_wide(b);
        std::map<std::int32_t, const machine::Instruction*> by_ptx;
        for (const machine::Instruction& instruction : machine_block.code) {
            if (instruction.of_swap) continue;  // the access takes as long as the whole loop
            if (instruction.ptx >= 0)
                by_ptx.emplace(instruction.ptx, &instruction);
            else if (last_copy)
                items.push_back(plain_item(instruction, b));
        }
        auto spill = machine_block.spills.begin();
        const auto add_spills_before = [&](std::size_t i) {
            for (; spill != machine_block.spills.end() && static_cast<std::size_t>(spill->before) == i;
                 ++spill)
                items.push_back(spill_item(*spill, b));
        };
        // What is issued under the predicate of a choice stands where that is made.
        std::map<std::int32_t, std::vector<std::size_t>> chosen;
        for (std::size_t i = 0; i < block.instructions.size(); ++i) {
            add_spills_before(i);
            const auto found = by_ptx.find(static_cast<std::int32_t>(i));
            if (const auto before = chosen.find(static_cast<std::int32_t>(i)); before != chosen.end())
                for (const std::size_t c : before->second)
                    add_instruction(b, c, by_ptx.at(static_cast<std::int32_t>(c)), items, last_copy);
            if (found != by_ptx.end() && found->second->chosen_at >= 0) {
                chosen[found->second->chosen_at].push_back(i);
                continue;
            }
            if (Wide* wide = wide_for(block.instructions[i])) {
                add_wide(b, *wide, i, *by_ptx.at(wide->index), items);
                continue;
            }
            if (issued_at({b, static_cast<std::uint32_t>(i)}) != b) continue;
            add_instruction(b, i, found == by_ptx.end() ? nullptr : found->second, items, last_copy);
        }
        add_spills_before(block.instructions.size());
        add_early(b, items);
        // The branch, and what else stands at the end.
        for (const machine::Instruction& instruction : machine_block.code) {
            if (instruction.ptx != static_cast<std::int32_t>(block.instructions.size())) continue;
            if (instruction.once_a_trip && !last_copy) continue;
            Item item = plain_item(instruction, b);
            set_guard(item.op, block.terminator.guard);
            items.push_back(item);
        }
    }

    // The predicate under which it is issued: its own, or that of the choice that it is one with.
    std::optional<ptx::Guard> guard_of(BlockId b, const ptx::Instruction& instruction,
                                       const machine::Instruction& machine) const {
        if (instruction.guard || machine.chosen_at < 0) return instruction.guard;
        const ptx::Instruction& choice =
            f_.blocks[b].instructions[static_cast<std::size_t>(machine.chosen_at)];
        return ptx::Guard{.reg = choice.operands[3].id};
    }

    // `machine`: what it has become; null: nothing of its own.
    void add_instruction(BlockId b, std::size_t i, const machine::Instruction* machine,
                         std::vector<Item>& items, bool last_copy) {
        const ptx::Instruction& instruction = f_.blocks[b].instructions[i];
        auto read = kernel::registers_read(f_, instruction);
        auto written = kernel::registers_written(f_, instruction);
        // The sums of a warpgroup stay with the tensor cores until somebody waits for them.
        if (instruction.opcode == ptx::Opcode::wgmma) {
            std::erase_if(read, [&](RegId r) { return std::ranges::find(written, r) != written.end(); });
            written.clear();
        }
        if (!machine) return fold(read, written, items);
        if (machine->once_a_trip && !last_copy) return;
        Item item = plain_item(*machine, b);
        add_sources(item.op, read);
        set_guard(item.op, guard_of(b, instruction, *machine));
        const Site* const site = site_at(b, i);
        if (site && accesses_memory(item.op.unit, *site)) describe_access(item, instruction, *site);
        if (site && is_slow_way(*site)) {
            add_site(item.op, *site, false);
            item.op.slow_way = true;
        }
        if (site && is_copy(instruction)) describe_copy(item, instruction, *site);
        if (instruction.opcode == ptx::Opcode::wmma && !instruction.has(Modifier::store))
            item.matrix = instruction.has(Modifier::load) ? MatrixOrder::load : MatrixOrder::product;
        if (instruction.opcode == ptx::Opcode::wmma && item.op.unit == Unit::memory)
            add_further_accesses(item, instruction, *site, items);
        add_targets(item.op, written);
        add_steps(item, items);
    }

    // What is issued with the block, and stands behind a branch of it.
    void add_early(BlockId b, std::vector<Item>& items) {
        for (const auto& [at, to] : early_) {
            if (to != b) continue;
            const machine::Instruction* machine = nullptr;
            for (const machine::Instruction& instruction : view_.blocks[at.first].code)
                if (instruction.ptx == static_cast<std::int32_t>(at.second) && !instruction.of_swap &&
                    !machine)
                    machine = &instruction;
            add_instruction(at.first, at.second, machine, items, true);
        }
    }

    // What is done step by step, as ptxas orders it: others come between the steps, which wait for each
    // other.
    void add_steps(Item item, std::vector<Item>& items) {
        const Op whole = item.op;
        const bool integers = (whole.unit == Unit::imad || whole.unit == Unit::alu) && !whole.xu_issues;
        const bool straight = whole.gaps > 0 && whole.branches == 0;
        if (whole.issues == 1 || !(integers || straight) || whole.chains > 1 ||
            item.order != MemoryOrder::none) {
            items.push_back(item);
            return;
        }
        const std::uint16_t between = new_local_slot(1);
        const int steps = whole.issues - whole.xu_issues;
        for (std::uint32_t step = 0; step < whole.issues; ++step) {
            Op& op = item.op;
            op = whole;
            op.issues = 1;
            op.further = step > 0;
            op.gaps = op.xu_issues = 0;
            if (step < whole.xu_issues) {
                op.unit = Unit::xu;
                op.latency = static_cast<std::uint16_t>(figures_.xu.latency);
            } else if (straight) {
                op.latency = static_cast<std::uint16_t>((whole.gaps + whole.latency) / steps);
            }
            if (step > 0) add_source(op, between);
            if (step + 1u < whole.issues) op.targets[0] = between, op.target_count = 1;
            items.push_back(item);
        }
    }

    // A matrix is moved by several accesses, each with a site of its own: `site` is the last of them.
    void add_further_accesses(Item& item, const ptx::Instruction& instruction, Site site,
                              std::vector<Item>& items) {
        item.op.issues = 1;
        const std::size_t count = kernel::matrix_units(instruction).size();
        for (std::size_t i = 1; i < count; ++i) {
            items.push_back(item);
            --site.number;
            describe_access(item, instruction, site);
        }
    }

    // One wide load for several: put where the first of them stands.
    void add_wide(BlockId b, Wide& wide, std::size_t i, const machine::Instruction& machine,
                  std::vector<Item>& items) {
        const auto& instructions = f_.blocks[b].instructions;
        if (wide.item == none) {
            const auto own = static_cast<std::size_t>(wide.index);
            Item item = plain_item(machine, b);
            add_sources(item.op, kernel::registers_read(f_, instructions[own]));
            set_guard(item.op, instructions[own].guard);
            describe_access(item, instructions[own], *site_at(b, own));
            wide.item = items.size();
            items.push_back(item);
        }
        add_targets(items[wide.item].op, kernel::registers_written(f_, instructions[i]));
    }

    // Nothing is issued for it: who reads its result waits for its sources.
    void fold(const std::vector<RegId>& read, const std::vector<RegId>& written, std::vector<Item>& items) {
        Op op;
        add_sources(op, read);
        for (RegId r : written) {
            if (shared_slot_[r] == none) {
                folded_[r].assign(op.sources.begin(), op.sources.begin() + op.source_count);
            } else if (op.source_count) {
                Item item;
                item.op = op;
                item.op.issues = 0;
                add_targets(item.op, {r});
                items.push_back(item);
            }
        }
    }

    // What is alive where the region begins, and behind it.
    Registers registers_around(const std::vector<BlockId>& parts) const {
        Registers registers{.room = static_cast<int>(view_.value_room),
                            .besides = static_cast<int>(view_.array_bytes / 4),
                            .cost = slot_cost_};
        const auto slots_of = [&](const kernel::RegisterSet& live) {
            std::vector<std::uint16_t> slots;
            for (RegId r = 0; r < live.size(); ++r)
                if (live[r] && shared_slot_[r] != none)
                    slots.push_back(static_cast<std::uint16_t>(shared_slot_[r]));
            return slots;
        };
        registers.in = slots_of(live_[parts[0]]);
        kernel::RegisterSet behind(f_.registers.size());
        for (const BlockId b : parts)
            for (const BlockId next : kernel::successors(f_.blocks[b]))
                if (next == parts[0] || region_[next] != parts[0]) behind |= live_[next];
        registers.out = slots_of(behind);
        for (const auto& [at, to] : early_)
            if (region_[to] == parts[0])
                for (RegId r : kernel::registers_written(f_, f_.blocks[at.first].instructions[at.second]))
                    if (shared_slot_[r] != none)
                        registers.out.push_back(static_cast<std::uint16_t>(shared_slot_[r]));
        return registers;
    }

    Section section(const std::vector<BlockId>& parts, std::uint32_t copies) {
        Section result;
        section_ = &result;
        std::vector<Item> items;
        std::uint32_t used = 0;
        for (std::uint32_t copy = 0; copy < copies; ++copy) {
            // Values of one turn are not those of the next.
            local_slot_.clear();
            folded_.clear();
            local_count_ = used;
            for (BlockId b : parts) add_block(b, items, copy + 1 == copies);
            used = local_count_;
        }
        local_count_ = 0;
        result.ops = schedule(items, registers_around(parts));
        result.cycles = write_stalls(result.ops, figures_);
        for (const Op& op : result.ops) result.instructions += op.issues;
        return result;
    }

    const kernel::Function& f_;
    const machine::View& view_;
    std::vector<BlockId> region_;             // by block
    std::map<InstructionAt, BlockId> early_;  // what is issued with another block
    std::span<const counters::MachineAccess> accesses_;
    const gpu::GpuModel& gpu_;
    const gpu::TimingFigures& figures_;
    std::uint32_t number_, spill_site_, first_;
    std::vector<kernel::RegisterSet> live_;  // by block, where it begins
    Code& out_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Site> sites_;  // by block and instruction
    std::map<std::pair<BlockId, std::int32_t>, std::uint32_t> places_;
    std::vector<int> slot_cost_;              // registers, by slot
    std::vector<std::uint32_t> shared_slot_;  // by register
    std::uint32_t slots_ = 0, local_begin_ = 0, local_count_ = 0;
    std::map<RegId, std::uint32_t> local_slot_;
    std::map<RegId, std::vector<std::uint16_t>> folded_;  // by register: the slots that it stands for
    std::vector<Wide> wide_;
    Section* section_ = nullptr;
    std::optional<RegId> block_guard_;  // decides whether the block that is being added executes
};

// Lines of constants that the kernel reads: one for the sizes of block and grid, and those of its parameters.
std::uint32_t constant_lines(const kernel::Function& entry) {
    std::set<std::uint64_t> lines{0};  // the machine's own figures stand before the parameters
    for (const kernel::Block& block : entry.blocks)
        for (const ptx::Instruction& instruction : block.instructions)
            if (kernel::is_parameter_load(instruction))
                lines.insert((parameters_begin + kernel::parameter_offset(entry, instruction)) /
                             counters::constant_line_bytes);
    return static_cast<std::uint32_t>(1 + lines.size());
}

}  // namespace

Code make_code(const kernel::Kernel& kernel, std::span<const machine::View> views,
               std::span<const counters::MachineAccess> accesses, const gpu::GpuModel& gpu) {
    Code code;
    code.regions.resize(kernel.blocks.size());
    code.follows.resize(kernel.blocks.size());
    code.constant_lines = constant_lines(kernel.functions.front());
    for (std::uint32_t b = 0; b < kernel.blocks.size(); ++b) {
        const kernel::NumberedBlock& block = kernel.blocks[b];
        if (block.entered_with != b) code.follows[block.entered_with].push_back(b);
    }
    for (std::uint32_t f = 0; f < kernel.functions.size(); ++f) {
        FunctionCode function(kernel, f, views[f], accesses, gpu, code);
        function.run();
        for (const BlockId region : function.regions())
            code.issued_with.push_back(kernel.first_block(f) + region);
        code.slots = std::max(code.slots, function.slots());
    }
    for (Region& region : code.regions)
        for (Section* section : {&region.unrolled, &region.once}) {
            section->begin = code.instructions;
            code.instructions += section->instructions;
        }
    std::uint32_t next = 0;
    for (auto b = static_cast<std::uint32_t>(code.regions.size()); b-- > 0;) {
        code.regions[b].next = next;
        if (code.regions[b].once.instructions > 0) next = b;
    }
    return code;
}

}  // namespace lockstep::timing
