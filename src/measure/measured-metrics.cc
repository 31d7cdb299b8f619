#include "measure/measured-metrics.h"

#include <algorithm>
#include <array>
#include <set>

namespace lockstep::measure {
namespace {

// nvprof's metrics that newer GPUs have under no name of their own: each is one of ncu's, or two in relation.
struct Derived {
    std::string_view name;
    double scale;
    std::string_view of;
    std::string_view over = {};
    std::string_view if_any = {};  // there is nothing to tell where this is 0
};

constexpr double percent = 100, lanes = 32;
constexpr std::array derived = {
    Derived{"achieved_occupancy", 1 / percent, "sm__warps_active.avg.pct_of_peak_sustained_active"},
    Derived{"branch_efficiency",
            1,
            "smsp__sass_average_branch_targets_threads_uniform.pct",
            {},
            "smsp__sass_branch_targets.sum"},
    Derived{"warp_execution_efficiency", percent / lanes,
            "smsp__thread_inst_executed_per_inst_executed.ratio"},
    Derived{"warp_nonpred_execution_efficiency", percent / lanes,
            "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio"},
    Derived{"gld_transactions", 1, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
    Derived{"gst_transactions", 1, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
    Derived{"gld_transactions_per_request", 1, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
            "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"},
    Derived{"gst_transactions_per_request", 1, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
            "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"},
    Derived{"dram_read_transactions", 1, "dram__sectors_read.sum"},
    Derived{"dram_write_transactions", 1, "dram__sectors_write.sum"},
};

// "unit__quantity.suffix" is ncu's; what begins with our own name no GPU has.
bool is_ncus(std::string_view name) {
    return name.find("__") != std::string_view::npos && !name.starts_with("lockstep__") &&
           name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.") == std::string_view::npos;
}

const Derived* find_derived(const metrics::Metric& metric) {
    for (const std::string& name : metric.names)
        for (const Derived& one : derived)
            if (one.name == name) return &one;
    return nullptr;
}

std::optional<double> value_named(const MeasuredLaunch& launch, std::string_view name) {
    const auto found = launch.values.find(name);
    return found == launch.values.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> value_of(const MeasuredLaunch& launch, const metrics::Metric& metric) {
    for (const std::string& name : metric.names)
        if (const auto value = value_named(launch, name)) return value;
    const Derived* const formula = find_derived(metric);
    if (!formula) return {};
    if (!formula->if_any.empty() && value_named(launch, formula->if_any).value_or(0) == 0) return {};
    const auto value = value_named(launch, formula->of);
    if (!value || formula->over.empty()) return value ? std::optional(*value * formula->scale) : value;
    const auto whole = value_named(launch, formula->over);
    if (!whole || *whole == 0) return {};
    return formula->scale * *value / *whole;
}

}  // namespace

std::vector<std::string> ncu_names(std::span<const metrics::Selected> selected) {
    std::vector<std::string> names;
    const auto add = [&](std::string_view name) {
        if (!name.empty() && std::ranges::find(names, name) == names.end()) names.emplace_back(name);
    };
    for (const metrics::Selected& one : selected) {
        const auto own = std::ranges::find_if(one.metric->names, is_ncus);
        if (own != one.metric->names.end())
            add(*own);
        else if (const Derived* const formula = find_derived(*one.metric))
            add(formula->of), add(formula->over), add(formula->if_any);
    }
    return names;
}

std::vector<std::optional<double>> metric_values(const MeasuredLaunch& launch) {
    std::vector<std::optional<double>> values;
    for (const metrics::Metric& metric : metrics::metrics())
        values.push_back(metric.vendor == metrics::Vendor::amd ? std::nullopt : value_of(launch, metric));
    return values;
}

}  // namespace lockstep::measure
