#include "session/simulated-clock.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/demangle.h"
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
    return operation;
}

Operation operation_of(const Copy& copy, const Done&, const gpu::GpuModel&) {
    constexpr OperationKind kinds[] = {OperationKind::copy_on_host, OperationKind::copy_to_device,
                                       OperationKind::copy_to_host, OperationKind::copy_on_device};
    Operation operation{kinds[static_cast<int>(copy.transfer.route)]};
    operation.bytes = copy.transfer.bytes();
    operation.pageable = copy.transfer.pageable;
    return operation;
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

// It takes no time of an engine's.
std::nullopt_t operation_of(const Free&, const Done&, const gpu::GpuModel&) { return std::nullopt; }

}  // namespace

Result<std::unique_ptr<SimulatedClock>> SimulatedClock::create(const ClockOptions& options,
                                                               const gpu::GpuModel& gpu, ProgramTime& time,
                                                               Report report) {
    const gpu::TimingFigures& figures = gpu.timing;
    if (figures.hardware_queues == 0 || figures.pinned_to_device_gbs == 0 || figures.fill_gbs == 0)
        return Error{fmt::format("the simulated clock needs figures of queues and copies, and the model of "
                                 "{} has none",
                                 gpu.name),
                     {}};
    std::unique_ptr<SimulatedClock> clock(new SimulatedClock(options, gpu, time, std::move(report)));
    if (options.timeline.empty()) return clock;
    report::TimelineInfo info;
    info.command = own_command_line();
    info.gpu = gpu.id;
    info.gpu_name = gpu.name;
    info.sms = gpu.sms;
    info.copy_engines = gpu.copy_engines;
    info.hardware_queues = clock->times_.hardware_queues();
    clock->process_ = getpid();
    auto writer =
        report::TimelineWriter::create(options.timeline / fmt::format("{}.timeline", clock->process_), info);
    if (!writer) return writer.error();
    clock->writer_ = std::move(*writer);
    return clock;
}

SimulatedClock::SimulatedClock(const ClockOptions& options, const gpu::GpuModel& gpu, ProgramTime& time,
                               Report report)
    : report_(std::move(report)),
      gpu_(gpu),
      time_(time),
      origin_(time.now()),
      times_(gpu, options.connections,
             {[this](const timing::Placement& placement) {
                  if (writer_ && process_ == getpid()) writer_->add(placement);
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
    times_.add_stream(stream.id, stream.blocking(), stream.priority);
    if (writer_ && process_ == getpid())
        writer_->add(report::TimelineStream{stream.id, stream.blocking(), of_thread, stream.priority});
}

void SimulatedClock::remove_stream(const Stream& stream) {
    const std::lock_guard lock(mutex_);
    times_.remove_stream(stream.id);
}

void SimulatedClock::remove_event(const Event& event) {
    const std::lock_guard lock(mutex_);
    times_.remove_event(event.id);
}

Outcome SimulatedClock::submit(const Command& command, const Done& done) {
    if (const auto* kernel = command.as<KernelLaunch>(); kernel && !done.prediction)
        return Outcome::lacking(
            Status::not_supported,
            fmt::format("there is no prediction of the time of kernel '{}', which the simulated clock needs",
                        base::kernel_name(kernel->function->name)));
    std::optional<Operation> operation = std::visit(
        [&](const auto& work) -> std::optional<Operation> { return operation_of(work, done, gpu_); },
        command.work);
    if (!operation) return {};
    operation->stream = command.stream;
    operation->stops_host = command.stops_host;
    call([&] {
        // A stream that was destroyed while a host function held up what stands in it: nobody can ask for it.
        if (times_.has_stream(operation->stream)) times_.submit(std::move(*operation));
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

void SimulatedClock::wait_for_device() {
    call([&] {
        times_.wait_for_device();
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
