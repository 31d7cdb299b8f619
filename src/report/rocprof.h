// The CSV files of rocprof and rocprofv3.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "report/csv-table.h"
#include "report/run-reader.h"

namespace lockstep::report {

// A row a dispatch, with these counters and derived metrics; `times`: with BeginNs, EndNs and DurationNs.
Result<CsvTable> rocprof_results(const RunFile& run, std::span<const std::string> counters, bool times);
// A row a kernel: the calls and their times.
Result<CsvTable> rocprof_stats(const RunFile& run);
// The same of rocprofv3.
Result<CsvTable> rocprofv3_trace(const RunFile& run);
Result<CsvTable> rocprofv3_stats(const RunFile& run);

// What `-i` says: a list for each line `pmc: A B …`. Lines of other kinds are an error, comments are not.
Result<std::vector<std::vector<std::string>>> rocprof_input(std::string_view text, const std::string& file);

}  // namespace lockstep::report
