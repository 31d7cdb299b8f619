#include "fuzz/ways.h"
#include "metrics/metric.h"
#include "session/launch-check.h"
#include "session/watched-launch.h"

namespace lockstep::fuzz {

bool fits(const exec::KernelInfo& kernel, const exec::Launch& launch, const gpu::GpuModel& gpu) {
    return !session::launch_obstacle(
        gpu, kernel, {},
        {.grid = launch.grid, .block = launch.block, .dynamic_shared = launch.dynamic_shared_bytes});
}

std::optional<exec::Fault> launch(const exec::Kernel& kernel, const exec::Launch& launch, const Way& way,
                                  const gpu::GpuModel& gpu) {
    if (!way.watched) return exec::run(kernel, launch);
    session::Function function{.name = "k", .kernel = &kernel};
    exec::LaunchStats stats;
    const session::WatchedLaunch watched =
        session::run_watched(function, launch, -1, gpu, {.detailed = way.detailed}, &stats);
    if (watched.counts)
        for (const metrics::Metric& metric : metrics::metrics()) (void)metric.value(*watched.counts);
    return watched.fault;
}

}  // namespace lockstep::fuzz
