// How near each launch of a recording is, the farthest first: `list_errors [--ours] RECORDING [WHAT]`. WHAT
// is time (unless told otherwise), instructions, branches, divergent, registers, occupancy, l1 or l2 (hits in
// percent), or stalls: what a warp waits for, in cycles; or any metric that was recorded, by its name.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>

#include "suite.h"
#include "time-error.h"

namespace lockstep::validation {
namespace {

enum class Scale { ratio, count, points };  // a part of the GPU's figure, for the last in percent of all
struct Figure {
    const char* name;
    const char* metric;
    Scale scale;
    double near;  // to the GPU's: in percent, counted, in points
};
constexpr Figure figures[] = {
    {"time", duration, Scale::ratio, 20},
    {"instructions", "smsp__average_inst_executed_per_warp.ratio", Scale::ratio, 10},
    {"branches", "smsp__sass_branch_targets.sum", Scale::count, 0},
    {"divergent", "smsp__sass_branch_targets_threads_divergent.sum", Scale::count, 0},
    {"registers", "launch__registers_per_thread", Scale::count, 4},
    {"occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active", Scale::points, 10},
    {"l1", "l1tex__t_sector_hit_rate.pct", Scale::points, 10},
    {"l2", "lts__t_sector_hit_rate.pct", Scale::points, 10},
};

struct Miss {
    double measured = 0, ours = 0;

    double difference() const { return std::fabs(ours - measured); }
    // In percent; of what a GPU has none of, all of it.
    double percent() const {
        return ours == measured ? 0 : measured == 0 ? 100 : 100 * (ours / measured - 1);
    }
    // Percent or points.
    double size(const Figure& figure) const {
        return figure.scale == Scale::points ? difference() : std::fabs(percent());
    }
    bool is_near(const Figure& figure) const {
        constexpr double digits = 1e-5;  // a recording has six
        if (figure.scale == Scale::count)
            return difference() <= std::max(figure.near, digits * std::fabs(measured));
        return size(figure) <= figure.near;
    }
};

double value_of(const Row& row, const std::string& metric) {
    const auto found = row.values.find(metric);
    return found == row.values.end() ? NAN : found->second;
}

Miss miss_of(const Pair& pair, const Figure& figure) {
    return {value_of(*pair.recorded, figure.metric), value_of(*pair.ours, figure.metric)};
}

std::string summary(const Suite& suite, const Figure& figure) {
    std::vector<double> sizes;
    double near = 0, sum = 0;
    for (const Pair& pair : suite.pairs) {
        const Miss miss = miss_of(pair, figure);
        if (std::isnan(miss.difference())) continue;
        sizes.push_back(miss.size(figure));
        sum += sizes.back();
        near += miss.is_near(figure);
    }
    if (sizes.empty()) return {};
    const auto count = static_cast<double>(sizes.size());
    const char* const unit = figure.scale == Scale::points ? "points" : "%";
    return fmt::format("{:<13} mean error {:5.1f} {}, median {:5.1f} {}, {} in {:3.0f} % of {}\n",
                       figure.name, sum / count, unit, median(sizes), unit,
                       figure.scale != Scale::count ? fmt::format("within {:g} {}", figure.near, unit)
                       : figure.near == 0           ? "equal"
                                                    : fmt::format("within {:g}", figure.near),
                       100 * near / count, sizes.size());
}

void list(Suite& suite, const Figure& by) {
    std::ranges::sort(suite.pairs, std::greater(),
                      [&](const Pair& pair) { return miss_of(pair, by).size(by); });
    fmt::print("{:<40} {:>14} {:>14}", "kernel", "grid", "block");
    for (const Figure& figure : figures) fmt::print(" | {:>11} {:>11} {:>6}", figure.name, "ours", "%");
    fmt::print("\n");
    for (const Pair& pair : suite.pairs) {
        fmt::print("{:<40.40} {:>14} {:>14}", short_name(pair.recorded->kernel),
                   to_string(pair.recorded->grid), to_string(pair.recorded->block));
        for (const Figure& figure : figures) {
            const Miss miss = miss_of(pair, figure);
            fmt::print(" | {:>11.6g} {:>11.6g} {:>+6.0f}", miss.measured, miss.ours, miss.percent());
        }
        fmt::print("\n");
    }
    for (const Figure& figure : figures) fmt::print("{}", summary(suite, figure));
}

// Any metric, the farthest from the GPU's first.
bool list_metric(const Suite& suite, const std::string& metric) {
    const Figure figure{metric.c_str(), metric.c_str(), Scale::ratio, 10};
    std::vector<std::pair<Miss, const Row*>> misses;
    for (const Pair& pair : suite.pairs)
        if (const Miss miss = miss_of(pair, figure); !std::isnan(miss.difference()))
            misses.emplace_back(miss, pair.recorded);
    std::ranges::sort(misses, std::greater(), [&](const auto& miss) { return miss.first.size(figure); });
    for (const auto& [miss, row] : misses)
        fmt::print("{:<40.40} {:>14} {:>14} | {:>11.6g} {:>11.6g} {:>+6.0f} %\n", short_name(row->kernel),
                   to_string(row->grid), to_string(row->block), miss.measured, miss.ours, miss.percent());
    fmt::print("{}", summary(suite, figure));
    return !misses.empty();
}

// What a warp of the launch spends its cycles on, by reason.
std::map<std::string, double> cycles_of(const Row& row) {
    constexpr std::string_view before = "smsp__average_warps_issue_stalled_";
    constexpr std::string_view behind = "_per_issue_active.ratio";
    // Ours issue nothing twice.
    const double issued = value_of(row, "smsp__inst_issued.sum"),
                 executed = value_of(row, "smsp__inst_executed.sum");
    const double again = std::isnan(issued / executed) ? 1 : issued / executed;
    const double of_a_warp = value_of(row, "smsp__average_inst_executed_per_warp.ratio") * again;
    std::map<std::string, double> cycles;
    for (const auto& [metric, value] : row.values)
        if (metric.starts_with(before) && metric.ends_with(behind) && !std::isnan(value * of_a_warp))
            cycles[metric.substr(before.size(), metric.size() - before.size() - behind.size())] =
                value * of_a_warp;
    return cycles;
}

struct Stalls {
    const Pair* pair = nullptr;
    std::vector<std::pair<std::string, Miss>> reasons;  // the farthest first
    double measured = 0, missed = 0;                    // cycles, of all reasons
};

Stalls stalls_of(const Pair& pair) {
    Stalls stalls{.pair = &pair};
    const auto recorded = cycles_of(*pair.recorded), ours = cycles_of(*pair.ours);
    for (const auto& [reason, cycles] : recorded) {
        const auto found = ours.find(reason);
        if (found == ours.end()) continue;
        stalls.reasons.emplace_back(reason, Miss{cycles, found->second});
        stalls.measured += cycles;
        stalls.missed += std::fabs(found->second - cycles);
    }
    std::ranges::sort(stalls.reasons, std::greater(),
                      [](const auto& reason) { return reason.second.difference(); });
    return stalls;
}

void list_stalls(const Suite& suite) {
    constexpr std::size_t shown = 5;
    std::vector<Stalls> all;
    for (const Pair& pair : suite.pairs)
        if (Stalls stalls = stalls_of(pair); stalls.measured > 0) all.push_back(std::move(stalls));
    std::ranges::sort(all, std::greater(),
                      [](const Stalls& stalls) { return stalls.missed / stalls.measured; });
    std::map<std::string, double> sums;  // of differences, in percent of a warp's cycles
    for (const Stalls& stalls : all) {
        fmt::print("{:<32.32} {:>6.0f} cycles, {:3.0f} % missed:", short_name(stalls.pair->recorded->kernel),
                   stalls.measured, 100 * stalls.missed / stalls.measured);
        for (std::size_t i = 0; i < stalls.reasons.size(); ++i) {
            const auto& [reason, miss] = stalls.reasons[i];
            if (i < shown) fmt::print(" {} {:.0f} -> {:.0f}", reason, miss.measured, miss.ours);
            sums[reason] += 100 * (miss.ours - miss.measured) / stalls.measured;
        }
        fmt::print("\n");
    }
    for (const auto& [reason, sum] : sums)
        fmt::print("{:<22} {:+5.1f} % of a warp's cycles\n", reason, sum / static_cast<double>(all.size()));
}

}  // namespace
}  // namespace lockstep::validation

int main(int argc, char** argv) {
    using namespace lockstep::validation;
    const bool ours = argc > 1 && std::strcmp(argv[1], "--ours") == 0;
    const int first = ours ? 2 : 1;
    const std::string what = argc > first + 1 ? argv[first + 1] : "time";
    const auto* const by = std::ranges::find(figures, what, &Figure::name);
    const bool stalls = what == "stalls";
    const bool metric = by == std::end(figures) && what.find("__") != std::string::npos;
    if (argc <= first || argc > first + 2 || (by == std::end(figures) && !stalls && !metric)) {
        fmt::print(stderr,
                   "usage: list_errors [--ours] RECORDING "
                   "[time|instructions|branches|divergent|registers|occupancy|l1|l2|stalls|METRIC]\n");
        return 2;
    }
    const std::string recording = argv[first];
    // nvcc's code of these is in ptx/; that of the others it makes here.
    const bool recorded_code = recording == "h200.csv" || recording == "h200-probes.csv";
    auto suite = run_suite(recording,
                           ours            ? DeviceCode::lockstep
                           : recorded_code ? DeviceCode::nvcc
                                           : DeviceCode::installed_nvcc,
                           Size::measured);
    if (!suite) {
        fmt::print(stderr, "{}\n", suite.error().to_string());
        return 1;
    }
    if (stalls)
        list_stalls(*suite);
    else if (metric) {
        if (list_metric(*suite, what)) return 0;
        fmt::print(stderr, "{} has no {} that lockstep has, too\n", recording, what);
        return 1;
    } else
        list(*suite, *by);
}
