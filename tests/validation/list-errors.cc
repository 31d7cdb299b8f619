// How near each launch of a recording is, the farthest first: `list_errors [--ours] RECORDING [WHAT]`. WHAT
// is time (unless told otherwise), instructions, branches, divergent, registers, occupancy, l1 or l2 (hits in
// percent).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

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

Miss miss_of(const Pair& pair, const Figure& figure) {
    const auto value = [&](const Row& row) {
        const auto found = row.values.find(figure.metric);
        return found == row.values.end() ? NAN : found->second;
    };
    return {value(*pair.recorded), value(*pair.ours)};
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

}  // namespace
}  // namespace lockstep::validation

int main(int argc, char** argv) {
    using namespace lockstep::validation;
    const bool ours = argc > 1 && std::strcmp(argv[1], "--ours") == 0;
    const int first = ours ? 2 : 1;
    const std::string what = argc > first + 1 ? argv[first + 1] : "time";
    const auto* const by = std::ranges::find(figures, what, &Figure::name);
    if (argc <= first || argc > first + 2 || by == std::end(figures)) {
        fmt::print(stderr,
                   "usage: list_errors [--ours] RECORDING "
                   "[time|instructions|branches|divergent|registers|occupancy|l1|l2]\n");
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
    list(*suite, *by);
}
