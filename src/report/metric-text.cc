#include "report/metric-text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace lockstep::report {
namespace {

bool is_whole(double value) { return std::abs(value) < 9e15 && value == std::floor(value); }

// Five significant digits and a unit of a thousand.
std::string scaled(double value, std::string_view suffix) {
    constexpr std::array prefixes = {"", "K", "M", "G", "T", "P"};
    std::size_t step = 0;
    while (std::abs(value) >= 1000 && step + 1 < prefixes.size()) {
        value /= 1000;
        ++step;
    }
    return step == 0 && is_whole(value) ? fmt::format("{:.0f}{}", value, suffix)
                                        : fmt::format("{:#.5g}{}{}", value, prefixes[step], suffix);
}

}  // namespace

std::string value_text(std::optional<double> value, metrics::Unit unit) {
    if (!value) return "n/a";
    switch (unit) {
        case metrics::Unit::percent: return fmt::format("{:.2f}%", *value);
        case metrics::Unit::ratio: return fmt::format("{:.6f}", *value);
        case metrics::Unit::bytes: return scaled(*value, "B");
        case metrics::Unit::bytes_per_second: return scaled(*value, "B/s");
        case metrics::Unit::nanoseconds: return duration_text(*value);
        case metrics::Unit::cycles:
        case metrics::Unit::count: break;
    }
    return is_whole(*value) ? fmt::format("{:.0f}", *value) : fmt::format("{:.2f}", *value);
}

std::string duration_text(double nanoseconds) {
    constexpr std::array units = {"ns", "us", "ms", "s"};
    std::size_t step = 0;
    for (; std::abs(nanoseconds) >= 1000 && step + 1 < units.size(); ++step) nanoseconds /= 1000;
    return step == 0 ? fmt::format("{:.0f}ns", nanoseconds)
                     : fmt::format("{:#.5g}{}", nanoseconds, units[step]);
}

std::string exact_text(double value) {
    return is_whole(value) ? fmt::format("{:.0f}", value) : fmt::format("{}", value);
}

}  // namespace lockstep::report
