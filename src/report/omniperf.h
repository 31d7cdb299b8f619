// omniperf's workloads (rocprof-compute's since): the CSV files of `profile`, and the tables of `analyze`.
#pragma once
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "gpu/model.h"
#include "report/csv-table.h"
#include "report/run-reader.h"

namespace lockstep::report {

// What omniperf calls the GPU's kind: "MI200". Empty where it knows none.
std::string omniperf_soc(const gpu::GpuModel& gpu);

struct OmniperfWorkload {
    CsvTable dispatches;  // pmc_perf.csv: a row each, with its counters
    CsvTable system;      // sysinfo.csv: one row
};

Result<OmniperfWorkload> make_workload(const RunFile& run, const gpu::GpuModel& gpu, const std::string& name);
Result<void> write_workload(const OmniperfWorkload& workload, const std::filesystem::path& folder);
// The folder itself, or its only folder.
Result<OmniperfWorkload> read_workload(const std::filesystem::path& folder);

struct OmniperfView {
    std::set<std::string> blocks;               // "2", "10.3", "15.1.4": what is shown; empty: all
    std::set<std::size_t> dispatches, kernels;  // by number; empty: all. Kernels as table 0.1 numbers them
    std::string normal = "per_wave";            // per_wave, per_cycle, per_second, per_kernel
    std::string time_unit = "ns";               // s, ms, us, ns
    int decimal = 2;
    std::size_t most_stats = 10;  // rows of tables 0.1 and 0.2
    bool list_stats = false;      // these tables alone, all rows
};

// Of the first workload; others stand beside it, with what they differ by in percent, and of them the kernels
// of the same names. Behind the tables: which rows were left out, since their counters are not there.
Result<std::string> analyze(const std::vector<OmniperfWorkload>& workloads, const OmniperfView& view);

// Whether a block of that number is there.
bool is_omniperf_block(const std::string& block);

}  // namespace lockstep::report
