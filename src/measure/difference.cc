#include "measure/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/demangle.h"
#include "measure/likely-cause.h"
#include "measure/measured-launch.h"
#include "measure/real-gpu.h"

namespace lockstep::measure {
namespace {

using report::Launch;

struct Launches {
    std::string name;
    std::vector<Launch> all;
};

// By the kernel's name, spelled alike.
Result<std::map<std::string, Launches>> launches_of(const report::RunFile& run,
                                                    std::vector<std::string>& order) {
    std::map<std::string, Launches> result;
    auto done = run.each_launch([&](const report::StoredLaunch& stored) {
        const std::string key = spelled(stored.launch.kernel);
        auto [at, added] = result.try_emplace(key);
        if (added) order.push_back(key), at->second.name = stored.launch.kernel;
        at->second.all.push_back(stored.launch);
    });
    if (!done) return done.error();
    return result;
}

// Names may differ in what one compiler writes out and the other does not: then the function's own will do,
// if no other has it.
const Launches* counterpart(const std::string& key, const std::map<std::string, Launches>& others) {
    if (const auto same = others.find(key); same != others.end()) return &same->second;
    const std::string function = base::short_kernel_name(key);
    const Launches* found = nullptr;
    for (const auto& [other, launches] : others) {
        if (base::short_kernel_name(other) != function) continue;
        if (found) return nullptr;
        found = &launches;
    }
    return found;
}

struct Pair {
    const Launch *predicted, *measured;
};

// Grid and block, or where a tool tells no more the number of blocks and of a block's threads.
using Shape = std::array<std::uint64_t, 6>;
Shape shape_of(const Launch& launch, bool totals) {
    const auto &g = launch.grid, &b = launch.block;
    if (totals) return {launch.blocks(), std::uint64_t{b[0]} * b[1] * b[2]};
    return {g[0], g[1], g[2], b[0], b[1], b[2]};
}

// The first of a shape with the first of that shape, and so on.
std::vector<Pair> pairs_of(const Launches& predicted, const Launches& measured, bool totals) {
    std::map<Shape, std::vector<const Launch*>> left;
    for (auto one = measured.all.rbegin(); one != measured.all.rend(); ++one)
        left[shape_of(*one, totals)].push_back(&*one);
    std::vector<Pair> pairs;
    for (const Launch& one : predicted.all) {
        auto& same = left[shape_of(one, totals)];
        if (same.empty()) continue;
        pairs.push_back({&one, same.back()});
        same.pop_back();
    }
    return pairs;
}

KernelDifference compare(const std::string& name, const std::vector<Pair>& pairs,
                         const report::RunFile& predicted, const report::RunFile& measured,
                         std::span<const metrics::Selected> selected) {
    KernelDifference result;
    result.kernel = name;
    result.launches = pairs.size();
    for (const metrics::Selected& one : selected) {
        const auto p = predicted.metric(one.metric->names[0]), m = measured.metric(one.metric->names[0]);
        if (!p || !m) continue;
        MetricDifference difference{one.metric, one.name};
        std::size_t both = 0;
        for (const Pair& pair : pairs) {
            const auto &of_p = pair.predicted->values[*p], &of_m = pair.measured->values[*m];
            if (!of_p || !of_m) continue;
            difference.predicted += *of_p, difference.measured += *of_m;
            ++both;
            if (one.metric->names[0] == report::time_metric && *of_m > 0)
                result.launch_errors.push_back(*of_p / *of_m - 1);
        }
        if (both == 0) continue;
        if (one.metric->names[0] == report::time_metric)
            result.predicted_time = difference.predicted, result.measured_time = difference.measured;
        difference.predicted /= static_cast<double>(both), difference.measured /= static_cast<double>(both);
        result.metrics.push_back(std::move(difference));
    }
    std::stable_sort(result.metrics.begin(), result.metrics.end(),
                     [](const auto& a, const auto& b) { return a.badness() > b.badness(); });
    result.cause = likely_cause(result);
    return result;
}

// Below that a figure explains nothing, however far it is off: a few sectors written back, a tenth of a warp
// that waits.
double least_that_matters(const metrics::Metric& metric) {
    const bool small = std::ranges::find(metric.groups, "occupancy") != metric.groups.end();
    switch (metric.unit) {
        case metrics::Unit::count: return small ? 1 : 1000;
        case metrics::Unit::percent: return 100;
        case metrics::Unit::bytes: return 64 << 10;
        case metrics::Unit::bytes_per_second: return 1e10;
        case metrics::Unit::cycles: return 1000;
        default: return 1;
    }
}

}  // namespace

std::optional<double> MetricDifference::error() const {
    if (metric->unit == metrics::Unit::percent) return predicted - measured;
    if (measured == 0) return predicted == 0 ? std::optional(0.0) : std::nullopt;
    return (predicted - measured) / measured;
}

double MetricDifference::badness() const {
    constexpr double most = 2;
    return std::min(
        most, std::abs(predicted - measured) / std::max(std::abs(measured), least_that_matters(*metric)));
}

std::optional<double> KernelDifference::time_error() const {
    if (measured_time <= 0) return {};
    return predicted_time / measured_time - 1;
}

Result<std::vector<KernelDifference>> differences(const report::RunFile& predicted,
                                                  const report::RunFile& measured,
                                                  std::span<const metrics::Selected> selected) {
    std::vector<std::string> order, measured_order;
    auto of_predicted = launches_of(predicted, order);
    if (!of_predicted) return of_predicted.error();
    auto of_measured = launches_of(measured, measured_order);
    if (!of_measured) return of_measured.error();
    // rocprof's tables of counters have totals alone.
    const bool totals = vendor_of(measured.info.devices.front().compute_capability) == Vendor::amd;
    std::vector<KernelDifference> result;
    std::set<const Launches*> used;
    for (const std::string& key : order) {
        const Launches& own = of_predicted->at(key);
        const Launches* const other = counterpart(key, *of_measured);
        const std::vector<Pair> pairs = other ? pairs_of(own, *other, totals) : std::vector<Pair>();
        result.push_back(compare(own.name, pairs, predicted, measured, selected));
        result.back().only_predicted = own.all.size() - pairs.size();
        if (!other) continue;
        result.back().only_measured = other->all.size() - pairs.size();
        used.insert(other);
    }
    for (const std::string& key : measured_order) {
        const Launches& own = of_measured->at(key);
        if (used.contains(&own)) continue;
        KernelDifference alone;
        alone.kernel = own.name;
        alone.only_measured = own.all.size();
        result.push_back(std::move(alone));
    }
    std::stable_sort(result.begin(), result.end(), [](const KernelDifference& a, const KernelDifference& b) {
        const auto badness = [](const KernelDifference& one) {
            return std::abs(one.time_error().value_or(-1e-9));
        };
        return std::pair(a.launches != 0, badness(a)) > std::pair(b.launches != 0, badness(b));
    });
    return result;
}

}  // namespace lockstep::measure
