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

struct Figure {
    const char* name;
    const char* metric;
    double near;  // from a GPU's: a ratio, or a difference where `points`
    bool points;
};
constexpr Figure figures[] = {
    {"time", duration, 0.20, false},
    {"instructions", "smsp__average_inst_executed_per_warp.ratio", 0.10, false},
    {"branches", "smsp__sass_branch_targets.sum", 0, true},
    {"divergent", "smsp__sass_branch_targets_threads_divergent.sum", 0, true},
    {"registers", "launch__registers_per_thread", 4, true},
    {"occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active", 10, true},
    {"l1", "l1tex__t_sector_hit_rate.pct", 10, true},
    {"l2", "lts__t_sector_hit_rate.pct", 10, true},
};

struct Miss {
    double measured = 0, ours = 0;

    // Of what a GPU has none of: all of it.
    double ratio() const { return ours == measured ? 0 : measured == 0 ? 1 : ours / measured - 1; }
    double error(const Figure& figure) const { return std::fabs(figure.points ? ours - measured : ratio()); }
};

Miss miss_of(const Pair& pair, const Figure& figure) {
    const auto value = [&](const Row& row) {
        const auto found = row.values.find(figure.metric);
        return found == row.values.end() ? NAN : found->second;
    };
    return {value(*pair.recorded), value(*pair.ours)};
}

std::string summary(const Suite& suite, const Figure& figure) {
    std::vector<double> ratios;
    std::size_t near = 0;
    double sum = 0;
    for (const Pair& pair : suite.pairs) {
        const Miss miss = miss_of(pair, figure);
        if (std::isnan(miss.measured + miss.ours)) continue;
        ratios.push_back(std::fabs(miss.ratio()));
        // Recordings have six digits.
        near += miss.error(figure) <= std::max(figure.near, 1e-5 * std::fabs(miss.measured));
        sum += ratios.back();
    }
    if (ratios.empty()) return {};
    const auto count = static_cast<double>(ratios.size());
    return fmt::format("{:<13} mean error {:5.1f} %, median {:5.1f} %, {} {:3.0f} % of {}\n", figure.name,
                       100 * sum / count, 100 * median(ratios),
                       figure.near == 0 ? std::string("equal in")
                       : figure.points  ? fmt::format("within {:g} in", figure.near)
                                        : fmt::format("within {:g} % in", 100 * figure.near),
                       100 * static_cast<double>(near) / count, ratios.size());
}

void list(Suite& suite, const Figure& by) {
    std::ranges::sort(suite.pairs, std::greater(),
                      [&](const Pair& pair) { return std::fabs(miss_of(pair, by).ratio()); });
    fmt::print("{:<40} {:>14} {:>14}", "kernel", "grid", "block");
    for (const Figure& figure : figures) fmt::print(" | {:>11} {:>11} {:>6}", figure.name, "ours", "%");
    fmt::print("\n");
    for (const Pair& pair : suite.pairs) {
        fmt::print("{:<40.40} {:>14} {:>14}", short_name(pair.recorded->kernel),
                   to_string(pair.recorded->grid), to_string(pair.recorded->block));
        for (const Figure& figure : figures) {
            const Miss miss = miss_of(pair, figure);
            fmt::print(" | {:>11.6g} {:>11.6g} {:>+6.0f}", miss.measured, miss.ours, 100 * miss.ratio());
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
