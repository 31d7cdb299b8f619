#include "cli/list-metrics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <set>

#include "metrics/metrics-doc.h"

namespace lockstep::cli {
namespace {

// Text broken into lines of at most `width`, each with `indent` before it.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t width) {
    std::string result, line;
    const auto flush = [&] {
        if (!line.empty()) result += std::string(indent, ' ') + line + '\n';
        line.clear();
    };
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        const std::string word = text.substr(begin, end - begin);
        if (!line.empty() && indent + line.size() + 1 + word.size() > width) flush();
        line += (line.empty() ? "" : " ") + word;
        begin = end + 1;
    }
    flush();
    return result;
}

// Each metric once, whatever names it was chosen by.
std::vector<const metrics::Metric*> distinct(std::span<const metrics::Selected> selected) {
    std::vector<const metrics::Metric*> result;
    std::set<const metrics::Metric*> seen;
    for (const metrics::Selected& one : selected)
        if (seen.insert(one.metric).second) result.push_back(one.metric);
    return result;
}

}  // namespace

std::string list_metrics(std::span<const metrics::Selected> selected) {
    std::string text;
    for (const metrics::Metric* metric : distinct(selected)) {
        text += fmt::format("{}\n", fmt::join(metric->names, "\n"));
        text += fmt::format("    {} [{}, {}; {}]\n", metric->title, metrics::unit_name(metric->unit),
                            metrics::kind_name(metric->kind), fmt::join(metric->groups, ", "));
        text += wrapped(metric->definition, 4, 110);
    }
    return text;
}

std::string list_metrics_json(std::span<const metrics::Selected> selected) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const metrics::Metric* metric : distinct(selected))
        list.push_back({{"names", metric->names},
                        {"title", metric->title},
                        {"unit", metrics::unit_name(metric->unit)},
                        {"kind", metrics::kind_name(metric->kind)},
                        {"groups", metric->groups},
                        {"definition", metric->definition}});
    return list.dump(2) + '\n';
}

}  // namespace lockstep::cli
