#include "measure/ncu-metrics.h"

#include <algorithm>
#include <array>
#include <limits>

namespace lockstep::measure {
namespace {

constexpr double lanes = 32;
constexpr std::array thread_formulas = {
    Formula{"achieved_occupancy",
            [](Figures& f) { return f("sm__warps_active.avg.pct_of_peak_sustained_active") / percent; }},
    Formula{"branch_efficiency",
            [](Figures& f) {
                const double share = f("smsp__sass_average_branch_targets_threads_uniform.pct");
                // There is nothing to tell where there are no branches.
                return f("smsp__sass_branch_targets.sum") != 0 ? share
                                                               : std::numeric_limits<double>::quiet_NaN();
            }},
    Formula{
        "warp_execution_efficiency",
        [](Figures& f) { return percent / lanes * f("smsp__thread_inst_executed_per_inst_executed.ratio"); }},
    Formula{"warp_nonpred_execution_efficiency",
            [](Figures& f) {
                return percent / lanes * f("smsp__thread_inst_executed_pred_on_per_inst_executed.ratio");
            }},
    Formula{"gld_transactions",
            [](Figures& f) { return f("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"); }},
    Formula{"gst_transactions",
            [](Figures& f) { return f("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"); }},
    Formula{"gld_transactions_per_request",
            [](Figures& f) {
                return f.ratio("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                               "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum");
            }},
    Formula{"gst_transactions_per_request",
            [](Figures& f) {
                return f.ratio("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
                               "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum");
            }},
    Formula{"dram_read_transactions", [](Figures& f) { return f("dram__sectors_read.sum"); }},
    Formula{"dram_write_transactions", [](Figures& f) { return f("dram__sectors_write.sum"); }},
};

// "unit__quantity.suffix" is ncu's; what begins with our own name no GPU has.
bool is_ncus(std::string_view name) {
    return name.find("__") != std::string_view::npos && !name.starts_with("lockstep__") &&
           name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.") == std::string_view::npos;
}

}  // namespace

std::span<const Formula> ncu_formulas() { return thread_formulas; }

std::vector<std::string> ncu_names(std::span<const metrics::Selected> selected) {
    std::vector<std::string> names;
    const auto add = [&](const std::string& name) {
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    };
    for (const metrics::Selected& one : selected) {
        const auto own = std::ranges::find_if(one.metric->names, is_ncus);
        if (own != one.metric->names.end())
            add(*own);
        else
            for (const std::string& name : figures_of(thread_formulas, *one.metric)) add(name);
    }
    return names;
}

}  // namespace lockstep::measure
