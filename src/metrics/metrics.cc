// The table of metrics, and how a user's words find them in it.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <set>

#include "base/nearest.h"
#include "metrics/metric-table.h"

namespace lockstep::metrics {
namespace {

std::vector<Metric> make_table() {
    std::vector<Metric> table;
    for (auto part : {time_metrics, branch_metrics, instruction_metrics, memory_metrics, throughput_metrics,
                      shared_metrics, texture_metrics, occupancy_metrics, stall_metrics, what_if_metrics,
                      wave_metrics, wave_counters}) {
        std::vector<Metric> metrics = part();
        std::move(metrics.begin(), metrics.end(), std::back_inserter(table));
    }
    for (Metric& metric : table) {
        const bool is_replay =
            !metric.groups.empty() && metric.groups.front() == "what-if";  // which no GPU can do
        if (metric.vendor != Vendor::amd && !is_replay) metric.groups.push_back("nvidia");
        metric.groups.push_back("all");
    }
    return table;
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// What one word stands for, in the order of the table.
std::vector<Selected> find(const std::string& word) {
    std::vector<Selected> found;
    const bool glob = word.find_first_of("*?[") != word.npos;
    for (const Metric& metric : metrics()) {
        const auto name = std::find_if(metric.names.begin(), metric.names.end(), [&](const std::string& n) {
            return glob ? fnmatch(word.c_str(), n.c_str(), 0) == 0 : n == word;
        });
        if (name != metric.names.end()) found.push_back({&metric, *name});
    }
    if (!found.empty() || glob) return found;
    for (const Metric& metric : metrics())
        if (std::find(metric.groups.begin(), metric.groups.end(), word) != metric.groups.end())
            found.push_back({&metric, metric.names.front()});
    return found;
}

Error unknown(const std::string& word) {
    std::vector<std::string> known;
    std::set<std::string> groups;
    for (const Metric& metric : metrics()) {
        known.insert(known.end(), metric.names.begin(), metric.names.end());
        groups.insert(metric.groups.begin(), metric.groups.end());
    }
    known.insert(known.end(), groups.begin(), groups.end());
    std::vector<std::string> near = nearest(word, known);
    near.resize(std::min<std::size_t>(near.size(), 3));
    const std::string hint =
        near.empty() ? fmt::format(" (groups: {}; --list-metrics shows all)", fmt::join(groups, ", "))
                     : fmt::format("; did you mean {}?", fmt::join(near, ", "));
    return {fmt::format("no metric '{}'{}", word, hint), {}};
}

}  // namespace

std::optional<double> value_of(const Metric& metric, const Launch& launch) {
    const Vendor own = launch.waves ? Vendor::amd : Vendor::nvidia;
    if (metric.vendor != Vendor::both && metric.vendor != own) return std::nullopt;
    return metric.value(launch);
}

std::span<const Metric> metrics() {
    static const std::vector<Metric> table = make_table();
    return table;
}

Result<std::vector<Selected>> select_metrics(std::string_view list) {
    std::vector<Selected> selected;
    for (std::size_t at = 0; at <= list.size();) {
        const std::size_t comma = std::min(list.find(',', at), list.size());
        const std::string word(trimmed(list.substr(at, comma - at)));
        at = comma + 1;
        if (word.empty()) continue;
        std::vector<Selected> found = find(word);
        if (found.empty()) return unknown(word);
        for (Selected& one : found) {
            const bool known = std::any_of(selected.begin(), selected.end(), [&](const Selected& s) {
                return s.metric == one.metric && s.name == one.name;
            });
            if (!known) selected.push_back(std::move(one));
        }
    }
    if (selected.empty()) return Error{"no metric was named", {}};
    return selected;
}

}  // namespace lockstep::metrics
