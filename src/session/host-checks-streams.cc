// The order of commands.
#include <fmt/format.h>

#include "base/demangle.h"
#include "session/device.h"
#include "session/host-checks.h"

namespace lockstep::session {

using check::Class;
using check::Finding;

namespace {

void add(check::ByteSet& set, const Box& box, const BoxSize& size) {
    if (box.image) return;
    for (std::uint64_t z = 0; z < size.depth; ++z)
        for (std::uint64_t y = 0; y < size.height; ++y) {
            const std::uint64_t row = box.address + (z * box.rows_per_slice + y) * box.pitch;
            set.add(row, row + size.width);
        }
}

// Kernels tell themselves.
Touched touched_by(const Command& command) {
    Touched touched;
    if (const auto* copy = command.as<Copy>()) {
        const Transfer& transfer = copy->transfer;
        // Of pageable memory the call itself takes care.
        const bool host = !transfer.pageable && transfer.route != Route::on_host;
        if (transfer.route != Route::on_host) {
            if (host || transfer.route != Route::to_host) add(touched.written, transfer.to, transfer.size);
            if (host || transfer.route != Route::to_device) add(touched.read, transfer.from, transfer.size);
        }
    } else if (const auto* fill = command.as<Fill>()) {
        add(touched.written, fill->to, fill->size);
    }
    return touched;
}

}  // namespace

void HostChecks::add_stream(StreamId stream, StreamId legacy, bool blocking) {
    const std::lock_guard lock(mutex_);
    clocks_.add_stream(stream, legacy, blocking);
}

void HostChecks::remove_stream(StreamId stream) {
    const std::lock_guard lock(mutex_);
    clocks_.remove_stream(stream);
}

HostChecks::Number HostChecks::submitted(const Command& command) {
    CallSite site = calling();
    const char* const called = function();
    const std::lock_guard lock(mutex_);
    const std::uint64_t number = ++last_command_;
    Submitted& one = submitted_[number] = {clocks_.submit(command.place()), std::move(site), called};
    return {number, one.stamp};
}

void HostChecks::touched(const check::ByteSet& read, const check::ByteSet& written) {
    const std::lock_guard lock(mutex_);
    Call& call = calls_[std::this_thread::get_id()];
    call.touched.read.add(read);
    call.touched.written.add(written);
    call.kernel_told = true;
}

void HostChecks::done(const Command& command, const Done& done) {
    std::vector<StreamRace> races;
    {
        const std::lock_guard lock(mutex_);
        Call& call = calls_[std::this_thread::get_id()];
        if (done.complete) call.touched.add(touched_by(command));
        // Part of a graph's launch, whose own end comes.
        if (command.number == 0) return;
        const auto at = submitted_.find(command.number);
        if (at == submitted_.end()) return;
        CommandRecord record{at->second.stamp, std::move(at->second.site), at->second.function, "",
                             std::move(call.touched)};
        call.touched = {};
        if (const auto* kernel = command.as<KernelLaunch>()) {
            record.kernel = base::kernel_name(kernel->function->name);
            record.what = "kernel " + base::short_kernel_name(record.kernel);
        }
        // It may have told the host's threads what was done before it.
        if (command.calls_host()) clocks_.wait_for(record.stamp);
        submitted_.erase(at);
        if (!options_.races || record.touched.empty()) return;
        races = races_.add(std::move(record), clocks_.host());
    }
    for (const StreamRace& race : races) tell(race);
}

void HostChecks::host_waited(const Stamp& stamp) {
    const std::lock_guard lock(mutex_);
    clocks_.wait_for(stamp);
}

void HostChecks::host_waited_for_stream(StreamId stream) {
    const std::lock_guard lock(mutex_);
    clocks_.wait_for_stream(stream);
}

void HostChecks::host_waited_for_device(StreamId legacy) {
    const std::lock_guard lock(mutex_);
    clocks_.wait_for_device(legacy);
}

void HostChecks::host_waited_for_event(EventId event) {
    const std::lock_guard lock(mutex_);
    clocks_.wait_for_event(event);
}

void HostChecks::tell(const StreamRace& race) {
    const auto verb = [](bool writes) { return writes ? "writes" : "reads"; };
    Finding finding;
    finding.kind_of = Class::race;
    finding.kind = "stream-race";
    finding.kernel = race.earlier.kernel.empty() ? race.later.kernel : race.earlier.kernel;
    finding.message = fmt::format(
        "{} in stream {} {} memory that {} in stream {} {} ({} bytes from {:#x}), and nothing orders the two",
        race.earlier.what, race.earlier.stamp.stream, verb(race.earlier_writes), race.later.what,
        race.later.stamp.stream, verb(race.later_writes), race.bytes.end - race.bytes.begin,
        race.bytes.begin);
    finding.advice =
        "Record an event behind the first (cudaEventRecord) and let the second's stream wait for it "
        "(cudaStreamWaitEvent), or give both to one stream.";
    const auto first = places_of(race.earlier.site, race.earlier_writes ? "write" : "read");
    const auto second = places_of(race.later.site, race.later_writes ? "write" : "read");
    for (const auto* places : {&first, &second})
        if (!places->empty()) finding.places.push_back(places->front());
    finding.own_places = static_cast<std::uint32_t>(finding.places.size());
    for (const auto* places : {&first, &second})
        for (std::size_t i = 1; i < places->size(); ++i) finding.places.push_back((*places)[i]);
    for (const check::Place& place : history_of(race.bytes.begin)) finding.places.push_back(place);
    findings_.add(std::move(finding));
}

}  // namespace lockstep::session
