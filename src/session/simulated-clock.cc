#include "session/simulated-clock.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/demangle.h"
#include "session/device.h"
#include "session/execute.h"
#include "session/modules.h"
#include "session/own-command-line.h"
#include "timing/stream-kernel-work.h"

namespace lockstep::session {

namespace {

using timing::Operation;
using timing::OperationKind;

// What a command is to the timeline.
Operation operation_of(const KernelLaunch& kernel, const Done& done, const gpu::GpuModel& gpu) {
    Operation operation{OperationKind::kernel};
    operation.name = base::kernel_name(kernel.function->name);
    operation.kernel = timing::kernel_work(*done.prediction, kernel.shape.grid.count(), gpu);
    if (done.nested) {
        // For the others on the GPU it is one kernel, which lasts until its last child has ended.
        operation.nested = timing::place_nested(*done.nested, gpu);
        operation.kernel.nanoseconds = operation.nested.front().end;
    }
    // On a GPU a part of it passes between the kernel and the graph.
    operation.kernel.nanoseconds += 1e3 * (done.graphs_fired * gpu.timing.nested_graph_us +
                                           done.graphs_in_tail * gpu.timing.nested_graph_tail_us);
    return operation;
}

Operation operation_of(const Copy& copy, const Done&, const gpu::GpuModel&) {
    constexpr OperationKind kinds[] = {OperationKind::copy_on_host, OperationKind::copy_to_device,
                                       OperationKind::copy_to_host, OperationKind::copy_on_device};
    Operation operation{copy.transfer.between_devices ? OperationKind::copy_to_peer
                                                      : kinds[static_cast<int>(copy.transfer.route)]};
    operation.bytes = copy.transfer.bytes();
    operation.pageable = copy.transfer.pageable;
    return operation;
}

Operation pages_of(OperationKind kind, std::uint64_t bytes, timing::Pages pages) {
    Operation operation{kind};
    operation.bytes = bytes;
    operation.pages = pages;
    return operation;
}

Operation operation_of(const Prefetch& prefetch, const Done& done, const gpu::GpuModel&) {
    return prefetch.device < 0
               ? pages_of(OperationKind::copy_to_host, done.pages.to_host, timing::Pages::prefetched)
               : pages_of(OperationKind::copy_to_device, done.pages.to_device, timing::Pages::prefetched);
}

Operation operation_of(const Fill& fill, const Done&, const gpu::GpuModel&) {
    Operation operation{OperationKind::fill};
    operation.bytes = fill.size.width * fill.size.height * fill.size.depth;
    return operation;
}

Operation operation_of(const HostFunction&, const Done& done, const gpu::GpuModel&) {
    Operation operation{OperationKind::host_function};
    operation.nanoseconds = done.host_nanoseconds;
    return operation;
}

Operation operation_of(const EventRecord& record, const Done&, const gpu::GpuModel&) {
    Operation operation{OperationKind::event_record};
    operation.event = record.event->id;
    return operation;
}

Operation operation_of(const EventWait& wait, const Done&, const gpu::GpuModel&) {
    Operation operation{OperationKind::event_wait};
    operation.event = wait.event->id;
    return operation;
}

std::array<std::uint32_t, 3> extents(const exec::Dim3& d) { return {d.x, d.y, d.z}; }

std::optional<timing::OperationTrace> trace_of(const Command& command,
                                               std::optional<timing::OperationTrace> trace) {
    const auto* kernel = command.as<KernelLaunch>();
    if (!trace || !kernel) return trace;
    trace->grid = extents(kernel->shape.grid);
    trace->block = extents(kernel->shape.block);
    trace->registers = command.device->resources(*kernel->function).registers;
    trace->static_shared = kernel->function->info().static_shared_bytes;
    trace->dynamic_shared = static_cast<std::uint32_t>(kernel->shape.dynamic_shared);
    return trace;
}

// It takes no time of an engine's.
std::nullopt_t operation_of(const Free&, const Done&, const gpu::GpuModel&) { return std::nullopt; }
std::nullopt_t operation_of(const Allocate&, const Done&, const gpu::GpuModel&) { return std::nullopt; }
std::nullopt_t operation_of(const Discard&, const Done&, const gpu::GpuModel&) { return std::nullopt; }
// It is several.
std::nullopt_t operation_of(const GraphLaunch&, const Done&, const gpu::GpuModel&) { return std::nullopt; }

std::optional<Operation> operation_of(const Command& command, const Done& done, const gpu::GpuModel& gpu) {
    return std::visit(
        [&](const auto& work) -> std::optional<Operation> { return operation_of(work, done, gpu); },
        command.work);
}

}  // namespace

Result<std::unique_ptr<SimulatedClock>> SimulatedClock::create(const ClockOptions& options,
                                                               const std::vector<const gpu::GpuModel*>& gpus,
                                                               ProgramTime& time, Report report) {
    for (const gpu::GpuModel* const gpu : gpus) {
        const gpu::TimingFigures& figures = gpu->timing;
        if (figures.hardware_queues == 0 || figures.pinned_to_device_gbs == 0 || figures.fill_gbs == 0)
            return Error{fmt::format("the simulated clock needs figures of queues and copies, and the model "
                                     "of {} has none",
                                     gpu->name),
                         {}};
    }
    std::unique_ptr<SimulatedClock> clock(new SimulatedClock(options, gpus, time, std::move(report)));
    if (options.timeline.empty()) return clock;
    const gpu::GpuModel& gpu = *gpus.front();
    report::TimelineInfo info;
    info.command = own_command_line();
    info.gpu = gpu.id;
    info.gpu_name = gpu.name;
    info.sms = gpu.sms;
    info.copy_engines = gpu.copy_engines;
    info.hardware_queues = clock->times_.hardware_queues();
    if (gpus.size() > 1)
        for (const gpu::GpuModel* const one : gpus) info.devices.push_back(one->id);
    clock->process_ = getpid();
    auto writer =
        report::TimelineWriter::create(options.timeline / fmt::format("{}.timeline", clock->process_), info);
    if (!writer) return writer.error();
    clock->writer_ = std::move(*writer);
    return clock;
}

SimulatedClock::SimulatedClock(const ClockOptions& options, const std::vector<const gpu::GpuModel*>& gpus,
                               ProgramTime& time, Report report)
    : report_(std::move(report)),
      time_(time),
      origin_(time.now()),
      times_(gpus, options.connections,
             {[this](const timing::Placement& placement) {
                  if (writer_ && process_ == getpid()) writer_->add(placement);
                  if (log_) log_->add(placement);
              },
              [this](const timing::HostCall& call) {
                  if (writer_ && process_ == getpid()) writer_->add(call);
              }}) {}

template <class Body>
auto SimulatedClock::call(Body&& body) {
    const std::lock_guard lock(mutex_);
    const double passed = time_.now() - origin_ - times_.host_clock();
    if (passed > 0) times_.host_works(passed);
    struct End {
        SimulatedClock& clock;
        ~End() { clock.time_.reach(clock.origin_ + clock.times_.host_clock()); }
    } const end{*this};
    return body();
}

// A disk that is full ends the timeline, not the program.
void SimulatedClock::keep() {
    if (!writer_ || process_ != getpid() || writer_->flush()) return;
    report_("the timeline cannot be written any more; the program goes on");
    writer_.reset();
}

void SimulatedClock::add_stream(const Stream& stream, bool of_thread) {
    const std::lock_guard lock(mutex_);
    const StreamId legacy = stream.device->legacy_default_stream()->id;
    const int device = stream.device->number();
    times_.add_stream(stream.id, legacy, stream.blocking(), stream.priority, device);
    if (writer_ && process_ == getpid())
        writer_->add(report::TimelineStream{stream.id, stream.blocking(), of_thread, stream.priority, device,
                                            stream.id == legacy});
}

void SimulatedClock::set_priority(const Stream& stream) {
    const std::lock_guard lock(mutex_);
    times_.set_priority(stream.id, stream.priority);
}

void SimulatedClock::remove_stream(const Stream& stream) {
    const std::lock_guard lock(mutex_);
    times_.remove_stream(stream.id);
}

void SimulatedClock::remove_event(const Event& event) {
    const std::lock_guard lock(mutex_);
    times_.remove_event(event.id);
}

Outcome SimulatedClock::check(const Command& command, const Done& done) {
    if (const auto* kernel = command.as<KernelLaunch>(); kernel && !done.prediction)
        return Outcome::lacking(
            Status::not_supported,
            fmt::format("there is no prediction of the time of kernel '{}', which the simulated clock needs",
                        base::kernel_name(kernel->function->name)));
    return {};
}

Outcome SimulatedClock::submit(const Command& command, const Done& done) {
    if (command.as<GraphLaunch>()) return submit_graph(command, done);
    if (Outcome bad = check(command, done); !bad) return bad;
    std::optional<Operation> operation = operation_of(command, done, command.device->gpu());
    if (!operation) return {};
    fetched_by_host(*command.device, done.pages_before.to_host);
    operation->stream = command.stream;
    operation->stops_host = command.stops_host;
    if (log_) operation->trace = trace_of(command, log_->trace());
    call([&] {
        // A stream that was destroyed while a host function held up what stands in it: nobody can ask for it.
        if (!times_.has_stream(operation->stream)) return;
        // A kernel that has to wait for pages waits for all of them first: how they fall into its time is not
        // modelled.
        if (command.as<KernelLaunch>() && done.pages.to_device > 0) {
            Operation pages =
                pages_of(OperationKind::copy_to_device, done.pages.to_device, timing::Pages::on_demand);
            pages.stream = operation->stream;
            if (log_) pages.trace = log_->trace();
            times_.submit(std::move(pages));
        }
        times_.submit(std::move(*operation));
    });
    return {};
}

// The host stands still meanwhile.
void SimulatedClock::fetched_by_host(Device& device, std::uint64_t bytes) {
    if (bytes == 0) return;
    Operation pages = pages_of(OperationKind::copy_to_host, bytes, timing::Pages::on_demand);
    pages.stream = device.legacy_default_stream()->id;
    pages.stops_host = true;
    if (log_) pages.trace = log_->trace();
    call([&] { times_.submit(std::move(pages)); });
}

Outcome SimulatedClock::submit_graph(const Command& command, const Done& done) {
    std::vector<StreamTimes::Step> steps;
    for (const GraphStep& step : done.steps) {
        if (step.command)
            if (Outcome bad = check(*step.command, *step.done); !bad) return bad;
        std::optional<Operation> operation;
        if (step.command) operation = operation_of(*step.command, *step.done, step.command->device->gpu());
        if (log_ && operation) operation->trace = trace_of(*step.command, log_->trace());
        steps.push_back(
            {operation ? std::move(*operation) : Operation{OperationKind::graph_step}, step.after});
        // Whoever launches a graph does not wait for its copies.
        steps.back().operation.pageable = false;
        steps.back().operation.launched_by = step.launched_by;
    }
    call([&] {
        if (times_.has_stream(command.stream)) times_.submit_graph(command.stream, std::move(steps));
    });
    return {};
}

void SimulatedClock::wait_for(const Stream& stream) {
    call([&] {
        times_.wait_for_stream(stream.id);
        keep();
    });
}

void SimulatedClock::wait_for(const Event& event) {
    call([&] {
        times_.wait_for_event(event.id);
        keep();
    });
}

void SimulatedClock::wait_for(const Device& device) {
    call([&] {
        times_.wait_for_device(device.legacy_default_stream()->id);
        keep();
    });
}

bool SimulatedClock::query(const Stream& stream) {
    return call([&] { return times_.query_stream(stream.id); });
}

bool SimulatedClock::query(const Event& event) {
    return call([&] { return times_.query_event(event.id); });
}

std::optional<double> SimulatedClock::time_of(const Event& event) {
    return call([&] { return times_.time_of(event.id); });
}

void SimulatedClock::begin(report::HostRange& range) {
    range.thread =
        range_threads_.try_emplace(std::this_thread::get_id(), static_cast<int>(range_threads_.size()) + 1)
            .first->second;
    range.begin = range.end = times_.host_clock();
}

void SimulatedClock::end(report::HostRange& range) {
    range.end = times_.host_clock();
    if (writer_ && process_ == getpid()) writer_->add(range);
}

int SimulatedClock::push_range(report::HostRange range) {
    return call([&] {
        begin(range);
        std::vector<report::HostRange>& open = pushed_[{range.thread, range.domain}];
        open.push_back(std::move(range));
        return static_cast<int>(open.size()) - 1;
    });
}

std::optional<int> SimulatedClock::pop_range(const std::string& domain) {
    return call([&]() -> std::optional<int> {
        const auto thread = range_threads_.find(std::this_thread::get_id());
        if (thread == range_threads_.end()) return std::nullopt;
        const auto open = pushed_.find({thread->second, domain});
        if (open == pushed_.end() || open->second.empty()) return std::nullopt;
        end(open->second.back());
        open->second.pop_back();
        return static_cast<int>(open->second.size());
    });
}

std::uint64_t SimulatedClock::start_range(report::HostRange range) {
    return call([&] {
        begin(range);
        range.nested = false;
        started_.emplace(++ranges_started_, std::move(range));
        return ranges_started_;
    });
}

void SimulatedClock::end_range(std::uint64_t started) {
    call([&] {
        const auto at = started_.find(started);
        if (at == started_.end()) return;
        end(at->second);
        started_.erase(at);
    });
}

void SimulatedClock::mark(report::HostRange moment) {
    call([&] {
        begin(moment);
        moment.moment = true;
        end(moment);
    });
}

void SimulatedClock::failed(const report::Failure& failure) {
    const std::lock_guard lock(mutex_);
    if (writer_ && process_ == getpid()) writer_->add(failure);
    keep();
}

void SimulatedClock::finish() {
    call([&] {
        times_.finish();
        // What is still open lasts until the end.
        for (auto& [of, open] : pushed_)
            for (; !open.empty(); open.pop_back()) end(open.back());
        for (auto& [number, range] : started_) end(range);
        started_.clear();
        if (writer_ && process_ == getpid()) writer_->end();
        keep();
    });
}

}  // namespace lockstep::session
