// What execution offers to the layers above: modules of PTX, their kernels and variables, and launches.
// Everything about LLVM, warps and scheduling stays behind this header.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file-cache.h"
#include "base/result.h"
#include "events/observer.h"
#include "exec/memory.h"
#include "exec/nested.h"
#include "exec/schedule.h"
#include "exec/texture.h"
#include "exec/warnings.h"
#include "gcn/counts.h"
#include "gpu/model.h"
#include "kernel/kernel.h"
#include "ptx/ast.h"

namespace lockstep::exec {

struct Dim3 {
    std::uint32_t x = 1, y = 1, z = 1;
    std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

struct ParamInfo {
    std::uint32_t offset = 0, size = 0, align = 1;
};

// What is known of a kernel before it runs.
struct KernelInfo {
    std::string name;  // mangled, as in the PTX
    std::vector<ParamInfo> params;
    std::uint32_t param_bytes = 0;
    std::uint32_t static_shared_bytes = 0;
    std::uint32_t constant_bytes = 0;         // of its module's variables
    std::uint32_t local_bytes = 0;            // a thread
    std::uint32_t max_threads_per_block = 0;  // from .maxntid/.reqntid; 0: no bound given
    int ptx_version = 0;                      // 90 for sm_90
    std::array<std::uint32_t, 3> cluster{};   // .reqnctapercluster; 0: not given
    bool explicit_cluster = false;            // a launch must say how large clusters are
    bool launches_graphs = false;             // its threads do, if it comes to that …
    bool launches_kernels = false;            // … and kernels
};

struct VariableInfo {
    std::string name;
    std::uint64_t address = 0;  // device address
    std::uint64_t size = 0;
    bool constant = false;
    bool managed = false;
    // The number of an object, where it is a reference.
    enum class Holds : std::uint8_t { data, texture, surface } holds = Holds::data;
};

enum class FaultKind {
    illegal_address,      // cudaErrorIllegalAddress
    misaligned_address,   // cudaErrorMisalignedAddress
    address_space,        // cudaErrorInvalidAddressSpace
    device_assert,        // cudaErrorAssert
    trap,                 // cudaErrorLaunchFailure
    freed_twice,          // cudaErrorLaunchFailure
    illegal_instruction,  // cudaErrorIllegalInstruction
    timeout,              // cudaErrorLaunchTimeout
    invalid_call,         // an indirect call or branch to something that is no function or target
    stack_overflow,       // recursion deeper than the stack
    barrier_deadlock,     // threads wait for each other for ever
    compile_error,        // the kernel uses something that lockstep cannot run; the message names it
    host_exhausted,       // this machine has no memory to run a block
    heap_exhausted,
};

// A fault in the simulated program. `message` is complete: kernel, block, thread, address, nearest
// allocation, line.
struct Fault {
    FaultKind kind{};
    std::string message;
    // The instruction, where there is one, and who was at it: for those who make other words of it.
    struct At {
        std::uint32_t site = 0;  // of the code that ran: may lie behind kernel::Kernel's
        std::string file{};      // of the source; empty: the code says no lines
        int line = 0;
        std::string what{};  // of the message, without kernel, thread and place
        std::array<std::uint32_t, 3> block{}, thread{};
        std::uint64_t address = 0, bytes = 0;  // of an access; 0 bytes: it was none
        std::uint64_t space_begin = 0;         // where that space lies here, from which programs count
        bool writes = false;
        bool global = false;  // not of shared or local memory, or parameters
        std::string space{};  // "global", "shared", "local"
    };
    std::optional<At> at = std::nullopt;
};

// Told of accesses that may not be: a kernel then goes on behind them, and they have read zeros and written
// nothing.
class BadAccesses {
  public:
    virtual ~BadAccesses() = default;
    // Whether such a fault there is to have its words. Without them it has its site, address, size and
    // direction.
    virtual bool wants(std::uint32_t site, FaultKind kind) = 0;
    virtual void bad_access(std::uint64_t block, std::uint32_t warp, std::uint32_t lanes,
                            const Fault& fault) = 0;
};

struct Launch {
    Dim3 grid, block;
    std::uint32_t dynamic_shared_bytes = 0;
    bool cooperative = false;  // the blocks may wait for each other: all are resident at once
    // Blocks in a cluster, along each axis; the grid's extents are multiples of
    // it. `clustered`: the program asked for it.
    Dim3 cluster;
    bool clustered = false;
    std::span<const std::byte> params;                 // laid out as KernelInfo::params says
    std::shared_ptr<const Objects> objects = nullptr;  // textures and surfaces; null: there are none
    Nesting* nesting = nullptr;                        // does what its threads ask for; null: nobody does
    BadAccesses* bad_accesses = nullptr;               // null: a kernel ends where it faults
    // The blocks that are executed, ascending, of a launch without clusters; none: all.
    std::span<const events::BlockRange> only{};
    std::optional<Schedule> schedule{};  // another order of blocks and warps than the usual
    bool* printed = nullptr;             // becomes true where a thread prints
    bool silent = false;                 // it has run before: what it prints is not printed again
    // What the threads that launched it have as shared and local memory, which it does not reach.
    std::vector<MemoryRange> of_launchers{};
    std::uint64_t graph = 0;  // the executable graph that it is of, as its threads are told

    std::uint64_t executed_blocks() const {
        if (only.empty()) return grid.count();
        std::uint64_t blocks = 0;
        for (const events::BlockRange& range : only) blocks += range.end - range.begin;
        return blocks;
    }
};

struct Options {
    int threads = 0;  // worker threads; 0: one a core
    // A kernel whose compilation or whose run takes longer is stopped with FaultKind::timeout; 0: never.
    double timeout_seconds = 0;
    bool count_instructions = false;  // of every launch that has no other observers
    // Launches of no more threads than these begin with a draft: code that takes little time to compile, and
    // up to four times as long to run. A kernel that runs for long gets better code.
    std::uint64_t draft_threads = 0;
    bool exact_variables = false;  // an address may not leave the shared variable of which it was made
    std::string cpu;               // LLVM CPU name to generate code for; empty: this machine's
    Warnings* warnings = nullptr;  // null: nobody is told
    base::FileCache cache{{}, 0};  // where machine code is kept for the next run; none unless given
    // Told of a compilation that takes longer than so many seconds; null: nobody is.
    std::function<void(const std::string&)> progress;
    double progress_seconds = 2;
    // Shows a line in the place of the last one, and none for an empty text; empty: nobody would see it.
    std::function<void(const std::string&)> progress_line;
    // Compilations that run, perhaps left behind by a launch that did not wait any longer: the process must
    // not take the compiler apart before they have ended.
    std::shared_ptr<std::atomic<int>> compiling = std::make_shared<std::atomic<int>>(0);
};

struct LaunchStats {
    std::uint64_t warp_instructions =
        0;  // PTX instructions executed, one a warp; only with Options::count_instructions
    std::uint64_t thread_instructions = 0;
};

class Kernel;

// A variable whose storage the program has already (clang's __managed__ ones): memory that register_host
// knows.
struct Placement {
    std::string name;
    std::uint64_t address = 0;
    std::size_t text = 0;  // which of the module's texts defines it
    // It has its initial value, and maybe another one by now: another module of the same texts was loaded.
    bool initialised = false;
};

class Module {
  public:
    // Parses, checks and links `texts` into one module, places its variables in device memory and initialises
    // them; those named in `placements` lie where it says. A name belongs to the text that defines it
    // (several may define static and weak functions of one name, and each uses its own); what a text declares
    // `.extern` is found in the others.
    static Result<std::unique_ptr<Module>> load(std::span<const std::string_view> texts, std::string name,
                                                DeviceMemory& memory, const gpu::GpuModel& gpu,
                                                const Options& options,
                                                std::span<const Placement> placements = {});
    static Result<std::unique_ptr<Module>> load(std::string_view ptx, std::string name, DeviceMemory& memory,
                                                const gpu::GpuModel& gpu, const Options& options) {
        return load(std::span(&ptx, 1), std::move(name), memory, gpu, options);
    }
    ~Module();

    // As text number `text` of those loaded sees the name.
    const Kernel* find_kernel(std::string_view name, std::size_t text = 0) const;
    std::optional<VariableInfo> find_variable(std::string_view name, std::size_t text = 0) const;
    std::vector<const Kernel*> kernels() const;

    struct Impl;
    explicit Module(std::shared_ptr<Impl> impl);

  private:
    std::shared_ptr<Impl> impl_;  // shared with compilations that a launch has left behind
};

const KernelInfo& kernel_info(const Kernel& kernel);

// All that is known of the kernel from its PTX, for launches whose blocks have such rows (kernel::row_lanes).
// Derived once.
Result<std::shared_ptr<const kernel::Kernel>> analysed(const Kernel& kernel,
                                                       int row_lanes = kernel::warp_lanes);

// Runs the whole grid and returns when it has finished, or why it could not. The caller has checked the
// launch configuration against the GPU's limits.
std::optional<Fault> run(const Kernel& kernel, const Launch& launch, LaunchStats* stats = nullptr);

// The same, watched. Code that makes records is compiled when it is first asked for, apart from the code of
// launches that nobody watches.
struct Observed {
    std::shared_ptr<const kernel::Kernel> kernel;  // what the records speak of
    std::optional<Fault> fault;                    // why there is none
};
// `wants`: of all that will watch.
Observed observe(const Kernel& kernel, const Launch& launch, events::Wants wants);
// Begins to compile what such a launch needs if nobody watches it.
void prepare(const Kernel& kernel, const Launch& launch);
// For each of `worker_threads` those that watch it: as many on each, of the same kinds. `watched`, ascending:
// the blocks that they are told of, and the others run as if nobody watched; none: all.
std::optional<Fault> run(const Kernel& kernel, const Launch& launch,
                         std::span<const events::Observers> observers,
                         std::span<const events::BlockRange> watched = {});
std::size_t worker_threads(const Kernel& kernel);

// Kernels of AMD's machine code have their own counts; nothing: it is none. `counts`: what was counted is put
// there.
struct GcnCode {
    const gcn::Module* module = nullptr;
    const gcn::Kernel* kernel = nullptr;
};
std::optional<GcnCode> gcn_code(const Kernel& kernel);
std::optional<Fault> run_counted(const Kernel& kernel, const Launch& launch, gcn::LaunchCounts& counts);

// Compiles the kernel for any machine, by LLVM's names, without running it: whether it could be run there.
Result<void> compile_for(const Kernel& kernel, const std::string& triple, const std::string& cpu,
                         events::Wants wants = {});

}  // namespace lockstep::exec
