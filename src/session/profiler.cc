#include "session/profiler.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "base/demangle.h"
#include "compile/version.h"
#include "counters/launch-counter.h"
#include "session/own-command-line.h"
#include "session/profiled-kernel.h"

namespace lockstep::session {
namespace {

// As the engine decides it: the x extent of the block is made of whole warps, or there is no other.
bool has_rows(const exec::Dim3& block) { return block.x % 32 == 0 || (block.y == 1 && block.z == 1); }

std::array<std::uint32_t, 3> shape(const exec::Dim3& d) { return {d.x, d.y, d.z}; }

}  // namespace

Profiler::Profiler(const ProfileOptions& options, const gpu::GpuModel& gpu, Report report)
    : options_(options), gpu_(gpu), report_(std::move(report)) {
    if (!options.kernels.empty()) kernels_.emplace(options.kernels);
}

Result<std::unique_ptr<Profiler>> Profiler::create(const ProfileOptions& options, const gpu::GpuModel& gpu,
                                                   Report report) {
    std::unique_ptr<Profiler> profiler(new Profiler(options, gpu, std::move(report)));
    report::RunInfo info;
    info.lockstep_version = compile::version();
    info.command = own_command_line();
    info.gpu = gpu.id;
    info.gpu_name = gpu.name;
    info.compute_capability = fmt::format("{}.{}", gpu.compute_major, gpu.compute_minor);
    info.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    auto writer = report::RunWriter::open(options.file, info, counters::metrics());
    if (!writer) return writer.error();
    profiler->writer_ = std::move(*writer);
    return profiler;
}

bool Profiler::wants(const std::string& kernel) {
    if (stopped_) return false;
    const auto [known, is_new] = matches_.try_emplace(kernel, true);
    if (is_new && kernels_) known->second = std::regex_search(base::kernel_name(kernel), *kernels_);
    if (!known->second) return false;
    const std::uint64_t number = matching_++;
    return number >= options_.skip && (!options_.count || number - options_.skip < *options_.count);
}

std::optional<exec::Fault> Profiler::run(Function& function, const exec::Launch& launch,
                                         exec::LaunchStats* stats) {
    auto observed = exec::observe(*function.kernel, launch);
    // What cannot be compiled watched cannot be compiled at all; running it gives the fault.
    if (!observed) return exec::run(*function.kernel, launch, stats);
    const events::ObservedKernel& kernel = **observed;
    if (!function.profile) function.profile = std::make_shared<ProfiledKernel>();
    ProfiledKernel& profiled = *function.profile;
    if (!profiled.find(kernel)) {
        profiled.variants.push_back(look_at(kernel, gpu_, has_rows(launch.block), options_.max_registers));
        if (profiled.variants.size() == 1) list_instructions(profiled.variants[0], profiled);
    }

    std::vector<counters::LaunchCounter> workers;
    workers.reserve(exec::worker_threads(*function.kernel));
    std::vector<events::Observer*> observers;
    while (observers.size() < workers.capacity()) {
        workers.emplace_back(kernel, profiled.find(kernel)->accesses);
        observers.push_back(&workers.back());
    }
    const auto fault = exec::run(*function.kernel, launch, observers);
    counters::RawCounts raw = workers[0].counts();
    for (std::size_t w = 1; w < workers.size(); ++w) raw.add(workers[w].counts());
    for (std::size_t b = 0; b < kernel.blocks.size(); ++b) {
        stats->warp_instructions += raw.blocks[b].entries * kernel.blocks[b].instructions;
        stats->thread_instructions += raw.blocks[b].lanes * kernel.blocks[b].instructions;
    }
    keep(function, kernel, launch, fault, std::move(raw));
    return fault;
}

void Profiler::keep(Function& function, const events::ObservedKernel& kernel, const exec::Launch& launch,
                    const std::optional<exec::Fault>& fault, counters::RawCounts raw) {
    ProfiledKernel& profiled = *function.profile;
    report::Launch result;
    result.kernel = base::kernel_name(function.name);
    result.grid = shape(launch.grid);
    result.block = shape(launch.block);
    result.dynamic_shared_bytes = launch.dynamic_shared_bytes;
    if (fault) result.fault = fault->message;

    counters::LaunchConfig config;
    config.grid = result.grid;
    config.block = result.block;
    config.static_shared_bytes = function.info().static_shared_bytes;
    config.dynamic_shared_bytes = launch.dynamic_shared_bytes;
    const ProfiledVariant& variant = *profiled.find(kernel);
    const counters::LaunchCounts counts =
        counters::count_launch(kernel, variant.views, variant.accesses, gpu_, config, std::move(raw));
    for (const counters::Metric& metric : counters::metrics()) result.values.push_back(metric.value(counts));

    if (!profiled.id) {
        auto id =
            writer_->add_kernel(result.kernel, function.ptx ? *function.ptx : "", profiled.instructions);
        if (!id) return stop(id.error());
        profiled.id = *id;
    }
    if (auto kept = writer_->append(*profiled.id, result, place_counts(profiled, counts)); !kept)
        stop(kept.error());
}

void Profiler::stop(const Error& error) {
    stopped_ = true;
    report_(
        fmt::format("{}; launches from here on are not profiled, the program goes on", error.to_string()));
}

void Profiler::finish() {
    if (stopped_) return;
    if (auto finished = writer_->finish(); !finished) stop(finished.error());
}

}  // namespace lockstep::session
