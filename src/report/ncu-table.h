// Results in the layout of Nsight Compute's command line: a block of tables a launch, or CSV.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "metrics/metric.h"
#include "report/ncu-sections.h"
#include "report/run-reader.h"

namespace lockstep::report {

struct NcuLine {
    std::string label;
    std::string metric;                      // the name that was asked for
    const metrics::Metric* known = nullptr;  // null: lockstep does not have it
    std::string unit{};                      // instead of the metric's own; empty: that
};

struct NcuTable {
    std::string title;
    std::vector<NcuLine> lines;
};

struct NcuView {
    std::vector<NcuTable> tables;
    std::string program;                   // its file's name
    bool base_units = false;               // bytes and nanoseconds are not scaled
    bool function_names = false;           // kernels without namespaces, templates and parameters
    std::uint64_t skip = 0;                // launches that are not shown, first …
    std::optional<std::uint64_t> count{};  // … and how many are

    std::string kernel_name(const std::string& kernel) const;
};

// The unit that suits a value, and what that has to be divided by.
struct NcuScale {
    std::string unit{};
    double divisor = 1;
};
NcuScale ncu_scale(const NcuLine& line, double value, bool base);
// "2,744.64", "4,482"; `decimals`: also "4,482.00".
std::string ncu_number(double value, bool decimals = false);
// "(32, 1, 1)"
std::string ncu_shape(const std::array<std::uint32_t, 3>& extents);
// Of the device that it ran on: "9.0".
std::string ncu_capability(const RunFile& run, const Launch& launch);
std::optional<double> ncu_launch_value(const RunFile& run, const NcuLine& line, const Launch& launch);
// A table between rules: the first column to the left, the others to the right.
struct NcuColumn {
    std::string head;
    std::size_t width = 0;  // at least
};
std::string ncu_grid(const std::vector<NcuColumn>& columns,
                     const std::vector<std::vector<std::string>>& rows);
// The launches that are shown.
Result<void> each_shown(const RunFile& run, const NcuView& view,
                        const std::function<void(const StoredLaunch&)>& use);

NcuTable ncu_table(const NcuSection& section);
NcuTable ncu_table(std::span<const metrics::Selected> metrics);
// All metrics of these tables once, under their own names, in the order of those.
NcuTable ncu_raw(std::span<const NcuTable> tables);

Result<std::string> ncu_text(const RunFile& run, const NcuView& view);
// A row a metric.
Result<std::string> ncu_csv(const RunFile& run, const NcuView& view);
// A row a launch, a column a metric; the second row has the units. Of one table.
Result<std::string> ncu_raw_csv(const RunFile& run, const NcuView& view);

}  // namespace lockstep::report
