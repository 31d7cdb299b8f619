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
        case metrics::Unit::hertz: return scaled(*value, "Hz");
        case metrics::Unit::nanoseconds: return duration_text(*value);
        case metrics::Unit::cycles:
        case metrics::Unit::count: break;
    }
    return is_whole(*value) ? fmt::format("{:.0f}", *value) : fmt::format("{:.2f}", *value);
}

Cell value_cell(std::optional<double> value, const metrics::Metric& metric) {
    return {value_text(value, metric.unit), value, metric.kind};
}

Cell count_cell(std::uint64_t count) { return {std::to_string(count), static_cast<double>(count)}; }

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

std::string shape_text(const std::array<std::uint32_t, 3>& shape) {
    return fmt::format("({},{},{})", shape[0], shape[1], shape[2]);
}

std::string short_count(std::uint64_t count) {
    if (count < 1'000'000) return std::to_string(count);
    double value = static_cast<double>(count);
    const char* prefix = "KMGTPE";
    for (value /= 1000; value >= 999.95; value /= 1000) ++prefix;
    return fmt::format("{:.{}f}{}", value, value < 9.995 ? 2 : 1, *prefix);
}

std::string plural(std::uint64_t count, const std::string& noun, const std::string& plural) {
    return fmt::format("{} {}", count, count == 1 ? noun : plural);
}

}  // namespace lockstep::report
