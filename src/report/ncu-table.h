// Results in the layout of Nsight Compute's command line: a block of tables a launch, or CSV.
#pragma once
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
    std::string program;      // its file's name
    bool base_units = false;  // bytes and nanoseconds are not scaled
};

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
