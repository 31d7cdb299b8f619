// The same kernel in another run, whose code another compiler made, or other options: what makes the
// difference.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "explain/families.h"
#include "explain/rule.h"
#include "explain/rules.h"
#include "report/metric-text.h"

namespace lockstep::explain {
namespace {

using report::InstructionCounts;

constexpr const char* compiler_id = "compiler-difference";
constexpr const char* executed_name = "smsp__inst_executed.sum";

std::map<std::pair<std::string, int>, double> executed_by_line(const Facts& facts) {
    std::map<std::pair<std::string, int>, double> lines;
    facts.each_instruction([&](const InstructionCounts& at) {
        lines[{at.file, at.line}] += static_cast<double>(at.executed) / launches_of(facts);
    });
    return lines;
}

// The lines for which this code has most instructions more than the other one.
std::vector<Place> longer_lines(const Facts& here, const Facts& other) {
    const auto there = executed_by_line(other);
    std::vector<Place> places;
    double all = 0;
    for (const auto& [line, executed] : executed_by_line(here)) {
        const auto found = there.find(line);
        const double more = executed - (found == there.end() ? 0 : found->second);
        if (more <= 0) continue;
        all += more;
        if (line.second > 0) places.push_back({line.first, line.second, more});
    }
    std::stable_sort(places.begin(), places.end(),
                     [](const Place& a, const Place& b) { return a.share > b.share; });
    constexpr std::size_t most = 5;
    if (places.size() > most) places.resize(most);
    for (Place& place : places) place.share /= all;
    return places;
}

bool same_shape(const Facts& here, const Facts& other) {
    return here.metric("launch__grid_size") == other.metric("launch__grid_size") &&
           here.metric("launch__block_size") == other.metric("launch__block_size");
}

}  // namespace

std::vector<std::string> compiler_names() { return {compiler_id}; }

std::optional<Finding> compiler_finding(const Facts& here, const Facts& other) {
    const double time = here.nanoseconds(), other_time = other.nanoseconds();
    const auto executed = here.metric(executed_name), other_executed = other.metric(executed_name);
    if (time <= 0 || other_time <= 0 || !executed || !other_executed || !same_shape(here, other) ||
        here.of_waves() != other.of_waves())
        return std::nullopt;
    Finding finding;
    finding.id = compiler_id;
    finding.cost = 1 - other_time / time;
    if (finding.cost < least_cost) return std::nullopt;
    const report::CodeOrigin &code = here.kernel().code, &other_code = other.kernel().code;
    const bool compilers = code.compiler != other_code.compiler;
    finding.title = compilers ? "Another compiler's code of this kernel is faster"
                              : "The same compiler's code of this kernel was faster in the other run";
    finding.cost_from = "the other run's predicted time";
    finding.gain = finding.cost;
    finding.places = longer_lines(here, other);
    const std::string changes = family_changes(other, here, 0.05 * std::max(*executed, *other_executed));
    add(finding, "instructions", *executed,
        fmt::format("warps execute {:.2f} million instructions, in the other run {:.2f} million{}{}",
                    *executed / 1e6, *other_executed / 1e6, changes.empty() ? "" : ": ", changes));
    for (const auto& [name, title, unit] :
         {std::tuple{"launch__registers_per_thread", "registers a thread", 1.0},
          std::tuple{"l1tex__t_bytes.sum", "MB through the L1", 1e6},
          std::tuple{"dram__bytes.sum", "MB of device memory", 1e6}})
        if (const auto is = here.metric(name), was = other.metric(name);
            is && was && std::abs(*is - *was) > 0.05 * std::max(*is, *was))
            add(finding, fmt::format("more_{}", name), *is - *was,
                fmt::format("{}: {:.1f}, in the other run {:.1f}", title, *is / unit, *was / unit));
    add(finding, "other_ns", other_time,
        compilers ? fmt::format("compiled by {}; the other run's by {}", code.compiler, other_code.compiler)
                  : fmt::format("compiled by {} both times: look at the options", code.compiler));
    finding.advice =
        "Look at these lines in both runs (lockstep compare A B, lockstep profile --source --ptx); write "
        "what "
        "the slower compiler does not see: #pragma unroll, __restrict__, unsigned indices, or its options.";
    return finding;
}

}  // namespace lockstep::explain
