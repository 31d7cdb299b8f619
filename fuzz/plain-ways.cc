#include "fuzz/ways.h"

namespace lockstep::fuzz {

bool fits(const exec::KernelInfo& kernel, const exec::Launch& launch, const gpu::GpuModel& gpu) {
    return (kernel.max_threads_per_block == 0 || launch.block.count() <= kernel.max_threads_per_block) &&
           kernel.cluster[0] == 0 && !kernel.explicit_cluster &&
           kernel.static_shared_bytes + launch.dynamic_shared_bytes <= gpu.shared_per_block;
}

std::optional<exec::Fault> launch(const exec::Kernel& kernel, const exec::Launch& launch, const Way&,
                                  const gpu::GpuModel&) {
    return exec::run(kernel, launch);
}

}  // namespace lockstep::fuzz
