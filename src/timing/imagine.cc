#include "timing/imagine.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <unordered_map>

#include "counters/banks.h"
#include "ptx/types.h"
#include "timing/balance.h"
#include "timing/packing.h"
#include "timing/stalls.h"

namespace lockstep::timing {
namespace {

using counters::Memory;
using counters::wavefront_bytes;
using kernel::SiteKind;

// Whether `change` has changed any access.
bool for_accesses(Replayable& launch, const std::function<bool(BlockTrace&, Access&)>& change) {
    bool changed = false;
    for (BlockTrace& block : launch.traces)
        for (Access& access : block.accesses) changed |= change(block, access);
    return changed;
}

// What waits for another result is issued at another time.
bool for_ops(Replayable& launch, const std::function<bool(Section&, Op&)>& change) {
    bool changed = false;
    for (Region& region : launch.code.regions)
        for (Section* section : {&region.once, &region.unrolled}) {
            bool here = false;
            for (Op& op : section->ops) here |= change(*section, op);
            if (here) section->cycles = write_stalls(section->ops, launch.gpu.timing);
            changed |= here;
        }
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
        access.wavefronts = pieces(bytes_of(access), wavefront_bytes);
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

// Data that a block has loaded before come from shared memory. Bytes of a sector that lanes take one after
// the other are no repetition.
bool keep_loaded_lines(Replayable& launch) {
    struct Known {
        counters::Sectors all = 0, had = 0;
        double wanted = 0;  // bytes
        bool repeated() const { return wanted > 1.5 * sector_bytes * counters::count_of(all); }
    };
    const SameMisses misses(launch);
    bool changed = false;
    for (BlockTrace& block : launch.traces) {
        std::unordered_map<std::uint64_t, Known> lines;
        for (const Access& access : block.accesses) {
            if (!is_global_load(access) || access.sectors == 0) continue;
            const double bytes = access.one_address ? sector_bytes : bytes_of(access);
            for (std::uint32_t i = 0; i < access.lines; ++i) {
                const Line& line = block.lines[access.first_line + i];
                Known& known = lines[line.address];
                known.all |= line.sectors;
                known.wanted += bytes * counters::count_of(line.sectors) / access.sectors;
            }
        }
        in_order(launch.code, block, [&](WarpTrace&, Access& access) {
            if (!is_global_load(access)) return;
            bool there = access.lines > 0;
            for (std::uint32_t i = 0; i < access.lines; ++i) {
                const Line& line = block.lines[access.first_line + i];
                Known& known = lines[line.address];
                there &= known.repeated() && (line.sectors & ~known.had) == 0;
                known.had |= line.sectors;
            }
            if (!there) return;
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
        access.passes = static_cast<std::uint8_t>(access.sectors);
        return access.lines > 0;
    });
}

bool join_constants(Replayable& launch) {
    return for_accesses(launch, [](BlockTrace&, Access& access) {
        if (access.memory != Memory::constant || access.wavefronts <= 1) return false;
        access.wavefronts = 1;
        access.lines = std::min<std::uint16_t>(access.lines, 1);
        return true;
    });
}

// Registers that were spilled, and arrays that stand in local memory since their index is no constant.
bool drop_local(Replayable& launch) {
    std::set<std::uint32_t> local, elsewhere;
    for (const BlockTrace& block : launch.traces)
        for (const Access& access : block.accesses)
            (access.memory == Memory::local ? local : elsewhere).insert(access.site);
    return for_ops(launch, [&](Section& section, Op& op) {
        if (op.access == Op::no_access) return false;
        const std::uint32_t site = section.sites[op.access];
        if (!local.contains(site) || elsewhere.contains(site)) return false;
        cost_nothing(op);
        return true;
    });
}

// The PTX that an operation comes from; null: the machine added it.
const ptx::Instruction* ptx_of(const Replayable& launch, const kernel::Kernel& kernel, const Op& op) {
    const Place& place = launch.code.places[op.place];
    const auto& block = kernel.functions[place.function].blocks[place.block];
    if (place.instruction < 0 || static_cast<std::size_t>(place.instruction) >= block.instructions.size())
        return nullptr;
    return &block.instructions[static_cast<std::size_t>(place.instruction)];
}

// Integers in one instruction, floats in as many as the approximate division has.
bool divide_quickly(Replayable& launch, const kernel::Kernel& kernel, bool floats) {
    constexpr std::uint16_t approximate = 2;  // the reciprocal and the product
    return for_ops(launch, [&](Section&, Op& op) {
        const ptx::Instruction* instruction = ptx_of(launch, kernel, op);
        const bool divides = instruction && (instruction->opcode == ptx::Opcode::div ||
                                             instruction->opcode == ptx::Opcode::rem);
        if (divides && !floats && op.further) {  // one of its steps is left
            cost_nothing(op);
            return true;
        }
        if (!instruction || (op.access != Op::no_access && !op.slow_way)) return false;
        const std::uint16_t issues = floats ? approximate : 1;
        if (!divides || ptx::is_float(instruction->types[0]) != floats || op.unit == Unit::fp64 ||
            op.issues <= issues)
            return false;
        op.gaps = 0;
        op.issues = issues;
        op.slow_way = false;
        op.chains = 1;
        op.xu_issues = floats ? 1 : 0;
        return true;
    });
}

bool use_unit(Replayable& launch, Unit from, const gpu::PipeFigures& as) {
    return for_ops(launch, [&](Section&, Op& op) {
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

// Both halves of a constant, made where it is needed (machine/constants.cc): floats stand in the
// instructions that use them.
bool makes_double_constant(const ptx::Instruction* instruction, const Op& op) {
    return !instruction && op.access == Op::no_access && op.issues == 2 && op.chains == 2;
}

// Without double precision nothing is converted to and from it.
bool leave_double(Replayable& launch, const kernel::Kernel& kernel) {
    const auto is_double = [](ptx::Type type) { return type == ptx::Type::f64; };
    const bool others = for_ops(launch, [&](Section&, Op& op) {
        const ptx::Instruction* instruction = ptx_of(launch, kernel, op);
        if (makes_double_constant(instruction, op)) {
            cost_nothing(op);
            return true;
        }
        if (!instruction || op.unit != Unit::xu || instruction->opcode != ptx::Opcode::cvt ||
            !ptx::is_float(instruction->types[0]) || !ptx::is_float(instruction->types[1]) ||
            is_double(instruction->types[0]) == is_double(instruction->types[1]))
            return false;
        cost_nothing(op);
        return true;
    });
    return use_unit(launch, Unit::fp64, launch.gpu.timing.fma) || others;
}

// Whole waves of blocks, or as many on each SM where there are fewer. The rest takes as long as these do.
bool even_blocks(Replayable& launch) {
    constexpr double nearly_all = 0.99;
    if (static_cast<double>(launch.traces.size()) * launch.sms_used <
        nearly_all * static_cast<double>(launch.grid_blocks) * launch.sms)
        return false;  // a sample of waves that are many: the last one does not matter
    const std::size_t wave = std::size_t{launch.resident} * launch.sms;
    const std::size_t unit = launch.traces.size() >= wave ? wave : launch.sms;
    const std::size_t whole = launch.traces.size() / unit * unit;
    if (whole == 0 || whole == launch.traces.size()) return false;
    launch.traces.resize(whole);
    return true;
}

bool start_at_once(Replayable& launch) {
    if (launch.traces.size() <= std::size_t{launch.resident} * launch.sms)
        return false;  // none waits for room
    gpu::TimingFigures& figures = launch.gpu.timing;
    figures.block_launch_cycles = figures.block_fill_cycles = figures.block_launch_cycles_per_warp = 0;
    figures.block_warp_cycles = 0;
    figures.block_restart_cycles = 0;
    return true;
}

// Blocks without their last warp, which is partly empty, and as many more of them.
bool fill_warps(Replayable& launch) {
    constexpr std::uint32_t lanes = kernel::warp_lanes;
    const std::uint32_t whole = launch.block_threads / lanes;
    if (launch.block_threads % lanes == 0 || whole == 0) return false;
    for (BlockTrace& block : launch.traces)
        if (block.warps.size() > whole) block.warps.resize(whole);
    launch.resident = launch.resident * (whole + 1) / whole;
    launch.times = static_cast<double>(launch.block_threads) / (whole * lanes);
    return true;
}

// Each block cut into smaller ones, for SMs that have none.
bool cut_blocks(Replayable& launch) {
    const auto sms = static_cast<std::uint32_t>(launch.gpu.sms);
    constexpr std::uint32_t lanes = kernel::warp_lanes;
    const std::uint32_t warps = (launch.block_threads + lanes - 1) / lanes;
    const std::uint32_t parts = std::min(sms / launch.sms_used, warps);
    if (parts < 2) return false;
    for (BlockTrace& block : launch.traces)
        block.warps.resize(std::min<std::size_t>(block.warps.size(), (warps + parts - 1) / parts));
    launch.sms_used *= parts;
    return true;
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
    return for_ops(launch, [](Section&, Op& op) {
        if (op.unit != Unit::barrier) return false;
        cost_nothing(op);
        return true;
    });
}

bool pack_lanes(Replayable& launch) {
    bool changed = false;
    for (BlockTrace& block : launch.traces) changed |= pack_lanes(launch.code, block);
    return changed;
}

bool balance_blocks(Replayable& launch) {
    bool changed = false;
    for (BlockTrace& block : launch.traces) changed |= balance_warps(launch.code, block);
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
            case Change::spills: return drop_local(*result);
            case Change::integer_division: return divide_quickly(*result, kernel, false);
            case Change::float_division: return divide_quickly(*result, kernel, true);
            case Change::double_precision: return leave_double(*result, kernel);
            case Change::special_functions: return use_unit(*result, Unit::xu, launch.gpu.timing.fma);
            case Change::constant_serialisation: return join_constants(*result);
            case Change::uneven_blocks: return even_blocks(*result);
            case Change::block_starts: return start_at_once(*result);
            case Change::partial_warps: return fill_warps(*result);
            case Change::idle_sms: return cut_blocks(*result);
            case Change::uneven_warps: return balance_blocks(*result);
            case Change::flat_lds: return false;
        }
        return false;
    };
    if (!apply()) result.reset();
    return result;
}

}  // namespace lockstep::timing
