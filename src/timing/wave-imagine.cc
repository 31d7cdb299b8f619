#include "timing/wave-imagine.h"

#include <algorithm>
#include <utility>

#include "gcn/segments.h"
#include "timing/wave-divisions.h"

namespace lockstep::timing {
namespace {

// What the model is asked about in the launch's place.
struct Changed {
    explicit Changed(const WaveLaunch& launch)
        : of(launch), counts(launch.counts), gpu(launch.gpu), imagined(launch.imagined) {}

    double nanoseconds() const {
        return predict_waves({of.kernel, counts, gpu, of.block_threads, of.lds_bytes, imagined}).nanoseconds;
    }

    const WaveLaunch& of;
    gcn::LaunchCounts counts;
    gpu::GpuModel gpu;
    ImaginedWaves imagined;
};

// Each makes the launch be without something, and says whether it had any of it.

bool pack_lanes(Changed& launch) {
    bool any = false;
    for (std::size_t s = 0; s < launch.counts.segments.size() && s < launch.counts.packed.size(); ++s) {
        any |= launch.counts.packed[s] < launch.counts.segments[s].executed;
        launch.counts.segments[s].executed = launch.counts.packed[s];
    }
    launch.counts.units = {}, launch.counts.mix = {};
    gcn::count_units(launch.of.kernel.code, launch.counts);
    return any;
}

gcn::VectorMemoryCounts* counts_of(gcn::MemoryCounts& memory, const gcn::Instruction& inst) {
    switch (gcn::unit_of(inst)) {
        case gcn::Unit::load: return &memory.loads;
        case gcn::Unit::store: return &memory.stores;
        case gcn::Unit::atomic: return &memory.atomics;
        default: return nullptr;
    }
}

// One instruction's requests become so many; of what asks the L2, and the memory, as much stays as there is
// room for in them.
void limit_requests(Changed& launch, const gcn::Instruction& inst, const gcn::SiteCounts& site,
                    std::uint64_t requests) {
    gcn::MemoryCounts& memory = launch.counts.memory;
    gcn::VectorMemoryCounts& all = *counts_of(memory, inst);
    const bool loads = gcn::unit_of(inst) == gcn::Unit::load;
    const std::uint64_t line = loads ? launch.gpu.wave.l1_line_bytes : gcn::write_line_bytes;
    const std::uint64_t l2_line = launch.gpu.wave.l2_line_bytes;
    const std::uint64_t l2_room = (requests * line + l2_line - 1) / l2_line;
    const std::uint64_t misses = site.requests - site.l1_hits, misses_left = std::min(misses, requests);
    const std::uint64_t asked = std::min(site.l2_requests, std::max(l2_room, requests));
    const std::uint64_t fetched = site.l2_requests - site.l2_hits, fetched_left = std::min(fetched, l2_room);
    all.requests -= site.requests - requests;
    if (loads) all.l1_hits -= site.l1_hits - (requests - misses_left);
    all.l2_requests -= site.l2_requests - asked;
    all.l2_hits -= site.l2_hits - std::min(site.l2_hits, asked - fetched_left);
    std::uint64_t& moved =
        gcn::unit_of(inst) == gcn::Unit::store ? memory.dram_write_bytes : memory.dram_read_bytes;
    moved -= std::min(moved, (fetched - fetched_left) * l2_line);
}

bool gather_accesses(Changed& launch) {
    bool any = false;
    const auto& code = launch.of.kernel.code.instructions;
    for (std::size_t i = 0; i < launch.counts.sites.size(); ++i) {
        const gcn::SiteCounts& site = launch.of.counts.sites[i];
        const gcn::Unit unit = gcn::unit_of(code[i]);
        if ((unit != gcn::Unit::load && unit != gcn::Unit::store) || site.scratch_accesses ||
            site.requests == site.least_requests)
            continue;
        any = true;
        limit_requests(launch, code[i], site, site.least_requests);
    }
    return any;
}

bool drop_scratch(Changed& launch) {
    bool any = false;
    const auto& code = launch.of.kernel.code.instructions;
    for (std::size_t i = 0; i < launch.counts.sites.size(); ++i) {
        const gcn::SiteCounts& site = launch.of.counts.sites[i];
        if (!site.scratch_accesses || !counts_of(launch.counts.memory, code[i])) continue;
        any = true;
        limit_requests(launch, code[i], site, 0);
    }
    launch.imagined.no_scratch = true;
    return any;
}

bool name_the_lds(Changed& launch) {
    launch.imagined.lds_by_name = true;
    for (std::size_t i = 0; i < launch.counts.sites.size(); ++i)
        if (launch.counts.sites[i].lds_accesses &&
            counts_of(launch.counts.memory, launch.of.kernel.code.instructions[i]))
            return true;
    return false;
}

bool straighten_banks(Changed& launch) {
    gcn::MemoryCounts& memory = launch.counts.memory;
    memory.lds_cycles -= memory.lds_conflict_cycles;
    return std::exchange(memory.lds_conflict_cycles, 0) > 0;
}

bool drop_barriers(Changed& launch) {
    launch.gpu.timing.barrier_latency = 0;
    return std::ranges::any_of(launch.of.kernel.code.instructions,
                               [](const gcn::Instruction& inst) { return inst.name == "s_barrier"; });
}

bool fill_unit(Changed& launch) {
    const gpu::Occupancy fits = wave_occupancy(launch.of);
    const int full = std::min(fits.by_threads, fits.by_blocks);
    launch.imagined.resident = static_cast<std::uint32_t>(std::max(1, full));
    return full > fits.blocks_per_sm;
}

bool hurry_memory(Changed& launch) {
    gpu::TimingFigures& figures = launch.gpu.timing;
    figures.l2_latency = figures.l1_latency;
    launch.gpu.memory_latency_cycles = figures.l1_latency;
    return launch.counts.memory.loads.requests + launch.counts.memory.atomics.requests > 0;
}

bool executes(const Changed& launch, VectorRate rate) {
    const auto segments = gcn::segments_of(launch.of.kernel.code);
    for (std::size_t s = 0; s < segments.size() && s < launch.counts.segments.size(); ++s)
        if (launch.counts.segments[s].executed)
            for (std::uint32_t i = 0; i < segments[s].count; ++i) {
                const gcn::Instruction& inst = launch.of.kernel.code.instructions[segments[s].first + i];
                if (gcn::unit_of(inst) == gcn::Unit::valu && vector_rate(inst) == rate) return true;
            }
    return false;
}

bool apply(Change change, Changed& launch) {
    switch (change) {
        case Change::divergence: return pack_lanes(launch);
        case Change::scattered_accesses: return gather_accesses(launch);
        case Change::bank_conflicts: return straighten_banks(launch);
        case Change::barriers: return drop_barriers(launch);
        case Change::occupancy_limit: return fill_unit(launch);
        case Change::memory_latency: return hurry_memory(launch);
        case Change::spills: return drop_scratch(launch);
        case Change::uneven_blocks:
            launch.imagined.even_blocks = true;
            return launch.counts.blocks > static_cast<std::uint64_t>(launch.gpu.sms);
        case Change::flat_lds: return name_the_lds(launch);
        case Change::double_precision:
            launch.gpu.timing.fp64 = launch.gpu.timing.alu;
            return executes(launch, VectorRate::fp64);
        case Change::special_functions:
            launch.gpu.timing.xu = launch.gpu.timing.alu;
            return executes(launch, VectorRate::special);
        case Change::repeated_loads:
            launch.imagined.repeats_in_lds = true;
            return launch.counts.memory.loads.l1_hits > 0;
        case Change::integer_division:
            launch.imagined.divisions = divisions_in(launch.of.kernel.code);
            return std::ranges::find(launch.imagined.divisions, true) != launch.imagined.divisions.end();
        // The model knows nothing of these.
        case Change::atomic_contention:
        case Change::float_division:
        case Change::block_starts:
        case Change::partial_warps:
        case Change::idle_sms:
        case Change::uneven_warps:
        case Change::constant_serialisation: return false;
    }
    return false;
}

}  // namespace

void imagine_waves(const WaveLaunch& launch, Prediction& prediction) {
    for (std::size_t c = 0; c < changes; ++c) {
        Changed changed(launch);
        prediction.without[c] =
            apply(static_cast<Change>(c), changed) ? changed.nanoseconds() : prediction.nanoseconds;
    }
}

}  // namespace lockstep::timing
