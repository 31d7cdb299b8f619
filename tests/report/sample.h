// A run file made by hand.
#pragma once
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "report/run-reader.h"
#include "report/run-writer.h"
#include "report/shown-metrics.h"

namespace lockstep::report {

class Folder {
  public:
    Folder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "lockstep-report-XXXXXX").string();
        path_ = mkdtemp(pattern.data());
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  private:
    std::filesystem::path path_;
};

inline const std::vector<metrics::Metric>& sample_metrics() {
    using metrics::Kind;
    using metrics::Unit;
    static const std::vector<metrics::Metric> metrics = {
        {{"inst.sum", "inst_executed"},
         Unit::count,
         Kind::counted,
         {"all"},
         "Instructions Executed",
         "",
         nullptr},
        {{"ld.pct", "gld_efficiency"},
         Unit::percent,
         Kind::counted,
         {"all"},
         "Global Memory Load Efficiency",
         "",
         nullptr},
        {{"gpu__time_duration.sum", "time.sum"},
         Unit::nanoseconds,
         Kind::predicted,
         {"all"},
         "Time",
         "",
         nullptr},
        {{"dram.per_second"},
         Unit::bytes_per_second,
         Kind::predicted,
         {"all"},
         "Device Memory Throughput",
         "",
         nullptr,
         "dram.pct"},
        {{"dram.pct"}, Unit::percent, Kind::predicted, {"all"}, "Of Peak", "", nullptr},
    };
    return metrics;
}

inline RunInfo sample_info() {
    return {"0.1.0", "./reduce 1024", "2026-01-01T00:00:00Z", {{"h200", "NVIDIA H200", "9.0", true}}};
}

inline CodeOrigin sample_origin() { return {"nvcc 13.0", true, "mean error 12 %"}; }

inline std::vector<metrics::Selected> select(std::initializer_list<std::string> names) {
    std::vector<metrics::Selected> result;
    for (const std::string& name : names)
        for (const metrics::Metric& metric : sample_metrics())
            for (const std::string& alias : metric.names)
                if (alias == name) result.push_back({&metric, name});
    return result;
}

inline Launch sample_launch(const std::string& kernel, double instructions,
                            std::optional<double> efficiency) {
    Launch launch;
    launch.kernel = kernel;
    launch.grid = {32, 2, 1};
    launch.block = {512, 1, 1};
    launch.bound = "dram_bandwidth";
    launch.values = {instructions, efficiency, std::nullopt, std::nullopt, std::nullopt};
    return launch;
}

inline std::uint64_t& cycles_of(InstructionCounts& counts, timing::WarpState state) {
    return counts.warp_cycles[static_cast<std::size_t>(state)];
}

inline std::vector<InstructionCounts> sample_instructions(const std::string& file) {
    InstructionCounts load{file, 2,   30, "ld.global.u32 %r1, [%rd1];", "LDG.E", 100, 3200, 1600, 0, 0,
                           100,  800, 400};
    InstructionCounts branch{file, 3, 31, "@%p1 bra $L;", "BRA", 100, 3200, 3200, 100, 25};
    cycles_of(load, timing::WarpState::long_scoreboard) = 600;
    cycles_of(load, timing::WarpState::selected) = 100;
    cycles_of(branch, timing::WarpState::wait) = 200;
    cycles_of(branch, timing::WarpState::selected) = 100;
    return {load, branch};
}

// Two kernels: one launched twice, the other once.
inline std::filesystem::path sample_run(const Folder& folder, const std::string& name = "sample.lockstep") {
    const std::filesystem::path file = folder / name;
    auto writer = RunWriter::open(file, sample_info(), sample_metrics());
    EXPECT_TRUE(writer) << writer.error().to_string();
    const auto instructions = sample_instructions("");
    const std::string first = "neighbored(int *, unsigned int)", second = "void unrolling<2>(int *)";
    auto a = (*writer)->add_kernel(first, 0, "ptx", sample_origin(), instructions);
    auto b = (*writer)->add_kernel(second, 0, "ptx", sample_origin(), instructions);
    EXPECT_TRUE(a && b);
    EXPECT_TRUE((*writer)->append(*a, sample_launch(first, 1000, 25.0), instructions));
    EXPECT_TRUE((*writer)->append(*b, sample_launch(second, 500, {}), instructions));
    EXPECT_TRUE((*writer)->append(*a, sample_launch(first, 3000, 25.5), instructions));
    EXPECT_TRUE((*writer)->finish());
    return file;
}

// Two kernels with predicted times: the second one takes most of it, in two launches.
inline std::filesystem::path timed_run(const Folder& folder) {
    const std::filesystem::path file = folder / "timed.lockstep";
    auto writer = RunWriter::open(file, sample_info(), sample_metrics());
    EXPECT_TRUE(writer) << writer.error().to_string();
    const auto instructions = sample_instructions("");
    const std::string first = "copy(int *)", second = "sum(int *)";
    auto a = (*writer)->add_kernel(first, 0, "ptx", sample_origin(), instructions);
    auto b = (*writer)->add_kernel(second, 0, "ptx", sample_origin(), instructions);
    EXPECT_TRUE(a && b);
    const auto timed = [](const std::string& kernel, double ns, const std::string& bound) {
        Launch launch = sample_launch(kernel, 1, {});
        launch.bound = bound;
        launch.values = {1, {}, ns, 2.4e12, 50};
        return launch;
    };
    EXPECT_TRUE((*writer)->append(*a, timed(first, 2'000, "dram_bandwidth"), instructions));
    EXPECT_TRUE((*writer)->append(*b, timed(second, 1'500, "tail"), instructions));
    EXPECT_TRUE((*writer)->append(*b, timed(second, 4'500, "memory_latency"), instructions));
    EXPECT_TRUE((*writer)->finish());
    return file;
}

// A copy, then two launches of a kernel that was launched five times, and the calls that made them.
inline std::filesystem::path traced_run(const Folder& folder) {
    const std::filesystem::path file = folder / "traced.lockstep";
    auto writer = RunWriter::open(file, sample_info(), sample_metrics());
    EXPECT_TRUE(writer) << writer.error().to_string();
    const std::string copy = "[CUDA memcpy HtoD]", kernel = "scale(const float *, float *)";
    TimeRecords records;
    records.activities.push_back({copy, 1'000, 3'000, 0, 1, 4096, "Pageable", "Device", {.call = 1}});
    const timing::OperationTrace launch{2, {8, 1, 1}, {128, 1, 1}, 16, 1024, 0};
    records.activities.push_back({kernel, 5'000, 6'000, 0, 1, 0, "", "", launch});
    records.calls.push_back({"cudaMemcpy", 1, 0, 3'000});
    records.calls.push_back({"cudaLaunchKernel", 2, 4'000, 4'500});
    records.activity_totals[copy] = {copy, {1, 2'000, 2'000, 2'000}, 1};
    records.activity_totals[kernel] = {kernel, {1, 1'000, 1'000, 1'000}, 1};
    records.call_totals["cudaMemcpy"] = {"cudaMemcpy", {1, 3'000, 3'000, 3'000}, 1};
    records.call_totals["cudaLaunchKernel"] = {"cudaLaunchKernel", {5, 500, 500, 2'500}, 1};
    records.call_totals["cudaMalloc"] = {"cudaMalloc", {1, 0, 0, 0}, 0};
    EXPECT_TRUE((*writer)->add_times(records));
    TimeRecords more;
    more.activities.push_back({kernel, 7'000, 9'000, 0, 3, 0, "", "", launch});
    more.activity_totals[kernel] = {kernel, {4, 1'500, 2'000, 7'000}, 1};
    EXPECT_TRUE((*writer)->add_times(more));
    EXPECT_TRUE((*writer)->finish());
    return file;
}

// One kernel, whose code comes from two lines of this source.
inline std::filesystem::path source_run(const Folder& folder, const std::filesystem::path& source) {
    const std::filesystem::path file = folder / "source.lockstep";
    auto writer = RunWriter::open(file, sample_info(), sample_metrics());
    EXPECT_TRUE(writer) << writer.error().to_string();
    const auto instructions = sample_instructions(source.string());
    auto kernel = (*writer)->add_kernel("k(int *, int *)", 0, "ptx", sample_origin(), instructions);
    EXPECT_TRUE(kernel);
    EXPECT_TRUE((*writer)->append(*kernel, sample_launch("k", 1, 1), instructions));
    return file;
}

inline RunFile open_run(const std::filesystem::path& file) {
    auto run = RunFile::open(file);
    EXPECT_TRUE(run) << run.error().to_string();
    return run ? std::move(*run) : RunFile();
}

}  // namespace lockstep::report
