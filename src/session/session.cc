#include "session/session.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/demangle.h"
#include "gpu/block-limits.h"
#include "pipeline/pipeline.h"
#include "session/block-override.h"
#include "session/execute.h"
#include "session/profiler.h"
#include "session/simulated-clock.h"

namespace lockstep::session {
Result<std::unique_ptr<Session>> Session::create(Options options, Registry& registry, Report report) {
    auto gpu = gpu::find_model(options.gpu, options.models, options.settings);
    if (!gpu) return gpu.error();
    if (auto reason = gpu::execution_obstacle(*gpu)) return Error{*reason, {}};
    std::unique_ptr<Session> session(new Session(std::move(options), *gpu, registry, std::move(report)));
    if (session->memory_.range_end() == session->memory_.range_begin())
        return Error{"the system refuses to reserve addresses for device memory (see ulimit -v)", {}};
    if (!session->options_.profile.file.empty()) {
        auto profiler = Profiler::create(session->options_.profile, session->gpu_, session->report_);
        if (!profiler) return profiler.error();
        session->profiler_ = std::move(*profiler);
    }
    if (session->options_.clock.simulated) {
        auto clock = SimulatedClock::create(session->options_.clock, session->gpu_, session->report_);
        if (!clock) return clock.error();
        session->clock_ = std::move(*clock);
    }
    return session;
}

Session::Session(Options options, gpu::GpuModel gpu, Registry& registry, Report report)
    : options_(std::move(options)),
      gpu_(std::move(gpu)),
      report_(std::move(report)),
      warnings_([this](const std::string& text) { report_("warning: " + text); }),
      memory_(gpu_.memory_bytes, options_.memory),
      limits_(gpu_, memory_),
      modules_(registry, Machine{gpu_, memory_, options_.exec, !options_.profile.file.empty()}, options_.ptx),
      selection_(options_.profile.kernels),
      work_([](const Command& command, bool put_off) {
          Done done = execute(command);
          // The call that submitted it may have returned.
          if (put_off && !done.outcome) command.device->errors().fault(done.outcome.status);
          return done;
      }) {
    work_.add_stream(legacy_stream, legacy_stream, true);
    options_.exec.warnings = &warnings_;
    // A program's output is its own: only who watches it on a terminal is told what takes so long.
    if (isatty(STDERR_FILENO)) options_.exec.progress = report_;
}

Session::~Session() = default;

Found<std::uint64_t> Session::allocate(std::uint64_t size, exec::MemoryKind kind) {
    auto address = memory_.allocate(size, kind);
    if (!address) return Outcome(Status::memory_allocation, address.error().message);
    const std::lock_guard lock(stats_mutex_);
    ++stats_.allocations;
    stats_.peak_bytes = std::max(stats_.peak_bytes, memory_.used());
    return *address;
}

Outcome Session::release(std::uint64_t address, bool host_memory) {
    if (address == 0) return {};
    if (Outcome waited = synchronize(); !waited) return waited;
    const auto found = memory_.find(address, 0);
    const auto fail = [&](const char* what) {
        return Outcome(Status::invalid_value, fmt::format("{:#x} cannot be freed{}: it is {}", address, what,
                                                          memory_.describe(address)));
    };
    if (!found || found->address != address) return fail("");
    const bool pinned = found->kind == exec::MemoryKind::pinned;
    const bool device = found->kind == exec::MemoryKind::device || found->kind == exec::MemoryKind::managed;
    if (host_memory ? !pinned : !device)
        return fail(host_memory ? " as pinned host memory" : " as device memory");
    memory_.release(address);
    return {};
}

Outcome Session::release(std::uint64_t address, const Stream& stream) {
    const auto found = memory_.find(address, 0);
    if (address == 0) return {};
    if (!found || found->address != address || found->kind != exec::MemoryKind::device)
        return Outcome(Status::invalid_value, fmt::format("{:#x} cannot be freed in a stream: it is {}",
                                                          address, memory_.describe(address)));
    return submit({this, stream.id, Free{address}});
}

Outcome Session::copy(const Box& to, const Box& from, const BoxSize& size, Direction direction,
                      const Stream& stream, bool waits) {
    if (errors_.faulted()) return {};  // accepted, and never run: a kernel before it has faulted
    const auto transfer = check_copy(memory_, to, from, size, direction);
    if (!transfer) return transfer.outcome;
    if (size.empty()) return {};
    // Copies inside the device return at once, even from cudaMemcpy; of pageable memory and on the host
    // never.
    const bool stops_host = transfer->pageable || transfer->route == Route::on_host ||
                            (waits && transfer->route != Route::on_device);
    if (Outcome bad = submit({this, stream.id, Copy{*transfer}, stops_host}); !bad) return bad;
    return waits ? Outcome(errors_.at_call(true)) : Outcome();
}

Outcome Session::fill(const Box& to, const BoxSize& size, std::uint32_t value, int value_bytes,
                      const Stream& stream) {
    if (errors_.faulted()) return {};
    if (Outcome bad = check_fill(memory_, to, size, value_bytes); !bad) return bad;
    if (size.empty()) return {};
    const auto target = memory_.find(to.address);
    const bool stops_host = target && target->kind == exec::MemoryKind::pinned;
    return submit({this, stream.id, Fill{to, size, value, value_bytes}, stops_host});
}

std::uint32_t Session::registers(Function& function) {
    const std::scoped_lock lock(registers_mutex_);
    if (!function.registers) {
        const auto kernel = exec::analysed(*function.kernel, true);
        function.registers =
            kernel ? pipeline::estimate_registers(**kernel, gpu_, options_.watch.max_registers) : 0;
    }
    return *function.registers;
}

Outcome Session::launch(Function& function, const LaunchShape& asked, void** arguments,
                        const Stream& stream) {
    const exec::KernelInfo& info = function.info();
    const LaunchShape shape =
        options_.block && selection_.matches(function.name) ? with_block(asked, *options_.block) : asked;
    if (const auto obstacle = launch_obstacle(gpu_, info, function.settings, shape)) {
        launch_failed(function.name, report::FailureKind::refused, obstacle->reason);
        return refusal(info, *obstacle);
    }
    if (!info.params.empty() && !arguments)
        return Outcome(
            Status::invalid_value,
            fmt::format("kernel '{}' takes {} arguments, none were given", info.name, info.params.size()),
            true);
    for (std::size_t i = 0; i < info.params.size(); ++i)
        if (!arguments[i])
            return Outcome(Status::invalid_value,
                           fmt::format("kernel '{}': the pointer to argument {} of {} is null", info.name,
                                       i + 1, info.params.size()),
                           true);

    auto packed = pack_arguments(info, arguments);
    if (!packed) return packed.outcome;
    return submit(
        {this, stream.id, KernelLaunch{&function, shape, asked.threads(), std::move(packed.value)}});
}

// How long a kernel takes is known when it has run, so that with a simulated clock nothing is put off that
// has a time. Host functions may go on beside the program, unless their time counts.
bool Session::is_awaited(const Command& command) const {
    if (!clock_ || command.as<Free>()) return command.stops_host;
    return command.stops_host || !command.as<HostFunction>() || clock_->host_measured();
}

Outcome Session::submit(const Command& command) {
    const std::optional<Done> done = work_.submit(command, is_awaited(command));
    if (clock_ && (!done || done->complete)) {
        Outcome timed = clock_->submit(command, done ? *done : Done{});
        if (!timed) {
            launch_failed(command.as<KernelLaunch>()->function->name, report::FailureKind::unsupported,
                          timed.reason);
            return timed;
        }
    }
    return done ? done->outcome : Outcome();
}

void Session::launch_failed(const std::string& kernel, report::FailureKind kind, const std::string& reason) {
    const std::lock_guard running(launching_);
    keep_failure(kernel, kind, reason);
}

void Session::keep_failure(const std::string& kernel, report::FailureKind kind, const std::string& reason) {
    if (kind == report::FailureKind::unsupported) lacking_.add(reason);
    if (profiler_) profiler_->failed(kernel, kind, reason);
    if (clock_) clock_->failed({base::kernel_name(kernel), kind, reason});
}

void Session::reset() {
    work_.wait_for_device(legacy_stream);
    const std::lock_guard running(launching_);
    modules_.unload_all();
    for (const auto& stream : streams_.take_all()) forget(*stream);
    for (const auto& event : events_.take_all()) {
        work_.remove_event(event->id);
        if (clock_) clock_->remove_event(*event);
    }
    memory_.release_all();
    limits_.reset();
    errors_.clear();
}

void Session::finish() {
    const std::lock_guard running(launching_);
    if (profiler_) profiler_->finish();
    if (clock_) clock_->finish();
}

Stats Session::stats() const {
    const std::lock_guard lock(stats_mutex_);
    return stats_;
}

std::string Stats::to_string() const {
    return fmt::format(
        "{} launches, {} blocks, {} threads in {:.6f} s; {} warp instructions, {} thread instructions; "
        "{} allocations, at most {} bytes at once; copied {} bytes to the device, {} to the host, {} within "
        "the device",
        launches, blocks, threads, kernel_seconds, warp_instructions, thread_instructions, allocations,
        peak_bytes, copied.to_device, copied.to_host, copied.on_device);
}

}  // namespace lockstep::session
