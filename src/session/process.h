// What a program has once, however many devices it uses: its options and device code, one map of addresses,
// one order of all streams, the clock, the profile, and what it is told at its end.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "exec/address-map.h"
#include "exec/warnings.h"
#include "gpu/model.h"
#include "report/result.h"
#include "session/activity-log.h"
#include "session/capture.h"
#include "session/device-api.h"
#include "session/device-graphs.h"
#include "session/graph.h"
#include "session/kernel-selection.h"
#include "session/lacking.h"
#include "session/managed-advice.h"
#include "session/managed-pages.h"
#include "session/observer.h"
#include "session/options.h"
#include "session/range-selection.h"
#include "session/registry.h"
#include "session/stats.h"
#include "session/stream-work.h"
#include "session/streams.h"

namespace lockstep::session {

class Device;
class Checker;
class Profiler;
class ProgramTime;
class SimulatedClock;

// Thread-safe.
class Process {
  public:
    // Messages for the user ("lockstep: …" lines, without that prefix).
    using Report = std::function<void(const std::string&)>;

    // With the device that the options name. `registry` must outlive it, and so must `time`, which a
    // simulated clock needs.
    static Result<std::unique_ptr<Process>> create(Options options, Registry& registry, ProgramTime* time,
                                                   Report report);
    // With these devices.
    static Result<std::unique_ptr<Process>> create(Options options, std::vector<gpu::GpuModel> gpus,
                                                   Registry& registry, ProgramTime* time, Report report);
    ~Process();
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    const Options& options() const { return options_; }
    Registry& registry() { return registry_; }
    exec::AddressMap& addresses() { return addresses_; }

    std::size_t device_count() const { return devices_.size(); }
    // 0, 1, …
    Device& device(std::size_t number) { return *devices_[number]; }
    // Of whichever device; null: a program has no such stream or event.
    std::shared_ptr<Stream> find_stream(const void* handle);
    std::shared_ptr<Event> find_event(const void* handle);

    // A launch has failed for another reason than a fault: what watches the process keeps it. `kernel` is its
    // mangled name; empty where that is not known.
    void launch_failed(const std::string& kernel, report::FailureKind kind, const std::string& reason);
    // Launches that lockstep could not run.
    const Lacking& lacking() const { return lacking_; }

    // What follows is profiled, or not (cudaProfilerStart and Stop).
    void set_profiling(bool active);
    // A call of the API begins and ends in this thread: noted where there is a profile in simulated time.
    void begin_call(const char* function);
    void end_call();

    // The program ends: what was profiled goes into the tables of the run file, and the timeline is complete.
    void finish();
    // … after its own destructors, with this status: what it leaves behind is looked at.
    void ended(int status);
    // A fork must not happen while a kernel runs or its profile is written: between these calls none does.
    void before_fork() { launching_.lock(); }
    void after_fork() { launching_.unlock(); }

    // A kernel is being compiled, perhaps for a launch that has timed out.
    bool compiling() const { return options_.exec.compiling->load() > 0; }

    Stats stats() const { return stats_.now(); }
    // Of a launch's blocks these were executed (--sample); 0: all. With `launching` held.
    void sampled(std::uint64_t blocks, std::uint64_t executed);
    // Before anything is submitted; it must outlive the process. Any number may watch.
    void watch(Observer& observer) { observers_.push_back(&observer); }

    Graphs& graphs() { return graphs_; }
    DeviceGraphs& device_graphs() { return device_graphs_; }
    Captures& captures() { return captures_; }
    // What kernels may call of the API. Before anything is launched.
    void set_device_api(DeviceApi api) { device_api_ = std::move(api); }
    const DeviceApi& device_api() const { return device_api_; }

    // For its devices, and who does their commands.
    StreamWork& work() { return *work_; }
    SimulatedClock* clock() { return clock_.get(); }  // null: the wall clock
    ManagedAdvice& managed_advice() { return managed_advice_; }
    ManagedPages* managed_pages() { return managed_pages_.get(); }  // null: nobody asks when they move
    // What the host has fetched of it until now is put on the clock.
    void forget_managed(const exec::Allocation& allocation, Device& device);
    Profiler* profiler() { return profiler_.get(); }  // null: nothing is profiled
    Checker* checker() { return checker_.get(); }     // null: nothing is looked for
    // By whose NVTX ranges launches are profiled; null: whatever these are.
    RangeSelection* ranges() { return ranges_ ? &*ranges_ : nullptr; }
    std::mutex& launching() { return launching_; }  // one kernel runs at a time, on all cores
    StreamId new_stream() { return next_stream_++; }
    EventId new_event() { return next_event_++; }
    void report(const std::string& message) { report_(message); }
    // launch_failed with `launching` held.
    void keep_failure(const std::string& kernel, report::FailureKind kind, const std::string& reason);
    // Whether LOCKSTEP_BLOCK changes the blocks of this kernel's launches, by its mangled name.
    bool changes_block(const std::string& kernel) { return options_.block && selection_.matches(kernel); }
    // To all that watch.
    void tell(const auto& what) {
        for (Observer* observer : observers_) what(*observer);
    }

  private:
    Process(Options options, Registry& registry, Report report);

    Options options_;
    Registry& registry_;
    Report report_;
    exec::Warnings warnings_;
    struct Sampled {
        std::uint64_t launches = 0, blocks = 0, executed = 0;
    } sampled_;  // of launches that were not executed whole
    exec::AddressMap addresses_;
    KernelSelection selection_;
    Lacking lacking_;
    DeviceApi device_api_;
    std::mutex launching_;
    StatsKeeper stats_{*this};
    std::vector<Observer*> observers_{&stats_};
    std::atomic<StreamId> next_stream_{first_stream};
    std::atomic<EventId> next_event_{1};
    Graphs graphs_;
    DeviceGraphs device_graphs_;
    Captures captures_{graphs_};
    std::vector<std::unique_ptr<Device>> devices_;
    std::unique_ptr<Profiler> profiler_;
    std::unique_ptr<Checker> checker_;
    std::optional<RangeSelection> ranges_;
    std::unique_ptr<ActivityLog> activities_;
    std::unique_ptr<SimulatedClock> clock_;
    ManagedAdvice managed_advice_;
    std::unique_ptr<ManagedPages> managed_pages_;
    std::unique_ptr<StreamWork> work_;  // last: its thread uses the others
};

}  // namespace lockstep::session
