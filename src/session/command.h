// What a program gives a device to do, as a value: checked, complete and independent of the call that made
// it, so that it can be put off, kept, and submitted again. Device::submit orders it, has it done
// (execute.h) and tells the clock.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "session/launch-check.h"
#include "session/managed-pages.h"
#include "session/status.h"
#include "session/stream-order.h"
#include "session/streams.h"
#include "session/transfers.h"
#include "timing/nested-kernels.h"
#include "timing/prediction.h"

namespace lockstep::session {

class Device;
struct Function;

struct KernelLaunch {
    Function* function = nullptr;  // of a module of the device that is still loaded when it is run
    LaunchShape shape;
    std::uint64_t asked_threads = 0;  // of the launch that the program made, where its block was replaced
    std::vector<std::byte> params;    // as exec::Launch has them
    StreamId stream = 0;              // the command's, for the profile
    bool in_ranges = true;            // made in NVTX ranges that are profiled
    std::vector<exec::MemoryRange> of_launchers{};  // as exec::Launch has them
};

struct Copy {
    Transfer transfer;
    Direction direction = Direction::by_address;  // that the program gave
    // The call returns when its source was read: on a GPU it may be still to be done.
    bool staged = false;
};

struct Fill {
    Box to;
    BoxSize size;
    std::uint32_t value = 0;
    int value_bytes = 1;
};

// Of device memory, in a stream.
struct Free {
    std::uint64_t address = 0;
};

// Puts memory behind the addresses of a graph's node.
struct GraphMemory;
struct Allocate {
    std::shared_ptr<GraphMemory> memory;
};

// Of managed memory: nothing has to move here, but a GPU's pages would.
struct Prefetch {
    std::uint64_t address = 0, bytes = 0;
    int device = 0;  // -1: to the host
};

// Of managed memory: its pages are nobody's until they are written or prefetched.
struct Discard {
    std::uint64_t address = 0, bytes = 0;
};

// Runs beside the program, on a thread of its own.
struct HostFunction {
    std::function<void(Device&)> call;
    void (*function)(void*) = nullptr;  // that the program gave, with its argument; null: a stream's callback
    void* data = nullptr;
};

struct EventRecord {
    std::shared_ptr<Event> event;
    std::uint64_t shared_record = 0;  // SharedEvent::record's number; 0: it is not known before it is done
};

struct EventWait {
    std::shared_ptr<const Event> event;
};

// All that a graph describes, at once.
struct GraphPlan;
struct GraphLaunch {
    std::shared_ptr<const GraphPlan> plan;
};
enum class ConditionalKind : std::uint8_t { if_, while_, switch_ };  // as cudaGraphConditionalNodeType

struct Command {
    Device* device = nullptr;
    StreamId stream = 0;
    std::variant<KernelLaunch, Copy, Fill, Free, Allocate, Prefetch, Discard, HostFunction, EventRecord,
                 EventWait, GraphLaunch>
        work;
    bool stops_host = false;   // the call that submits it returns when it has been done
    std::uint64_t number = 0;  // by which who looks for bugs knows it again; 0: nobody does

    template <class Kind>
    const Kind* as() const {
        return std::get_if<Kind>(&work);
    }
    CommandPlace place() const;
    // Whether it calls functions of the program's, and so needs the thread that these run on.
    bool calls_host() const;
};

struct Done;

// Of a graph's launch: a command that was done, or nothing, where others meet.
struct GraphStep {
    const Command* command = nullptr;
    std::shared_ptr<const Done> done{};
    std::vector<std::uint32_t> after{};  // earlier steps that it waited for
    std::string launched_by{};           // the kernel that launched the graph that it is of; empty: the host
};

// Who launched a kernel, if it was not the host.
struct NestedParent {
    std::string kernel;  // as reports name it
    int depth = 1;       // below the host's launch
};

// How a command ended.
struct Done {
    Outcome outcome;       // of the call that submitted it; a kernel's fault is kept in the device's errors
    bool complete = true;  // it was done, to its end
    std::optional<timing::Prediction> prediction;  // of a kernel that was watched
    exec::LaunchStats executed;                    // by a kernel, where instructions are counted
    std::shared_ptr<const timing::NestedKernels>
        nested;                            // a kernel with what its threads launched; null: nothing
    std::optional<double> kernel_seconds;  // that a kernel took here; nothing where it was not run
    double host_nanoseconds = 0;           // processor time of a host function
    PageMoves pages_before{}, pages{};  // of managed memory: what the host had fetched, what the command did
    unsigned graphs_fired = 0, graphs_in_tail = 0;     // by threads of a kernel
    std::vector<GraphStep> steps{};                    // of a graph's launch
    std::vector<std::shared_ptr<const void>> keeps{};  // what commands of these are in
};

}  // namespace lockstep::session
