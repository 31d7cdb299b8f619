#include "session/simulated-clock.h"

#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include "session/own-command-line.h"

namespace lockstep::session {

double thread_nanoseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

Result<std::unique_ptr<SimulatedClock>> SimulatedClock::create(const ClockOptions& options,
                                                               const gpu::GpuModel& gpu, Report report) {
    const gpu::TimingFigures& figures = gpu.timing;
    if (figures.hardware_queues == 0 || figures.pinned_to_device_gbs == 0 || figures.fill_gbs == 0)
        return Error{fmt::format("the simulated clock needs figures of queues and copies, and the model of "
                                 "{} has none",
                                 gpu.name),
                     {}};
    std::unique_ptr<SimulatedClock> clock(new SimulatedClock(options, gpu, std::move(report)));
    if (options.timeline.empty()) return clock;
    report::TimelineInfo info;
    info.command = own_command_line();
    info.gpu = gpu.id;
    info.gpu_name = gpu.name;
    info.sms = gpu.sms;
    info.copy_engines = gpu.copy_engines;
    info.hardware_queues = clock->timeline_.hardware_queues();
    clock->process_ = getpid();
    auto writer =
        report::TimelineWriter::create(options.timeline / fmt::format("{}.timeline", clock->process_), info);
    if (!writer) return writer.error();
    clock->writer_ = std::move(*writer);
    return clock;
}

SimulatedClock::SimulatedClock(const ClockOptions& options, const gpu::GpuModel& gpu, Report report)
    : options_(options),
      report_(std::move(report)),
      timeline_(gpu, options.connections,
                {[this](const timing::Placement& placement) {
                     if (writer_ && process_ == getpid()) writer_->add(placement);
                 },
                 [this](const timing::HostCall& call) {
                     if (writer_ && process_ == getpid()) writer_->add(call);
                 }}) {}

// A disk that is full ends the timeline, not the program.
void SimulatedClock::keep() {
    if (!writer_ || process_ != getpid() || writer_->flush()) return;
    report_("the timeline cannot be written any more; the program goes on");
    writer_.reset();
}

void SimulatedClock::add_stream(const Stream& stream, bool of_thread) {
    const std::lock_guard lock(mutex_);
    timeline_.add_stream(stream.id, stream.blocking(), stream.priority);
    if (writer_ && process_ == getpid())
        writer_->add(report::TimelineStream{stream.id, stream.blocking(), of_thread, stream.priority});
}

void SimulatedClock::remove_stream(const Stream& stream) {
    const std::lock_guard lock(mutex_);
    timeline_.remove_stream(stream.id);
}

void SimulatedClock::remove_event(const Event& event) {
    const std::lock_guard lock(mutex_);
    timeline_.remove_event(event.id);
}

void SimulatedClock::submit(timing::Operation operation) {
    const std::lock_guard lock(mutex_);
    timeline_.submit(std::move(operation));
}

void SimulatedClock::wait_for(const Stream& stream) {
    const std::lock_guard lock(mutex_);
    timeline_.wait_for_stream(stream.id);
    keep();
}

void SimulatedClock::wait_for(const Event& event) {
    const std::lock_guard lock(mutex_);
    timeline_.wait_for_event(event.id);
    keep();
}

void SimulatedClock::wait_for_device() {
    const std::lock_guard lock(mutex_);
    timeline_.wait_for_device();
    keep();
}

bool SimulatedClock::query(const Stream& stream) {
    const std::lock_guard lock(mutex_);
    return timeline_.query_stream(stream.id);
}

bool SimulatedClock::query(const Event& event) {
    const std::lock_guard lock(mutex_);
    return timeline_.query_event(event.id);
}

std::optional<double> SimulatedClock::time_of(const Event& event) {
    const std::lock_guard lock(mutex_);
    return timeline_.time_of(event.id);
}

void SimulatedClock::begin_call() {
    if (!options_.host_measured) return;
    const std::lock_guard lock(mutex_);
    Caller& caller = callers_[std::this_thread::get_id()];
    if (caller.depth++ == 0 && caller.left) timeline_.host_works(thread_nanoseconds() - *caller.left);
}

void SimulatedClock::end_call() {
    if (!options_.host_measured) return;
    const std::lock_guard lock(mutex_);
    Caller& caller = callers_[std::this_thread::get_id()];
    if (--caller.depth == 0) caller.left = thread_nanoseconds();
}

void SimulatedClock::failed(const report::Failure& failure) {
    const std::lock_guard lock(mutex_);
    if (writer_ && process_ == getpid()) writer_->add(failure);
    keep();
}

void SimulatedClock::finish() {
    const std::lock_guard lock(mutex_);
    timeline_.finish();
    if (writer_ && process_ == getpid()) writer_->end();
    keep();
}

}  // namespace lockstep::session
