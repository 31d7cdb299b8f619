// A session: one simulated GPU and everything that a program has made on it. The host APIs are thin layers
// over this class; it knows CUDA's rules, not its function names.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "base/result.h"
#include "exec/engine.h"
#include "gpu/model.h"
#include "session/errors.h"
#include "session/kernel-selection.h"
#include "session/modules.h"
#include "session/options.h"
#include "session/registry.h"
#include "session/streams.h"
#include "session/transfers.h"

namespace lockstep::session {

class Profiler;

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
    Modules& modules() { return modules_; }
    DeviceErrors& errors() { return errors_; }
    Handles<Stream>& streams() { return streams_; }
    Handles<Event>& events() { return events_; }

    // Memory. Freeing the null pointer is legal.
    Found<std::uint64_t> allocate(std::uint64_t size, exec::MemoryKind kind);
    Outcome release(std::uint64_t address, bool host_memory);
    Outcome copy(const Box& to, const Box& from, const BoxSize& size, Direction direction);
    Outcome fill(const Box& to, const BoxSize& size, std::uint32_t value, int value_bytes);

    // Streams and events. A null stream and the two special handles (1: legacy, 2: per thread) always exist.
    bool is_stream(const void* handle);
    Stream* create_stream(unsigned flags, int priority);
    Outcome record(Event& event);

    // Of a thread of the kernel, as ptxas would allocate them: an estimate.
    std::uint32_t registers(Function& function);

    // Runs the kernel before it returns. The outcome is of the launch itself; a fault of the kernel is kept
    // in errors().
    Outcome launch(Function& function, const LaunchShape& asked, void** arguments);

    // Destroys everything that was made on the device; kernels load again when they are next used.
    void reset();

    // The program ends: what was profiled goes into the tables of the run file.
    void finish_profile();
    // A fork must not happen while a kernel runs or its profile is written: between these calls none does.
    void before_fork() { launching_.lock(); }
    void after_fork() { launching_.unlock(); }

    Stats stats() const;

  private:
    Session(Options options, gpu::GpuModel gpu, Registry& registry, Report report);

    Options options_;
    gpu::GpuModel gpu_;
    exec::DeviceMemory memory_;
    Modules modules_;
    DeviceErrors errors_;
    Handles<Stream> streams_;
    Handles<Event> events_;
    std::atomic<std::uint64_t> next_stream_{3};
    KernelSelection selection_;  // whose blocks LOCKSTEP_BLOCK changes
    Report report_;
    std::unique_ptr<Profiler> profiler_;  // null: nothing is profiled
    std::mutex launching_;                // one kernel runs at a time, on all cores
    std::mutex registers_mutex_;
    mutable std::mutex stats_mutex_;
    Stats stats_;
};

}  // namespace lockstep::session
