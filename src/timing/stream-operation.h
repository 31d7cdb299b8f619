// What a program gives a GPU to do, and when and where it was done. Times are nanoseconds since the program's
// first call; all of them are simulated.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::timing {

using StreamId = std::uint64_t;
using EventId = std::uint64_t;
using OperationId = std::uint64_t;  // 1, 2, … in the order of submission

inline constexpr StreamId legacy_stream = 1;

enum class OperationKind : std::uint8_t {
    kernel,
    copy_to_device,
    copy_to_host,
    copy_on_device,
    copy_on_host,
    copy_to_peer,  // to another device
    fill,
    host_function,
    event_record,
    event_wait,
    graph_begin,  // the call that launches a graph
    graph_step,   // a node that does nothing, or where others meet
    graph,        // all of a graph's launch
};

// A kernel as the streams see it: what it needs of the GPU while it runs alone.
struct KernelWork {
    double nanoseconds = 0;
    std::uint64_t blocks = 1;
    std::uint32_t resident_blocks = 1;  // that an SM holds of it at once
    double dram_share = 0;              // of the bandwidth that can be reached
    double issue_share = 0;             // of the SMs' issue slots
};

// Whether a copy moves pages of managed memory: because the program asked for it, or because somebody touched
// them.
enum class Pages : std::uint8_t { none, prefetched, on_demand };

// What reports tell of an operation beside its time: nothing here depends on it.
struct OperationTrace {
    std::uint64_t call = 0;                               // that submitted it, by its number; 0: not known
    std::array<std::uint32_t, 3> grid{}, block{};         // of a kernel
    std::uint32_t registers = 0;                          // … a thread
    std::uint32_t static_shared = 0, dynamic_shared = 0;  // … bytes a block
};

// A kernel of a tree of launches, in nanoseconds since the root began; parents come before their children.
struct NestedPlacement {
    std::string name;
    int depth = 0;
    std::size_t parent = 0;  // its place in the list; the root's is its own
    double begin = 0, end = 0;
};

struct Operation {
    OperationKind kind{};
    StreamId stream = legacy_stream;
    std::string name;  // of a kernel
    KernelWork kernel;
    std::vector<NestedPlacement> nested;  // the kernel and what its threads launched; empty: nothing
    std::uint64_t bytes = 0;              // of copies and fills
    bool pageable = false;                // a copy whose host memory is not pinned
    Pages pages = Pages::none;            // of managed memory that a copy moves
    double nanoseconds = 0;               // of a host function or a copy on the host
    EventId event = 0;                    // of a record or a wait
    OperationId graph = 0;                // whose launch it is part of: the number of that one's graph_begin
    std::string launched_by;              // the kernel that launched that graph; empty: the host did
    std::uint64_t nodes = 0;              // of the graph that is launched
    std::uint64_t branches = 0;           // of its nodes that nothing waits for
    bool stops_host = false;              // the call returns when the work is done
    std::optional<OperationTrace> trace{};  // nothing: nobody wants it
};

// Where it ran.
enum class Engine : std::uint8_t { none, sms, copy_to_device, copy_to_host, host };

// Operations are `ready` when they have reached the GPU and everything they wait for is done. From then on
// only the hardware holds them up.
struct Placement {
    OperationId id = 0;
    Operation operation;
    std::vector<OperationId> waits_for;  // what the program's order asks for, as far as it was not done yet
    double submitted = 0;                // the call begins …
    double returned = 0;                 // … and ends
    double ready = 0, begin = 0, end = 0;
    Engine engine{};
    int device = 0;            // of its stream
    int priority = 0;          // of its stream; lower numbers first
    int queue = -1;            // hardware queue; -1: none was needed
    double queue_blocked = 0;  // ready, but behind work in its queue that waited for something else …
    OperationId behind = 0;    // … namely this, when it became ready
};

// The host was in a call that submits nothing: it waited, or asked.
struct HostCall {
    std::string what;
    double begin = 0, end = 0;
};

}  // namespace lockstep::timing
