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

std::string value_text(std::optional<double> value, counters::Unit unit) {
    if (!value) return "n/a";
    switch (unit) {
        case counters::Unit::percent: return fmt::format("{:.2f}%", *value);
        case counters::Unit::ratio: return fmt::format("{:.6f}", *value);
        case counters::Unit::bytes: return scaled(*value, "B");
        case counters::Unit::bytes_per_second: return scaled(*value, "B/s");
        case counters::Unit::nanoseconds:
        case counters::Unit::cycles:
        case counters::Unit::count: break;
    }
    return is_whole(*value) ? fmt::format("{:.0f}", *value) : fmt::format("{:.2f}", *value);
}

std::string exact_text(double value) {
    return is_whole(value) ? fmt::format("{:.0f}", value) : fmt::format("{}", value);
}

}  // namespace lockstep::report
