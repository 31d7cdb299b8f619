// Whether a launch fits the GPU and the kernel, with the errors that CUDA gives.
#pragma once
#include "exec/engine.h"
#include "gpu/model.h"
#include "session/status.h"

namespace lockstep::session {

// What a program may set for a kernel (cudaFuncSetAttribute and the like).
struct KernelSettings {
    std::uint32_t max_dynamic_shared = 0;  // the opted-in size; 0: never set
    int shared_carveout = -1;
    int cache_config = 0;
};

struct LaunchShape {
    exec::Dim3 grid, block;
    std::uint64_t dynamic_shared = 0;
    bool cooperative = false;
};

// The dynamic shared memory that a launch of this kernel may ask for.
std::uint64_t dynamic_shared_limit(const gpu::GpuModel& gpu, const exec::KernelInfo& kernel,
                                   const KernelSettings& settings);

Outcome check_launch(const gpu::GpuModel& gpu, const exec::KernelInfo& kernel, const KernelSettings& settings,
                     const LaunchShape& shape);

}  // namespace lockstep::session
