#include "report/dispatches.h"

#include <map>
#include <utility>

namespace lockstep::report {

std::uint64_t Dispatch::threads() const {
    const auto& grid = launch().grid;
    return std::uint64_t{grid[0]} * grid[1] * grid[2] * group_size();
}

std::uint32_t Dispatch::group_size() const {
    const auto& block = launch().block;
    return block[0] * block[1] * block[2];
}

std::vector<std::string> Dispatch::columns(std::size_t number) const {
    return {std::to_string(number),          name(),
            std::to_string(launch().device), std::to_string(stored.process),
            std::to_string(threads()),       std::to_string(group_size())};
}

Result<std::vector<Dispatch>> dispatches(const RunFile& run) {
    auto activities = run.activities();
    if (!activities) return activities.error();
    // A kernel's launches on a device end up in the order in which they were made.
    std::map<std::pair<std::string, int>, std::vector<const Activity*>> of_kernel;
    for (const Activity& one : *activities)
        if (one.is_kernel()) of_kernel[{one.name, one.device}].push_back(&one);
    std::map<std::pair<std::string, int>, std::size_t> next;
    const auto time = run.metric(time_metric);
    std::vector<Dispatch> out;
    auto read = run.each_launch([&](const StoredLaunch& stored) {
        Dispatch made{stored};
        const std::pair<std::string, int> key{stored.launch.kernel, stored.launch.device};
        const std::size_t number = next[key]++;
        if (const auto& known = of_kernel[key]; number < known.size()) {
            made.begin_ns = known[number]->begin, made.end_ns = known[number]->end;
        } else {  // only the first of a name have a row: one after the other
            made.begin_ns = out.empty() ? 0 : out.back().end_ns;
            made.end_ns = made.begin_ns + (time ? stored.launch.values[*time].value_or(0) : 0);
        }
        out.push_back(std::move(made));
    });
    if (!read) return read.error();
    return out;
}

}  // namespace lockstep::report
