// The order of commands.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/demangle.h"
#include "base/own-work.h"
#include "exec/host-lines.h"
#include "session/device.h"
#include "session/host-checks.h"

namespace lockstep::session {

using check::Class;
using check::Finding;

namespace {

void add_box(check::ByteSet& set, const Box& box, const BoxSize& size) {
    each_piece(box, size, [&](std::uint64_t at, std::uint64_t bytes) { set.add(at, at + bytes); });
}

// Kernels tell themselves.
Touched touched_by(const Command& command) {
    Touched touched;
    if (const auto* copy = command.as<Copy>()) {
        const Transfer& transfer = copy->transfer;
        // Of pageable memory the call itself takes care.
        const bool host = !transfer.pageable && transfer.route != Route::on_host;
        if (transfer.route != Route::on_host) {
            if (host || transfer.route != Route::to_host)
                add_box(touched.written, transfer.to, transfer.size);
            if (host || transfer.route != Route::to_device)
                add_box(touched.read, transfer.from, transfer.size);
        }
    } else if (const auto* fill = command.as<Fill>()) {
        add_box(touched.written, fill->to, fill->size);
    }
    return touched;
}

void name(CommandRecord& record, const Command& command) {
    record.what = command.as<Copy>() ? "a copy" : command.as<Fill>() ? "a memset" : "a command";
    if (const auto* kernel = command.as<KernelLaunch>()) {
        record.kernel = base::kernel_name(kernel->function->name);
        record.what = "kernel " + base::short_kernel_name(record.kernel);
    }
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
    CallSite from = site();
    const char* const called = function();
    if (const auto* copy = command.as<Copy>()) look_at_host_side(copy->transfer);
    Touched touched;
    // Who uses it must be done before.
    if (const auto* free = command.as<Free>())
        if (const auto found = process_.addresses().find(free->address, 0))
            touched.written.add(found->address, found->end());
    const std::lock_guard lock(mutex_);
    const std::uint64_t number = ++last_command_;
    Submitted& one =
        submitted_[number] = {clocks_.submit(command.place()), std::move(from), called, std::move(touched)};
    return {number, one.stamp};
}

void HostChecks::touched(const Touched& touched, bool tells_host) {
    const std::lock_guard lock(mutex_);
    Call& call = calls_[std::this_thread::get_id()];
    call.touched.add(touched);
    written_.add(touched.written);
    written_.add(touched.atomics);
    call.kernel_told = true;
    call.tells_host = call.tells_host || tells_host;
}

void HostChecks::ran(const std::string& kernel, bool tells, bool printed) {
    const std::lock_guard lock(mutex_);
    Call& call = calls_[std::this_thread::get_id()];
    call.printed |= printed;
    results_seen_ |= tells;
    if (printed) call.printed_by = kernel;
}

// Whether some of it is memory that the host may look at itself.
bool HostChecks::reaches_host(const check::ByteSet& written) const {
    return std::any_of(
        written.ranges().begin(), written.ranges().end(), [&](const check::ByteSet::Range& range) {
            const auto found = process_.addresses().find(range.begin);
            return !found ||
                   (found->kind != exec::MemoryKind::device && found->kind != exec::MemoryKind::variable);
        });
}

// Copies that the call itself waits for need no care.
void HostChecks::use_host_memory(const Copy& copy, const CommandRecord& record, const char* function) {
    const Transfer& transfer = copy.transfer;
    const bool to_host = transfer.route == Route::to_host;
    if (!options_.host || (!to_host && transfer.route != Route::to_device)) return;
    if (record.stamp.is_before(clocks_.host()) || (transfer.pageable && !copy.staged)) return;
    const Box& box = to_host ? transfer.to : transfer.from;
    HostUse use{record.stamp, record.site, function, ~std::uint64_t{0}, 0, to_host, transfer.pageable, {}};
    each_row(box, transfer.size, [&](std::uint64_t, std::uint64_t, std::uint64_t row) {
        use.begin = std::min(use.begin, row);
        use.end = std::max(use.end, row + transfer.size.width);
    });
    if (use.begin >= use.end) return;
    if (is_on_stack(use.begin)) use.stack_of = std::this_thread::get_id();
    host_uses_.add(std::move(use));
    has_host_uses_ = true;
}

void HostChecks::host_freed(std::uint64_t begin, std::uint64_t bytes, const char* function) {
    const bool of_cuda = std::string_view(function) == "cudaFreeHost";
    if (base::in_own_work() && !of_cuda) return;
    const base::OwnWork own;
    std::vector<HostUse> uses;
    {
        const std::lock_guard lock(mutex_);
        uses = host_uses_.take(clocks_.host(), begin, begin + bytes);
        if (host_uses_.empty()) has_host_uses_ = false;
    }
    for (const HostUse& use : uses) tell(use, fmt::format("is freed ({})", function), calling(), "freed");
}

void HostChecks::tell(const HostUse& use, const std::string& how, const CallSite& gone, const char* role) {
    Finding finding;
    finding.kind_of = Class::host;
    finding.kind = "host-memory-gone";
    // Of pageable memory CUDA makes a copy first, and cudaFreeHost waits: what is wrong has no effect.
    const bool waits = how.find("cudaFreeHost") != how.npos;
    finding.rank = use.pageable || waits ? check::Rank::warning : check::Rank::error;
    finding.message =
        fmt::format("the host memory that {} {} {} before the program has waited for the copy{}",
                    use.function, use.writes ? "writes" : "reads", how,
                    use.pageable ? "; it works only because CUDA sets pageable memory aside" : "");
    finding.advice = "wait before the memory goes (cudaStreamSynchronize), or keep it until then";
    if (const check::Place place = place_of(gone, role); !place.file.empty() || !place.function.empty())
        finding.places.push_back(place);
    add(std::move(finding), use.site, "copy");
}

void HostChecks::begin_graph() {
    const std::lock_guard lock(mutex_);
    calls_[std::this_thread::get_id()].graph = {};
}

void HostChecks::graph_step(const Command* command, const CallSite& made,
                            const std::vector<std::uint32_t>& after) {
    std::vector<StreamRace> races;
    {
        const std::lock_guard lock(mutex_);
        Call& call = calls_[std::this_thread::get_id()];
        CommandRecord record;
        record.site = made;
        record.touched = std::move(call.touched);
        call.touched = {};
        call.of_graph.add(record.touched);
        if (command) name(record, *command);
        if (options_.races) races = call.graph.add(std::move(record), after);
    }
    for (const StreamRace& race : races) tell(race, true);
}

void HostChecks::done(const Command& command, const Done& done) {
    std::vector<StreamRace> races;
    std::optional<CallSite> stale;
    const char* called = "";
    {
        const std::lock_guard lock(mutex_);
        Call& call = calls_[std::this_thread::get_id()];
        if (const auto* kernel = command.as<KernelLaunch>()) {
            if (done.complete && !call.kernel_told) blind_ = true;
            call.kernel_told = false;
            if (done.complete) {
                have_run_.insert(kernel->function->name);
                first_failures_.erase(kernel->function->name);
            }
        }
        if (command.calls_host()) blind_ = true;  // it may use other libraries
        const Copy* const copy = command.as<Copy>();
        const bool is_stale_copy = copy && done.complete && is_stale(*copy);
        if (copy && copy->transfer.route == Route::to_host) results_seen_ = true;
        if (done.complete) {
            const Touched touched = touched_by(command);
            written_.add(touched.written);
            call.touched.add(touched);
        }
        // Part of a graph's launch, whose own end comes.
        if (command.number == 0) return;
        const auto at = submitted_.find(command.number);
        if (at == submitted_.end()) return;
        called = at->second.function;
        CommandRecord record{at->second.stamp, std::move(at->second.site), called, "",
                             std::move(call.touched)};
        record.touched.add(at->second.touched);
        record.touched.add(call.of_graph);
        call.of_graph = {};
        submitted_.erase(at);
        record.tells_host = call.tells_host;
        if (command.as<KernelLaunch>()) name(record, command);
        const bool computes = command.as<KernelLaunch>() || command.as<GraphLaunch>();
        for (const check::ByteSet* const set : {&record.touched.written, &record.touched.atomics}) {
            if (!computes || set->empty()) continue;
            results_seen_ = results_seen_ || reaches_host(*set);
            computed_ = record;
        }
        if (copy) use_host_memory(*copy, record, called);
        if (call.printed) {
            printed_ = record;
            printed_->kernel = call.printed_by;
        }
        call.printed = false;
        call.touched = {};
        call.tells_host = false;
        if (is_stale_copy) stale = record.site;
        // It may have told the host's threads what was done before it.
        if (command.calls_host()) clocks_.wait_for(record.stamp);
        if (options_.races && !record.touched.empty()) races = races_.add(std::move(record), clocks_.host());
    }
    for (const StreamRace& race : races) tell(race);
    if (stale) tell_stale(*command.as<Copy>(), *stale, called);
}

// Of memory that a call has allocated, nothing of what is copied to the host was ever written.
bool HostChecks::is_stale(const Copy& copy) const {
    const Transfer& transfer = copy.transfer;
    // Where a kernel did not run, that is told.
    if (!failed_launches_.empty()) return false;
    if (blind_ || !options_.initialisation || transfer.route != Route::to_host || transfer.from.image)
        return false;
    const auto found = process_.addresses().find(transfer.from.address);
    if (!found || found->kind != exec::MemoryKind::device) return false;
    check::ByteSet read;
    add_box(read, transfer.from, transfer.size);
    return !written_.meets(read);
}

void HostChecks::tell_stale(const Copy& copy, const CallSite& site, const char* function) {
    Finding finding;
    finding.kind_of = Class::init;
    finding.kind = "stale-copy";
    finding.message = fmt::format("{} gives the host {} bytes of device memory that nothing has ever written",
                                  function, copy.transfer.bytes());
    finding.advice =
        "the kernel or copy that should have written them did not run, did not finish, or wrote elsewhere";
    finding.places = history_of(copy.transfer.from.address);
    add(std::move(finding), site, "copy");
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

// What the host has not waited for. Only whole pages can be closed; what is behind an allocation in its last
// page is nobody's.
std::vector<HostAccess::Pages> HostChecks::pages_to_close() {
    std::vector<HostAccess::Pages> pages;
    if (options_.memory) close_device(pages);
    if (!options_.races || host_visible_.empty()) return pages;
    const std::uint64_t page = HostAccess::page_bytes();
    const auto close = [&](const check::ByteSet& bytes, bool readable) {
        // A kernel that scatters its writes has too many pieces, and hardly a whole page.
        constexpr std::size_t most = 256;
        for (const auto& [begin, end] : bytes.ranges()) {
            auto at = host_visible_.upper_bound(begin);
            if (at == host_visible_.begin() || pages.size() >= most) continue;
            const exec::Allocation& allocation = (--at)->second;
            if (end > allocation.end()) continue;
            const bool own = allocation.address % page == 0;
            const std::uint64_t first = (begin + page - 1) / page * page;
            const std::uint64_t last =
                own && end == allocation.end() ? (end + page - 1) / page * page : end / page * page;
            if (first < last) pages.push_back({first, last, readable});
        }
    };
    for (const CommandRecord& record : races_.unordered(clocks_.host())) {
        if (record.tells_host) continue;
        close(record.touched.read, true);
        close(record.touched.written, false);
        close(record.touched.atomics, false);
    }
    return pages;
}

void HostChecks::close_device(std::vector<HostAccess::Pages>& pages) {
    constexpr std::uint64_t least = 1 << 20;
    if (closing_left_ == 0) return;
    if (!device_pages_known_) {
        device_pages_.clear();
        device_pages_known_ = true;
        const std::uint64_t page = HostAccess::page_bytes();
        for (std::size_t i = 0; i < process_.device_count(); ++i)
            for (auto [begin, end] : process_.device(i).memory().committed()) {
                for (auto at = host_visible_.lower_bound(begin); at != host_visible_.end() && at->first < end;
                     ++at) {
                    const std::uint64_t open = at->first / page * page;
                    if (open > begin) device_pages_.push_back({begin, open, false});
                    begin = (at->second.end() + page - 1) / page * page;
                }
                if (begin < end) device_pages_.push_back({begin, end, false});
            }
    }
    std::uint64_t cost = least;
    for (const HostAccess::Pages& one : device_pages_) cost += one.end - one.begin;
    closing_left_ -= std::min(closing_left_, cost);
    pages.insert(pages.end(), device_pages_.begin(), device_pages_.end());
}

// In a handler of a signal; but the program's code, which was interrupted, holds none of our locks.
bool HostChecks::accessed(const HostAccess::Access& access) {
    const bool inside = base::in_own_work();
    const base::OwnWork own;
    std::optional<CommandRecord> pending;
    {
        const std::lock_guard lock(mutex_);
        if (!process_.addresses().in_device_range(access.address)) return false;
        // Another thread has opened it, if it is memory at all.
        if (!access_.is_closed(access.address)) return process_.addresses().find(access.address).has_value();
        access_.open();
        for (const CommandRecord& record : races_.unordered(clocks_.host())) {
            const bool written = record.touched.writes(access.address);
            const bool read = record.touched.read.touches(access.address, access.address + 1);
            if (!record.tells_host && (written || (read && access.writes))) pending = record;
            if (pending) break;
        }
    }
    const auto frames = exec::host_stack_at(access.stack);
    if (inside || frames.empty()) return true;
    const auto found = process_.addresses().find(access.address);
    Finding finding;
    for (const exec::HostFrame& frame : frames)
        finding.places.push_back({frame.file, frame.line, frame.function,
                                  finding.places.empty() ? (access.writes ? "write" : "read") : "called from",
                                  ""});
    const char* const verb = access.writes ? "writes" : "reads";
    if (!found) return true;
    if (found->kind != exec::MemoryKind::managed && found->kind != exec::MemoryKind::pinned) {
        finding.kind_of = Class::memory;
        finding.kind = "host-dereference";
        finding.message = fmt::format("the host {} device memory itself: a GPU's is not in its reach", verb);
        finding.advice =
            "copy it (cudaMemcpy), or allocate it with cudaMallocManaged or cudaMallocHost, which both may "
            "touch";
    } else if (pending) {
        const bool written = pending->touched.writes(access.address);
        finding.kind_of = Class::race;
        finding.kind = "host-race";
        finding.kernel = pending->kernel;
        finding.message =
            fmt::format("the host {} memory that {} in stream {} {}, and has not waited for it", verb,
                        pending->what, pending->stamp.stream, written ? "writes" : "reads");
        finding.advice =
            "wait before (cudaStreamSynchronize, cudaDeviceSynchronize, or cudaEventSynchronize for an event "
            "recorded behind it)";
        const auto command = places_of(pending->site, written ? "write" : "read");
        if (!command.empty()) {
            finding.places.insert(finding.places.begin() + 1, command.front());
            finding.own_places = 2;
        }
    } else {
        return true;
    }
    const auto history = history_of(access.address);
    finding.places.insert(finding.places.end(), history.begin(), history.end());
    findings_.add(std::move(finding));
    return true;
}

void HostChecks::tell(const StreamRace& race, bool of_graph) {
    const auto verb = [](bool writes) { return writes ? "writes" : "reads"; };
    const auto who = [&](const CommandRecord& record) {
        return of_graph ? record.what + " in a graph"
                        : fmt::format("{} in stream {}", record.what, record.stamp.stream);
    };
    Finding finding;
    finding.kind_of = Class::race;
    finding.kind = of_graph ? "graph-race" : "stream-race";
    finding.kernel = race.earlier.kernel.empty() ? race.later.kernel : race.earlier.kernel;
    finding.message =
        fmt::format("{} {} memory that {} {} ({} bytes from {:#x}), and {} orders the two", who(race.earlier),
                    verb(race.earlier_writes), who(race.later), verb(race.later_writes),
                    race.bytes.end - race.bytes.begin, race.bytes.begin, of_graph ? "no edge" : "nothing");
    finding.advice =
        of_graph ? "let the second depend on the first (the dependencies of its node, or "
                   "cudaGraphAddDependencies; in a capture, an event that its stream waits for)"
                 : "record an event behind the first (cudaEventRecord) and let the second's stream wait "
                   "for it (cudaStreamWaitEvent), or give both to one stream";
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
