#include "measure/likely-cause.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "report/metric-text.h"

namespace lockstep::measure {
namespace {

// A figure that times follow from.
struct Part {
    const char* metric;
    double tolerance;  // relative, or in points
    int sign;          // 1: more of it means a longer time
    const char* what;  // the part of the model that makes it
};

constexpr std::array parts = {
    Part{"sm__maximum_warps_per_active_cycle_pct", 5, -1,
         "occupancy in theory: registers that ptxas gives a thread (machine/, docs/machine-view.md)"},
    Part{"smsp__inst_executed.sum", 0.1, 1,
         "instructions: what ptxas makes of the PTX (docs/machine-view.md)"},
    Part{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 0.1, 1,
         "sectors of loads: accesses that the compiler widened, joined or removed"},
    Part{"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 0.1, 1,
         "sectors of stores: accesses that the compiler widened, joined or removed"},
    Part{"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", 0.1, 1, "conflicts of shared memory's banks"},
    Part{"l1tex__t_sector_hit_rate.pct", 10, -1, "the L1 cache (timing/)"},
    Part{"lts__t_sector_hit_rate.pct", 10, -1, "the L2 cache (timing/)"},
    Part{"dram__bytes.sum", 0.15, 1,
         "what reaches device memory: write-backs and the L2's contents at the launch's begin"},
    Part{"sm__warps_active.avg.pct_of_peak_sustained_active", 10, -1,
         "warps on an SM on average: how blocks begin and end"},
    Part{"sm__cycles_elapsed.avg.per_second", 0.03, -1, "the SMs' clock, which the GPU lowers under load"},
};

// On AMD's GPUs, whose code is LLVM's own on both sides, though perhaps of another version.
constexpr std::array wave_parts = {
    Part{"Arch_VGPR", 0.1, 1, "vector registers, which decide how many wavefronts fit: the compilers differ"},
    Part{"SQ_INSTS", 0.1, 1, "instructions: the compilers differ (lockstep's LLVM and hipcc's)"},
    Part{"SQ_ACTIVE_INST_VALU", 0.1, 1, "cycles of the vector units: what an instruction takes (gcn/)"},
    Part{"TCP_TOTAL_CACHE_ACCESSES_sum", 0.1, 1,
         "lookups in the vector L1: how lanes' addresses become lines (exec/wave)"},
    Part{"SQ_LDS_BANK_CONFLICT", 0.1, 1, "conflicts of the LDS's banks"},
    Part{"vL1D Hit Rate", 10, -1, "the vector L1, one for each work-group in the model (docs/hip.md)"},
    Part{"L2CacheHit", 10, -1, "the L2 cache"},
    Part{"FetchSize", 0.15, 1, "what is read from device memory: the L2's contents at the launch's begin"},
    Part{"WriteSize", 0.15, 1, "what is written to device memory: write-backs"},
    Part{"sm__warps_active.avg.pct_of_peak_sustained_active", 10, -1,
         "wavefronts on a compute unit on average: how work-groups begin and end"},
};

const MetricDifference* find(const KernelDifference& kernel, std::string_view name) {
    for (const MetricDifference& one : kernel.metrics)
        if (std::ranges::find(one.metric->names, name) != one.metric->names.end()) return &one;
    return nullptr;
}

std::string both(const MetricDifference& one) {
    return fmt::format("{} predicted, {} measured", report::value_text(one.predicted, one.metric->unit),
                       report::value_text(one.measured, one.metric->unit));
}

// The state that warps wait in for longer, or shorter, than predicted.
const MetricDifference* wait(const KernelDifference& kernel, bool too_long) {
    const MetricDifference* worst = nullptr;
    double most = 0;
    for (const MetricDifference& one : kernel.metrics) {
        if (!one.metric->names[0].starts_with("smsp__average_warps_issue_stalled_")) continue;
        const double more = (one.predicted - one.measured) * (too_long ? 1 : -1);
        if (more > most) most = more, worst = &one;
    }
    return worst;
}

}  // namespace

std::string likely_cause(const KernelDifference& kernel) {
    const auto error = kernel.time_error();
    if (!error || std::abs(*error) < agreement) return "";
    const bool too_long = *error > 0;
    const bool amd = std::ranges::any_of(kernel.metrics, [](const MetricDifference& one) {
        return one.metric->vendor == metrics::Vendor::amd;
    });
    for (const Part& part : amd ? std::span<const Part>(wave_parts) : std::span<const Part>(parts)) {
        const MetricDifference* const one = find(kernel, part.metric);
        const auto off = one ? one->error() : std::nullopt;
        if (!off || std::abs(*off) <= part.tolerance) continue;
        if ((*off * part.sign > 0) != too_long) continue;
        // What is a little off does not make a time that is far off.
        const bool relative = one->metric->unit != metrics::Unit::percent;
        if (relative && std::abs(*off) < std::abs(*error) / 2) continue;
        return fmt::format("{}: {}", part.what, both(*one));
    }
    if (amd)
        return find(kernel, "SQ_INSTS")
                   ? "the bounds that make the predicted time (timing/wave-time.h): what was counted agrees"
                   : "counters were not measured, and times alone do not tell";
    if (const MetricDifference* const one = wait(kernel, too_long))
        return fmt::format("waiting, with counts that agree: {} ({})", one->metric->title, both(*one));
    return "latencies or rates of the model: everything that was counted agrees";
}

}  // namespace lockstep::measure
