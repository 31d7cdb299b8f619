#include "timing/stream-kernel-work.h"

#include <algorithm>

namespace lockstep::timing {

KernelWork kernel_work(const timing::Prediction& prediction, std::uint64_t blocks, const gpu::GpuModel& gpu) {
    KernelWork work;
    work.nanoseconds = prediction.nanoseconds;
    work.blocks = blocks;
    work.resident_blocks = std::max<std::uint32_t>(prediction.resident_blocks, 1);
    const auto share = [](double used, double available) {
        return available > 0 ? std::clamp(used / available, 0.0, 1.0) : 0.0;
    };
    // A GB/s is a byte a nanosecond.
    work.dram_share =
        share(prediction.dram_read_bytes + prediction.dram_write_bytes,
              prediction.nanoseconds * gpu.memory_bandwidth_gbs * gpu.timing.dram_mixed_efficiency);
    work.issue_share = share(prediction.instructions,
                             prediction.cycles * gpu.timing.schedulers * gpu.timing.issues_per_cycle);
    return work;
}

}  // namespace lockstep::timing
