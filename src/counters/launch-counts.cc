// From counted blocks to executed machine instructions.
#include "counters/launch-counts.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "counters/geometry.h"
#include "machine/slow-ways.h"
#include "machine/swap-loops.h"

namespace lockstep::counters {
namespace {

using kernel::SiteKind;

// How often a machine instruction was executed, and by how many threads.
struct Executed {
    std::uint64_t times = 0, active = 0, predicated_on = 0;
};

// How often parts of a loop that was unrolled are executed in one stay of `turns`: as many at once as it
// says, and the rest as it says. Where lanes leave at different turns some are left over of each kind.
struct Unrolled {
    double turns = 0, trips = 0, branches = 0;
};
Unrolled unrolled(std::uint64_t turns, const machine::Unrolling& how, bool lanes_differ) {
    const std::uint64_t whole = turns / how.turns;
    const auto sums = [](std::uint64_t all, std::uint64_t trips, std::uint64_t branches) {
        return Unrolled{static_cast<double>(all), static_cast<double>(trips), static_cast<double>(branches)};
    };
    if (how.rest == machine::Rest::none) return sums(turns, 0, 0);
    if (how.rest == machine::Rest::copies) return sums(turns, whole, whole);
    const std::uint64_t half = how.turns / 2;
    const std::uint64_t left = lanes_differ ? how.turns - 1 : turns % how.turns;
    const std::uint64_t halves = left >= half ? 1 : 0, single = left - halves * half;
    const std::uint64_t issued =
        (how.half_predicated ? half : halves * half) + (how.last_predicated ? 1 : single);
    return sums(whole * how.turns + issued, whole + halves + single,
                whole + (how.rest == machine::Rest::loop ? single : 0));
}

// Blocks know only how often they were entered in all, so every stay in the loop is taken to be the
// average one.
Unrolled unrolled_stays(std::uint64_t turns, std::uint64_t stays, const machine::Unrolling& how,
                        bool lanes_differ) {
    stays = std::max<std::uint64_t>(stays, 1);
    const double between = static_cast<double>(turns % stays) / static_cast<double>(stays);
    const Unrolled less = unrolled(turns / stays, how, lanes_differ);
    const Unrolled more = unrolled(turns / stays + 1, how, lanes_differ);
    const auto sum = [&](double a, double b) {
        return ((1 - between) * a + between * b) * static_cast<double>(stays);
    };
    return {sum(less.turns, more.turns), sum(less.trips, more.trips), sum(less.branches, more.branches)};
}

// How a warp parted in a loop that was unrolled: `splits` of the block that ends it are by turn, of which
// several are one trip. Lanes that leave in the last trip leave together, and each question on the way in
// about what is left parts them, but the first one, whether there is a whole trip, only where some lanes have
// none.
struct Partings {
    double in_loop = 0, by_rest = 0, by_first = 0;
};
Partings partings(std::uint64_t turns, std::uint64_t stays, std::uint64_t splits, std::uint32_t at_once) {
    const auto all = static_cast<double>(std::max<std::uint64_t>(stays, 1));
    const double each = static_cast<double>(turns) / all, trips = std::floor(each / at_once);
    if (splits == 0 || each <= 1) return {};
    // Of two groups of lanes every other pair has the same answer, of many groups hardly any.
    const double differ = 1 - std::exp2(-static_cast<double>(splits) / all);
    const double leaving = std::min(1.0, static_cast<double>(splits) / (all * (each - 1)));
    const bool some_have_none = each * (1 - leaving) < at_once;
    return {.in_loop = all * std::max(0.0, trips - 1) * (1 - std::pow(1 - leaving, at_once)),
            .by_rest = differ,
            .by_first = some_have_none ? differ : 0};
}

class Counting {
  public:
    Counting(LaunchCounts& launch, std::span<const MachineAccess> accesses)
        : launch_(launch), accesses_(accesses) {
        for (std::size_t i = 0; i < launch.kernel->sites.size(); ++i) {
            const kernel::Site& site = launch.kernel->sites[i];
            const std::array place{site.function, site.block, site.instruction};
            if (is_access(site.kind)) sites_[place].push_back(i);
            if (site.kind == SiteKind::slow_way) slow_ways_[place] = i;
        }
    }

    void function(std::uint32_t f) {
        const std::uint32_t first = launch_.kernel->first_block(f);
        const machine::View& view = launch_.views[f];
        for (std::uint32_t b = 0; b < view.blocks.size(); ++b) block(f, b, first, view);
    }

  private:
    const BlockCounts& entered(std::uint32_t number) const { return launch_.raw.blocks[number]; }

    Executed executed(const machine::Instruction& instruction, const machine::Block& block,
                      const BlockCounts& own, const BlockCounts& issued, std::uint32_t first) const {
        // The second path's reconvergence is issued once more; its lanes are those of the first already.
        if (instruction.on_divergence) return {own.splits * instruction.issues, 0, 0};
        Executed result{issued.entries, issued.lanes, own.lanes};
        const bool unrolled = block.unrolling.turns > 1 && (instruction.ptx >= 0 || instruction.once_a_trip);
        if (unrolled && issued.entries > 0) {
            const std::uint64_t stays = entered(first + block.loop_entry).entries;
            const bool lanes_differ = entered(first + block.loop_end).splits >= stays;
            const Unrolled loop = unrolled_stays(issued.entries, stays, block.unrolling, lanes_differ);
            const double times = !instruction.once_a_trip ? loop.turns
                                 : instruction.branches   ? loop.branches
                                                          : loop.trips;
            const double share = times / static_cast<double>(issued.entries);
            result.times = static_cast<std::uint64_t>(std::llround(times));
            if (instruction.once_a_trip) {
                result.active =
                    static_cast<std::uint64_t>(std::llround(share * static_cast<double>(issued.lanes)));
                result.predicated_on =
                    static_cast<std::uint64_t>(std::llround(share * static_cast<double>(own.lanes)));
            }
        }
        result.times *= instruction.issues;
        result.active *= instruction.issues;
        result.predicated_on *= instruction.issues;
        return result;
    }

    void block(std::uint32_t f, std::uint32_t b, std::uint32_t first, const machine::View& view) {
        const machine::Block& block = view.blocks[b];
        const BlockCounts& own = entered(first + b);
        const BlockCounts& issued = entered(first + block.issued_with);
        const auto terminator =
            static_cast<std::int32_t>(launch_.kernel->functions[f].blocks[b].instructions.size());
        std::map<std::int32_t, InstructionCounts> by_ptx;
        for (const machine::Instruction& instruction : block.code) {
            InstructionCounts& counts = by_ptx[instruction.ptx];
            Executed done = executed(instruction, block, own, issued, first);
            auto site = sites_.find({f, b, static_cast<std::uint32_t>(instruction.ptx)});
            bool accesses = instruction.access_bytes > 0 && site != sites_.end();
            if (accesses) {
                counts.accesses = {};
                // Several: a matrix is moved by an instruction each, a copy is one that loads and stores.
                const std::uint64_t each =
                    instruction.issues >= site->second.size() ? done.times / site->second.size() : done.times;
                for (const std::size_t number : site->second) {
                    for (std::size_t m = 0; m < memories; ++m)
                        counts.accesses[m] += launch_.raw.sites[number][m];
                    if (number < launch_.raw.patterns.size())
                        counts.pattern.keep_worse(launch_.raw.patterns[number].worst());
                    // Matrices' own instructions are no loads and stores to the counters of these.
                    const bool plain = instruction.opcode != machine::Opcode::ldsm &&
                                       instruction.opcode != machine::Opcode::stsm;
                    add_access(number, launch_.raw.sites[number], plain ? each : 0);
                }
                // A predicate of its own: the lanes that passed it made the requests.
                if (instruction.guarded) {
                    done.predicated_on = 0;
                    for (const AccessCounts& access : counts.accesses) done.predicated_on += access.lanes;
                    if (instruction.issues < site->second.size()) done.predicated_on /= site->second.size();
                }
            }
            if (accesses && !launch_.raw.spins.empty()) add_spins(counts, site->second, f, b);
            counts.executed += done.times;
            counts.active += done.active;
            counts.predicated_on += done.predicated_on;
            if (instruction.branches) {
                counts.branches +=
                    done.times / std::max<std::uint32_t>(instruction.issues, 1) * instruction.branches;
                if (instruction.ptx == terminator)
                    counts.divergent_branches = splits_of(block, own, issued, first);
                if (instruction.asks_for != kernel::no_block)
                    counts.divergent_branches += splits_before(view.blocks[instruction.asks_for],
                                                               instruction.branches, own.entries, first);
            }
            launch_.totals.by_pipe[static_cast<std::size_t>(instruction.row().pipe)] += done.times;
            if (is_vector(instruction.row().pipe)) {
                launch_.totals.vector_executed += done.times;
                launch_.totals.vector_active += done.active;
            }
        }
        for (const machine::Spill& spill : block.spills) add_spill(by_ptx[spill.before], spill, own, issued);
        for (auto& [ptx, counts] : by_ptx) {
            counts.function = f, counts.block = b, counts.instruction = ptx;
            const auto slow = slow_ways_.find({f, b, static_cast<std::uint32_t>(ptx)});
            if (slow != slow_ways_.end()) add_slow_way(counts, slow->second);
            // What is modelled of either may not contradict the other.
            counts.divergent_branches = std::min(counts.divergent_branches, counts.branches);
            LaunchTotals& totals = launch_.totals;
            totals.executed += counts.executed;
            totals.active += counts.active;
            totals.predicated_on += counts.predicated_on;
            totals.branches += counts.branches;
            totals.divergent_branches += counts.divergent_branches;
            launch_.instructions.push_back(counts);
        }
    }

    Partings partings_of(const machine::Block& loop, std::uint32_t first) const {
        const BlockCounts& end = entered(first + loop.loop_end);
        return partings(end.entries, entered(first + loop.loop_entry).entries, end.splits,
                        loop.unrolling.turns);
    }
    // Of the block's branch, as the machine has it.
    std::uint64_t splits_of(const machine::Block& block, const BlockCounts& own, const BlockCounts& issued,
                            std::uint32_t first) const {
        const bool ends = block.unrolling.turns > 1 && &own == &entered(first + block.loop_end);
        if (!ends || issued.entries == 0) return own.splits;
        return static_cast<std::uint64_t>(std::llround(partings_of(block, first).in_loop));
    }
    // Of the questions before a loop.
    std::uint64_t splits_before(const machine::Block& loop, std::uint32_t questions, std::uint64_t times,
                                std::uint32_t first) const {
        if (questions == 0) return 0;
        const Partings parted = partings_of(loop, first);
        return static_cast<std::uint64_t>(
            std::llround((parted.by_first + (questions - 1) * parted.by_rest) * static_cast<double>(times)));
    }

    // What was executed beside the usual code of a division or root, and what of that was not.
    void add_slow_way(InstructionCounts& counts, std::size_t site) {
        if (site >= launch_.raw.slow_ways.size()) return;
        const auto parts = machine::slow_parts(launch_.kernel->slow_way(launch_.kernel->sites[site]));
        const SlowWayCounts& done = launch_.raw.slow_ways[site];
        auto& by_pipe = launch_.totals.by_pipe;
        for (std::size_t i = 0; i < done.parts.size(); ++i) {
            const auto times = [&](std::int64_t issues) {
                return done.parts[i].times * static_cast<std::uint64_t>(issues);
            };
            const auto lanes = [&](std::int64_t issues) {
                return done.parts[i].lanes * static_cast<std::uint64_t>(issues);
            };
            const machine::SlowPart& part = parts[i];
            const std::int64_t others = part.issues - part.branches;
            const machine::Pipe pipe = machine::row_of(part.opcode).pipe;
            counts.executed += times(part.issues);
            counts.active += lanes(part.issues);
            counts.predicated_on += lanes(part.issues);
            counts.branches += times(part.branches);
            by_pipe[static_cast<std::size_t>(pipe)] += times(others);
            by_pipe[static_cast<std::size_t>(machine::Pipe::branch)] += times(part.branches);
            if (!is_vector(pipe)) continue;
            launch_.totals.vector_executed += times(others);
            launch_.totals.vector_active += lanes(others);
        }
        counts.divergent_branches += done.splits;
    }

    // Rounds of a loop that the instruction itself is, besides the first: by as many lanes as come to it.
    void add_spins(InstructionCounts& counts, const std::vector<std::size_t>& sites, std::uint32_t f,
                   std::uint32_t b) {
        for (const std::size_t number : sites) {
            const auto [rounds, splits] = launch_.raw.spins[number];
            const AccessCounts& access = launch_.raw.at(number, Memory::shared);
            if (rounds == 0 || access.requests == 0) continue;
            counts.divergent_branches += splits;
            const std::uint64_t lanes = rounds * access.lanes / access.requests;
            const ptx::Instruction& atomic = launch_.kernel->functions[f]
                                                 .blocks[b]
                                                 .instructions[launch_.kernel->sites[number].instruction];
            for (const machine::RoundPart& part : machine::spin_round(atomic)) {
                const machine::Pipe pipe = machine::row_of(part.opcode).pipe;
                counts.executed += rounds * part.issues;
                counts.active += lanes * part.issues;
                counts.predicated_on += lanes * part.issues;
                counts.branches += rounds * part.branches;
                launch_.totals.by_pipe[static_cast<std::size_t>(pipe)] += rounds * part.issues;
                if (!is_vector(pipe)) continue;
                launch_.totals.vector_executed += rounds * part.issues;
                launch_.totals.vector_active += lanes * part.issues;
            }
        }
    }

    // The lanes' words of a spill lie side by side.
    void add_spill(InstructionCounts& counts, const machine::Spill& spill, const BlockCounts& own,
                   const BlockCounts& issued) {
        counts.executed += issued.entries;
        counts.active += issued.lanes;
        counts.predicated_on += own.lanes;
        launch_.totals.by_pipe[static_cast<std::size_t>(machine::row_of(spill.opcode()).pipe)] +=
            issued.entries;
        AccessCounts access;
        access.requests = issued.entries * (spill.bytes / 4);
        access.lanes = own.lanes;
        access.bytes = own.lanes * spill.bytes;
        access.sectors = access.ideal_sectors = (access.bytes + sector_bytes - 1) / sector_bytes;
        access.transactions = transactions_are_lines(*launch_.gpu) ? access.requests : access.sectors;
        const AccessType type = spill.load ? AccessType::load : AccessType::store;
        MemoryTotals& local =
            launch_.totals.memory[static_cast<std::size_t>(Memory::local)][static_cast<std::size_t>(type)];
        local.instructions += issued.entries;
        local.accesses += access;
        counts.accesses[static_cast<std::size_t>(Memory::local)] += access;
    }

    static bool is_vector(machine::Pipe pipe) {
        using machine::Pipe;
        return pipe == Pipe::alu || pipe == Pipe::fma || pipe == Pipe::half || pipe == Pipe::fp64 ||
               pipe == Pipe::xu || machine::is_tensor(pipe);
    }

    void add_access(std::size_t number, const SiteCounts& accesses, std::uint64_t executed) {
        const kernel::Site& site = launch_.kernel->sites[number];
        const SiteKind kind = accesses_[number].kind;
        if (accesses_[number].copies) {
            // The request is a load's, and the instruction is none; what is stored has counters of its own.
            if (kind == SiteKind::load)
                launch_.totals
                    .memory[static_cast<std::size_t>(Memory::global)]
                           [static_cast<std::size_t>(AccessType::load)]
                    .accesses += accesses[static_cast<std::size_t>(Memory::global)];
            return;
        }
        auto type = kind == SiteKind::load     ? AccessType::load
                    : kind == SiteKind::store  ? AccessType::store
                    : kind == SiteKind::atomic ? AccessType::atomic
                                               : AccessType::reduction;
        // The instruction belongs to the memory that it names, or (generic) that most of its requests
        // reached.
        std::size_t home = 0;
        switch (site.space) {
            case ptx::Space::global:
                home = static_cast<std::size_t>(accesses[static_cast<std::size_t>(Memory::bulk)].requests
                                                    ? Memory::bulk
                                                    : Memory::global);
                break;
            case ptx::Space::shared: home = static_cast<std::size_t>(Memory::shared); break;
            case ptx::Space::local: home = static_cast<std::size_t>(Memory::local); break;
            case ptx::Space::constant:
            case ptx::Space::param: home = static_cast<std::size_t>(Memory::constant); break;
            case ptx::Space::texture: home = static_cast<std::size_t>(Memory::texture); break;
            case ptx::Space::none:
                for (std::size_t m = 1; m < memories; ++m)
                    if (accesses[m].requests > accesses[home].requests) home = m;
        }
        auto& memory = launch_.totals.memory;
        memory[home][static_cast<std::size_t>(type)].instructions += executed;
        for (std::size_t m = 0; m < memories; ++m)
            memory[m][static_cast<std::size_t>(type)].accesses += accesses[m];
    }

    LaunchCounts& launch_;
    std::span<const MachineAccess> accesses_;
    std::map<std::array<std::uint32_t, 3>, std::vector<std::size_t>>
        sites_;  // by function, block, instruction
    std::map<std::array<std::uint32_t, 3>, std::size_t> slow_ways_;
};

}  // namespace

gpu::BlockDemand block_demand(const LaunchConfig& config, std::span<const machine::View> views) {
    std::uint32_t registers = config.registers;
    if (!registers)
        for (const machine::View& view : views) registers = std::max(registers, view.registers);
    return {.threads = static_cast<int>(config.threads()),
            .registers_per_thread = static_cast<int>(registers),
            .shared_bytes = std::uint64_t{config.static_shared_bytes} + config.dynamic_shared_bytes,
            .shared_carveout = config.shared_carveout};
}

LaunchCounts count_launch(const kernel::Kernel& kernel, std::span<const machine::View> views,
                          std::span<const MachineAccess> accesses, const gpu::GpuModel& gpu,
                          const LaunchConfig& config, RawCounts raw) {
    LaunchCounts launch{
        .kernel = &kernel, .views = views, .gpu = &gpu, .config = config, .raw = std::move(raw)};
    const gpu::BlockDemand demand = block_demand(config, views);
    launch.registers = static_cast<std::uint32_t>(demand.registers_per_thread);
    launch.occupancy = gpu::occupancy(gpu, demand);
    launch.shared = gpu::shared_configuration(gpu, demand);
    const std::uint32_t warp = static_cast<std::uint32_t>(gpu.warp_size);
    launch.totals.warps = config.blocks() * ((config.threads() + warp - 1) / warp);
    launch.totals.threads = config.blocks() * config.threads();
    Counting counting(launch, accesses);
    for (std::uint32_t f = 0; f < views.size(); ++f) counting.function(f);
    return launch;
}

}  // namespace lockstep::counters
