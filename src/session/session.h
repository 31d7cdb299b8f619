// A session: one simulated GPU and everything that a program has made on it. The host APIs are thin layers
// over this class; it knows CUDA's rules, not its function names.
#pragma once
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "base/result.h"
#include "exec/engine.h"
#include "exec/warnings.h"
#include "gpu/model.h"
#include "report/result.h"
#include "session/command.h"
#include "session/device-limits.h"
#include "session/errors.h"
#include "session/kernel-selection.h"
#include "session/lacking.h"
#include "session/modules.h"
#include "session/options.h"
#include "session/registry.h"
#include "session/stream-work.h"
#include "session/streams.h"
#include "session/transfers.h"

namespace lockstep::session {

class Profiler;
class SimulatedClock;

// What the copied bytes are counted as.
struct TransferCounts {
    std::uint64_t to_device = 0, to_host = 0, on_device = 0, on_host = 0;
};

// What a run did, for LOCKSTEP_STATS.
struct Stats {
    std::uint64_t launches = 0, blocks = 0, threads = 0;
    std::uint64_t warp_instructions = 0, thread_instructions = 0;
    double kernel_seconds = 0;
    std::uint64_t allocations = 0, peak_bytes = 0;
    TransferCounts copied;
    std::string to_string() const;
};

class Session {
  public:
    // Messages for the user ("lockstep: …" lines, without that prefix).
    using Report = std::function<void(const std::string&)>;

    static Result<std::unique_ptr<Session>> create(Options options, Registry& registry, Report report);

    ~Session();

    const gpu::GpuModel& gpu() const { return gpu_; }
    const Options& options() const { return options_; }
    exec::DeviceMemory& memory() { return memory_; }
    DeviceLimits& limits() { return limits_; }
    Modules& modules() { return modules_; }
    DeviceErrors& errors() { return errors_; }

    // Memory. Freeing the null pointer is legal; it waits for the device.
    Found<std::uint64_t> allocate(std::uint64_t size, exec::MemoryKind kind);
    Outcome release(std::uint64_t address, bool host_memory);
    // … or is done in a stream.
    Outcome release(std::uint64_t address, const Stream& stream);
    // `waits`: the call returns when the copy is done, and reports what went wrong before it.
    Outcome copy(const Box& to, const Box& from, const BoxSize& size, Direction direction,
                 const Stream& stream, bool waits);
    Outcome fill(const Box& to, const BoxSize& size, std::uint32_t value, int value_bytes,
                 const Stream& stream);

    // Streams (session-streams.cc). Handle 1 is the legacy default stream, 2 this thread's, and null the one
    // or the other.
    std::shared_ptr<Stream> find_stream(const void* handle, bool null_is_of_thread);
    Stream* create_stream(unsigned flags, int priority);
    bool destroy_stream(const void* handle);
    Outcome synchronize(const Stream& stream);
    Outcome synchronize();
    // Status::not_ready: there is work to do.
    Outcome query(const Stream& stream);
    // Runs on a thread of its own.
    Outcome host_function(const Stream& stream, std::function<void(Session&)> function);

    // Events.
    std::shared_ptr<Event> find_event(const void* handle) { return events_.find(handle); }
    Event* create_event(unsigned flags);
    bool destroy_event(const void* handle);
    Outcome record(const std::shared_ptr<Event>& event, const Stream& stream);
    Outcome wait_event(const Stream& stream, const std::shared_ptr<Event>& event);
    Outcome synchronize(const Event& event);
    Outcome query(const Event& event);
    Found<float> milliseconds(const Event& start, const Event& end);

    // Of a thread of the kernel, as ptxas would allocate them: an estimate.
    std::uint32_t registers(Function& function);

    // Runs the kernel, mostly before it returns. The outcome is of the launch itself; a fault of the kernel
    // is kept in errors().
    Outcome launch(Function& function, const LaunchShape& asked, void** arguments, const Stream& stream);

    // Has a command done in its stream's order, and puts it on the simulated clock where there is one. All
    // work of a device comes through here, and once: what happens never depends on when it happens. The
    // outcome is the call's.
    Outcome submit(const Command& command);

    // A launch has failed for another reason than a fault: what watches the session keeps it. `kernel` is its
    // mangled name; empty where that is not known.
    void launch_failed(const std::string& kernel, report::FailureKind kind, const std::string& reason);
    // The same with `launching` held.
    void keep_failure(const std::string& kernel, report::FailureKind kind, const std::string& reason);
    // Launches that lockstep could not run.
    const Lacking& lacking() const { return lacking_; }

    // An API function begins, and ends.
    void begin_call();
    void end_call();

    // Destroys everything that was made on the device; kernels load again when they are next used.
    void reset();

    // The program ends: what was profiled goes into the tables of the run file, and the timeline is complete.
    void finish();
    // A fork must not happen while a kernel runs or its profile is written: between these calls none does.
    void before_fork() { launching_.lock(); }
    void after_fork() { launching_.unlock(); }

    // A kernel is being compiled, perhaps for a launch that has timed out.
    bool compiling() const { return options_.exec.compiling->load() > 0; }

    Stats stats() const;

    // For who does commands (execute.cc).
    std::mutex& launching() { return launching_; }  // one kernel runs at a time, on all cores
    Profiler* profiler() { return profiler_.get(); }
    SimulatedClock* clock() { return clock_.get(); }
    void report(const std::string& message) { report_(message); }
    void count(const auto& change) {
        const std::lock_guard lock(stats_mutex_);
        change(stats_);
    }

  private:
    Session(Options options, gpu::GpuModel gpu, Registry& registry, Report report);

    bool is_awaited(const Command& command) const;
    void forget(const Stream& stream);

    Options options_;
    gpu::GpuModel gpu_;
    Report report_;
    exec::Warnings warnings_;
    exec::DeviceMemory memory_;
    DeviceLimits limits_;
    Modules modules_;
    DeviceErrors errors_;
    Handles<Stream> streams_;
    Handles<Event> events_;
    KernelSelection selection_;  // whose blocks LOCKSTEP_BLOCK changes
    std::shared_ptr<Stream> legacy_ = std::make_shared<Stream>(Stream{legacy_stream});
    std::mutex thread_streams_mutex_;
    std::map<std::thread::id, std::shared_ptr<Stream>> thread_streams_;
    std::atomic<std::uint64_t> next_stream_{3}, next_event_{1};
    StreamWork work_;
    std::unique_ptr<SimulatedClock> clock_;  // null: the wall clock
    Lacking lacking_;
    std::unique_ptr<Profiler> profiler_;  // null: nothing is profiled
    std::mutex launching_;
    std::mutex registers_mutex_;
    mutable std::mutex stats_mutex_;
    Stats stats_;
};

}  // namespace lockstep::session
