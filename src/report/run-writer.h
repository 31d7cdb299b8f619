// Writes a run file from the program's own process, a launch at a time. Several processes may write to one
// file: a program that forks, or one that starts others.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "counters/metric.h"
#include "report/result.h"
#include "report/sqlite.h"

namespace lockstep::report {

// Beside a run file that could not be written to the end: its writer leaves this mark, which needs no room.
std::filesystem::path incomplete_mark(const std::filesystem::path& file);

// Makes way for a new run: removes an earlier run file with its mark. Anything else of that name is an error.
Result<void> remove_run_file(const std::filesystem::path& file);

class RunWriter {
  public:
    // Makes the file, or adds to the one that is there, which must be of the same GPU and lockstep.
    static Result<std::unique_ptr<RunWriter>> open(const std::filesystem::path& file, const RunInfo& info,
                                                   std::span<const counters::Metric> metrics);
    RunWriter(const RunWriter&) = delete;
    RunWriter& operator=(const RunWriter&) = delete;

    // Keeps what is known of a kernel before it runs: its module's text, its instructions (their counts are
    // not read), and the source files that these name. The id stays valid in forked processes.
    Result<std::int64_t> add_kernel(const std::string& name, const std::string& ptx,
                                    std::span<const InstructionCounts> instructions);

    // Keeps a launch: it is in the file when this returns, whatever happens to the process. `instructions`
    // has one element for each of the kernel's.
    Result<void> append(std::int64_t kernel, const Launch& launch,
                        std::span<const InstructionCounts> instructions);

    // Keeps that launches of a kernel are not profiled: nobody asked for it (no reason), or the GPU refused
    // one.
    Result<void> leave_out(const std::string& kernel, const std::string& reason);

    // Moves this process's launches into the tables, at its end. Readers do it for processes that had none.
    Result<void> finish();

  private:
    explicit RunWriter(std::filesystem::path file) : file_(std::move(file)) {}
    Result<void> connect();
    Result<void> prepare(const RunInfo& info, std::span<const counters::Metric> metrics);
    Result<void> make_tables(const RunInfo& info, std::span<const counters::Metric> metrics);
    Result<void> check(const RunInfo& info);
    Result<std::int64_t> insert_kernel(const std::string& name, const std::string& ptx,
                                       std::span<const InstructionCounts> instructions);
    Result<std::int64_t> module_id(const std::string& ptx);
    Result<void> keep_source(const std::string& file);
    // Inside a transaction.
    template <class Value, class Body>
    Result<Value> atomically(Body body);
    Error fail(Error error);

    std::filesystem::path file_;
    Database database_;
    Statement insert_pending_;
    std::int64_t process_ = 0;  // that has opened the database
    std::size_t pending_ = 0, pending_bytes_ = 0;
    std::optional<Error> failed_;  // once it has failed, it fails again without trying
};

}  // namespace lockstep::report
