// Writes a run file from the program's own process, a launch at a time. Several processes may write to one
// file: a program that forks, or one that starts others.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "metrics/metric.h"
#include "report/activity.h"
#include "report/result.h"
#include "report/sqlite.h"

namespace lockstep::report {

// Beside a run file that could not be written to the end: its writer leaves this mark, which needs no room.
std::filesystem::path incomplete_mark(const std::filesystem::path& file);

// Whether a run may be kept there: nothing is, or an earlier one. Anything else of that name is an error.
Result<void> check_run_file(const std::filesystem::path& file);

// What SQLite and a writer may have left beside a run file: it belongs to that one alone.
std::vector<std::filesystem::path> run_file_remains(const std::filesystem::path& file);

// Makes a run file that no process has written to yet.
Result<void> make_run_file(const std::filesystem::path& file, const RunInfo& info,
                           std::span<const metrics::Metric> metrics);

// Who has started a process and waited for it tells how it ended: a status, or the signal that ended it.
// What the process said of itself is overruled, since it may have been killed after that.
Result<void> note_end(const std::filesystem::path& file, std::int64_t process, int status, int signal);

class RunWriter {
  public:
    // Makes the file, or adds to the one that is there, which must be of the same GPU and lockstep. From here
    // on the file is not complete until finish(), or note_end().
    static Result<std::unique_ptr<RunWriter>> open(const std::filesystem::path& file, const RunInfo& info,
                                                   std::span<const metrics::Metric> metrics);
    RunWriter(const RunWriter&) = delete;
    RunWriter& operator=(const RunWriter&) = delete;

    // Keeps what is known of a kernel before it runs: its module's text and where that comes from, its
    // instructions (their counts are not read), and the source files that these name. The id stays valid in
    // forked processes.
    Result<std::int64_t> add_kernel(const std::string& name, int device, const std::string& ptx,
                                    const CodeOrigin& origin,
                                    std::span<const InstructionCounts> instructions);

    // Keeps a launch: it is in the file when this returns, whatever happens to the process. `instructions`
    // has one element for each of the kernel's.
    Result<void> append(std::int64_t kernel, const Launch& launch,
                        std::span<const InstructionCounts> instructions);

    // Keeps what was seen from near of a kernel's first launch (timing/close-up-json.h), of so many kernels
    // as have one.
    Result<void> add_close_up(std::int64_t kernel, const std::string& picture);

    // Keeps that so many more launches of a kernel are not profiled, because nobody asked for them.
    Result<void> leave_out(const std::string& kernel, std::uint64_t launches);

    // Keeps what this process did in simulated time.
    Result<void> add_times(const TimeRecords& records);

    // Keeps that a launch failed, and why.
    Result<void> add_failure(const std::string& kernel, FailureKind kind, const std::string& reason);

    // Moves this process's launches into the tables, and says that it has ended. Readers do the first for
    // processes that were killed.
    Result<void> finish();

  private:
    explicit RunWriter(std::filesystem::path file) : file_(std::move(file)) {}
    // What every call begins with: the process may have been forked since the last.
    Result<void> ready();
    Result<void> connect();
    Result<void> begin_process();
    Result<void> check(const RunInfo& info);
    Result<void> fold();
    Result<std::int64_t> insert_kernel(const std::string& name, int device, const std::string& ptx,
                                       const CodeOrigin& origin,
                                       std::span<const InstructionCounts> instructions);
    Result<std::int64_t> module_id(const std::string& ptx, const CodeOrigin& origin);
    Result<void> keep_source(const std::string& file);
    Result<void> insert_times(const TimeRecords& records);
    Error fail(Error error);

    std::filesystem::path file_;
    Database database_;
    Statement insert_pending_;
    std::int64_t process_ = 0;  // that has opened the database
    std::int64_t row_ = 0;      // of that process
    std::size_t pending_ = 0, pending_bytes_ = 0;
    std::optional<Error> failed_;  // once it has failed, it fails again without trying
};

}  // namespace lockstep::report
