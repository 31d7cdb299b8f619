#include "report/kernel-table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/demangle.h"
#include "report/metric-text.h"
#include "report/run-info.h"

namespace lockstep::report {

Table kernel_table(const RunFile& run, std::span<const Shown> shown) {
    const bool peaks =
        std::any_of(shown.begin(), shown.end(), [](const Shown& one) { return one.share.has_value(); });
    Table table{{{"Invocations", Align::right},
                 {"Metric Name"},
                 {"Metric Description"},
                 {"Min", Align::right},
                 {"Max", Align::right},
                 {"Avg", Align::right}}};
    if (peaks) table.columns.push_back({"Of Peak", Align::right});
    table.columns.emplace_back();  // what is predicted or estimated
    for (const KernelResult& kernel : run.kernels) {
        table.title("Kernel: " + kernel.name + device_note(run.info, kernel.device) +
                    sample_note(kernel.sampled));
        for (const Shown& one : shown) {
            const Aggregate* value = one.value(kernel);
            const auto cell = [&](double number) {
                return value_cell(value ? std::optional(number) : std::nullopt, one.metric());
            };
            const Aggregate numbers = value ? *value : Aggregate{};
            std::vector<Cell> cells = {count_cell(kernel.launches), one.name(),
                                       one.metric().title,          cell(numbers.min),
                                       cell(numbers.max),           cell(numbers.average())};
            if (peaks) {
                const auto share = one.share_of_peak(kernel);
                cells.push_back(
                    share ? Cell(value_text(share, metrics::Unit::percent), share, one.metric().kind) : "");
            }
            cells.emplace_back(one.is_predicted() ? "predicted" : kernel.estimated() ? "estimated" : "");
            table.row(std::move(cells));
        }
    }
    return table;
}

Result<Table> launch_table(const RunFile& run, std::span<const Shown> shown) {
    Table table{{{"launch", Align::right}, {"kernel"}, {"grid"}, {"block"}}};
    table.letters = true;
    for (const Shown& one : shown)
        table.columns.push_back(
            {.head = one.name(), .align = Align::right, .explanation = one.metric().title});
    std::uint64_t number = 0;
    auto done = run.each_launch([&](const StoredLaunch& stored) {
        const Launch& launch = stored.launch;
        std::vector<Cell> cells = {count_cell(++number),
                                   std::string(2 * std::size_t{launch.depth}, ' ') +
                                       base::short_kernel_name(launch.kernel) +
                                       device_note(run.info, launch.device),
                                   shape_text(launch.grid), shape_text(launch.block)};
        for (const Shown& one : shown) cells.push_back(value_cell(one.value(launch), one.metric()));
        table.row(std::move(cells));
        if (launch.executed_blocks != 0)
            table.remark(
                fmt::format("estimated from {} of {} blocks", launch.executed_blocks, launch.blocks()));
        if (!launch.fault.empty()) table.remark("failed: " + launch.fault);
    });
    if (!done) return done.error();
    return table;
}

}  // namespace lockstep::report
