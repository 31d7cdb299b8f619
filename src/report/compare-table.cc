#include "report/compare-table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "base/demangle.h"
#include "report/export.h"
#include "report/kernel-filter.h"
#include "report/metric-text.h"

namespace lockstep::report {
namespace {

using Kernels = std::vector<const KernelResult*>;

Result<Kernels> kernels_of(const Side& side) {
    Kernels result;
    std::string names;
    for (const KernelResult& kernel : side.run.kernels) {
        names += (names.empty() ? "" : ", ") + base::short_kernel_name(kernel.name);
        if (!side.kernel || names_kernel(*side.kernel, kernel.name)) result.push_back(&kernel);
    }
    if (side.kernel && result.empty())
        return Error{fmt::format("no kernel '{}' in {}; it has {}", *side.kernel, side.run.file().string(),
                                 names.empty() ? "none" : names),
                     {}};
    if (side.kernel && result.size() > 1)
        return Error{fmt::format("'{}' names several kernels in {}: {}", *side.kernel,
                                 side.run.file().string(), names),
                     {}};
    return result;
}

std::optional<double> average(const Side& side, const KernelResult* kernel, const metrics::Metric& metric) {
    const auto index = side.run.metric(metric.names[0]);
    if (!kernel || !index || kernel->metrics[*index].count == 0) return {};
    return kernel->metrics[*index].average();
}

ComparedKernel pair(const Side& a, const KernelResult* from_a, const Side& b, const KernelResult* from_b,
                    std::span<const metrics::Selected> selected) {
    ComparedKernel result{from_a ? from_a->name : "", from_b ? from_b->name : "", {}};
    for (const metrics::Selected& one : selected)
        result.metrics.push_back(
            {one.name, one.metric, average(a, from_a, *one.metric), average(b, from_b, *one.metric)});
    return result;
}

std::optional<double> ratio(const ComparedMetric& metric) {
    if (!metric.a || !metric.b) return {};
    if (*metric.a == *metric.b) return 1.0;
    if (*metric.a == 0) return {};
    return *metric.b / *metric.a;
}

std::string ratio_text(const ComparedMetric& metric) {
    if (metric.a && metric.b && *metric.a == *metric.b) return "same";
    const auto value = ratio(metric);
    return value ? fmt::format("{:.3f}x", *value) : "-";
}

}  // namespace

Result<std::vector<ComparedKernel>> compare(const Side& a, const Side& b,
                                            std::span<const metrics::Selected> selected) {
    auto from_a = kernels_of(a);
    if (!from_a) return from_a.error();
    auto from_b = kernels_of(b);
    if (!from_b) return from_b.error();
    std::vector<ComparedKernel> result;
    if (a.kernel && b.kernel) {
        result.push_back(pair(a, from_a->front(), b, from_b->front(), selected));
        return result;
    }
    Kernels left = *from_b;
    const auto take = [&](const KernelResult* kernel) -> const KernelResult* {
        for (const bool whole : {true, false})
            for (auto it = left.begin(); it != left.end(); ++it) {
                const bool same =
                    whole ? (*it)->name == kernel->name
                          : base::short_kernel_name((*it)->name) == base::short_kernel_name(kernel->name);
                if (!same) continue;
                const KernelResult* found = *it;
                left.erase(it);
                return found;
            }
        return nullptr;
    };
    for (const KernelResult* kernel : *from_a) {
        const KernelResult* partner = take(kernel);
        if (partner || !b.kernel) result.push_back(pair(a, kernel, b, partner, selected));
    }
    for (const KernelResult* kernel : left)
        if (!a.kernel) result.push_back(pair(a, nullptr, b, kernel, selected));
    return result;
}

Document compare_report(const Side& a, const Side& b, std::span<const ComparedKernel> kernels) {
    Table table{{{"Metric Name"},
                 {"Metric Description"},
                 {"A", Align::right},
                 {"B", Align::right},
                 {"B/A", Align::right},
                 {""}}};
    Lines missing;  // what is not in the table
    for (const ComparedKernel& kernel : kernels) {
        if (kernel.a.empty() || kernel.b.empty()) {
            missing.lines.push_back(fmt::format("only in {}: {}", kernel.a.empty() ? "B" : "A",
                                                kernel.a.empty() ? kernel.b : kernel.a));
            continue;
        }
        table.title(kernel.a == kernel.b ? "Kernel: " + kernel.a
                                         : fmt::format("Kernel: {} | {}", kernel.a, kernel.b));
        for (const ComparedMetric& metric : kernel.metrics)
            table.row({metric.name, metric.metric->title, value_cell(metric.a, *metric.metric),
                       value_cell(metric.b, *metric.metric),
                       Cell(ratio_text(metric), ratio(metric), metric.metric->kind),
                       metric.metric->kind == metrics::Kind::predicted ? "predicted" : ""});
    }
    for (const auto& [name, side] : {std::pair("A", &a), std::pair("B", &b)})
        for (const std::string& gap : side->run.gaps)
            missing.lines.push_back(fmt::format("{} is not complete: {}", name, gap));
    Lines sides{{"A: " + a.label, "B: " + b.label}};
    return {.sections = {{.parts = {std::move(sides), std::move(table), std::move(missing)}}}};
}

std::string compare_json(const Side& a, const Side& b, std::span<const ComparedKernel> kernels) {
    const auto number = [](std::optional<double> value) {
        return value ? nlohmann::ordered_json(*value) : nullptr;
    };
    const auto name = [](const std::string& text) {
        return text.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(text);
    };
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const ComparedKernel& kernel : kernels) {
        nlohmann::ordered_json metrics = nlohmann::ordered_json::object();
        for (const ComparedMetric& metric : kernel.metrics)
            metrics[metric.name] = {
                {"a", number(metric.a)}, {"b", number(metric.b)}, {"ratio", number(ratio(metric))}};
        list.push_back({{"a", name(kernel.a)}, {"b", name(kernel.b)}, {"metrics", metrics}});
    }
    const nlohmann::ordered_json all = {{"a", a.label},
                                        {"b", b.label},
                                        {"complete", {{"a", a.run.complete()}, {"b", b.run.complete()}}},
                                        {"kernels", list}};
    return all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

std::string compare_csv(std::span<const ComparedKernel> kernels) {
    std::string text = csv_line({"kernel_a", "kernel_b", "metric", "a", "b", "ratio"});
    const auto cell = [](std::optional<double> value) { return value ? exact_text(*value) : std::string(); };
    for (const ComparedKernel& kernel : kernels)
        for (const ComparedMetric& metric : kernel.metrics)
            text += csv_line(
                {kernel.a, kernel.b, metric.name, cell(metric.a), cell(metric.b), cell(ratio(metric))});
    return text;
}

}  // namespace lockstep::report
