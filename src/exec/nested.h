// What threads of a kernel give the device to do (dynamic parallelism), as values: they are collected while
// the kernel runs, and done after it by whoever launched it; earlier where a block waits for them.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace lockstep::exec {

class Kernel;
struct Fault;

struct MemoryRange {
    std::uint64_t begin = 0, size = 0;
    bool holds(std::uint64_t address) const { return address - begin < size; }
};

struct NestedKernel {
    const Kernel* kernel = nullptr;
    std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    std::uint32_t dynamic_shared_bytes = 0;
    std::vector<std::byte> params;
    bool first_runtime = false;               // launched by code for the device runtime's first version
    std::vector<MemoryRange> of_launchers{};  // as Launch has it
};
struct NestedCopy {
    std::uint64_t to = 0, to_pitch = 0, from = 0, from_pitch = 0, width = 0, height = 1;
};
struct NestedFill {
    std::uint64_t to = 0, pitch = 0, width = 0, height = 1;
    std::uint8_t value = 0;
};
struct NestedRecord {
    std::uint64_t event = 0;
};
struct NestedWait {
    std::uint64_t event = 0;
};

// An executable graph, by its handle. The program names one of three streams for it.
enum class GraphStream : std::uint64_t {
    tail = 0x0100000000000000,
    fire_and_forget = 0x0200000000000000,
    sibling = 0x0300000000000000  // fired and forgotten by the graph that launched this one
};
struct NestedGraph {
    std::uint64_t graph = 0;
    GraphStream stream{};
};

// Streams that every kernel has; other numbers are a block's own.
enum class NestedStream : std::uint64_t {
    block = 0,
    legacy = 1,
    per_thread = 2,
    tail = 3,
    fire_and_forget = 4
};

struct NestedWork {
    std::variant<NestedKernel, NestedCopy, NestedFill, NestedRecord, NestedWait, NestedGraph> what;
    NestedStream stream{};
    std::uint64_t block = 0;   // of the kernel that asked for it …
    std::uint32_t thread = 0;  // … and the thread in it
    std::string by;            // "block (0,0,0), thread (3,0,0)"
};

// What a thread changes of a kernel node of a graph.
struct NodeParameter {
    std::uint64_t offset = 0;
    std::vector<std::byte> bytes;
};
struct NodeGrid {
    std::array<std::uint32_t, 3> grid{};
};
struct NodeEnabled {
    bool enabled = true;
};
using NodeChange = std::variant<NodeParameter, NodeGrid, NodeEnabled>;

// Errors of the device runtime, by CUDA's numbers.
enum class NestedError : std::uint32_t {
    none = 0,
    invalid_value = 1,
    memory_allocation = 2,
    invalid_configuration = 9,
    invalid_memcpy_direction = 21,
    launch_max_depth_exceeded = 65,
    sync_depth_exceeded = 68,
    launch_pending_count_exceeded = 69,
    invalid_device_function = 98,
    not_supported = 801,
};

// Who does it. Called from any worker thread, several at once.
class Nesting {
  public:
    virtual ~Nesting() = default;

    // Before a launch gets memory for its arguments: whether it may be made.
    virtual NestedError admit(const NestedKernel& kernel) = 0;
    // When it is made: whether there is room for one more.
    virtual NestedError pend(const NestedKernel& kernel, bool tail) = 0;
    // A block waits: all this is done when it returns.
    virtual std::optional<Fault> run(std::vector<NestedWork> work) = 0;
    // Whether blocks of this kernel may wait for what they have launched.
    virtual NestedError may_wait() = 0;
    // The rest, in the order of blocks, when the kernel has ended without a fault.
    virtual void leave(std::vector<NestedWork> work) = 0;

    // Whether a graph may be launched. Nothing: the handle is none of a graph for the device.
    virtual std::optional<NestedError> pend(const NestedGraph& graph) = 0;
    // Nothing: the handle is none of a node that kernels may change.
    virtual std::optional<NestedError> change(std::uint64_t node, const NodeChange& change) = 0;

    // What a kernel may ask.
    virtual NestedError attribute(std::int32_t& value, std::uint32_t attribute, std::int32_t device) = 0;
    virtual NestedError limit(std::uint64_t& value, std::uint32_t limit) = 0;
    // As cudaFuncAttributes lies in memory.
    virtual std::vector<std::byte> function_attributes(const Kernel& kernel) = 0;
    virtual NestedError active_blocks(std::int32_t& blocks, const Kernel& kernel, std::int32_t threads,
                                      std::uint64_t shared) = 0;
    virtual std::int32_t device_number() = 0;
    virtual std::int32_t device_count() = 0;
    // The address of a text in device memory.
    virtual std::uint64_t error_text(std::uint32_t error, bool name) = 0;
};

}  // namespace lockstep::exec
