#include "session/watched-launch.h"

#include <array>
#include <deque>
#include <functional>

#include "base/beside.h"
#include "check/warp-synchronous.h"
#include "counters/launch-counter.h"
#include "events/batch-forms.h"
#include "events/parted-lanes.h"
#include "gcn/fetches.h"
#include "kernel/shapes.h"
#include "session/launch-sample.h"
#include "session/profiled-kernel.h"
#include "session/streams.h"
#include "timing/predict.h"
#include "timing/wave-imagine.h"
#include "timing/wave-time.h"

namespace lockstep::session {
namespace {

std::array<std::uint32_t, 3> shape(const exec::Dim3& d) { return {d.x, d.y, d.z}; }

ProfiledKernel& profile_of(Function& function) {
    if (!function.profile) function.profile = std::make_shared<ProfiledKernel>();
    return *function.profile;
}

// What is known of a launch before it runs. All must outlive it.
struct Watched {
    Watched(Function& function, const exec::Launch& launch, int carveout,
            const std::shared_ptr<const kernel::Kernel>& of, const gpu::GpuModel& gpu,
            const WatchOptions& options, const timing::Sampling& sampling, bool closely)
        : kernel(*of), variant(variant_of(function, of, gpu)) {
        config.grid = shape(launch.grid);
        config.block = shape(launch.block);
        config.static_shared_bytes = function.info().static_shared_bytes;
        config.dynamic_shared_bytes = launch.dynamic_shared_bytes;
        config.shared_carveout = carveout;
        const gpu::BlockDemand demand = counters::block_demand(config, variant.views);
        threads = exec::worker_threads(*function.kernel);
        predictor.emplace(kernel, variant.code, variant.accesses, gpu, config, gpu::occupancy(gpu, demand),
                          gpu::shared_configuration(gpu, demand),
                          timing::Options{.workers = threads,
                                          .what_if = options.what_if,
                                          .detailed = options.detailed,
                                          .close_up = closely && !function.profile->id,
                                          .groups_given = closely && !sampling.all_blocks,
                                          .sampling = sampling,
                                          .host = options.host});
    }
    // Who watches each worker thread: these, told of what repeats. To be called once.
    void observe(const std::function<std::vector<events::FormObserver*>(std::size_t)>& of_worker) {
        for (std::size_t w = 0; w < threads; ++w)
            observers.push_back({&finders.emplace_back(kernel, of_worker(w))});
    }
    // As a GPU would run them. When all are there who are to be told so.
    void part_lanes() {
        if (variant.meetings.empty()) return;
        for (events::Observers& told : observers)
            told = {&parted.emplace_back(variant.meetings, std::move(told))};
    }
    void finish() {
        for (events::FormFinder& finder : finders) finder.finish();
    }
    static const pipeline::Derived& variant_of(Function& function,
                                               const std::shared_ptr<const kernel::Kernel>& of,
                                               const gpu::GpuModel& gpu) {
        return variant_for(profile_of(function), of, gpu);
    }

    const kernel::Kernel& kernel;
    const pipeline::Derived& variant;
    counters::LaunchConfig config;
    std::size_t threads = 0;
    std::optional<timing::Predictor> predictor;
    std::deque<events::FormFinder> finders;
    std::deque<events::PartedLanes> parted;
    std::vector<events::Observers> observers;
};

// Registers as the hardware gives them: in units, of a file that vector and accumulation registers share or
// of two of the same size. What rocprof shows.
void give_registers(const gcn::Kernel& kernel, const gpu::GpuModel& gpu, gcn::LaunchCounts& waves) {
    const auto whole = [](std::uint32_t count, int unit) {
        const auto units = static_cast<std::uint32_t>(std::max(1, unit));
        return std::max(1u, (count + units - 1) / units) * units;
    };
    constexpr int vector_unit = 4;
    const int unit = gpu.register_allocation_unit / gpu.warp_size;
    if (gpu.wave.unified_registers) {
        waves.vgprs = whole(kernel.vgprs - kernel.agprs, vector_unit);
        waves.agprs = whole(waves.vgprs + kernel.agprs, unit) - waves.vgprs;
    } else {
        waves.vgprs = whole(kernel.vgprs, unit);
        waves.agprs = gpu.target == "gfx908" ? waves.vgprs : 0;
    }
    waves.sgprs = whole(kernel.sgprs, gpu.wave.scalar_register_unit);
    waves.scratch_bytes = kernel.scratch_bytes;
}

// AMD's machine code: counted as it runs, and timed from the counts.
WatchedLaunch run_waves(Function& function, const exec::Launch& launch, const gpu::GpuModel& gpu,
                        const WatchOptions& options) {
    const gcn::Kernel& kernel = *exec::gcn_code(*function.kernel)->kernel;
    WatchedLaunch result;
    gcn::LaunchCounts waves;
    result.fault = exec::run_counted(*function.kernel, launch, waves);
    if (result.fault && result.fault->kind == exec::FaultKind::compile_error) return result;
    metrics::Launch& counts = result.counts.emplace();
    counts.gpu = &gpu;
    counts.config.grid = shape(launch.grid);
    counts.config.block = shape(launch.block);
    counts.config.static_shared_bytes = kernel.lds_bytes;
    counts.config.dynamic_shared_bytes = launch.dynamic_shared_bytes;
    counts.registers = kernel.vgprs;
    const timing::WaveLaunch timed{kernel, waves, gpu, counts.config.threads(),
                                   kernel.lds_bytes + launch.dynamic_shared_bytes};
    counts.occupancy = timing::wave_occupancy(timed);
    counts.shared.blocks = counts.occupancy.by_shared;
    const timing::VectorWork vector = timing::vector_work(timed);
    waves.vector_cycles = vector.cycles / 4, waves.vector_lane_cycles = vector.lane_cycles / 4;
    waves.matrix_cycles = vector.matrix_cycles;
    waves.fetches = gcn::count_fetches(kernel.code, waves);
    give_registers(kernel, gpu, waves);
    counters::LaunchTotals& totals = counts.totals;
    totals.warps = waves.waves, totals.threads = waves.threads;
    totals.executed = waves.all().executed;
    totals.active = totals.predicated_on = waves.all().lanes;
    totals.vector_executed = waves.of(gcn::Unit::valu).executed;
    totals.vector_active = waves.of(gcn::Unit::valu).lanes;
    totals.branches = waves.of(gcn::Unit::branch).executed;
    counters::AccessCounts& lds =
        totals.memory[static_cast<std::size_t>(counters::Memory::shared)][0].accesses;
    lds.wavefronts = waves.memory.lds_cycles, lds.conflicts = waves.memory.lds_conflict_cycles;
    if (!result.fault) {
        counts.prediction = timing::predict_waves(timed);
        if (options.what_if) timing::imagine_waves(timed, *counts.prediction);
    }
    counts.waves = std::move(waves);
    profile_of(function);
    return result;
}

void add(exec::LaunchStats& sum, const exec::LaunchStats& more) {
    sum.warp_instructions += more.warp_instructions;
    sum.thread_instructions += more.thread_instructions;
}

using StepChecks = std::vector<kernel::StepCheck>;

// What there has to be before the launch: all of it is watched, or (`checks` not null) a few of its blocks
// are, more closely, for which quickly made code will do.
exec::Observed observe(const Function& function, const exec::Launch& launch, const StepChecks* checks) {
    if (!checks) return exec::observe(*function.kernel, launch, events::profile_wants);
    constexpr events::BlockRange one{0, 1};
    exec::Launch few = launch;
    few.only = std::span(&one, 1);
    exec::prepare(*function.kernel, launch);
    return exec::observe(*function.kernel, few, events::BlockKeeper::kept_wants);
}

// `of`: as the engine sees the kernel for such launches.
WatchedLaunch count_and_time(Function& function, const exec::Launch& launch, int carveout,
                             const std::shared_ptr<const kernel::Kernel>& of, const StepChecks* checks,
                             const gpu::GpuModel& gpu, const WatchOptions& options,
                             exec::LaunchStats& stats) {
    std::optional<Watched> watched;
    std::optional<LaunchSample> sample;
    if (options.sample) {
        watched.emplace(function, launch, carveout, of, gpu, options, sampled_blocks, true);
        if (!watched->predictor->watched().empty())
            sample.emplace(launch.grid.count(), watched->predictor->watched());
    }
    if (!sample || !sample->worth_it()) {
        sample.reset();
        watched.emplace(function, launch, carveout, of, gpu, options, timing::full_sampling, true);
    }
    const kernel::Kernel& kernel = watched->kernel;
    const std::span<const counters::MachineAccess> accesses = watched->variant.accesses;
    std::deque<counters::LaunchCounter> workers;
    std::deque<SampleCounter> sampled;
    std::deque<OnlyBlocks> timed;
    if (sample)
        for (std::size_t w = 0; w < watched->threads; ++w)
            watched->observers.push_back(
                {&timed.emplace_back(watched->predictor->observer(w), watched->predictor->watched()),
                 &sampled.emplace_back(*sample, kernel, accesses)});
    else
        watched->observe([&](std::size_t w) -> std::vector<events::FormObserver*> {
            return {&watched->predictor->observer(w), &workers.emplace_back(kernel, accesses)};
        });
    watched->part_lanes();
    std::deque<check::WarpSynchronous> lanes;
    if (options.what_if)
        for (events::Observers& observers : watched->observers)
            observers.push_back(&lanes.emplace_back(kernel));
    const auto counted = [&] {
        counters::RawCounts sum = workers[0].counts();
        for (std::size_t w = 1; w < workers.size(); ++w) sum.add(workers[w].counts());
        return sum;
    };
    WatchedLaunch result;
    counters::RawCounts raw;
    std::optional<timing::Prediction> prediction;
    MovedLaunches& moved = profile_of(function).moved;
    if (checks) {
        PartlyRun some = run_some(
            {*function.kernel, launch, kernel, watched->observers, watched->predictor->most_warp_bytes()},
            *checks);
        result.fault = std::move(some.fault);
        if (some.watched >= launch.grid.count() / 2) moved.give_up();
        watched->finish();
        raw = counted();
        if (!result.fault) {
            // What the others will do is known: there is no need to wait for them.
            counters::RawCounts all;
            std::future<void> told = base::beside(watched->threads > 1, [&] {
                for (events::MovedBlocks& blocks : some.moved) {
                    watched->predictor->observer(0).moved(blocks);
                    workers.front().moved(blocks);
                }
                all = counted();
                prediction = watched->predictor->predict(&all);
            });
            if (!some.left.empty()) {
                exec::Launch others = launch;
                others.only = some.left;
                result.fault = exec::run(*function.kernel, others);
            }
            if (!result.fault) {
                told.get();
                raw = std::move(all);
            }
        }
    } else {
        exec::Launch executed = launch;
        if (sample) executed.only = sample->executed();
        result.fault = exec::run(*function.kernel, executed, watched->observers);
        watched->finish();
        timing::BlockGroups groups;
        if (sample) {
            Estimate estimated = estimate(*sample, sampled);
            raw = std::move(estimated.counts);
            groups = std::move(estimated.groups);
        } else {
            raw = counted();
        }
        if (!result.fault)
            prediction = watched->predictor->predict(sample ? nullptr : &raw, std::move(groups));
    }
    if (watched->predictor->has_cut()) moved.give_up();
    for (std::size_t b = 0; b < kernel.blocks.size(); ++b) {
        stats.warp_instructions += raw.blocks[b].entries * kernel.blocks[b].instructions;
        stats.thread_instructions += raw.blocks[b].lanes * kernel.blocks[b].instructions;
    }
    metrics::Launch& counts = result.counts.emplace();
    if (!result.fault) counts.prediction = std::move(prediction);
    if (counts.prediction) counters::add_failed_rounds(raw, counts.prediction->failed, kernel, accesses);
    static_cast<counters::LaunchCounts&>(counts) = counters::count_launch(
        kernel, watched->variant.views, accesses, gpu, watched->config, std::move(raw));
    if (sample) counts.executed_blocks = sample->count();
    for (const check::WarpSynchronous& worker : lanes)
        for (std::size_t s = 0; s < kernel.sites.size(); ++s)
            if (const std::uint64_t meetings = worker.meetings()[s])
                counts.unsynchronised.push_back(
                    {kernel.sites[s].function, kernel.sites[s].block, kernel.sites[s].instruction, meetings});
    return result;
}

}  // namespace

WatchedLaunch run_watched(Function& function, const exec::Launch& launch, int carveout,
                          const gpu::GpuModel& gpu, const WatchOptions& options, exec::LaunchStats* stats) {
    if (exec::gcn_code(*function.kernel)) {
        WatchedLaunch waves = run_waves(function, launch, gpu, options);
        if (waves.counts) {
            stats->warp_instructions += waves.counts->totals.executed;
            stats->thread_instructions += waves.counts->totals.active;
        }
        return waves;
    }
    const auto known =
        exec::analysed(*function.kernel, kernel::row_lanes(launch.block.x, launch.block.y, launch.block.z));
    RepeatedLaunches& repeated = profile_of(function).repeated;
    const bool may_repeat =
        known && options.repeats && !options.sample && repeated.may_repeat(**known, launch);
    RepeatedShape of_launch;
    if (may_repeat) {
        of_launch = {known->get(),
                     shape(launch.grid),
                     shape(launch.block),
                     launch.dynamic_shared_bytes,
                     carveout,
                     {launch.params.begin(), launch.params.end()},
                     options.host};
        // One that faults now does the same again, and what it did before is counted.
        if (const RepeatedLaunch* earlier = repeated.find(of_launch);
            earlier && !exec::run(*function.kernel, launch)) {
            add(*stats, earlier->stats);
            return {std::nullopt, earlier->counts};
        }
    }
    const bool sees_all = options.sample || options.what_if || options.detailed;
    const bool in_step = known && Watched::variant_of(function, *known, gpu).meetings.empty();
    const StepChecks* const checks =
        in_step && !sees_all ? profile_of(function).moved.checks(**known, launch) : nullptr;
    auto observed = observe(function, launch, checks);
    if (observed.fault) return {std::move(observed.fault), std::nullopt};
    const auto start = HostClock::now();
    exec::LaunchStats executed;
    WatchedLaunch result =
        count_and_time(function, launch, carveout, observed.kernel, checks, gpu, options, executed);
    add(*stats, executed);
    const double seconds = std::chrono::duration<double>(HostClock::now() - start).count();
    profile_of(function).moved.watched(seconds);
    if (may_repeat && result.counts && !result.fault)
        repeated.keep(std::move(of_launch), {*result.counts, executed}, seconds);
    return result;
}

TimedLaunch run_timed(Function& function, const exec::Launch& launch, int carveout, const gpu::GpuModel& gpu,
                      const WatchOptions& options) {
    if (exec::gcn_code(*function.kernel)) {
        WatchedLaunch waves = run_waves(function, launch, gpu, options);
        return {std::move(waves.fault), waves.counts ? std::move(waves.counts->prediction) : std::nullopt};
    }
    auto observed = exec::observe(*function.kernel, launch, events::profile_wants);
    if (observed.fault) return {std::move(observed.fault), std::nullopt};
    Watched watched(function, launch, carveout, observed.kernel, gpu, options, timing::thin_sampling, false);
    watched.observe([&](std::size_t w) -> std::vector<events::FormObserver*> {
        return {&watched.predictor->observer(w)};
    });
    watched.part_lanes();
    TimedLaunch result;
    const std::span<const events::BlockRange> seen = watched.predictor->watched();
    if (options.sample && !seen.empty() && launch.grid.count() >= LaunchSample::least_grid) {
        exec::Launch executed = launch;
        executed.only = seen;
        for (const events::BlockRange& range : seen) result.executed_blocks += range.end - range.begin;
        result.fault = exec::run(*function.kernel, executed, watched.observers);
    } else {
        result.fault = exec::run(*function.kernel, launch, watched.observers, seen);
    }
    if (!result.fault) result.prediction = watched.predictor->predict(nullptr);
    return result;
}

}  // namespace lockstep::session
