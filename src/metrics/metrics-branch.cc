#include "metrics/metric-table.h"

namespace lockstep::metrics {

std::vector<Metric> branch_metrics() {
    using Counts = const Launch&;
    return {
        {.names = {"branch_efficiency"},
         .unit = Unit::percent,
         .kind = Kind::modelled,
         .groups = {"branch", "default"},
         .title = "Branch Efficiency",
         .definition =
             "100 × (branches − divergent branches) / branches, over the branch instructions that the "
             "machine executes; predicated instructions and predicated exits are none. 100 where there "
             "is no branch, as nvprof has it.",
         .value = [](Counts c) -> std::optional<double> {
             return ratio(c.totals.branches - c.totals.divergent_branches, c.totals.branches, 100)
                 .value_or(100);
         }},
        {.names = {"smsp__sass_average_branch_targets_threads_uniform.pct"},
         .unit = Unit::percent,
         .kind = Kind::modelled,
         .groups = {"branch"},
         .title = "Branch Efficiency",
         .definition = "As branch_efficiency, but 0 where there is no branch, as ncu has it.",
         .value =
             [](Counts c) {
                 return ratio_or_zero(c.totals.branches - c.totals.divergent_branches, c.totals.branches,
                                      100);
             }},
        {.names = {"smsp__sass_branch_targets.sum"},
         .unit = Unit::count,
         .kind = Kind::modelled,
         .groups = {"branch"},
         .title = "Branches",
         .definition = "Branch instructions executed, one a warp.",
         .value = [](Counts c) { return number(c.totals.branches); }},
        {.names = {"smsp__sass_branch_targets_threads_divergent.sum", "divergent_branch"},
         .unit = Unit::count,
         .kind = Kind::modelled,
         .groups = {"branch", "default"},
         .title = "Divergent Branches",
         .definition = "Branch instructions that sent lanes of a warp different ways.",
         .value = [](Counts c) { return number(c.totals.divergent_branches); }},
        {.names = {"smsp__sass_branch_targets_threads_uniform.sum"},
         .unit = Unit::count,
         .kind = Kind::modelled,
         .groups = {"branch"},
         .title = "Uniform Branches",
         .definition = "Branch instructions that kept the active lanes of their warp together.",
         .value = [](Counts c) { return number(c.totals.branches - c.totals.divergent_branches); }},
        {.names = {"Branch"},
         .unit = Unit::ratio,
         .kind = Kind::modelled,
         .groups = {"branch", "amd"},
         .title = "Branches per Warp",
         .definition = "omniperf's: branch instructions executed / warps launched.",
         .value = [](Counts c) { return ratio(c.totals.branches, c.totals.warps); },
         .vendor = Vendor::both},
    };
}

}  // namespace lockstep::metrics
