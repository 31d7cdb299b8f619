#include "session/session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <new>

#include "base/demangle.h"
#include "gpu/block-limits.h"
#include "pipeline/pipeline.h"
#include "session/block-override.h"
#include "session/profiler.h"
#include "session/simulated-clock.h"
#include "session/watched-launch.h"
#include "timing/stream-kernel-work.h"

namespace lockstep::session {
namespace {

std::uint64_t threads_of(const LaunchShape& shape) { return shape.grid.count() * shape.block.count(); }

}  // namespace

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
      selection_(options_.profile.kernels) {
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
    // It takes no time of an engine's: to the simulated clock it is nothing.
    work_.submit({timing::OperationKind::fill, stream.id}, [this, address] { memory_.release(address); });
    return {};
}

Outcome Session::copy(const Box& to, const Box& from, const BoxSize& size, Direction direction,
                      const Stream& stream, bool waits) {
    if (errors_.faulted()) return {};  // accepted, and never run: a kernel before it has faulted
    const auto transfer = check_copy(memory_, to, from, size, direction);
    if (!transfer) return transfer.outcome;
    if (size.empty()) return {};
    constexpr timing::OperationKind kinds[] = {
        timing::OperationKind::copy_on_host, timing::OperationKind::copy_to_device,
        timing::OperationKind::copy_to_host, timing::OperationKind::copy_on_device};
    timing::Operation operation{kinds[static_cast<int>(transfer->route)], stream.id};
    operation.bytes = transfer->bytes();
    operation.pageable = transfer->pageable;
    // Copies inside the device return at once, even from cudaMemcpy; of pageable memory and on the host
    // never.
    operation.stops_host = transfer->pageable || transfer->route == Route::on_host ||
                           (waits && transfer->route != Route::on_device);
    do_in_stream(operation, [this, transfer = *transfer] {
        if (errors_.faulted()) return;
        session::copy(transfer);
        const std::lock_guard lock(stats_mutex_);
        TransferCounts& counts = stats_.copied;
        std::uint64_t* const by_route[] = {&counts.on_host, &counts.to_device, &counts.to_host,
                                           &counts.on_device};
        *by_route[static_cast<int>(transfer.route)] += transfer.bytes();
    });
    if (clock_) clock_->submit(operation);
    return waits ? Outcome(errors_.at_call(true)) : Outcome();
}

Outcome Session::fill(const Box& to, const BoxSize& size, std::uint32_t value, int value_bytes,
                      const Stream& stream) {
    if (errors_.faulted()) return {};
    if (Outcome bad = check_fill(memory_, to, size, value_bytes); !bad) return bad;
    if (size.empty()) return {};
    timing::Operation operation{timing::OperationKind::fill, stream.id};
    operation.bytes = size.width * size.height * size.depth;
    const auto target = memory_.find(to.address);
    operation.stops_host = target && target->kind == exec::MemoryKind::pinned;
    do_in_stream(operation, [this, to, size, value, value_bytes] {
        if (!errors_.faulted()) session::fill(to, size, value, value_bytes);
    });
    if (clock_) clock_->submit(operation);
    return {};
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
                        const Stream& stream) try {
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
    timing::Operation operation{timing::OperationKind::kernel, stream.id};
    const auto ran = std::make_shared<Ran>();
    const bool done =
        do_in_stream(operation, [this, ran, &function, shape, asked_threads = threads_of(asked),
                                 caller = std::this_thread::get_id(), params = std::move(packed.value)] {
            *ran = run(function, shape, asked_threads, params);
            // The call that launched it may have returned.
            if (!ran->outcome && caller != std::this_thread::get_id()) errors_.fault(ran->outcome.status);
        });
    if (!done || !ran->complete || !clock_) return done ? ran->outcome : Outcome();
    if (!ran->prediction) {
        const std::string reason =
            fmt::format("there is no prediction of the time of kernel '{}', which the simulated clock needs",
                        base::kernel_name(function.name));
        launch_failed(function.name, report::FailureKind::unsupported, reason);
        return Outcome::lacking(Status::not_supported, reason);
    }
    operation.name = base::kernel_name(function.name);
    operation.kernel = timing::kernel_work(*ran->prediction, shape.grid.count(), gpu_);
    clock_->submit(operation);
    return {};
} catch (const std::bad_alloc&) {
    const std::string reason =
        fmt::format("kernel '{}' was not run: the host is out of memory", function.info().name);
    launch_failed(function.name, report::FailureKind::unsupported, reason);
    return Outcome::lacking(Status::memory_allocation, reason);
}

Session::Ran Session::run(Function& function, const LaunchShape& shape, std::uint64_t asked_threads,
                          const std::vector<std::byte>& params) {
    Ran ran;
    const std::lock_guard running(launching_);
    if (errors_.faulted()) return ran;  // as on a GPU whose context is lost: accepted, and never run
    exec::Launch launch;
    launch.grid = shape.grid;
    launch.block = shape.block;
    launch.dynamic_shared_bytes = static_cast<std::uint32_t>(shape.dynamic_shared);
    launch.cooperative = shape.cooperative;
    launch.params = params;
    exec::LaunchStats counts;
    const auto start = HostClock::now();
    const bool profiled = profiler_ && profiler_->wants(function.name);
    std::optional<exec::Fault> fault;
    if (profiled || clock_) {
        WatchedLaunch watched = run_watched(function, launch, gpu_, options_.watch, &counts);
        fault = watched.fault;
        if (watched.counts && profiled) {
            watched.counts->config.added_threads = threads_of(shape) - asked_threads;
            profiler_->keep(function, *watched.counts, fault);
        }
        if (watched.counts) ran.prediction = std::move(watched.counts->prediction);
    } else {
        fault = exec::run(*function.kernel, launch, &counts);
    }
    const std::chrono::duration<double> took = HostClock::now() - start;
    {
        const std::lock_guard lock(stats_mutex_);
        ++stats_.launches;
        stats_.blocks += shape.grid.count();
        stats_.threads += threads_of(shape);
        stats_.warp_instructions += counts.warp_instructions;
        stats_.thread_instructions += counts.thread_instructions;
        stats_.kernel_seconds += took.count();
    }
    ran.complete = !fault;
    if (!fault) return ran;
    report_(fault->message);
    const bool lacks = fault->kind == exec::FaultKind::compile_error;
    keep_failure(function.name, lacks ? report::FailureKind::unsupported : report::FailureKind::fault,
                 fault->message);
    // What lockstep cannot run is an error of the launch: nothing has happened on the device.
    if (lacks)
        ran.outcome = Outcome(status_of(fault->kind));
    else
        errors_.fault(status_of(fault->kind));
    return ran;
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
    work_.wait_for_all();
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
