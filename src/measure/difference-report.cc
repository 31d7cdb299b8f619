#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/demangle.h"
#include "measure/difference.h"
#include "metrics/metrics-doc.h"
#include "report/metric-text.h"
#include "report/run-info.h"
#include "report/wrapped-text.h"

namespace lockstep::measure {
namespace {

using report::Align, report::Cell;

std::string error_text(const MetricDifference& one) {
    const auto error = one.error();
    if (!error) return "0 there";
    if (one.metric->unit == metrics::Unit::percent) return fmt::format("{:+.1f} points", *error);
    return fmt::format("{:+.1f} %", 100 * *error);
}

std::string time_error_text(const KernelDifference& kernel) {
    const auto error = kernel.time_error();
    return error ? fmt::format("{:+.1f} %", 100 * *error) : "-";
}

// Below a row, in as many lines as it takes.
void add_remark(report::Table& table, const std::string& text, std::size_t width) {
    const std::string lines = report::wrapped(text, width, 0, 2);
    for (std::size_t at = 0; at < lines.size();) {
        const std::size_t end = std::min(lines.find('\n', at), lines.size());
        table.remark(lines.substr(at, end - at));
        at = end + 1;
    }
}

report::Table times(std::span<const KernelDifference> kernels, std::size_t width) {
    std::size_t widest = 0;
    for (const KernelDifference& kernel : kernels)
        widest = std::max(widest, base::short_kernel_name(kernel.kernel).size());
    constexpr std::size_t gap = 2, least = 40;
    width = std::max(least, width > widest + gap ? width - widest - gap : 0);
    report::Table table{{{"Kernel"},
                         {"Launches", Align::right},
                         {"Predicted", Align::right},
                         {"Measured", Align::right},
                         {"Error", Align::right}}};
    double sum = 0;
    std::size_t count = 0;
    for (const KernelDifference& kernel : kernels) {
        const std::string name = base::short_kernel_name(kernel.kernel);
        if (kernel.launches == 0) {
            table.row({name, "0", "-", "-", "-"});
            table.remark(kernel.only_measured ? "no such launch was simulated"
                                              : "no such launch was measured");
            continue;
        }
        const bool far = std::abs(kernel.time_error().value_or(0)) > 4 * agreement;
        Cell error(time_error_text(kernel), kernel.time_error());
        error.mood = far ? report::Mood::bad : report::Mood::plain;
        const auto time = [&](double all) {
            return all > 0 ? report::duration_text(all / static_cast<double>(kernel.launches)) : "-";
        };
        table.row({name, report::count_cell(kernel.launches), time(kernel.predicted_time),
                   time(kernel.measured_time), error});
        if (!kernel.cause.empty()) add_remark(table, "likely cause: " + kernel.cause, width);
        if (kernel.only_predicted || kernel.only_measured)
            add_remark(table,
                       fmt::format("launches of other shapes, or more of them: {} simulated, {} measured",
                                   kernel.only_predicted, kernel.only_measured),
                       width);
        if (const auto one = kernel.time_error()) sum += std::abs(*one), ++count;
    }
    if (count > 1)
        table.remark(fmt::format("mean error of the kernels' times: {:.1f} %",
                                 100 * sum / static_cast<double>(count)));
    return table;
}

report::Table metrics_of(const KernelDifference& kernel, const DifferenceView& view) {
    report::Table table{
        {{"Metric"}, {"Predicted", Align::right}, {"Measured", Align::right}, {"Difference", Align::right}}};
    std::size_t shown = 0, others = 0;
    for (const MetricDifference& one : kernel.metrics) {
        if (one.badness() < view.least || shown == view.most_metrics) {
            ++others;
            continue;
        }
        ++shown;
        table.row({one.name, report::value_text(one.predicted, one.metric->unit),
                   report::value_text(one.measured, one.metric->unit), error_text(one)});
    }
    if (others != 0)
        table.remark(
            fmt::format("{} {} {} (--details shows all)", shown == 0 ? "all of" : "and",
                        report::plural(others, "metric", "metrics"),
                        shown == 0 ? fmt::format("within {:.0f} %", 100 * view.least) : "that differ less"));
    return table;
}

}  // namespace

report::Document difference_report(const report::RunFile& predicted, const report::RunFile& measured,
                                   std::span<const KernelDifference> kernels, const DifferenceView& view) {
    report::Document document;
    document.title = fmt::format("{}\n  predicted for {}\n  measured on {}", predicted.info.command,
                                 report::gpu_text(predicted.info, predicted.kernels),
                                 report::gpu_text(measured.info, measured.kernels));
    document.sections.push_back({.parts = {times(kernels, view.width)}});
    for (const KernelDifference& kernel : kernels)
        if (kernel.launches != 0)
            document.sections.push_back({kernel.kernel, {metrics_of(kernel, view)}, true});
    return document;
}

std::string difference_json(const report::RunFile& predicted, const report::RunFile& measured,
                            std::span<const KernelDifference> kernels) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    const auto number = [](std::optional<double> value) {
        return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
    };
    for (const KernelDifference& kernel : kernels) {
        nlohmann::ordered_json metrics = nlohmann::ordered_json::array();
        for (const MetricDifference& one : kernel.metrics)
            metrics.push_back({{"name", one.name},
                               {"unit", metrics::unit_name(one.metric->unit)},
                               {"predicted", one.predicted},
                               {"measured", one.measured},
                               {"error", number(one.error())}});
        rows.push_back({{"kernel", kernel.kernel},
                        {"launches", kernel.launches},
                        {"only_predicted", kernel.only_predicted},
                        {"only_measured", kernel.only_measured},
                        {"predicted_ns", kernel.predicted_time},
                        {"measured_ns", kernel.measured_time},
                        {"error", number(kernel.time_error())},
                        {"cause", kernel.cause},
                        {"metrics", std::move(metrics)}});
    }
    const nlohmann::ordered_json document = {
        {"command", predicted.info.command},
        {"predicted",
         {{"gpu", predicted.info.devices.front().gpu}, {"lockstep", predicted.info.lockstep_version}}},
        {"measured",
         {{"gpu_name", measured.info.devices.front().gpu_name}, {"by", measured.info.measured_by}}},
        {"kernels", std::move(rows)}};
    return document.dump(2) + "\n";
}

}  // namespace lockstep::measure
