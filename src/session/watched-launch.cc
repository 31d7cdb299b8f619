#include "session/watched-launch.h"

#include <deque>

#include "counters/launch-counter.h"
#include "session/profiled-kernel.h"
#include "timing/predict.h"

namespace lockstep::session {
namespace {

std::array<std::uint32_t, 3> shape(const exec::Dim3& d) { return {d.x, d.y, d.z}; }

}  // namespace

WatchedLaunch run_watched(Function& function, const exec::Launch& launch, const gpu::GpuModel& gpu,
                          const WatchOptions& options, exec::LaunchStats* stats) {
    auto observed = exec::observe(*function.kernel, launch, events::profile_wants);
    if (observed.fault) return {std::move(observed.fault), std::nullopt};
    const kernel::Kernel& kernel = *observed.kernel;
    if (!function.profile) function.profile = std::make_shared<ProfiledKernel>();
    const pipeline::Derived& variant =
        variant_for(*function.profile, observed.kernel, gpu, options.max_registers);

    counters::LaunchConfig config;
    config.grid = shape(launch.grid);
    config.block = shape(launch.block);
    config.static_shared_bytes = function.info().static_shared_bytes;
    config.dynamic_shared_bytes = launch.dynamic_shared_bytes;
    const gpu::BlockDemand demand = counters::block_demand(config, variant.views);

    const std::size_t threads = exec::worker_threads(*function.kernel);
    timing::Predictor predictor(kernel, variant.code, variant.accesses, gpu, config,
                                gpu::occupancy(gpu, demand), gpu::shared_configuration(gpu, demand),
                                {.workers = threads, .detailed = options.detailed});
    std::deque<counters::LaunchCounter> workers;
    std::vector<events::Observers> observers;
    for (std::size_t w = 0; w < threads; ++w)
        observers.push_back({&workers.emplace_back(kernel, variant.accesses), &predictor.observer(w)});
    WatchedLaunch result;
    result.fault = exec::run(*function.kernel, launch, observers);
    counters::RawCounts raw = workers[0].counts();
    for (std::size_t w = 1; w < workers.size(); ++w) raw.add(workers[w].counts());
    for (std::size_t b = 0; b < kernel.blocks.size(); ++b) {
        stats->warp_instructions += raw.blocks[b].entries * kernel.blocks[b].instructions;
        stats->thread_instructions += raw.blocks[b].lanes * kernel.blocks[b].instructions;
    }
    metrics::Launch& counts = result.counts.emplace();
    if (!result.fault) counts.prediction = predictor.predict(raw);
    static_cast<counters::LaunchCounts&>(counts) =
        counters::count_launch(kernel, variant.views, variant.accesses, gpu, config, std::move(raw));
    return result;
}

}  // namespace lockstep::session
