#include "timing/imagine.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>

#include "counters/banks.h"
#include "ptx/types.h"

namespace lockstep::timing {
namespace {

using counters::Memory;
using counters::wavefront_bytes;
using kernel::SiteKind;

std::uint16_t pieces(std::uint32_t bytes, std::uint32_t of) {
    return static_cast<std::uint16_t>(std::max(1u, (bytes + of - 1) / of));
}
std::uint32_t bytes_of(const Access& access) { return std::uint32_t{access.lanes} * access.lane_bytes; }

// Whether `change` has changed any access.
bool for_accesses(Replayable& launch, const std::function<bool(BlockTrace&, Access&)>& change) {
    bool changed = false;
    for (BlockTrace& block : launch.traces)
        for (Access& access : block.accesses) changed |= change(block, access);
    return changed;
}

bool for_ops(Code& code, const std::function<bool(Section&, Op&)>& change) {
    bool changed = false;
    for (Region& region : code.regions)
        for (Section* section : {&region.once, &region.unrolled})
            for (Op& op : section->ops) changed |= change(*section, op);
    return changed;
}

void cost_nothing(Op& op) {
    op.unit = Unit::none;
    op.issues = 1;
    op.xu_issues = 0;
    op.async = Async::none;
}

bool straighten_banks(Replayable& launch) {
    return for_accesses(launch, [](BlockTrace&, Access& access) {
        if (access.memory != Memory::shared || access.phase) return false;
        const std::uint16_t least = access.one_address && access.kind == SiteKind::load
                                        ? std::uint16_t{1}
                                        : pieces(bytes_of(access), wavefront_bytes);
        if (access.wavefronts <= least) return false;
        access.wavefronts = least;
        return true;
    });
}

// All accesses of a block, about in the order in which its warps come to them.
void in_order(const Code& code, BlockTrace& block, const std::function<void(WarpTrace&, Access&)>& use) {
    std::size_t most = 0;
    for (const WarpTrace& warp : block.warps) most = std::max(most, warp.steps.size());
    for (std::size_t s = 0; s < most; ++s)
        for (WarpTrace& warp : block.warps) {
            if (s >= warp.steps.size()) continue;
            const Step& step = warp.steps[s];
            for (std::size_t i = 0; i < section_of(code, step).sites.size(); ++i)
                if (const std::uint32_t index = warp.accesses[step.first_access + i];
                    index != WarpTrace::no_access)
                    use(warp, block.accesses[index]);
        }
}

bool is_global_load(const Access& access) {
    return access.memory == Memory::global && access.kind == SiteKind::load;
}
bool is_global_store(const Access& access) {
    return access.memory == Memory::global && access.kind == SiteKind::store;
}

// Device memory gives as much as before, of each site `kept`, whatever is asked for now; what one site cannot
// take any more, others do.
class SameMisses {
  public:
    explicit SameMisses(const Replayable& launch) : before_(sectors_by_site(launch)) {}
    void keep(Replayable& launch, const std::vector<double>& kept = {}) const {
        const std::vector<double> after = sectors_by_site(launch);
        std::vector<double> misses(after.size());
        double over = 0, room = 0;
        for (std::size_t s = 0; s < after.size(); ++s) {
            const double wanted = launch.l2.miss_share[s] * before_[s] * (kept.empty() ? 1 : kept[s]);
            misses[s] = std::min(wanted, after[s]);
            over += wanted - misses[s];
            room += after[s] - misses[s];
        }
        const double more = room > 0 ? std::min(1.0, over / room) : 0;
        for (std::size_t s = 0; s < after.size(); ++s)
            if (after[s] > 0)
                launch.l2.miss_share[s] = (misses[s] + more * (after[s] - misses[s])) / after[s];
    }

  private:
    static std::vector<double> sectors_by_site(const Replayable& launch) {
        std::vector<double> sectors(launch.l2.miss_share.size());
        for (const BlockTrace& block : launch.traces)
            for (const Access& access : block.accesses)
                if (is_global_load(access)) sectors[access.site] += access.sectors;
        return sectors;
    }
    std::vector<double> before_;
};

// Accesses with as few sectors as their bytes need. Data that lanes leave unused of what they fetch are not
// fetched; data that later accesses use (the next turn of a loop, for example) are fetched when they are
// used.
class Gathering {
  public:
    explicit Gathering(Replayable& launch) : launch_(launch), misses_(launch) {}

    bool run() {
        const std::size_t sites = launch_.l2.miss_share.size();
        fetched_.assign(sites, 0);
        used_.assign(sites, 0);
        for (BlockTrace& block : launch_.traces) {
            block_ = &block;
            lines_.clear();
            warps_.clear();
            for (const Access& access : block.accesses) count(access);
            in_order(launch_.code, block, [&](WarpTrace& warp, Access& access) { gather(warp, access); });
        }
        if (!changed_) return false;
        for (std::size_t s = 0; s < sites; ++s) used_[s] = fetched_[s] > 0 ? used_[s] / fetched_[s] : 1;
        misses_.keep(launch_, used_);
        return true;
    }

  private:
    // Of a block's loads.
    struct Known {
        counters::Sectors sectors = 0, seen = 0;  // that are loaded, that were by now
        double wanted = 0;                        // bytes, by all lanes
        // The share of what is fetched that somebody uses.
        double used() const { return std::min(1.0, wanted / (sector_bytes * counters::count_of(sectors))); }
    };

    void count(const Access& access) {
        if (!is_global_load(access)) return;
        const double wanted = access.one_address ? sector_bytes : bytes_of(access);
        for (std::uint32_t i = 0; i < access.lines; ++i) {
            const Line& line = block_->lines[access.first_line + i];
            Known& known = lines_[line.address];
            known.sectors |= line.sectors;
            known.wanted += wanted * counters::count_of(line.sectors) / access.sectors;
        }
    }

    // Sectors that the block has not loaded before, as far as they are used.
    double first_touched(const Access& access) {
        double used = 0;
        for (std::uint32_t i = 0; i < access.lines; ++i) {
            const Line& line = block_->lines[access.first_line + i];
            Known& known = lines_[line.address];
            const auto fresh = counters::count_of(static_cast<counters::Sectors>(line.sectors & ~known.seen));
            known.seen |= line.sectors;
            used += fresh * known.used();
            fetched_[access.site] += fresh;
        }
        used_[access.site] += used;
        return used;
    }

    void gather(WarpTrace& warp, Access& access) {
        const bool load = is_global_load(access);
        if (!load && !is_global_store(access)) return;
        auto& [waiting, loaded] = warps_[&warp];
        if (load) waiting += first_touched(access);
        const std::uint16_t sectors = pieces(bytes_of(access), sector_bytes);
        if (access.one_address || access.sectors <= sectors) {
            if (load) {
                waiting = std::max(0.0, waiting - access.sectors);
                loaded = block_->lines[access.first_line];
            }
            return;
        }
        // What comes now for the first time, in lines of its own; the rest is in the L1.
        const auto fresh =
            load ? static_cast<std::uint16_t>(std::min<double>(sectors, std::ceil(waiting))) : sectors;
        waiting = std::max(0.0, waiting - fresh);
        if (loaded.sectors == 0) loaded = block_->lines[access.first_line];
        access.first_line = static_cast<std::uint32_t>(block_->lines.size());
        for (std::uint16_t left = fresh; left > 0;) {
            const auto here = std::min<std::uint16_t>(left, counters::line_sectors);
            block_->lines.push_back({new_line(), static_cast<counters::Sectors>((1u << here) - 1)});
            left = static_cast<std::uint16_t>(left - here);
        }
        if (fresh < sectors) block_->lines.push_back(loaded);
        if (load && fresh > 0) loaded = block_->lines[access.first_line];
        access.lines = static_cast<std::uint16_t>(block_->lines.size() - access.first_line);
        access.sectors = sectors;
        access.partial = bytes_of(access) < std::uint32_t{sectors} * sector_bytes;
        changed_ = true;
    }

    std::uint64_t new_line() { return (std::uint64_t{1} << 62) + ++lines_made_ * line_bytes; }

    Replayable& launch_;
    SameMisses misses_;
    std::vector<double> fetched_, used_;  // sectors, by site
    BlockTrace* block_ = nullptr;
    std::unordered_map<std::uint64_t, Known> lines_;  // of the block
    struct Warp {
        double waiting = 0;  // sectors that are still to be fetched
        Line loaded{};       // that it has
    };
    std::unordered_map<const WarpTrace*, Warp> warps_;
    std::uint64_t lines_made_ = 0;
    bool changed_ = false;
};

bool keep_loaded_lines(Replayable& launch) {
    const SameMisses misses(launch);
    bool changed = false;
    for (BlockTrace& block : launch.traces) {
        std::unordered_map<std::uint64_t, counters::Sectors> loaded;
        in_order(launch.code, block, [&](WarpTrace&, Access& access) {
            if (!is_global_load(access)) return;
            bool known = access.lines > 0;
            for (std::uint32_t i = 0; i < access.lines; ++i) {
                const Line& line = block.lines[access.first_line + i];
                counters::Sectors& had = loaded[line.address];
                known &= (line.sectors & ~had) == 0;
                had |= line.sectors;
            }
            if (!known) return;
            access.memory = Memory::shared;
            access.wavefronts =
                access.one_address ? std::uint16_t{1} : pieces(bytes_of(access), wavefront_bytes);
            changed = true;
        });
    }
    if (changed) misses.keep(launch);
    return changed;
}

bool spread_atomics(Replayable& launch) {
    std::uint64_t own_line = 0;
    return for_accesses(launch, [&](BlockTrace& block, Access& access) {
        if (!kernel::is_atomic(access.kind)) return false;
        if (access.memory == Memory::shared) {
            const std::uint16_t least = pieces(bytes_of(access), wavefront_bytes);
            if (access.wavefronts <= least) return false;
            access.wavefronts = least;
            return true;
        }
        // Words of its own, on lines that nobody else changes.
        constexpr std::uint64_t nobodys = std::uint64_t{1} << 60;
        for (std::uint32_t i = 0; i < access.lines; ++i)
            block.lines[access.first_line + i].address = nobodys + line_bytes * own_line++;
        access.one_address = false;
        access.meeting = 1;
        return access.lines > 0;
    });
}

bool join_constants(Replayable& launch) {
    return for_accesses(launch, [](BlockTrace&, Access& access) {
        if (access.memory != Memory::constant || access.wavefronts <= 1) return false;
        access.wavefronts = 1;
        return true;
    });
}

bool drop_spills(Replayable& launch) {
    return for_ops(launch.code, [](Section& section, Op& op) {
        const bool spill = op.access != Op::no_access &&
                           std::any_of(section.spills.begin(), section.spills.end(),
                                       [&](const SpillAccess& one) { return one.access == op.access; });
        if (spill) cost_nothing(op);
        return spill;
    });
}

bool divide_at_once(Replayable& launch, const kernel::Kernel& kernel) {
    return for_ops(launch.code, [&](Section&, Op& op) {
        const Place& place = launch.code.places[op.place];
        const auto& block = kernel.functions[place.function].blocks[place.block];
        if (place.instruction < 0 || static_cast<std::size_t>(place.instruction) >= block.instructions.size())
            return false;
        const ptx::Instruction& instruction = block.instructions[static_cast<std::size_t>(place.instruction)];
        const bool divides = instruction.opcode == ptx::Opcode::div || instruction.opcode == ptx::Opcode::rem;
        if (!divides || ptx::is_float(instruction.types[0]) || op.issues <= 1) return false;
        op.issues = 1;
        op.chains = 1;
        op.xu_issues = 0;
        return true;
    });
}

bool use_unit(Replayable& launch, Unit from, const gpu::PipeFigures& as) {
    return for_ops(launch.code, [&](Section&, Op& op) {
        const bool uses = op.unit == from || (from == Unit::xu && op.xu_issues > 0);
        if (!uses) return false;
        op.xu_issues = 0;
        if (op.unit == from) {
            op.unit = Unit::fma;
            op.latency = static_cast<std::uint16_t>(as.latency);
        }
        return true;
    });
}

bool hurry_memory(Replayable& launch) {
    gpu::TimingFigures& figures = launch.gpu.timing;
    figures.l2_latency = launch.gpu.memory_latency_cycles = figures.l1_latency;
    figures.dram_first_load_cycles = 0;
    return for_accesses(launch, [](BlockTrace&, Access& access) {
        return access.memory == Memory::global && access.kind == SiteKind::load;
    });
}

bool drop_barriers(Replayable& launch) {
    return for_ops(launch.code, [](Section&, Op& op) {
        if (op.unit != Unit::barrier) return false;
        cost_nothing(op);
        return true;
    });
}

// Steps of a block's warps that are packed: the same code, at the same visit of it.
class Packing {
  public:
    Packing(const Code& code, BlockTrace& block) : code_(code), block_(block) {
        for (WarpTrace& warp : block.warps)
            for (const Step& step : warp.steps) full_ = std::max<std::uint32_t>(full_, step.lanes);
    }

    bool run() {
        for (WarpTrace& warp : block_.warps) {
            std::map<std::uint32_t, std::uint32_t> visits;  // by region
            std::vector<Step> kept;
            for (Step& step : warp.steps) {
                const std::uint32_t visit = visits[step.region]++;
                if (std::exchange(step.split, false)) changed_ = true;
                if (step.lanes >= full_ || waits(step)) {
                    kept.push_back(step);
                    continue;
                }
                Group& group = groups_[{step.region, step.unrolled, visit}];
                group.lanes += step.lanes;
                if (group.first) {
                    const bool room = group.lanes <= full_;
                    if (room) {
                        merge(warp, step, *group.warp, *group.first);
                        changed_ = true;
                        continue;
                    }
                }
                group.lanes = step.lanes;
                group.warp = &warp;
                group.first = step;
                kept.push_back(step);
            }
            warp.steps = std::move(kept);
        }
        return changed_;
    }

  private:
    struct Key {
        std::uint32_t region = 0;
        bool unrolled = false;
        std::uint32_t visit = 0;
        auto operator<=>(const Key&) const = default;
    };
    struct Group {
        std::uint32_t lanes = 0;
        WarpTrace* warp = nullptr;
        std::optional<Step> first;
    };

    // What others wait for cannot be done by another warp.
    bool waits(const Step& step) const {
        const std::vector<Op>& ops = section_of(code_, step).ops;
        return std::any_of(ops.begin(), ops.end(), [](const Op& op) {
            return op.unit == Unit::barrier || op.unit == Unit::shuffle || op.unit == Unit::bulk ||
                   op.async != Async::none;
        });
    }

    // The accesses of `from` become those of `to`.
    void merge(const WarpTrace& from_warp, const Step& from, WarpTrace& to_warp, const Step& to) {
        const std::size_t sites = section_of(code_, from).sites.size();
        for (std::size_t i = 0; i < sites; ++i) {
            const std::uint32_t index = from_warp.accesses[from.first_access + i];
            if (index == WarpTrace::no_access) continue;
            std::uint32_t& target = to_warp.accesses[to.first_access + i];
            if (target == WarpTrace::no_access)
                target = index;
            else
                join(block_.accesses[target], block_.accesses[index]);
        }
    }

    void join(Access& to, const Access& from) {
        to.lanes = static_cast<std::uint8_t>(std::min<std::uint32_t>(to.lanes + from.lanes, full_));
        to.one_address = false;
        if (to.memory == Memory::shared) {
            to.wavefronts = std::max({to.wavefronts, from.wavefronts, pieces(bytes_of(to), wavefront_bytes)});
            return;
        }
        const auto first = static_cast<std::uint32_t>(block_.lines.size());
        for (std::uint32_t i = 0; i < to.lines; ++i)
            block_.lines.push_back(Line(block_.lines[to.first_line + i]));
        for (std::uint32_t i = 0; i < from.lines; ++i) {
            const Line line = block_.lines[from.first_line + i];
            const auto known = std::find_if(block_.lines.begin() + first, block_.lines.end(),
                                            [&](const Line& one) { return one.address == line.address; });
            if (known == block_.lines.end())
                block_.lines.push_back(line);
            else
                known->sectors |= line.sectors;
        }
        to.first_line = first;
        to.lines = static_cast<std::uint16_t>(block_.lines.size() - first);
        to.sectors = 0;
        for (std::uint32_t i = 0; i < to.lines; ++i)
            to.sectors =
                static_cast<std::uint16_t>(to.sectors + counters::count_of(block_.lines[first + i].sectors));
        to.partial = bytes_of(to) < std::uint32_t{to.sectors} * sector_bytes;
    }

    const Code& code_;
    BlockTrace& block_;
    std::uint32_t full_ = 0;
    std::map<Key, Group> groups_;
    bool changed_ = false;
};

bool pack_lanes(Replayable& launch) {
    bool changed = false;
    for (BlockTrace& block : launch.traces) changed |= Packing(launch.code, block).run();
    return changed;
}

bool fill_sm(Replayable& launch, std::uint32_t full_resident) {
    if (launch.resident >= full_resident) return false;
    launch.resident = full_resident;
    return true;
}

}  // namespace

std::optional<Replayable> without(Change change, const Replayable& launch, const kernel::Kernel& kernel,
                                  std::uint32_t full_resident) {
    std::optional<Replayable> result = launch;
    const auto apply = [&] {
        switch (change) {
            case Change::divergence: return pack_lanes(*result);
            case Change::scattered_accesses: return Gathering(*result).run();
            case Change::repeated_loads: return keep_loaded_lines(*result);
            case Change::bank_conflicts: return straighten_banks(*result);
            case Change::barriers: return drop_barriers(*result);
            case Change::occupancy_limit: return fill_sm(*result, full_resident);
            case Change::memory_latency: return hurry_memory(*result);
            case Change::atomic_contention: return spread_atomics(*result);
            case Change::spills: return drop_spills(*result);
            case Change::integer_division: return divide_at_once(*result, kernel);
            case Change::double_precision: return use_unit(*result, Unit::fp64, launch.gpu.timing.fma);
            case Change::special_functions: return use_unit(*result, Unit::xu, launch.gpu.timing.fma);
            case Change::constant_serialisation: return join_constants(*result);
            case Change::flat_lds:
            case Change::uneven_blocks: return false;
        }
        return false;
    };
    if (!apply()) result.reset();
    return result;
}

}  // namespace lockstep::timing
