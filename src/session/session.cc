#include "session/session.h"

#include <fmt/format.h>

#include "gpu/block-limits.h"
#include "session/block-override.h"
#include "session/profiler.h"
#include "session/register-estimate.h"

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
    return session;
}

Session::Session(Options options, gpu::GpuModel gpu, Registry& registry, Report report)
    : options_(std::move(options)),
      gpu_(std::move(gpu)),
      memory_(gpu_.memory_bytes),
      modules_(registry, Machine{gpu_, memory_, options_.exec, !options_.profile.file.empty()}, options_.ptx),
      selection_(options_.profile.kernels),
      report_(std::move(report)) {}

Session::~Session() = default;

Found<std::uint64_t> Session::allocate(std::uint64_t size, exec::MemoryKind kind) {
    auto address = memory_.allocate(size, kind);
    if (!address) return Outcome(Status::memory_allocation, address.error().message, true);
    const std::lock_guard lock(stats_mutex_);
    ++stats_.allocations;
    stats_.peak_bytes = std::max(stats_.peak_bytes, memory_.used());
    return *address;
}

Outcome Session::release(std::uint64_t address, bool host_memory) {
    if (address == 0) return {};
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

Outcome Session::copy(const Box& to, const Box& from, const BoxSize& size, Direction direction) {
    TransferCounts counts;
    Outcome outcome = session::copy(memory_, to, from, size, direction, counts);
    const std::lock_guard lock(stats_mutex_);
    stats_.copied.to_device += counts.to_device;
    stats_.copied.to_host += counts.to_host;
    stats_.copied.on_device += counts.on_device;
    stats_.copied.on_host += counts.on_host;
    return outcome;
}

Outcome Session::fill(const Box& to, const BoxSize& size, std::uint32_t value, int value_bytes) {
    return session::fill(memory_, to, size, value, value_bytes);
}

bool Session::is_stream(const void* handle) {
    return reinterpret_cast<std::uintptr_t>(handle) <= 2 || streams_.find(handle) != nullptr;
}

Stream* Session::create_stream(unsigned flags, int priority) {
    return streams_.create(Stream{next_stream_++, flags, priority});
}

Outcome Session::record(Event& event) {
    event.time = HostClock::now();
    event.recorded = true;
    return {};
}

std::uint32_t Session::registers(Function& function) {
    const std::scoped_lock lock(registers_mutex_);
    if (!function.registers)
        function.registers = estimate_registers(*function.kernel, gpu_, options_.profile.max_registers);
    return *function.registers;
}

Outcome Session::launch(Function& function, const LaunchShape& asked, void** arguments) {
    const exec::KernelInfo& info = function.info();
    const LaunchShape shape =
        options_.block && selection_.matches(function.name) ? with_block(asked, *options_.block) : asked;
    if (const auto obstacle = launch_obstacle(gpu_, info, function.settings, shape)) {
        const std::lock_guard running(launching_);
        if (profiler_) profiler_->refused(function.name, obstacle->reason);
        return refusal(info, *obstacle);
    }
    if (!info.params.empty() && !arguments)
        return Outcome(
            Status::invalid_value,
            fmt::format("kernel '{}' takes {} arguments, none were given", info.name, info.params.size()),
            true);

    const std::lock_guard running(launching_);
    if (errors_.faulted()) return {};  // as on a GPU whose context is lost: accepted, and never run
    exec::Launch launch;
    launch.grid = shape.grid;
    launch.block = shape.block;
    launch.dynamic_shared_bytes = static_cast<std::uint32_t>(shape.dynamic_shared);
    launch.cooperative = shape.cooperative;
    const std::vector<std::byte> params = pack_arguments(info, arguments);
    launch.params = params;
    exec::LaunchStats counts;
    const auto start = HostClock::now();
    const auto fault = profiler_ && profiler_->wants(function.name)
                           ? profiler_->run(function, launch, threads_of(asked), &counts)
                           : exec::run(*function.kernel, launch, &counts);
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
    if (!fault) return {};
    report_(fault->message);
    // What lockstep cannot run is an error of the launch: nothing has happened on the device.
    if (fault->kind == exec::FaultKind::compile_error) return Outcome(status_of(fault->kind));
    errors_.fault(status_of(fault->kind));
    return {};
}

void Session::reset() {
    const std::lock_guard running(launching_);
    modules_.unload_all();
    streams_.clear();
    events_.clear();
    memory_.release_all();
    errors_.clear();
}

void Session::finish_profile() {
    const std::lock_guard running(launching_);
    if (profiler_) profiler_->finish();
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
