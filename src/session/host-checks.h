// Looks for what a program's host side does wrong (lockstep check): memory that it frees twice or never,
// copies that do not fit, launches whose errors nobody looks at, streams and events that order nothing.
// It is told of what happens; what is wrong it tells with the program's lines.
#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "check/findings.h"
#include "session/allocation-records.h"
#include "session/command-clocks.h"
#include "session/command.h"
#include "session/host-access.h"
#include "session/host-uses.h"
#include "session/options.h"
#include "session/stream-races.h"

namespace lockstep::session {

class Process;

// Thread-safe.
class HostChecks {
  public:
    HostChecks(Process& process, const CheckOptions& options, check::Findings& findings);

    // Calls of the API; the outermost counts.
    void begin_call(const char* function);
    void end_call();
    // Whether more than one of the program's threads has called.
    bool has_several_threads() const;
    CallSite site() const;  // of the call that this thread is in
    // This call launches a kernel; the function that a program names it by.
    void launching(const void* stub);

    // Memory of the host's goes back. Those who answer the C library's functions ask first whether somebody
    // wants to know: null, if not.
    static HostChecks* watching_frees() {
        HostChecks* const checks = watching_frees_.load(std::memory_order_acquire);
        return checks && checks->has_host_uses_.load(std::memory_order_relaxed) ? checks : nullptr;
    }
    void host_freed(std::uint64_t begin, std::uint64_t bytes, const char* function);

    void allocated(const exec::Allocation& allocation);
    void released(const exec::Allocation& allocation);
    void reset(int device);
    // For whoever tells of memory: where it was allocated, and freed.
    std::vector<check::Place> history_of(std::uint64_t address) const;

    // Calls that failed.
    void bad_free(std::uint64_t address, const Outcome& outcome);
    void bad_copy(const Box& to, const Box& from, const BoxSize& size, Direction direction,
                  const Outcome& outcome);
    void bad_fill(const Box& to, const BoxSize& size, const Outcome& outcome);

    // A launch failed; `kernel` is its mangled name, empty where that is not known. Whoever looks at errors
    // has seen it.
    void launch_failed(const std::string& kernel, const Outcome& outcome);
    void errors_looked_at();
    // It asked for the name or the text of an error.
    void error_looked_at(Status status);

    // Handles. What was destroyed is kept where it can be, so that nothing new has its address.
    void destroyed(std::shared_ptr<const void> object, const char* what);
    void destroyed(const void* handle, const char* what);
    void no_such(const void* handle);
    void recorded(EventId event);
    void waited_for(const Event& event);
    void no_time(const Event& event);  // because it was never recorded

    // Streams and what is done in them. A command that is part of another (of a graph) is not submitted.
    void add_stream(StreamId stream, StreamId legacy, bool blocking);
    void remove_stream(StreamId stream);
    struct Number {
        std::uint64_t command = 0;
        Stamp stamp;
    };
    Number submitted(const Command& command);
    // What a kernel that runs in this thread has read and written, before it is done. `tells_host`: it may
    // have told the host so itself, with volatile or atomic accesses to the host's memory.
    void touched(const Touched& touched, bool tells_host = false);
    void done(const Command& command, const Done& done);
    // A graph's launch begins in this thread; a step of it was done behind others, which the call `made`
    // added. No command: where others meet.
    void begin_graph();
    void graph_step(const Command* command, const CallSite& made, const std::vector<std::uint32_t>& after);
    void host_waited(const Stamp& command);
    void host_waited_for_stream(StreamId stream);
    void host_waited_for_device(StreamId legacy);
    void host_waited_for_event(EventId event);

    // A kernel has run in this thread. `tells`: it can say by itself what came out, by assert or printf;
    // `printed`: it has.
    void ran(const std::string& kernel, bool tells, bool printed);

    // The program ends with this status.
    void finish(int status);

  private:
    struct Call {
        const char* function = "";
        int depth = 0;
        const void* stub = nullptr;  // of the kernel that it launches
        Touched touched;             // by what runs in this thread, and is not done yet
        Touched of_graph;            // … by earlier steps of the graph
        GraphRaces graph;
        bool kernel_told = false;  // what it touched
        bool printed = false;      // by a kernel …
        std::string printed_by;    // … of this name
        bool tells_host = false;
    };
    struct FailedLaunch {
        std::thread::id thread;
        std::string kernel;
        Status status{};
        std::string reason;
        CallSite site;
    };
    struct Destroyed {
        std::shared_ptr<const void> object;
        const char* what;
        CallSite site;
    };
    struct Submitted {
        Stamp stamp;
        CallSite site;
        const char* function;
        Touched touched;  // that is known before it is done
    };
    struct EventWait {
        CallSite site;
        const char* function;
    };

    const char* function() const;  // that this thread has called
    // With the mutex held.
    std::vector<HostAccess::Pages> pages_to_close();
    void close_device(std::vector<HostAccess::Pages>& pages);
    bool accessed(const HostAccess::Access& access);
    bool is_stale(const Copy& copy) const;
    void tell_stale(const Copy& copy, const CallSite& site, const char* function);
    void add(check::Finding finding, const CallSite& site, const std::string& role);
    void tell(const StreamRace& race, bool of_graph = false);
    void tell_leaks();
    void tell(const FailedLaunch& launch);
    void tell_never_run();
    void tell_lost_output();
    void tell_unread_results();
    // Of a copy that is about to be done, the side in the host's own memory: where that is too small, the
    // host is damaged and its next call may end it.
    void look_at_host_side(const Transfer& transfer);
    void tell_bad_side(const Box& box, const BoxSize& size, bool source, const Outcome& outcome);

    bool reaches_host(const check::ByteSet& written) const;
    void use_host_memory(const Copy& copy, const CommandRecord& record, const char* function);
    void tell(const HostUse& use, const std::string& how, const CallSite& gone, const char* role);

    static inline std::atomic<HostChecks*> watching_frees_{nullptr};  // of the one process

    Process& process_;
    const CheckOptions options_;
    check::Findings& findings_;
    AllocationRecords allocations_;
    mutable std::mutex mutex_;  // of all that follows
    std::map<std::thread::id, Call> calls_;
    std::vector<FailedLaunch> failed_launches_;           // at whose errors nobody has looked
    std::map<std::string, FailedLaunch> first_failures_;  // by kernel, those that have never run
    std::set<std::string> have_run_;                      // kernels, by their mangled names
    std::optional<CommandRecord> printed_, computed_;     // the last kernel that printed, or wrote memory
    bool results_seen_ = false;                           // by the host
    std::map<const void*, Destroyed> destroyed_;
    std::map<EventId, EventWait> waits_;  // for events that were not recorded until then
    std::set<EventId> recorded_;
    CommandClocks clocks_;
    StreamRaces races_;
    HostUses host_uses_;
    std::atomic<bool> has_host_uses_{false};
    std::map<std::uint64_t, Submitted> submitted_;
    std::uint64_t last_command_ = 0;
    HostAccess access_;
    int calls_inside_ = 0;                                    // of all threads
    std::map<std::uint64_t, exec::Allocation> host_visible_;  // managed and pinned memory, by address
    std::vector<HostAccess::Pages> device_pages_;             // that only devices may touch
    bool device_pages_known_ = false;
    // What closing them may cost, in bytes that are closed: a program of many calls with much memory would
    // spend its time on it. Some tenths of a second.
    std::uint64_t closing_left_ = std::uint64_t{16} << 30;
    check::ByteSet written_;    // of device memory, by whomever
    bool blind_ = false;        // not all that was written is known
    bool call_failed_ = false;  // a call that is told of
};

}  // namespace lockstep::session
