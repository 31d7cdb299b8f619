// The way of a kernel from PTX to all that is known of it before it runs: a call a pass (pipeline.cc).
// Machine code is made of the same kernel::Kernel by exec, when a launch needs it.
#pragma once
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "counters/machine-access.h"
#include "gpu/model.h"
#include "kernel/kernel.h"
#include "kernel/meeting-places.h"
#include "machine/thread-resources.h"
#include "machine/view.h"
#include "timing/code.h"

namespace lockstep::pipeline {

// A kernel as one GPU would run it.
struct Derived {
    std::shared_ptr<const kernel::Kernel> kernel;
    std::vector<machine::View> views;               // by function
    std::vector<counters::MachineAccess> accesses;  // by site
    timing::Code code;
    std::vector<kernel::Meeting> meetings;  // kernel::meeting_places; empty where calls are left
};

// From PTX.
Result<Derived> derive(const kernel::Source& source, const gpu::GpuModel& gpu,
                       const machine::Options& options, const kernel::PassTap& tap = {});
// From a kernel that was analysed already.
Derived derive(std::shared_ptr<const kernel::Kernel> kernel, const gpu::GpuModel& gpu,
               const machine::Options& options, const kernel::PassTap& tap = {});

// What the kernel's PTX says of how it is to be compiled.
machine::Options machine_options(const ptx::Module& module, std::uint32_t entry, const gpu::GpuModel& gpu);

// `local_bytes`: of a thread's variables.
machine::ThreadResources estimate_resources(const kernel::Kernel& kernel, const gpu::GpuModel& gpu,
                                            std::uint64_t local_bytes);

// The passes that tell a tap of themselves, in order, and what there is after each.
struct Pass {
    std::string_view name, shows;
};
std::span<const Pass> passes();

}  // namespace lockstep::pipeline
