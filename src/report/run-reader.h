// Reads a run file.
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/demangle.h"
#include "base/result.h"
#include "metrics/metric.h"
#include "report/activity.h"
#include "report/result.h"
#include "report/sqlite.h"

namespace lockstep::report {

// The predicted time of a launch.
constexpr std::string_view time_metric = "gpu__time_duration.sum";

struct StoredMetric {
    std::string name;
    std::vector<std::string> aliases;
};

// A row of a launch. Values are in the order of RunFile::metrics.
struct StoredLaunch {
    std::int64_t id = 0;
    std::int64_t process = 0;
    std::int64_t kernel = 0;  // KernelResult::id
    Launch launch;
};

class RunFile {
  public:
    // A file that is missing, no run file, or of another version is an error that says so. Launches that a
    // killed program has left behind are moved into the tables first.
    static Result<RunFile> open(const std::filesystem::path& file);

    const std::filesystem::path& file() const { return database_->file(); }
    RunInfo info;
    std::vector<StoredMetric> metrics;
    std::vector<KernelResult> kernels;  // in the order of their first launch
    std::vector<LeftOut> left_out;      // by name
    std::vector<Failure> failures;      // launches that failed, of any kernel
    bool launches_missing = false;      // the writer ran out of room
    // Why more may have been launched than the file tells: a sentence each. Empty: the run is complete, every
    // process of it was seen to end.
    std::vector<std::string> gaps;
    bool complete() const { return gaps.empty(); }

    // Leaves only kernels whose name has a match of this, which must be a regular expression.
    void keep_kernels(const std::string& regex, base::KernelNames names = base::KernelNames::demangled);

    // Leaves only what ran on these devices; but sums of times are of all.
    void keep_devices(const std::set<int>& devices);

    // By any of its names; nothing where the file was written without it.
    std::optional<std::size_t> metric(std::string_view name) const;

    // The rows of these kernels' launches that have one, in order, one at a time: there may be many.
    Result<void> each_launch(const std::function<void(const StoredLaunch&)>& use) const;
    // What was done in simulated time: sums by name, the longest first, and rows in the order of their begin.
    Result<std::vector<TimeTotal>> activity_totals() const;
    Result<std::vector<TimeTotal>> call_totals() const;
    Result<std::vector<Activity>> activities() const;
    Result<std::vector<ApiCall>> calls() const;
    Result<std::vector<InstructionCounts>> instructions(std::int64_t kernel) const;
    // What was seen from near of a kernel's first launch, as timing/close-up-json.h has it; nothing where
    // nobody looked.
    Result<std::optional<std::string>> close_up(std::int64_t kernel) const;
    // Nothing where the text was not kept.
    Result<std::optional<std::string>> source(const std::string& file) const;

  private:
    Result<void> load();
    Result<void> load_info();
    Result<void> load_metrics();
    Result<void> load_kernels();
    Result<void> load_bounds(KernelResult& kernel);
    Result<void> load_sampled(KernelResult& kernel);
    Result<void> load_warp_cycles(KernelResult& kernel);
    Result<void> load_left_out();
    Result<void> load_failures();
    Result<void> load_gaps();

    Result<std::vector<TimeTotal>> totals(std::string_view what) const;
    Result<std::vector<InstructionCounts>> instruction_counts(std::int64_t kernel) const;
    Error damaged(const std::string& what) const;

    std::unique_ptr<Database> database_;
    std::set<int> devices_;  // whose activities are read; empty: all
};

// How many launches a run file has while it is still being written; nothing where that cannot be told now.
std::optional<std::uint64_t> launches_so_far(const std::filesystem::path& file);

}  // namespace lockstep::report
