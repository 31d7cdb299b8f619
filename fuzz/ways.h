// The ways in which a fuzzed kernel is run.
#pragma once
#include <optional>
#include <string>

#include "exec/engine.h"
#include "gpu/model.h"

namespace lockstep::fuzz {

struct Way {
    exec::Dim3 grid, block;
    bool watched = false, detailed = false;
    int threads = 1;
    std::string cpu;
    std::string name;  // for messages
};

// Whether the GPU takes such a launch.
bool fits(const exec::KernelInfo& kernel, const exec::Launch& launch, const gpu::GpuModel& gpu);

// fuzz_watch does what the way says; fuzz_run, which is built in less time, watches nothing.
std::optional<exec::Fault> launch(const exec::Kernel& kernel, const exec::Launch& launch, const Way& way,
                                  const gpu::GpuModel& gpu);

}  // namespace lockstep::fuzz
