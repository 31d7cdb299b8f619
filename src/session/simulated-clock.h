// The clock of `--clock simulated`: a timeline of all streams that the process's commands are put on, from
// several threads, and the file that keeps it.
//
// The host has one clock, the program's time (program-time.h), which the program may look at as well. Calls
// of several threads stand one after the other on it, in the order in which they were made.
#pragma once
#include <sys/types.h>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/result.h"
#include "report/timeline-file.h"
#include "session/activity-log.h"
#include "session/command.h"
#include "session/options.h"
#include "session/program-time.h"
#include "session/stream-times.h"
#include "session/streams.h"

namespace lockstep::session {

// Thread-safe.
class SimulatedClock {
  public:
    using Report = std::function<void(const std::string&)>;

    // The devices' models, by number, and `time` must outlive it. A timeline that cannot be written is an
    // error, and so is a GPU model without figures for copies and queues.
    static Result<std::unique_ptr<SimulatedClock>> create(const ClockOptions& options,
                                                          const std::vector<const gpu::GpuModel*>& gpus,
                                                          ProgramTime& time, Report report);

    bool host_measured() const { return time_.host_measured(); }
    // Nanoseconds since the timeline's begin.
    double now() const { return time_.now() - origin_; }
    // Before anything is submitted; it must outlive the clock.
    void watch(ActivityLog& log) { log_ = &log; }

    void add_stream(const Stream& stream, bool of_thread);
    void set_priority(const Stream& stream);
    void remove_stream(const Stream& stream);
    void remove_event(const Event& event);

    // Whether a command that is put off has to be done before it is told: it takes a time that is not known.
    bool is_told_late(const Command& command) const { return !command.as<HostFunction>() || host_measured(); }
    // A command has been done, or will be without taking time. What there is no time for is not on the clock:
    // the outcome says why.
    Outcome submit(const Command& command, const Done& done);
    // Pages of managed memory that the host has touched where a device had them.
    void fetched_by_host(Device& device, std::uint64_t bytes);
    void wait_for(const Stream& stream);
    void wait_for(const Event& event);
    void wait_for(const Device& device);
    bool query(const Stream& stream);
    bool query(const Event& event);
    // Nanoseconds; nothing: not recorded yet.
    std::optional<double> time_of(const Event& event);

    // Ranges that the program names, at the host's time. Nobody wants them: nothing is kept.
    bool wants_ranges() const { return writer_ != nullptr; }
    // How many were open in this thread and domain.
    int push_range(report::HostRange range);
    // How many are left; nothing: none was open.
    std::optional<int> pop_range(const std::string& domain);
    std::uint64_t start_range(report::HostRange range);
    void end_range(std::uint64_t started);
    void mark(report::HostRange moment);

    // A launch has failed: the timeline tells why it lacks it.
    void failed(const report::Failure& failure);

    // The program ends.
    void finish();

  private:
    SimulatedClock(const ClockOptions& options, const std::vector<const gpu::GpuModel*>& gpus,
                   ProgramTime& time, Report report);
    static Outcome check(const Command& command, const Done& done);
    Outcome submit_graph(const Command& command, const Done& done);
    void keep();
    void begin(report::HostRange& range);
    void end(report::HostRange& range);
    // A call, at the program's time, which it moves on.
    template <class Body>
    auto call(Body&& body);

    Report report_;
    ProgramTime& time_;
    const double origin_;  // of the timeline, in the program's time
    std::mutex mutex_;
    std::map<std::thread::id, int> range_threads_;                                  // their numbers
    std::map<std::pair<int, std::string>, std::vector<report::HostRange>> pushed_;  // by thread and domain
    std::map<std::uint64_t, report::HostRange> started_;
    std::uint64_t ranges_started_ = 0;
    std::unique_ptr<report::TimelineWriter> writer_;  // null: nobody wants it
    pid_t process_ = 0;                               // that may write it: not a child of it
    ActivityLog* log_ = nullptr;                      // null: nobody wants it
    StreamTimes times_;
};

}  // namespace lockstep::session
