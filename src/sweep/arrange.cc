#include "sweep/arrange.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/time-words.h"
#include "sweep/reason.h"

namespace lockstep::sweep {
namespace {

std::vector<std::string> kernels_of(const Sweep& sweep) {
    std::vector<std::string> names;
    for (const Outcome& outcome : sweep.outcomes)
        for (const KernelOutcome& kernel : outcome.kernels)
            if (outcome.failure.empty() && std::find(names.begin(), names.end(), kernel.name) == names.end())
                names.push_back(kernel.name);
    if (names.empty()) names.emplace_back();
    return names;
}

Row row_of(const Sweep& sweep, std::size_t point, const std::string& kernel, const Sorting& sorting) {
    const Outcome& outcome = sweep.outcomes[point];
    Row row{.point = point, .failure = outcome.failure};
    if (!row.failure.empty()) return row;
    row.kernel = outcome.kernel(kernel);
    if (row.kernel)
        row.key = row.kernel->value(*sorting.metric.metric);
    else
        row.failure = "this kernel was not launched";
    return row;
}

void explain(const Sweep& sweep, std::vector<Row>& rows) {
    const Row& best = rows.front();
    if (sweep.models.empty()) return;
    const Facts of_best{*best.kernel, sweep.models[best.point]};
    for (Row& row : rows) {
        if (!row.key) continue;
        if (!row.best)
            row.reason = why_slower({*row.kernel, sweep.models[row.point]}, of_best, row.ratio.value_or(1));
        else if (row.kernel->bound)
            row.reason = fmt::format("bound by {}", report::bound_text(*row.kernel->bound));
    }
}

}  // namespace

bool Sorting::by_time() const { return metric.metric->names[0] == default_sorting; }

Result<Sorting> parse_sorting(const std::string& text) {
    Sorting sorting;
    std::string name = text;
    for (const bool largest : {false, true}) {
        const std::string ending = largest ? ":desc" : ":asc";
        if (!name.ends_with(ending)) continue;
        sorting.largest_first = largest;
        name.resize(name.size() - ending.size());
        break;
    }
    auto selected = metrics::select_metrics(name);
    if (!selected) return selected.error();
    if (selected->size() != 1)
        return Error{fmt::format("--sort {}: these are {} metrics, one is needed", name, selected->size()),
                     {}};
    sorting.metric = selected->front();
    return sorting;
}

std::vector<KernelRows> arrange(const Sweep& sweep, const Sorting& sorting) {
    std::vector<KernelRows> result;
    for (const std::string& kernel : kernels_of(sweep)) {
        std::vector<Row> rows;
        for (std::size_t p = 0; p < sweep.points.size(); ++p)
            rows.push_back(row_of(sweep, p, kernel, sorting));
        std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
            if (a.failure.empty() != b.failure.empty()) return a.failure.empty();
            if (a.key.has_value() != b.key.has_value()) return a.key.has_value();
            if (!a.key) return false;
            return sorting.largest_first ? *a.key > *b.key : *a.key < *b.key;
        });
        if (const auto best = rows.front().key) {
            rows.front().best = true;
            for (Row& row : rows)
                if (row.key && *best != 0) row.ratio = *row.key / *best;
            if (sorting.by_time() && !sorting.largest_first) explain(sweep, rows);
        }
        result.push_back({kernel, std::move(rows)});
    }
    return result;
}

}  // namespace lockstep::sweep
