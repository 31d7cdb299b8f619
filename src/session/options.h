// What the environment says about how to run: the contract between the lockstep command and the runtime
// library.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "exec/engine.h"
#include "gpu/block-limits.h"
#include "gpu/model.h"
#include "session/kernel-selection.h"
#include "timing/host-memory.h"
#include "timing/stream-timeline.h"

namespace lockstep::session {

// What is profiled, and where it goes.
// Each has a range of addresses of its own.
inline constexpr int most_devices = 16;

struct ProfileOptions {
    std::filesystem::path file;  // LOCKSTEP_PROFILE: the run file; empty: nothing is profiled
    std::string
        kernels;  // LOCKSTEP_KERNELS: a regular expression that a kernel's name must match; empty: all
    KernelNames names{};  // LOCKSTEP_KERNEL_NAMES: … which name: demangled, qualified, function or mangled
    std::string streams;  // LOCKSTEP_STREAMS: … and its stream's number, as report::tool_stream has it
    std::string
        invocations;  // LOCKSTEP_INVOCATIONS: … and the number of this launch of the kernel, from 1 on
    // LOCKSTEP_NVTX_INCLUDE, LOCKSTEP_NVTX_EXCLUDE: … in the NVTX ranges that these lines name
    // (base/range-pattern.h), and not in these.
    std::string nvtx_include, nvtx_exclude;
    std::uint64_t skip_before = 0;  // LOCKSTEP_LAUNCH_SKIP_ALL: so many first launches of any kernel are none
    std::uint64_t skip = 0;         // LOCKSTEP_LAUNCH_SKIP: of those, so many launches first are not profiled
    std::optional<std::uint64_t> count;  // LOCKSTEP_LAUNCH_COUNT: and no more than so many after them
    bool from_start = true;              // LOCKSTEP_PROFILE_FROM_START=0: nothing before cudaProfilerStart
    bool heeds_calls = true;             // … =always: all, whatever the program calls
};

// How launches are watched, for a profile or the simulated clock.
struct WatchOptions {
    bool detailed = false;    // LOCKSTEP_DETAILED=1: every block is replayed in time, not a sample
    bool sample = false;      // LOCKSTEP_SAMPLE=1: of large launches, blocks that stand for all are executed
    bool what_if = false;     // LOCKSTEP_WHAT_IF=1: profiles also say how long a launch would take without …
    bool repeats = true;      // LOCKSTEP_REPEATS=0: profiles watch launches that repeat an earlier one, too
    timing::HostRanges host;  // what is the host's memory while a launch runs
};

// What is looked for in a program (lockstep check), and where what is found goes.
struct CheckOptions {
    std::filesystem::path file;  // LOCKSTEP_CHECK; empty: nothing is looked for
    // LOCKSTEP_CHECK_TOOLS: "memcheck,racecheck"; all if it is not given.
    bool memory = true, races = true, synchronisation = true, initialisation = true, leaks = true,
         host = true, undefined = true;
    bool nans = false, overflow = false, fragile = false;  // "nan" and so on: on request only
    // LOCKSTEP_CHECK_SCHEDULES, LOCKSTEP_CHECK_SEED: in how many other orders of blocks and warps launches
    // are run as well, and which.
    int schedules = 0;
    std::uint64_t seed = 1;
};

// Which time a program is told, by CUDA's events and its host's clocks.
struct ClockOptions {
    bool simulated = false;          // LOCKSTEP_CLOCK: simulated (if unset) or wall
    bool host_measured = true;       // LOCKSTEP_HOST: what the program computes takes its time, or none
    std::filesystem::path timeline;  // LOCKSTEP_TIMELINE: a folder; what streams did goes into PID.timeline
    int connections = timing::default_connections;  // CUDA_DEVICE_MAX_CONNECTIONS, as CUDA takes it
};

// Whose reasons are told, of API calls that fail.
enum class Verbosity : std::uint8_t {
    quiet,  // 0: where a kernel did not run, or lockstep lacks something
    first,  // not given: also the first of each function and error
    all,    // 1
};

// The API that a program speaks: whose GPUs it can use.
enum class Dialect : std::uint8_t { cuda, hip };

struct Options {
    std::string gpu = gpu::default_model;  // LOCKSTEP_GPU: a model's name, or a path to a .toml file
    // LOCKSTEP_DEVICES: how many devices of that model there are, or the models of all devices.
    int devices = 1;
    std::vector<std::string> gpus{};
    std::vector<std::string> settings;       // LOCKSTEP_SET: figures of it that are changed, "sms=8;…"
    std::filesystem::path models;            // LOCKSTEP_GPUS_DIR, or the folder that the installation has
    bool stats = false;                      // LOCKSTEP_STATS=1: counts at exit
    Verbosity verbosity = Verbosity::first;  // LOCKSTEP_VERBOSE
    std::filesystem::path ptx;               // LOCKSTEP_PTX: the device code, instead of the program's own
    exec::MemoryRules memory = exec::MemoryRules::exact;  // LOCKSTEP_MEMORY: exact or gpu
    // LOCKSTEP_BLOCK: launches of the kernels that LOCKSTEP_KERNELS chooses have blocks of this shape
    // (session/block-override.h).
    std::optional<gpu::Dimensions> block;
    ProfileOptions profile;
    WatchOptions watch;
    bool progress = true;  // LOCKSTEP_PROGRESS=0: who waits at a terminal is not told for what
    ClockOptions clock;
    CheckOptions check;
    // LOCKSTEP_THREADS, LOCKSTEP_TIMEOUT (seconds), LOCKSTEP_CPU, LOCKSTEP_CACHE, LOCKSTEP_DRAFTS=0: none
    exec::Options exec;
    Dialect dialect = Dialect::cuda;
};

// The clock's alone, which is needed before anything else is.
Result<ClockOptions> read_clock_options(const std::function<const char*(const char*)>& get);

// `get` is getenv, or a test's own. A value that makes no sense is an error that names the variable.
Result<Options> read_options(const std::function<const char*(const char*)>& get,
                             const std::filesystem::path& default_models, Dialect dialect = Dialect::cuda);

}  // namespace lockstep::session
