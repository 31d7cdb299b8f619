// AMD's GPUs of this machine, and the tools that are installed for them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "measure/profiler.h"
#include "measure/real-gpu.h"

namespace lockstep::measure {

// By asking rocminfo, else rocm_agent_enumerator; an error where there are none, or they may not be used.
Result<std::vector<RealGpu>> find_amd_gpus();

// What rocminfo prints: agents, each with its names and what kind of device it is.
Result<std::vector<RealGpu>> parse_rocminfo(const std::string& printed);
// What rocm_agent_enumerator prints: a line an agent, gfx000 the CPU.
Result<std::vector<RealGpu>> parse_agent_list(const std::string& printed);

// rocprofv3, or the rocprof before it, which takes other options; nothing where neither is installed.
struct Rocprof : Profiler {
    bool is_v3 = true;

    std::string name() const;  // "rocprofv3 0.5.0"
};
std::optional<Rocprof> find_rocprof();

}  // namespace lockstep::measure
