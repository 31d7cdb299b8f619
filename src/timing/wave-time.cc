#include "timing/wave-time.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "gcn/matrix-product.h"
#include "gcn/segments.h"

namespace lockstep::timing {
namespace {

// Cycles that it keeps the matrix unit busy; 0: it is no product of matrices.
double matrix_cycles(const gcn::Instruction& inst, const gpu::GpuModel& gpu) {
    const auto product = gcn::matrix_product(inst);
    return product ? product->cycles(gpu.target) : 0;
}

// Cycles that a wavefront's instruction keeps its vector unit busy. A product of matrices is only handed on:
// vector instructions run beside it.
double vector_cycles(const gcn::Instruction& inst, const gpu::GpuModel& gpu) {
    if (inst.joined) return 0;
    const auto at = [&](double lanes) {
        // `lanes` are those of a whole compute unit, with all its vector units.
        return static_cast<double>(gpu.wave.vector_units) * gpu.warp_size / lanes;
    };
    const auto rate = [&](const gpu::PipeFigures& pipe) { return at(pipe.lanes); };
    switch (vector_rate(inst)) {
        case VectorRate::fp64: return rate(gpu.timing.fp64);
        case VectorRate::special: return rate(gpu.timing.xu);
        case VectorRate::product: return rate(gpu.timing.imad);
        case VectorRate::shift64: return at(gpu.wave.shift64_lanes);
        case VectorRate::matrix:
        case VectorRate::plain: break;
    }
    return rate(gpu.timing.alu);
}

// What one wavefront takes by itself: issue after issue, and what it waits for.
struct Alone {
    double issue = 0;  // cycles in which it issues
    double waits = 0;  // for memory
    double lds = 0;    // for the LDS and the scalar cache
    double barriers = 0;
};

// Waits are where the code says so (s_waitcnt), if something is under way since the last one.
class Walk {
  public:
    Walk(const WaveLaunch& launch, double memory_latency)
        : launch_(launch), memory_latency_(memory_latency) {}

    Alone run() {
        const auto segments = gcn::segments_of(launch_.kernel.code);
        const double waves = static_cast<double>(std::max<std::uint64_t>(1, launch_.counts.waves));
        for (std::size_t s = 0; s < segments.size() && s < launch_.counts.segments.size(); ++s) {
            times_ = static_cast<double>(launch_.counts.segments[s].executed) / waves;
            for (std::uint32_t i = 0; i < segments[s].count; ++i) step(segments[s].first + i);
        }
        return sum_;
    }

  private:
    void step(std::uint32_t instruction) {
        const gcn::Instruction& inst = launch_.kernel.code.instructions[instruction];
        const gcn::SiteCounts* const site = launch_.site(instruction);
        if (launch_.imagined.no_scratch && site && site->scratch_accesses) return;
        if (launch_.left_out(instruction)) return;
        const gpu::TimingFigures& figures = launch_.gpu.timing;
        // Its vector unit's turn comes when that has taken a whole wavefront.
        const double issue =
            static_cast<double>(launch_.gpu.wave.vector_units) * launch_.gpu.warp_size / figures.alu.lanes;
        switch (gcn::unit_of(inst)) {
            case gcn::Unit::valu: sum_.issue += times_ * vector_cycles(inst, launch_.gpu); break;
            // Its result is what comes next.
            case gcn::Unit::mfma: sum_.issue += times_ * matrix_cycles(inst, launch_.gpu); break;
            case gcn::Unit::load:
            case gcn::Unit::atomic:
                // A flat access goes the way of vector memory, also where it ends in the LDS.
                (!site || !site->lds_accesses   ? memory_
                 : launch_.imagined.lds_by_name ? lds_
                                                : flat_lds_) = true;
                sum_.issue += times_ * issue;
                break;
            case gcn::Unit::lds:
                lds_ = true;
                sum_.issue += times_ * issue;
                break;
            case gcn::Unit::smem:
                scalar_ = true;
                sum_.issue += times_ * issue;
                break;
            case gcn::Unit::branch: sum_.issue += times_ * figures.branch_latency; break;
            case gcn::Unit::internal: wait(inst); break;
            default: sum_.issue += times_ * issue;
        }
    }

    void wait(const gcn::Instruction& inst) {
        const gpu::TimingFigures& figures = launch_.gpu.timing;
        if (inst.name == "s_barrier") {
            sum_.barriers += times_ * figures.barrier_latency;
            return;
        }
        if (!inst.name.starts_with("s_waitcnt")) return;
        if (inst.has("vmcnt") && (memory_ || flat_lds_)) {
            sum_.waits += times_ * (memory_ ? memory_latency_ : figures.l1_latency);
            memory_ &= inst.value("vmcnt") > 0;
            flat_lds_ &= inst.value("vmcnt") > 0;
        }
        if (inst.has("lgkmcnt") && (lds_ || scalar_)) {
            sum_.lds += times_ * (scalar_ ? figures.constant_latency : figures.shared_latency);
            if (inst.value("lgkmcnt") == 0) lds_ = scalar_ = false;
        }
    }

    const WaveLaunch& launch_;
    const double memory_latency_;
    Alone sum_;
    double times_ = 0;
    bool memory_ = false, flat_lds_ = false, lds_ = false, scalar_ = false;
};

double share(std::uint64_t part, std::uint64_t whole) {
    return whole ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

}  // namespace

VectorRate vector_rate(const gcn::Instruction& inst) {
    const std::string_view name = inst.name;
    const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
    if (gcn::unit_of(inst) == gcn::Unit::mfma) return VectorRate::matrix;
    if (has("f64")) return VectorRate::fp64;
    if (name.starts_with("v_rcp") || name.starts_with("v_rsq") || name.starts_with("v_sqrt") ||
        name.starts_with("v_exp") || name.starts_with("v_log") || name.starts_with("v_sin") ||
        name.starts_with("v_cos"))
        return VectorRate::special;
    if (name.starts_with("v_mul_lo") || name.starts_with("v_mul_hi") || has("_u64_u32") || has("_i64_i32"))
        return VectorRate::product;
    if (has("rev_b64") || has("rev_i64")) return VectorRate::shift64;
    return VectorRate::plain;
}

VectorWork vector_work(const WaveLaunch& launch) {
    const auto segments = gcn::segments_of(launch.kernel.code);
    VectorWork work;
    for (std::size_t s = 0; s < segments.size() && s < launch.counts.segments.size(); ++s)
        for (std::uint32_t i = 0; i < segments[s].count; ++i) {
            const gcn::Instruction& inst = launch.kernel.code.instructions[segments[s].first + i];
            if (gcn::unit_of(inst) != gcn::Unit::valu && gcn::unit_of(inst) != gcn::Unit::mfma) continue;
            if (launch.left_out(segments[s].first + i)) continue;
            const double cycles = vector_cycles(inst, launch.gpu);
            work.cycles += static_cast<double>(launch.counts.segments[s].executed) * cycles;
            work.lane_cycles += static_cast<double>(launch.counts.segments[s].lanes) * cycles;
            work.matrix_cycles +=
                static_cast<double>(launch.counts.segments[s].executed) * matrix_cycles(inst, launch.gpu);
        }
    return work;
}

gpu::Occupancy wave_occupancy(const WaveLaunch& launch) {
    return gpu::occupancy(launch.gpu, {.threads = static_cast<int>(launch.block_threads),
                                       .registers_per_thread = static_cast<int>(launch.kernel.vgprs),
                                       .shared_bytes = launch.lds_bytes,
                                       .scalar_registers = static_cast<int>(launch.kernel.sgprs)});
}

Prediction predict_waves(const WaveLaunch& launch) {
    const gpu::GpuModel& gpu = launch.gpu;
    const gpu::TimingFigures& figures = gpu.timing;
    const gcn::LaunchCounts& counts = launch.counts;
    const gcn::MemoryCounts& memory = counts.memory;
    const auto units = static_cast<double>(gpu.sms);
    const double vector_units = gpu.wave.vector_units;

    const gpu::Occupancy fits = wave_occupancy(launch);
    const double resident =
        launch.imagined.resident ? launch.imagined.resident : std::max(1, fits.blocks_per_sm);
    const double blocks = static_cast<double>(std::max<std::uint64_t>(1, counts.blocks));
    // The fullest compute unit has so many times the average's work.
    const double rounds =
        launch.imagined.even_blocks ? std::max(1.0, blocks / units) : std::ceil(blocks / units);
    const double uneven = rounds / (blocks / units);
    const auto of_a_unit = [&](double total) { return total / units * uneven; };

    // Where loads find what they ask for decides how long they take.
    const gcn::VectorMemoryCounts& loads = memory.loads;
    const double l1_share = share(loads.l1_hits, loads.requests);
    const double l2_share = share(loads.l2_hits, loads.l2_requests);
    const double repeats = launch.imagined.repeats_in_lds ? static_cast<double>(loads.l1_hits) : 0;
    constexpr double lds_bytes_a_cycle = 128;  // 32 banks of 4 bytes
    const double repeats_lds_cycles = repeats * gpu.wave.l1_line_bytes / lds_bytes_a_cycle;
    const double latency =
        l1_share * (repeats > 0 ? figures.shared_latency : figures.l1_latency) +
        (1 - l1_share) * (l2_share * figures.l2_latency + (1 - l2_share) * launch.gpu.memory_latency_cycles);
    const Alone alone = Walk(launch, latency).run();
    const double waves_a_block = static_cast<double>(counts.waves) / blocks;
    const double waves_at_once = std::max(1.0, std::min(resident, rounds) * waves_a_block / vector_units);
    const double one_wave = alone.issue + alone.waits + alone.lds + alone.barriers;
    const double waves_in_turn = rounds * waves_a_block / vector_units / waves_at_once;

    struct Limit {
        double cycles;
        Bound bound;
    };
    const double requests =
        static_cast<double>(loads.requests + memory.stores.requests + memory.atomics.requests) - repeats;
    const double l2_bytes = static_cast<double>(loads.l2_requests) * gpu.wave.l2_line_bytes +
                            static_cast<double>(gcn::write_line_bytes) *
                                static_cast<double>(memory.stores.l2_requests + memory.atomics.l2_requests);
    const double dram = static_cast<double>(memory.dram_read_bytes + memory.dram_write_bytes);
    const double bytes_a_cycle =
        gpu.memory_bandwidth_gbs * 1e3 / gpu.clock_mhz *
        (memory.dram_write_bytes > memory.dram_read_bytes / 4 ? figures.dram_mixed_efficiency
                                                              : figures.dram_read_efficiency);
    const double scalar = static_cast<double>(counts.of(gcn::Unit::salu).executed);
    const VectorWork work = vector_work(launch);
    const Limit limits[] = {
        {of_a_unit(std::max(work.cycles, work.matrix_cycles) / vector_units), Bound::arithmetic},
        {of_a_unit(scalar), Bound::issue_slots},
        {of_a_unit(static_cast<double>(memory.lds_cycles) + repeats_lds_cycles), Bound::shared_bandwidth},
        {of_a_unit(requests), Bound::l1_bandwidth},
        {l2_bytes / figures.l2_read_bytes_per_cycle, Bound::l2_bandwidth},
        {bytes_a_cycle > 0 ? dram / bytes_a_cycle : 0, Bound::dram_bandwidth},
        {waves_in_turn * one_wave, alone.waits + alone.lds > alone.issue + alone.barriers
                                       ? Bound::memory_latency
                                   : alone.barriers > alone.issue ? Bound::barriers
                                                                  : Bound::arithmetic_latency},
        {rounds * figures.block_launch_cycles, Bound::block_rate},
    };
    const Limit longest = *std::ranges::max_element(limits, {}, &Limit::cycles);

    Prediction prediction;
    // The first blocks have to come, and the last ones to end, whatever is busy between.
    const bool in_it = longest.bound == Bound::memory_latency && alone.waits > alone.lds;
    prediction.cycles = longest.cycles + (in_it ? 0 : latency);
    const double overhead = figures.kernel_overhead_us * 1e3;
    prediction.nanoseconds = prediction.cycles * 1e3 / gpu.clock_mhz + overhead;
    prediction.bound =
        prediction.cycles * 1e3 / gpu.clock_mhz < overhead ? Bound::launch_overhead : longest.bound;
    prediction.active_cycles = prediction.cycles * std::min(1.0, blocks / units);
    prediction.warps_active = std::min(resident * waves_a_block, rounds * waves_a_block);
    prediction.instructions = static_cast<double>(counts.all().executed) / units;
    prediction.dram_read_bytes = static_cast<double>(memory.dram_read_bytes);
    prediction.dram_write_bytes = static_cast<double>(memory.dram_write_bytes);
    prediction.resident_blocks = static_cast<std::uint32_t>(resident);
    return prediction;
}

}  // namespace lockstep::timing
