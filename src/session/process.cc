#include "session/process.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/demangle.h"
#include "session/checker.h"
#include "session/device.h"
#include "session/execute.h"
#include "session/profiler.h"
#include "session/simulated-clock.h"

namespace lockstep::session {

Result<std::unique_ptr<Process>> Process::create(Options options, Registry& registry, ProgramTime* time,
                                                 Report report) {
    std::vector<gpu::GpuModel> gpus;
    for (const std::string& name : options.gpus.empty() ? std::vector{options.gpu} : options.gpus) {
        auto gpu = gpu::find_model(name, options.models, options.settings);
        if (!gpu) return gpu.error();
        gpus.insert(gpus.end(), static_cast<std::size_t>(options.devices), *gpu);
    }
    return create(std::move(options), std::move(gpus), registry, time, std::move(report));
}

Result<std::unique_ptr<Process>> Process::create(Options options, std::vector<gpu::GpuModel> gpus,
                                                 Registry& registry, ProgramTime* time, Report report) {
    for (const gpu::GpuModel& gpu : gpus)
        if (auto reason =
                options.dialect == Dialect::hip ? gpu::hip_obstacle(gpu) : gpu::execution_obstacle(gpu))
            return Error{*reason, {}};
    std::unique_ptr<Process> process(new Process(std::move(options), registry, std::move(report)));
    for (gpu::GpuModel& gpu : gpus) {
        auto& device = process->devices_.emplace_back(std::make_unique<Device>(*process, std::move(gpu)));
        if (device->memory().range_end() == device->memory().range_begin())
            return Error{"the system refuses to reserve addresses for device memory (see ulimit -v)", {}};
    }
    const Options& with = process->options_;
    const bool profiled = !with.profile.file.empty();
    std::vector<const gpu::GpuModel*> models;
    for (const auto& device : process->devices_) models.push_back(&device->gpu());
    if (profiled) {
        auto profiler = Profiler::create(with.profile, models, process->report_);
        if (!profiler) return profiler.error();
        process->profiler_ = std::move(*profiler);
        if (!with.profile.nvtx_include.empty() || !with.profile.nvtx_exclude.empty()) {
            auto ranges = RangeSelection::create(with.profile.nvtx_include, with.profile.nvtx_exclude);
            if (!ranges) return ranges.error();
            process->ranges_.emplace(std::move(*ranges));
        }
    }
    if (!with.check.file.empty()) {
        auto checker = Checker::create(*process, with.check);
        if (!checker) return checker.error();
        process->checker_ = std::move(*checker);
        process->watch(*process->checker_);
    }
    if (with.clock.simulated) {
        auto clock = SimulatedClock::create(with.clock, models, *time, process->report_);
        if (!clock) return clock.error();
        process->clock_ = std::move(*clock);
        process->managed_pages_ = std::make_unique<ManagedPages>(*process, process->managed_advice_);
        for (const auto& device : process->devices_) device->memory().watch_managed();
        // It begins with the first device's.
        for (std::size_t i = 1; i < process->device_count(); ++i)
            process->clock_->add_stream(*process->device(i).legacy_default_stream(), false);
    }
    if (process->profiler_ && process->clock_) {
        process->activities_ = std::make_unique<ActivityLog>(with.profile.from_start);
        process->clock_->watch(*process->activities_);
    }
    return process;
}

Process::Process(Options options, Registry& registry, Report report)
    : options_(std::move(options)),
      registry_(registry),
      report_(std::move(report)),
      warnings_([this](const std::string& text) { report_("warning: " + text); }),
      addresses_(options_.memory),
      selection_(options_.profile.kernels, options_.profile.names),
      work_(std::make_unique<StreamWork>(
          [this](const Command& command, bool put_off) {
              if (put_off && checker_) checker_->host().begin_call("");
              Done done = execute(command);
              if (put_off && checker_) checker_->host().end_call();
              // The call that submitted it may have returned.
              if (put_off && !done.outcome) command.device->errors().fault(done.outcome.status);
              return done;
          },
          [this](const Command& command, const Done& done) {
              if (!clock_ || !clock_->is_told_late(command)) return;
              if (const Outcome timed = command.device->tell_clock(command, done); !timed)
                  command.device->errors().fault(timed.status);
          })) {
    options_.exec.warnings = &warnings_;
    // A program's output is its own: only who watches it on a terminal is told what takes so long.
    if (options_.progress && isatty(STDERR_FILENO)) {
        options_.exec.progress = report_;
        options_.exec.progress_line = [](const std::string& text) {
            fmt::print(stderr, "\r\033[K{}{}{}", text.empty() ? "" : "lockstep: ", text,
                       text.empty() ? "" : "\r");
            std::fflush(stderr);
        };
    }
}

Process::~Process() = default;

std::shared_ptr<Stream> Process::find_stream(const void* handle) {
    for (const auto& device : devices_)
        if (auto found = device->streams().find(handle)) return found;
    return nullptr;
}

std::shared_ptr<Event> Process::find_event(const void* handle) {
    for (const auto& device : devices_)
        if (auto found = device->events().find(handle)) return found;
    return nullptr;
}

void Process::launch_failed(const std::string& kernel, report::FailureKind kind, const std::string& reason) {
    const std::lock_guard running(launching_);
    keep_failure(kernel, kind, reason);
}

void Process::keep_failure(const std::string& kernel, report::FailureKind kind, const std::string& reason) {
    if (kind == report::FailureKind::unsupported) lacking_.add(reason);
    if (profiler_) profiler_->failed(kernel, kind, reason);
    if (clock_) clock_->failed({base::kernel_name(kernel), kind, reason});
}

void Process::set_profiling(bool active) {
    if (!options_.profile.heeds_calls) return;
    if (activities_) activities_->set_active(active);
    const std::lock_guard running(launching_);
    if (profiler_) profiler_->set_active(active);
}

void Process::forget_managed(const exec::Allocation& allocation, Device& device) {
    managed_advice_.forget(allocation.address, allocation.size);
    if (!managed_pages_) return;
    clock_->fetched_by_host(device, managed_pages_->before().to_host);
    managed_pages_->forget(allocation);
}

void Process::begin_call(const char* function) {
    if (checker_) checker_->host().begin_call(function);
    if (activities_) activities_->begin_call(function, clock_->now());
}

void Process::end_call() {
    if (checker_) checker_->host().end_call();
    if (!activities_ || !activities_->end_call(clock_->now())) return;
    // A kernel of another thread may run for long: what is noted can wait.
    if (const std::unique_lock running(launching_, std::try_to_lock); running)
        profiler_->keep(activities_->take());
}

void Process::sampled(std::uint64_t blocks, std::uint64_t executed) {
    if (executed == 0) return;
    warnings_.once("sample",
                   "--sample executes some blocks of large launches: what the others would have written is "
                   "missing, and results of this program are wrong");
    ++sampled_.launches;
    sampled_.blocks += blocks;
    sampled_.executed += executed;
}

void Process::finish() {
    const std::lock_guard running(launching_);
    if (options_.watch.sample && options_.profile.file.empty())
        report_(
            fmt::format("--sample: {} launch{} executed in part, {} of {} blocks; their times are predicted "
                        "from these",
                        sampled_.launches, sampled_.launches == 1 ? " was" : "es were", sampled_.executed,
                        sampled_.blocks));
    if (clock_) clock_->fetched_by_host(device(0), managed_pages_->before().to_host);
    if (clock_) clock_->finish();
    if (activities_) profiler_->keep(activities_->take());
    if (profiler_) profiler_->finish();
}

void Process::ended(int status) {
    const std::lock_guard running(launching_);
    if (checker_) checker_->finish(status);
}

}  // namespace lockstep::session
