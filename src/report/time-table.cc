#include "report/time-table.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/metric-text.h"
#include "report/run-info.h"
#include "report/time-words.h"

namespace lockstep::report {

std::vector<KernelTime> kernel_times(const RunFile& run) {
    std::vector<KernelTime> result;
    const auto index = run.metric(time_metric);
    if (!index) return result;
    double all = 0;
    for (const KernelResult& kernel : run.kernels) {
        const Aggregate& time = kernel.metrics[*index];
        if (time.count == 0) continue;
        result.push_back({&kernel, time});
        all += time.sum;
    }
    for (KernelTime& one : result) one.percent = all > 0 ? 100 * one.time.sum / all : 0;
    std::stable_sort(result.begin(), result.end(),
                     [](const KernelTime& a, const KernelTime& b) { return a.time.sum > b.time.sum; });
    return result;
}

std::vector<std::string> bound_lines(const KernelResult& kernel) {
    std::vector<std::string> lines;
    if (!kernel.bounds.empty()) {
        const BoundLaunches& main = kernel.bounds.front();
        const std::string some =
            kernel.bounds.size() == 1 ? "" : fmt::format(" in {} of {} launches", main.launches, kernel.kept);
        lines.push_back(
            fmt::format("bound by {}{}: {}", bound_text(main.bound), some, bound_explanation(main.bound)));
    }
    if (const std::string states = states_text(kernel.warp_cycles); !states.empty())
        lines.push_back("warps: " + states);
    return lines;
}

std::optional<Table> time_table(const RunFile& run) {
    const std::vector<KernelTime> times = kernel_times(run);
    if (times.empty()) return {};
    Table table{{{"Time(%)", Align::right},
                 {"Time", Align::right},
                 {"Calls", Align::right},
                 {"Avg", Align::right},
                 {"Min", Align::right},
                 {"Max", Align::right},
                 {fmt::format("Name (times are {})", times_are(run.info))}}};
    const auto time_cell = [](double ns) { return Cell(duration_text(ns), ns, metrics::Kind::predicted); };
    for (const KernelTime& one : times) {
        const Aggregate& time = one.time;
        table.row({Cell(fmt::format("{:.2f}%", one.percent), one.percent, metrics::Kind::predicted),
                   time_cell(time.sum), count_cell(time.count), time_cell(time.average()),
                   time_cell(time.min), time_cell(time.max), one.kernel->name});
        for (const std::string& line : bound_lines(*one.kernel)) table.remark(line);
    }
    return table;
}

}  // namespace lockstep::report
