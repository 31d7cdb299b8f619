// What a profiled program leaves: plain data, made by the runtime library in the program's process, kept in
// the run file, read by every printer.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "counters/access-pattern.h"
#include "report/time-words.h"

namespace lockstep::report {

// Counts of one PTX instruction, summed over the launches of a kernel.
struct InstructionCounts {
    std::string file;  // of the user's source; empty where the PTX names none
    int line = 0;
    int ptx_line = 0;     // in the PTX text of the kernel's module
    std::string ptx;      // the instruction as the printer writes it; empty: the machine added it
    std::string machine;  // what the machine view has for it: "IMAD.WIDE", or several; empty: folded away
    std::uint64_t executed = 0;       // warp instructions of the machine view
    std::uint64_t active = 0;         // threads, summed over them
    std::uint64_t predicated_on = 0;  // threads whose predicate held
    std::uint64_t branches = 0, divergent_branches = 0;
    std::uint64_t requests = 0;
    std::uint64_t sectors = 0, ideal_sectors = 0;        // global and local memory
    std::uint64_t wavefronts = 0, ideal_wavefronts = 0;  // shared memory
    // Words of shared memory that another lane of the warp had just accessed, one of them writing, with
    // nothing between.
    std::uint64_t unsynchronised = 0;
    counters::PatternCost pattern;  // the costliest of global memory
    WarpCycles warp_cycles{};       // predicted: that warps spent at this instruction, by what they did
};

struct Launch {
    std::string kernel;  // demangled
    int device = 0;      // the kernel's
    std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    std::uint32_t dynamic_shared_bytes = 0;
    std::uint64_t stream = 1;                   // session::StreamId
    std::string parent;                         // the kernel whose thread launched it; empty: the host did
    std::uint32_t depth = 0;                    // below the host's launch
    std::uint64_t executed_blocks = 0;          // where not all were: counts are estimates; 0: all
    std::vector<std::optional<double>> values;  // of every metric, in the order of metrics::metrics()
    std::string bound;                          // what bounds its time (timing::bound_name); empty: unknown
    std::string fault;                          // the launch failed: the counts end there
    std::uint64_t blocks() const { return std::uint64_t{grid[0]} * grid[1] * grid[2]; }
};

// One of the program's GPUs.
struct DeviceInfo {
    std::string gpu;  // the model's name, or the path of its file
    std::string gpu_name;
    std::string compute_capability;  // "9.0"
    bool validated = false;          // predictions from some compiler's code were compared with this GPU
    bool operator==(const DeviceInfo&) const = default;
};

// What is true of the whole run.
struct RunInfo {
    std::string lockstep_version;
    std::string command;                            // as a shell would take it
    std::string started;                            // UTC, ISO 8601
    std::vector<DeviceInfo> devices{DeviceInfo{}};  // by number, at least one
    std::string measured_by{};  // by what, on a real GPU: "ncu 2025.3.1.0"; empty: it was simulated
    bool several_devices() const { return devices.size() > 1; }
    bool operator==(const RunInfo&) const = default;
};

// Where a kernel's code comes from, and what that means for predictions.
struct CodeOrigin {
    std::string compiler;  // "nvcc 13.0 -G"
    bool optimised = true;
    std::string
        validated;  // how far predictions from such code were compared with this GPU; empty: not at all
    bool operator==(const CodeOrigin&) const = default;
};

// A metric over the launches of one kernel that have a value of it.
struct Aggregate {
    std::uint64_t count = 0;
    double min = 0, max = 0, sum = 0;

    void add(double value);
    void add(const Aggregate& other);
    double average() const;
    bool operator==(const Aggregate&) const = default;
};

// How a launch may fail.
enum class FailureKind : std::uint8_t {
    fault,        // the kernel ran, and did something that a GPU does not allow
    refused,      // it breaks a limit of the GPU
    unsupported,  // it needs something that lockstep does not have
};
std::string_view failure_name(FailureKind kind);
std::optional<FailureKind> find_failure(std::string_view name);

// Launches of one kernel that failed for one reason, whether the kernel was to be profiled or not.
struct Failure {
    std::string kernel;  // demangled
    FailureKind kind{};
    std::string reason;
    std::uint64_t launches = 1;
    bool operator==(const Failure&) const = default;
};

// Launches of a kernel that are not profiled: nobody asked for them.
struct LeftOut {
    std::string kernel;  // demangled
    std::uint64_t launches = 0;
    bool operator==(const LeftOut&) const = default;
};

// What bounds launches of a kernel.
struct BoundLaunches {
    timing::Bound bound{};
    std::uint64_t launches = 0;
    bool operator==(const BoundLaunches&) const = default;
};

// Launches of which blocks that stand for all were executed (--sample).
struct SampledLaunches {
    std::uint64_t launches = 0, blocks = 0, executed = 0;  // blocks of them all
    bool operator==(const SampledLaunches&) const = default;
};

// All launches of one kernel.
struct KernelResult {
    std::int64_t id = 0;  // in the run file
    std::string name;
    int device = 0;  // on which they ran: a kernel of two devices is two of these
    CodeOrigin code;
    std::uint64_t launches = 0;
    std::uint64_t kept = 0;  // of them have a row of their own; the others are in the aggregates only
    std::uint64_t faults = 0;
    SampledLaunches sampled;  // among those that have a row; any: all counts are estimates
    bool estimated() const { return sampled.launches != 0; }
    std::vector<Aggregate> metrics;  // in the order of RunFile::metrics
    // Predicted. Of the launches that have a row: those that take the most time together come first.
    std::vector<BoundLaunches> bounds;
    WarpCycles warp_cycles{};  // of all launches
};

}  // namespace lockstep::report
