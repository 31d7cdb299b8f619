// What makes CUDA's kernels slow, each with what the model is run without.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "explain/patterns.h"
#include "explain/rule.h"
#include "explain/rules.h"

namespace lockstep::explain {
namespace {

using report::InstructionCounts;
using timing::Change;
using timing::WarpState;

double cycles(const InstructionCounts& at, WarpState state) {
    return static_cast<double>(at.warp_cycles[static_cast<std::size_t>(state)]);
}
bool has_machine(const InstructionCounts& at, std::string_view name) {
    return at.machine.find(name) != std::string::npos;
}
bool divides(const InstructionCounts& at) {
    return operation_of(at).starts_with("div.") || operation_of(at).starts_with("rem.");
}
bool of_floats(const InstructionCounts& at) { return operation_of(at).find(".f") != std::string_view::npos; }
// On the XU, but for what a division or double precision brings with it.
bool is_special(const InstructionCounts& at) {
    if (divides(at) || at.ptx.find(".f64") != std::string::npos) return false;
    for (const char* name : {"MUFU", "F2F", "I2F", "F2I", "FRND", "RCP.F32", "SQRT.F32"})
        if (has_machine(at, name) && !has_machine(at, "I2FP")) return true;
    return false;
}

void prove_divergence(const Facts& facts, Finding& finding) {
    const InstructionCounts& all = facts.all();
    add(finding, "divergent_branches", static_cast<double>(all.divergent_branches),
        fmt::format(
            "{} of {} branches part their warp ({:.1f} %)", all.divergent_branches, all.branches,
            100 * per(static_cast<double>(all.divergent_branches), static_cast<double>(all.branches))));
    const double active = per(static_cast<double>(all.active), static_cast<double>(all.executed));
    add(finding, "active_lanes", active, fmt::format("{:.1f} lanes of a warp are active on average", active));
}

void prove_state(const Facts& facts, Finding& finding, WarpState state, const char* what) {
    add(finding, fmt::format("{}_share", timing::state_name(state)), facts.state(state),
        fmt::format("warps spend {:.0f} % of their time {}", 100 * facts.state(state), what));
}

void prove_barriers(const Facts& facts, Finding& finding) {
    prove_state(facts, finding, WarpState::barrier, "at a barrier");
}

// Little's law: what is under way is what arrives in a second times the seconds that it takes.
void prove_little(const Facts& facts, const gpu::GpuModel& gpu, Finding& finding) {
    const auto rate = facts.metric("dram__bytes.sum.per_second");
    if (!rate || *rate <= 0 || gpu.memory_latency_cycles <= 0) return;
    const double seconds = gpu.memory_latency_cycles / (gpu.clock_mhz * 1e6);
    const double needed = gpu.memory_bandwidth_gbs * 1e9 * seconds / gpu.sms, is = *rate * seconds / gpu.sms;
    add(finding, "bytes_in_flight", is,
        fmt::format("Little's law: {} cycles of latency times {} GB/s are {:.0f} bytes that each SM must "
                    "have under way to "
                    "fill the memory; it has {:.0f}",
                    gpu.memory_latency_cycles, gpu.memory_bandwidth_gbs, needed, is));
}

void prove_latency(const Facts& facts, Finding& finding) {
    prove_state(facts, finding, WarpState::long_scoreboard, "waiting for loads");
    if (facts.gpu()) prove_little(facts, *facts.gpu(), finding);
    if (const auto warps = facts.metric("sm__warps_active.avg.per_cycle_active"))
        add(finding, "warps_active", *warps,
            fmt::format("{:.1f} warps of an SM are there to hide it", *warps));
}

void prove_occupancy(const Facts& facts, Finding& finding) {
    struct Limit {
        const char* metric;
        const char* name;
    };
    const Limit* least = nullptr;
    double blocks = 0;
    static constexpr std::array limits = {Limit{"launch__occupancy_limit_registers", "registers"},
                                          Limit{"launch__occupancy_limit_shared_mem", "shared memory"}};
    for (const Limit& limit : limits)
        if (const auto allowed = facts.metric(limit.metric); allowed && (!least || *allowed < blocks)) {
            least = &limit;
            blocks = *allowed;
        }
    if (least)
        add(finding, "blocks_per_sm", blocks,
            fmt::format("{} allow {:.0f} blocks an SM, its warps {:.0f}", least->name, blocks,
                        facts.metric_or("launch__occupancy_limit_warps", 0)));
    if (const auto registers = facts.metric("launch__registers_per_thread"))
        add(finding, "registers", *registers, fmt::format("{:.0f} registers a thread", *registers));
    if (const auto shared = facts.metric("launch__shared_mem_per_block_allocated"))
        add(finding, "shared_bytes", *shared, fmt::format("{:.0f} bytes of shared memory a block", *shared));
}

void prove_repeated(const Facts& facts, Finding& finding) {
    if (const auto hits = facts.metric("l1tex__t_sector_hit_rate.pct"))
        add(finding, "l1_hit_rate", *hits,
            fmt::format("{:.0f} % of the sectors are in the L1 already", *hits));
    prove_state(facts, finding, WarpState::long_scoreboard, "waiting for loads");
}

void prove_instructions_at(const Facts& facts, Finding& finding, const char* what, double count) {
    const double share = per(count, static_cast<double>(facts.all().executed));
    add(finding, "instructions_share", share,
        fmt::format("{:.0f} % of the instructions that warps execute {}", 100 * share, what));
}

void prove_spills(const Facts& facts, Finding& finding) {
    prove_instructions_at(facts, finding, "load or store local memory",
                          facts.metric_or("smsp__inst_executed_op_local_ld.sum", 0) *
                                  static_cast<double>(facts.kernel().launches) +
                              facts.metric_or("smsp__inst_executed_op_local_st.sum", 0) *
                                  static_cast<double>(facts.kernel().launches));
    if (const auto registers = facts.metric("launch__registers_per_thread"))
        add(finding, "registers", *registers, fmt::format("{:.0f} registers a thread", *registers));
}

void prove_double(const Facts& facts, Finding& finding) {
    double count = 0;
    facts.each_instruction([&](const InstructionCounts& at) {
        count += executed_if(at, at.ptx.find(".f64") != std::string::npos || has_machine(at, ".F64"));
    });
    prove_instructions_at(facts, finding, "are of double precision, or convert to and from it", count);
    const gpu::GpuModel* gpu = facts.gpu();
    if (!gpu || gpu->timing.fp64.lanes <= 0) return;
    const double ratio = static_cast<double>(gpu->timing.fma.lanes) / gpu->timing.fp64.lanes;
    finding.title = ratio > 4 ? "Double precision, of which this GPU has little"
                              : "Double precision, or conversions to and from it";
    add(finding, "single_per_double", ratio,
        fmt::format("an SM starts {} operations of double precision a cycle, and {} of single precision",
                    gpu->timing.fp64.lanes, gpu->timing.fma.lanes));
}

void prove_waves(const Facts& facts, Finding& finding) {
    const double waves = facts.metric_or("launch__waves_per_multiprocessor", 0);
    const double blocks = facts.metric_or("launch__grid_size", 0);
    add(finding, "waves", waves,
        facts.gpu()
            ? fmt::format("{:.2f} waves of blocks: {:.0f} blocks for {} SMs", waves, blocks, facts.gpu()->sms)
            : fmt::format("{:.2f} waves of blocks", waves));
}

void prove_block_rate(const Facts& facts, Finding& finding) {
    const double blocks = facts.metric_or("launch__grid_size", 0);
    add(finding, "blocks", blocks,
        fmt::format("{:.0f} blocks of {:.0f} threads in {:.1f} us", blocks,
                    facts.metric_or("launch__block_size", 0), facts.nanoseconds() / 1000));
}

constexpr std::array rules = {
    Rule{Change::divergence, "divergence", "Lanes of one warp go different ways, one after the other",
         "Let whole warps take one way: give consecutive threads the work, or choose by threadIdx.x / 32.",
         true, [](const InstructionCounts& at) { return static_cast<double>(at.divergent_branches); },
         prove_divergence},
    Rule{Change::scattered_accesses, "uncoalesced", "Lanes of a warp access memory that is not side by side",
         "Let lane i access the element next to lane i-1's: swap loops or indices, make a structure of "
         "arrays out of an "
         "array of structures, or turn the data in shared memory.",
         true, [](const InstructionCounts& at) { return surplus(at.sectors, at.ideal_sectors); },
         prove_scattered},
    Rule{Change::repeated_loads, "repeated-loads",
         "Blocks load the same data from global memory again and again",
         "Load a tile once into shared memory, or keep the value in a register.", true,
         [](const InstructionCounts& at) {
             return at.ideal_sectors > 0 && operation_of(at).starts_with("ld.global")
                        ? static_cast<double>(at.sectors)
                        : 0;
         },
         prove_repeated},
    Rule{Change::bank_conflicts, "bank-conflicts", "Lanes meet at the same banks of shared memory",
         "Pad rows by one element (tile[32][33]), or swizzle the index (column ^ row), so that lanes fall on "
         "different "
         "banks.",
         true, [](const InstructionCounts& at) { return surplus(at.wavefronts, at.ideal_wavefronts); },
         prove_banks},
    Rule{Change::barriers, "barrier-waits", "Warps wait for each other at barriers",
         "Fewer barriers (more work between two of them, the last warp by shuffles), or more blocks an SM "
         "whose warps run "
         "meanwhile.",
         false, [](const InstructionCounts& at) { return cycles(at, WarpState::barrier); }, prove_barriers},
    Rule{
        Change::uneven_warps, "uneven-warps", "A few warps of a block work while the others wait for them",
        "Share the work between two barriers among all warps of the block, or give it blocks of fewer warps.",
        true, [](const InstructionCounts& at) { return cycles(at, WarpState::barrier); }, prove_barriers},
    Rule{Change::occupancy_limit, "occupancy", "An SM holds fewer warps than it has room for",
         "Fewer registers (__launch_bounds__, -maxrregcount) or less shared memory a block, if that costs no "
         "spills.",
         true, nullptr, prove_occupancy},
    Rule{Change::memory_latency, "latency", "Too little is under way to hide the memory's latency",
         "Give a thread several independent loads (unroll, or more elements a thread), or launch more warps.",
         false, [](const InstructionCounts& at) { return cycles(at, WarpState::long_scoreboard); },
         prove_latency},
    Rule{Change::atomic_contention, "atomics", "Atomics of many lanes meet at one address",
         "Add up in the warp (__reduce_add_sync, shuffles) and the block (shared memory) first, then one "
         "atomic.",
         true,
         [](const InstructionCounts& at) {
             return executed_if(at, at.machine.find("ATOM") != std::string::npos ||
                                        at.machine.find("RED") != std::string::npos);
         },
         nullptr},
    Rule{Change::spills, "spills", "Registers or arrays are kept in local memory",
         "Allow more registers (-maxrregcount, __launch_bounds__), or hold fewer values at a time; index "
         "arrays that are to stay in registers by constants (unrolled loops).",
         true,
         [](const InstructionCounts& at) {
             return executed_if(at, has_machine(at, "LDL") || has_machine(at, "STL"));
         },
         prove_spills},
    Rule{Change::integer_division, "division",
         "Integer division or remainder, for which the GPU has no instruction",
         "Divide by a power of two that the compiler knows (a template parameter or constant), keep the "
         "index by addition, "
         "or use a mask.",
         true, [](const InstructionCounts& at) { return executed_if(at, divides(at) && !of_floats(at)); },
         nullptr},
    Rule{Change::float_division, "float-division", "Division of floats, rounded as IEEE asks for",
         "Multiply by the reciprocal where the divisor stays the same; __fdividef, or -use_fast_math for "
         "all, where the last bit does not matter.",
         true, [](const InstructionCounts& at) { return executed_if(at, has_machine(at, "DIV.F32")); },
         nullptr},
    Rule{Change::double_precision, "double-precision", "Double precision",
         "Use float where its seven digits will do; look for constants without f, which make an expression "
         "double.",
         true,
         [](const InstructionCounts& at) {
             return executed_if(at, at.ptx.find(".f64") != std::string::npos || has_machine(at, ".F64"));
         },
         prove_double},
    Rule{Change::special_functions, "special-functions",
         "Special functions and conversions, of which an SM has few units",
         "Compute what does not change outside of the loop, or in a table.", true,
         [](const InstructionCounts& at) { return executed_if(at, is_special(at)); }, nullptr},
    Rule{
        Change::constant_serialisation, "constant-serialisation",
        "Lanes read different constants, one after the other",
        "Constant memory is for values that all lanes read at once; keep this table in shared or global "
        "memory.",
        true,
        [](const InstructionCounts& at) { return executed_if(at, operation_of(at).starts_with("ld.const")); },
        nullptr},
    Rule{Change::uneven_blocks, partial_wave_id, "The last blocks leave a part of the GPU without work",
         "A grid that fills whole waves: a loop over the grid (grid stride) with as many blocks as fit at "
         "once.",
         true, nullptr, prove_waves},
    Rule{Change::block_starts, block_rate_id, "Blocks end faster than the GPU starts new ones",
         "Fewer blocks that do more each: several elements a thread, or larger blocks.", true, nullptr,
         prove_block_rate},
    Rule{Change::partial_warps, block_size_id, "The block's size is no multiple of a warp",
         "Take a multiple of 32, 128 or 256 for a start.", true, nullptr, prove_block_size},
};

}  // namespace

std::span<const Rule> thread_rules() { return rules; }

}  // namespace lockstep::explain
