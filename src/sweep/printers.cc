#include "sweep/printers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/export.h"
#include "report/metric-text.h"

namespace lockstep::sweep {
namespace {

using metrics::Unit;

// The columns that are always there, with short heads.
constexpr std::pair<const char*, const char*> usual[] = {
    {"gpu__time_duration.sum", "time"},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", "occupancy"},
    {"sm__maximum_warps_per_active_cycle_pct", "theoretical"},
    {"dram__throughput.avg.pct_of_peak_sustained_elapsed", "DRAM"},
};

std::string head(const metrics::Selected& metric) {
    for (const auto& [name, short_head] : usual)
        if (metric.name == name) return short_head;
    return metric.name;
}

std::string time_text(double ns) {
    if (ns < 1e3) return fmt::format("{:.0f} ns", ns);
    if (ns < 1e6) return fmt::format("{:.2f} us", ns / 1e3);
    if (ns < 1e9) return fmt::format("{:.3f} ms", ns / 1e6);
    return fmt::format("{:.3f} s", ns / 1e9);
}

std::string text_of(std::optional<double> value, const metrics::Metric& metric) {
    if (value && metric.unit == Unit::nanoseconds) return time_text(*value);
    if (value && metric.unit == Unit::percent) return fmt::format("{:.1f}%", *value);
    return report::value_text(value, metric.unit);
}

std::string shape(const std::array<std::uint32_t, 3>& extents) {
    std::size_t last = 3;
    while (last > 1 && extents[last - 1] == 1) --last;
    return fmt::format("{}", fmt::join(extents.begin(), extents.begin() + last, "x"));
}

bool has_axis(const Sweep& sweep, Axis::Kind kind) {
    return std::any_of(sweep.axes.begin(), sweep.axes.end(),
                       [&](const Axis& axis) { return axis.kind == kind; });
}

std::optional<double> value_of(const Row& row, const metrics::Selected& metric) {
    return row.kernel ? row.kernel->value(*metric.metric) : std::nullopt;
}

std::vector<metrics::Selected> columns(std::span<const Row> rows, const Shown& shown) {
    std::vector<metrics::Selected> result = {shown.sorting.metric};
    for (const metrics::Selected& metric : shown.metrics) {
        const bool any = std::any_of(rows.begin(), rows.end(),
                                     [&](const Row& row) { return value_of(row, metric).has_value(); });
        const bool there = std::any_of(result.begin(), result.end(), [&](const metrics::Selected& other) {
            return other.metric == metric.metric;
        });
        if (!there && (any || !shown.only_with_values)) result.push_back(metric);
    }
    return result;
}

report::Table rows_table(const Sweep& sweep, const KernelRows& kernel, const Shown& shown) {
    using report::Align;
    using report::Cell;
    const auto metrics = columns(kernel.rows, shown);
    const bool own_block = !has_axis(sweep, Axis::Kind::block);
    const bool keyed = kernel.rows.front().best;
    report::Table table{{{""}}};
    for (const Axis& axis : sweep.axes) table.columns.push_back({axis.name});
    table.columns.push_back({"grid"});
    if (own_block) table.columns.push_back({"block"});
    for (std::size_t m = 0; m < metrics.size(); ++m) {
        table.columns.push_back(
            {.head = head(metrics[m]), .align = Align::right, .explanation = metrics[m].metric->title});
        if (m == 0 && keyed) table.columns.push_back({"of best", Align::right});
    }
    table.columns.emplace_back();  // why it is slower, or failed
    for (const Row& row : kernel.rows) {
        std::vector<Cell> cells = {row.best ? "*" : ""};
        const Point& point = sweep.points[row.point];
        cells.insert(cells.end(), point.begin(), point.end());
        cells.emplace_back(row.kernel ? shape(row.kernel->grid) : "-");
        if (own_block) cells.emplace_back(row.kernel ? shape(row.kernel->block) : "-");
        for (std::size_t m = 0; m < metrics.size(); ++m) {
            const metrics::Metric& metric = *metrics[m].metric;
            const auto value = value_of(row, metrics[m]);
            cells.push_back(row.kernel ? Cell(text_of(value, metric), value, metric.kind) : "-");
            if (m == 0 && keyed)
                cells.push_back(row.ratio ? Cell(fmt::format("{:.2f}x", *row.ratio), row.ratio, metric.kind)
                                          : "-");
        }
        cells.emplace_back(row.failure.empty() ? row.reason : "failed: " + row.failure);
        table.row(std::move(cells), row.best);
    }
    return table;
}

std::vector<std::string> notes(const Sweep& sweep, const KernelRows& kernel, const Shown& shown) {
    std::vector<std::string> result;
    const auto& first = kernel.rows.front();
    if (first.kernel && !first.best)
        result.push_back(fmt::format(
            "{} has no value here: the rows are in the order of the points; --sort METRIC sorts by another",
            shown.sorting.metric.name));
    std::vector<std::string> reaching;
    for (const Row& row : kernel.rows) {
        const auto added = row.kernel ? row.kernel->value("launch__thread_count_added") : std::nullopt;
        const auto all = row.kernel ? row.kernel->value("launch__thread_count") : std::nullopt;
        if (added && all && *added > 0)
            reaching.push_back(fmt::format("{} ({:.2g} % more)", to_string(sweep.points[row.point]),
                                           100 * *added / (*all - *added)));
    }
    for (const Row& row : kernel.rows)
        for (const std::string& gap : sweep.outcomes[row.point].gaps)
            if (row.failure.empty())
                result.push_back(
                    fmt::format("{}: not complete: {}", to_string(sweep.points[row.point]), gap));
    if (!reaching.empty())
        result.push_back(fmt::format(
            "these blocks do not divide the grid, more threads run than the program asked for: {}",
            fmt::join(reaching, ", ")));
    return result;
}

// Whether all that the point has launched is known.
bool is_complete(const Sweep& sweep, const Row& row) {
    return row.failure.empty() && sweep.outcomes[row.point].gaps.empty();
}

nlohmann::ordered_json number(std::optional<double> value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

}  // namespace

Result<std::vector<metrics::Selected>> default_metrics() {
    std::string list;
    for (const auto& [name, short_head] : usual) list += (list.empty() ? "" : ",") + std::string(name);
    return metrics::select_metrics(list);
}

report::Document document(const Sweep& sweep, std::span<const KernelRows> kernels, const Shown& shown) {
    report::Document result;
    if (!shown.measured_on.empty()) result.title = fmt::format("measured on {}", shown.measured_on);
    for (const KernelRows& kernel : kernels)
        result.sections.push_back(
            {kernel.kernel,
             {rows_table(sweep, kernel, shown), report::Lines{notes(sweep, kernel, shown)}},
             !result.sections.empty()});
    return result;
}

std::string json(const Sweep& sweep, std::span<const KernelRows> kernels, const Shown& shown) {
    using Json = nlohmann::ordered_json;
    Json list = Json::array();
    for (const KernelRows& kernel : kernels) {
        const auto metrics = columns(kernel.rows, shown);
        Json rows = Json::array();
        for (const Row& row : kernel.rows) {
            Json configuration = Json::object(), values = Json::object();
            for (std::size_t a = 0; a < sweep.axes.size(); ++a)
                configuration[sweep.axes[a].name] = sweep.points[row.point][a];
            for (const metrics::Selected& metric : metrics)
                values[metric.name] = number(value_of(row, metric));
            Json one = {{"configuration", configuration}, {"best", row.best}, {"ratio", number(row.ratio)}};
            one["failure"] = row.failure.empty() ? Json(nullptr) : Json(row.failure);
            one["complete"] = is_complete(sweep, row);
            if (row.kernel) {
                one["gpu"] = sweep.outcomes[row.point].gpu;
                one["launches"] = row.kernel->launches;
                one["grid"] = row.kernel->grid;
                one["block"] = row.kernel->block;
                one["metrics"] = values;
                one["reason"] = row.reason;
            }
            rows.push_back(std::move(one));
        }
        list.push_back({{"kernel", kernel.kernel}, {"sorted_by", shown.sorting.metric.name}, {"rows", rows}});
    }
    Json all = {{"kernels", list}};
    if (!shown.measured_on.empty()) all["measured_on"] = shown.measured_on;
    return all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

std::string csv(const Sweep& sweep, std::span<const KernelRows> kernels, const Shown& shown) {
    const auto cell = [](std::optional<double> value) {
        return value ? report::exact_text(*value) : std::string();
    };
    Shown every = shown;
    every.only_with_values = false;  // one head for all kernels
    std::vector<std::string> line = {"kernel"};
    for (const Axis& axis : sweep.axes) line.push_back(axis.name);
    for (const char* name : {"launches", "grid_x", "grid_y", "grid_z", "block_x", "block_y", "block_z"})
        line.emplace_back(name);
    for (const metrics::Selected& metric : columns({}, every)) line.push_back(metric.name);
    for (const char* name : {"ratio", "best", "reason", "failure", "complete"}) line.emplace_back(name);
    std::string text = report::csv_line(line);
    for (const KernelRows& kernel : kernels)
        for (const Row& row : kernel.rows) {
            line = {kernel.kernel};
            for (const std::string& value : sweep.points[row.point]) line.push_back(value);
            line.push_back(row.kernel ? std::to_string(row.kernel->launches) : "");
            for (const bool block : {false, true})
                for (std::size_t d = 0; d < 3; ++d)
                    line.push_back(
                        row.kernel ? std::to_string((block ? row.kernel->block : row.kernel->grid)[d]) : "");
            for (const metrics::Selected& metric : columns({}, every))
                line.push_back(cell(value_of(row, metric)));
            line.insert(line.end(), {cell(row.ratio), row.best ? "1" : "0", row.reason, row.failure,
                                     is_complete(sweep, row) ? "1" : "0"});
            text += report::csv_line(line);
        }
    return text;
}

}  // namespace lockstep::sweep
