// The engines that run the workloads: lockstep, and its peers.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "child.h"

namespace bench {

struct Paths {
    std::string lockstep;     // the command
    std::string sources;      // the folder bench/
    std::string opencl_peer;  // empty: not built, because OpenCL's headers or loader were missing
    std::string cache;        // lockstep's and PoCL's, of this run alone
};

struct Sample {
    double median_s = 0, best_s = 0, first_s = 0;
    std::uint64_t device_bytes = 0, peak_bytes = 0;
    bool right = false;
    std::string failure;  // why there is no sample
};

struct Workload {
    std::string name;
    std::uint64_t size;        // elements, or the side of a square matrix
    std::uint64_t small_size;  // what Oclgrind can run in seconds
};

// Told the wall clock's time, or the simulated GPU's, which is the default; or profiled, with the default
// metrics, each launch as if it were the first of its kind or as they are, which repeat each other; or
// checked, for memory errors alone or for everything.
enum class How { plain, predicted, profiled, repeated, checked_memory, checked };
// `cpu_time`: the process's own, in place of the wall's.
Sample run_lockstep(const Paths& paths, How how, const std::string& workload, std::uint64_t size, int repeats,
                    bool one_core, bool cpu_time = false);
Sample run_pocl(const Paths& paths, const std::string& workload, std::uint64_t size, int repeats,
                bool one_core);
Sample run_oclgrind(const Paths& paths, const std::string& workload, std::uint64_t size, bool one_core);

// Warp instructions of one launch: counted in runs of one and of two launches, and subtracted, so that the
// kernels that fill the inputs drop out.
std::optional<std::uint64_t> count_instructions(const Paths& paths, const std::string& workload,
                                                std::uint64_t size);

// Why a peer cannot run here, with the command that changes it; empty where it can.
std::string pocl_missing(const Paths& paths);
std::string oclgrind_missing(const Paths& paths);

}  // namespace bench
