#include "metrics/metrics-doc.h"

#include <fmt/format.h>

#include <iterator>

namespace lockstep::metrics {

std::string_view unit_name(Unit unit) {
    switch (unit) {
        case Unit::count:
        case Unit::ratio: return "";
        case Unit::percent: return "%";
        case Unit::bytes: return "bytes";
        case Unit::bytes_per_second: return "bytes/s";
        case Unit::nanoseconds: return "ns";
        case Unit::cycles: return "cycles";
        case Unit::hertz: return "Hz";
    }
    return "";
}

std::string_view kind_name(Kind kind) {
    switch (kind) {
        case Kind::counted: return "counted";
        case Kind::modelled: return "modelled";
        case Kind::predicted: return "predicted";
    }
    return "";
}

std::string metrics_document() {
    std::string text =
        "# Metrics\n\n"
        "Written from the table in `src/counters` (`lockstep profile --list-metrics --markdown`); do not "
        "edit. `lockstep profile --metrics` takes each "
        "name, a "
        "glob\n"
        "(`'*_efficiency'`) or a group.\n\n"
        "*Counted* follows from the program alone. *Modelled* is counted on a model of what the compiler, "
        "the "
        "driver or the\n"
        "caches would do. *Predicted* comes from a model of time\n"
        "([profile.md](profile.md) says how far to trust it).\n";
    // A metric stands under the first of its groups.
    std::vector<std::string> titles;
    for (const Metric& metric : metrics())
        if (titles.empty() || titles.back() != metric.groups.front()) {
            bool known = false;
            for (const std::string& title : titles) known |= title == metric.groups.front();
            if (!known) titles.push_back(metric.groups.front());
        }
    for (const std::string& title : titles) {
        fmt::format_to(std::back_inserter(text),
                       "\n## {}\n\n| names | unit | kind | definition |\n|---|---|---|---|\n",
                       title == "all" ? "in no other group" : title);
        for (const Metric& metric : metrics()) {
            if (metric.groups.front() != title) continue;
            std::string names;
            for (const std::string& name : metric.names)
                names += (names.empty() ? "`" : "<br>`") + name + "`";
            bool in_default = false;
            for (const std::string& group : metric.groups) in_default |= group == "default";
            fmt::format_to(std::back_inserter(text), "| {}{} | {} | {} | {} |\n", names,
                           in_default ? "<br>*(default)*" : "", unit_name(metric.unit),
                           kind_name(metric.kind), metric.definition);
        }
    }
    return text;
}

}  // namespace lockstep::metrics
