#include "report/rocprof.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "report/dispatches.h"

namespace lockstep::report {
namespace {

std::string rocprof_number(std::optional<double> value) {
    if (!value) return "";
    return *value == std::floor(*value) ? fmt::format("{:.0f}", *value) : fmt::format("{:.10g}", *value);
}

struct KernelCalls {
    std::string name;
    std::vector<double> times;
    double sum() const {
        double all = 0;
        for (const double one : times) all += one;
        return all;
    }
};

std::vector<KernelCalls> by_kernel(const std::vector<Dispatch>& listed) {
    std::vector<KernelCalls> all;
    for (const Dispatch& one : listed) {
        const std::string name = one.name();
        auto found = std::ranges::find(all, name, &KernelCalls::name);
        if (found == all.end()) found = all.insert(all.end(), KernelCalls{name, {}});
        found->times.push_back(one.end_ns - one.begin_ns);
    }
    std::ranges::stable_sort(all, std::greater<>(), &KernelCalls::sum);
    return all;
}

// Kilobytes there, bytes here.
double rocprof_scale(const std::string& name) {
    return name == "FetchSize" || name == "WriteSize" ? 1.0 / 1024 : 1;
}

}  // namespace

Result<CsvTable> rocprof_results(const RunFile& run, std::span<const std::string> counters, bool times) {
    auto listed = dispatches(run);
    if (!listed) return listed.error();
    CsvTable table;
    table.names = {"Index", "KernelName", "gpu-id", "pid", "grd", "wgr"};
    const char* const resources[] = {"lds", "scr", "arch_vgpr", "accum_vgpr", "sgpr", "wave_size"};
    table.names.insert(table.names.end(), std::begin(resources), std::end(resources));
    table.names.insert(table.names.end(), counters.begin(), counters.end());
    if (times) table.names.insert(table.names.end(), {"BeginNs", "EndNs", "DurationNs"});
    for (std::size_t i = 0; i < listed->size(); ++i) {
        const Dispatch& one = (*listed)[i];
        std::vector<std::string> row = one.columns(i);
        const auto value = [&](const std::string& name) -> std::optional<double> {
            const auto at = run.metric(name);
            if (!at || !one.launch().values[*at]) return {};
            return *one.launch().values[*at] * rocprof_scale(name);
        };
        for (const char* name : resources) row.push_back(rocprof_number(value(name)));
        for (const std::string& name : counters) row.push_back(rocprof_number(value(name)));
        if (times) {
            const double begin = std::round(one.begin_ns), end = std::round(one.end_ns);
            for (const double ns : {begin, end, end - begin}) row.push_back(fmt::format("{:.0f}", ns));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

Result<CsvTable> rocprof_stats(const RunFile& run) {
    auto listed = dispatches(run);
    if (!listed) return listed.error();
    const std::vector<KernelCalls> all = by_kernel(*listed);
    double sum = 0;
    for (const KernelCalls& one : all) sum += one.sum();
    CsvTable table;
    table.names = {"Name", "Calls", "TotalDurationNs", "AverageNs", "Percentage"};
    for (const KernelCalls& one : all)
        table.rows.push_back({one.name, std::to_string(one.times.size()), fmt::format("{:.0f}", one.sum()),
                              fmt::format("{:.0f}", one.sum() / static_cast<double>(one.times.size())),
                              fmt::format("{:.10g}", sum > 0 ? 100 * one.sum() / sum : 0)});
    return table;
}

Result<CsvTable> rocprofv3_trace(const RunFile& run) {
    auto listed = dispatches(run);
    if (!listed) return listed.error();
    CsvTable table;
    table.names = {
        "Kind",          "Agent_Id",         "Dispatch_Id",      "Kernel_Name",      "Start_Timestamp",
        "End_Timestamp", "LDS_Block_Size",   "Scratch_Size",     "VGPR_Count",       "Accum_VGPR_Count",
        "SGPR_Count",    "Workgroup_Size_X", "Workgroup_Size_Y", "Workgroup_Size_Z", "Grid_Size_X",
        "Grid_Size_Y",   "Grid_Size_Z"};
    for (std::size_t i = 0; i < listed->size(); ++i) {
        const Dispatch& one = (*listed)[i];
        std::vector<std::string> row = {"KERNEL_DISPATCH",
                                        fmt::format("Agent {}", one.launch().device),
                                        std::to_string(i + 1),
                                        one.launch().kernel,
                                        fmt::format("{:.0f}", one.begin_ns),
                                        fmt::format("{:.0f}", one.end_ns)};
        for (const char* name : {"lds", "scr", "arch_vgpr", "accum_vgpr", "sgpr"}) {
            const auto at = run.metric(name);
            row.push_back(rocprof_number(at ? one.launch().values[*at] : std::nullopt));
        }
        for (const std::uint32_t extent : one.launch().block) row.push_back(std::to_string(extent));
        for (std::size_t axis = 0; axis < 3; ++axis)
            row.push_back(std::to_string(std::uint64_t{one.launch().grid[axis]} * one.launch().block[axis]));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Result<CsvTable> rocprofv3_stats(const RunFile& run) {
    auto listed = dispatches(run);
    if (!listed) return listed.error();
    std::vector<KernelCalls> all = by_kernel(*listed);
    double sum = 0;
    for (const KernelCalls& one : all) sum += one.sum();
    CsvTable table;
    table.names = {"Name", "Calls", "TotalDurationNs", "AverageNs", "Percentage", "MinNs", "MaxNs", "StdDev"};
    for (const KernelCalls& one : all) {
        const double average = one.sum() / static_cast<double>(one.times.size());
        double squares = 0;
        for (const double time : one.times) squares += (time - average) * (time - average);
        const auto [least, most] = std::ranges::minmax_element(one.times);
        const double deviation =
            one.times.size() > 1 ? std::sqrt(squares / static_cast<double>(one.times.size() - 1)) : 0;
        table.rows.push_back({one.name.substr(0, one.name.rfind(" [clone")), std::to_string(one.times.size()),
                              fmt::format("{:.0f}", one.sum()), fmt::format("{:.6f}", average),
                              fmt::format("{:.2f}", sum > 0 ? 100 * one.sum() / sum : 0),
                              fmt::format("{:.0f}", *least), fmt::format("{:.0f}", *most),
                              fmt::format("{:.6f}", deviation)});
    }
    return table;
}

Result<std::vector<std::vector<std::string>>> rocprof_input(std::string_view text, const std::string& file) {
    std::vector<std::vector<std::string>> lists;
    std::istringstream in{std::string(text)};
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        line = line.substr(0, line.find('#'));
        std::istringstream words(line);
        std::string first;
        if (!(words >> first)) continue;
        if (first == "gpu:" || first == "range:") {
            std::string rest;
            // All of a GPU's launches are what is counted anyway.
            if (first == "gpu:" || !(words >> rest)) continue;
        }
        if (first != "pmc:" && !(first == "pmc" && words >> first && first == ":"))
            return Error{
                fmt::format("{}:{}: '{}' is not supported: only lines with pmc: are", file, number, first),
                {}};
        lists.emplace_back();
        for (std::string counter; words >> counter;) lists.back().push_back(counter);
        if (lists.back().empty()) return Error{fmt::format("{}:{}: no counter is named", file, number), {}};
    }
    return lists;
}

}  // namespace lockstep::report
