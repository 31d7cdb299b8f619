// What makes AMD's kernels slow, each with what the model is run without. That model is of bounds
// (timing/wave-time.h): nothing says how long a wavefront was in which state.
#include <fmt/format.h>

#include <array>
#include <string_view>

#include "explain/patterns.h"
#include "explain/rule.h"
#include "explain/rules.h"

namespace lockstep::explain {
namespace of_waves {
namespace {

using report::InstructionCounts;
using timing::Change;

bool begins(const InstructionCounts& at, std::string_view with) { return at.machine.starts_with(with); }
bool is_vector(const InstructionCounts& at) { return begins(at, "v_"); }
bool has(const InstructionCounts& at, std::string_view part) {
    return at.machine.find(part) != std::string::npos;
}
bool is_flat(const InstructionCounts& at) { return begins(at, "flat_"); }
bool is_scratch(const InstructionCounts& at) {
    return begins(at, "scratch_") || (begins(at, "buffer_") && has(at, "_dword"));
}
bool is_load(const InstructionCounts& at) { return at.ideal_sectors > 0 && has(at, "_load"); }
bool is_special(const InstructionCounts& at) {
    for (const char* name : {"v_rcp", "v_rsq", "v_sqrt", "v_exp", "v_log", "v_sin", "v_cos"})
        if (begins(at, name)) return !has(at, "f64");
    return false;
}

double lanes_missing(const InstructionCounts& at) {
    return is_vector(at) ? surplus(amd_words.lanes * at.executed, at.active) / amd_words.lanes : 0;
}

void prove_divergence(const Facts& facts, Finding& finding) {
    double executed = 0, active = 0;
    facts.each_instruction([&](const InstructionCounts& at) {
        if (!is_vector(at)) return;
        executed += static_cast<double>(at.executed), active += static_cast<double>(at.active);
    });
    add(finding, "active_lanes", per(active, executed),
        fmt::format("{:.1f} lanes of a wavefront run in its vector instructions, on average",
                    per(active, executed)));
    if (const auto used = facts.metric("VALUUtilization"))
        add(finding, "valu_utilization", *used,
            fmt::format("{:.0f} % of the lanes of busy vector units are used (VALUUtilization)", *used));
}

// The resource that allows the fewest blocks, by AMD's rules: vector registers of a SIMD unit, scalar ones,
// the LDS.
void prove_occupancy(const Facts& facts, Finding& finding) {
    const double by_registers = facts.metric_or("launch__occupancy_limit_registers", 1e9),
                 by_lds = facts.metric_or("launch__occupancy_limit_shared_mem", 1e9),
                 by_waves = facts.metric_or("launch__occupancy_limit_warps", 0);
    const bool registers = by_registers <= by_lds;
    add(finding, "blocks_per_unit", std::min(by_registers, by_lds),
        fmt::format("{} allow {:.0f} blocks a compute unit, its places for wavefronts {:.0f}",
                    registers ? "registers" : "the LDS's bytes", std::min(by_registers, by_lds), by_waves));
    if (const auto count = facts.metric("launch__registers_per_thread"); count && registers)
        add(finding, "registers", *count, fmt::format("{:.0f} vector registers a lane", *count));
}

void prove_latency(const Facts& facts, Finding& finding) {
    const gpu::GpuModel* gpu = facts.gpu();
    if (const auto occupancy = facts.metric("sm__warps_active.avg.pct_of_peak_sustained_active");
        occupancy && gpu)
        add(finding, "wavefronts_active", *occupancy / 100 * gpu->max_warps_per_sm(),
            fmt::format("{:.1f} wavefronts of a compute unit are there to hide it, of {} places",
                        *occupancy / 100 * gpu->max_warps_per_sm(), gpu->max_warps_per_sm()));
    if (const auto hits = facts.metric("vL1D Hit Rate"))
        add(finding, "l1_hit_rate", *hits, fmt::format("{:.0f} % of lookups hit the vector L1", *hits));
    if (gpu)
        add(finding, "memory_latency_cycles", gpu->memory_latency_cycles,
            fmt::format("{} cycles from the memory, {} from the L1", gpu->memory_latency_cycles,
                        gpu->timing.l1_latency));
}

void prove_barriers(const Facts& facts, Finding& finding) {
    const double met =
        facts.total([](const InstructionCounts& at) { return executed_if(at, at.machine == "s_barrier"); });
    const double waves = facts.metric_or("Wavefronts", 0) * static_cast<double>(facts.kernel().launches);
    add(finding, "barriers_per_wavefront", per(met, waves),
        fmt::format("a wavefront comes to {:.1f} barriers", per(met, waves)));
}

void prove_uneven(const Facts& facts, Finding& finding) {
    const double blocks = facts.metric_or("launch__grid_size", 0);
    if (facts.gpu())
        add(finding, "blocks_per_unit", per(blocks, facts.gpu()->sms),
            fmt::format("{:.0f} blocks for {} compute units: {:.2f} each", blocks, facts.gpu()->sms,
                        per(blocks, facts.gpu()->sms)));
}

void prove_repeated(const Facts& facts, Finding& finding) {
    if (const auto hits = facts.metric("vL1D Hit Rate"))
        add(finding, "l1_hit_rate", *hits,
            fmt::format("{:.0f} % of lookups find in the vector L1 what was loaded before", *hits));
}

void prove_division(const Facts& facts, Finding& finding) {
    const double count =
        facts.total([](const InstructionCounts& at) { return executed_if(at, begins(at, "v_rcp_iflag")); });
    add(finding, "reciprocals", count,
        fmt::format(
            "wavefronts make {:.0f} reciprocals of integers; with each a division is a product that is "
            "slow and two corrections, some ten vector instructions",
            count));
}

constexpr std::array rules = {
    Rule{Change::divergence, "divergence", "Lanes of one wavefront go different ways, one after the other",
         "Let whole wavefronts take one way: give consecutive threads the work, or choose by "
         "threadIdx.x / warpSize.",
         true, lanes_missing, prove_divergence},
    Rule{Change::scattered_accesses, "uncoalesced",
         "Lanes of a wavefront access memory that is not side by side",
         "Let lane i access the element next to lane i-1's: swap loops or indices, make a structure of "
         "arrays out of an array of structures, or turn the data in the LDS.",
         true,
         [](const InstructionCounts& at) {
             return is_scratch(at) ? 0 : surplus(at.sectors, at.ideal_sectors);
         },
         prove_scattered},
    Rule{Change::repeated_loads, "repeated-loads",
         "Blocks load the same data from global memory again and again",
         "Load a tile once into the LDS, or keep the value in a register.", true,
         [](const InstructionCounts& at) { return is_load(at) ? static_cast<double>(at.sectors) : 0; },
         prove_repeated},
    Rule{Change::integer_division, "division",
         "Integer division or remainder, for which the GPU has no instruction",
         "Divide by a power of two that the compiler knows (a template parameter or constant), keep the "
         "index by addition, or use a mask.",
         true, [](const InstructionCounts& at) { return executed_if(at, begins(at, "v_rcp_iflag")); },
         prove_division},
    Rule{Change::bank_conflicts, "bank-conflicts", "Lanes meet at the same banks of the LDS",
         "Pad rows by one element (tile[32][33]), or swizzle the index (column ^ row), so that lanes fall on "
         "different banks.",
         true, [](const InstructionCounts& at) { return surplus(at.wavefronts, at.ideal_wavefronts); },
         prove_banks},
    Rule{Change::barriers, "barrier-waits", "Wavefronts wait for each other at barriers",
         "Fewer barriers (more work between two of them, the last wavefront by shuffles), or more blocks a "
         "compute unit whose wavefronts run meanwhile.",
         false, [](const InstructionCounts& at) { return executed_if(at, at.machine == "s_barrier"); },
         prove_barriers},
    Rule{Change::occupancy_limit, "occupancy", "A compute unit holds fewer wavefronts than it has room for",
         "Fewer vector registers (__launch_bounds__, amdgpu_waves_per_eu) or less of the LDS a block, if "
         "that costs no spills.",
         true, nullptr, prove_occupancy},
    Rule{Change::uneven_blocks, partial_wave_id, "The last blocks leave most compute units without work",
         "A grid that gives every compute unit as many blocks: a loop over the grid (grid stride) with a "
         "multiple of their number, or smaller blocks.",
         true, nullptr, prove_uneven},
    Rule{Change::memory_latency, "latency", "Too little is under way to hide the memory's latency",
         "Give a thread several independent loads (unroll, or more elements a thread), or launch more "
         "wavefronts.",
         false, [](const InstructionCounts& at) { return executed_if(at, is_load(at)); }, prove_latency},
    Rule{Change::spills, "spills", "Registers or arrays are kept in scratch memory",
         "Allow more registers (__launch_bounds__ with fewer threads, amdgpu_num_vgpr), or hold fewer values "
         "at a time; index arrays that are to stay in registers by constants.",
         true, [](const InstructionCounts& at) { return executed_if(at, is_scratch(at)); }, nullptr},
    Rule{Change::flat_lds, "flat-lds", "The LDS is accessed by flat instructions, the way of vector memory",
         "Let the compiler see that a pointer is one to __shared__ memory: no pointer that is sometimes one "
         "to global memory, no way through memory or a function that is not inlined.",
         true, [](const InstructionCounts& at) { return executed_if(at, is_flat(at) && at.wavefronts > 0); },
         nullptr},
    Rule{Change::double_precision, "double-precision", "Double precision, for which this GPU takes longer",
         "Use float where its seven digits will do; look for constants without f, which make an expression "
         "double.",
         true, [](const InstructionCounts& at) { return executed_if(at, is_vector(at) && has(at, "f64")); },
         nullptr},
    Rule{Change::special_functions, "special-functions",
         "Reciprocals, roots, exponentials and sines, at a quarter of the rate",
         "Compute what does not change outside of the loop, or in a table.", true,
         [](const InstructionCounts& at) { return executed_if(at, is_special(at)); }, nullptr},
};

}  // namespace
}  // namespace of_waves

std::span<const Rule> wave_rules() { return of_waves::rules; }

}  // namespace lockstep::explain
