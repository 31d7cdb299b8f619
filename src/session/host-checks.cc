// Memory, launches, handles. What is about the order of commands is in host-checks-streams.cc.
#include "session/host-checks.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/demangle.h"
#include "base/own-work.h"
#include "session/device.h"
#include "session/host-heap.h"

namespace lockstep::session {

using check::Class;
using check::Finding;
using check::Place;
using check::Rank;
using exec::MemoryKind;

namespace {

const char* right_free(MemoryKind kind) { return kind == MemoryKind::pinned ? "cudaFreeHost" : "cudaFree"; }

std::string bytes(std::uint64_t count) { return count == 1 ? "1 byte" : fmt::format("{} bytes", count); }

bool is_host(MemoryKind kind) { return kind == MemoryKind::pinned || kind == MemoryKind::host; }

void append(std::vector<Place>& places, const CallSite& site, const char* role) {
    if (site.addresses.empty()) return;
    const Place place = place_of(site, role);
    if (!place.file.empty() || !place.function.empty()) places.push_back(place);
}

std::uint64_t span(const Box& box, const BoxSize& size) {
    return ((size.depth - 1) * box.rows_per_slice + size.height - 1) * box.pitch + size.width;
}

}  // namespace

HostChecks::HostChecks(Process& process, const CheckOptions& options, check::Findings& findings)
    : process_(process),
      options_(options),
      findings_(findings),
      access_([this](const HostAccess::Access& access) { return accessed(access); }) {
    if (options.host) watching_frees_ = this;
    for (std::size_t i = 0; i < process.device_count(); ++i) {
        process.device(i).memory().separate_host_pages();
        const auto legacy = process.device(i).legacy_default_stream();
        clocks_.add_stream(legacy->id, legacy->id, true);
    }
}

void HostChecks::begin_call(const char* function) {
    const base::OwnWork own;
    std::unique_lock lock(mutex_);
    Call& call = calls_[std::this_thread::get_id()];
    if (call.depth++ != 0) return;
    call.function = function;
    call.stub = nullptr;
    // Memory that other processes write to.
    const std::string_view name = function;
    if (name.find("Ipc") != name.npos || name.find("Export") != name.npos) blind_ = true;
    if (name.find("ElapsedTime") != name.npos) results_seen_ = true;  // it measures: results may not matter
    if (calls_inside_++ == 0) access_.open();
    if (!host_uses_.any_on_stack(std::this_thread::get_id())) return;
    const auto left =
        host_uses_.take_left(clocks_.host(), std::this_thread::get_id(), end_of_callers_stack());
    lock.unlock();
    for (const HostUse& use : left)
        tell(use, "is on the stack of a function that has returned", calling(), "noticed");
}

void HostChecks::end_call() {
    const base::OwnWork own;  // what is freed here is not the program's
    const std::lock_guard lock(mutex_);
    if (--calls_[std::this_thread::get_id()].depth == 0 && --calls_inside_ == 0)
        access_.close(pages_to_close());
}

bool HostChecks::has_several_threads() const {
    const std::lock_guard lock(mutex_);
    return std::count_if(calls_.begin(), calls_.end(),
                         [](const auto& call) { return call.second.function[0] != 0; }) > 1;
}

void HostChecks::launching(const void* stub) {
    const std::lock_guard lock(mutex_);
    calls_[std::this_thread::get_id()].stub = stub;
}

CallSite HostChecks::site() const {
    const void* stub = nullptr;
    {
        const std::lock_guard lock(mutex_);
        const auto at = calls_.find(std::this_thread::get_id());
        if (at != calls_.end() && at->second.depth != 0) stub = at->second.stub;
    }
    return calling(stub);
}

const char* HostChecks::function() const {
    const std::lock_guard lock(mutex_);
    const auto at = calls_.find(std::this_thread::get_id());
    return at == calls_.end() || at->second.depth == 0 ? "" : at->second.function;
}

// What is in the finding already is the history of what it is about.
void HostChecks::add(Finding finding, const CallSite& site, const std::string& role) {
    std::vector<Place> places = places_of(site, role);
    if (places.empty()) places.push_back({"", 0, "", role, ""});
    finding.own_places = 1;
    finding.places.insert(finding.places.begin(), places.begin(), places.end());
    findings_.add(std::move(finding));
}

void HostChecks::allocated(const exec::Allocation& allocation) {
    allocations_.allocated(allocation, function(), calling());
    const std::lock_guard lock(mutex_);
    races_.forget(allocation.address, allocation.end());
    written_.remove(allocation.address, allocation.end());
    device_pages_known_ = false;
    if (allocation.kind == MemoryKind::managed || allocation.kind == MemoryKind::pinned)
        host_visible_[allocation.address] = allocation;
}

void HostChecks::released(const exec::Allocation& allocation) {
    allocations_.released(allocation, calling());
    const std::lock_guard lock(mutex_);
    device_pages_known_ = false;
    host_visible_.erase(allocation.address);
}

void HostChecks::reset(int device) {
    allocations_.reset(device, calling());
    const std::lock_guard lock(mutex_);
    printed_.reset();  // it has fetched what was there
}

std::vector<Place> HostChecks::history_of(std::uint64_t address) const {
    std::vector<Place> places;
    auto record = allocations_.live(address);
    if (!record) record = allocations_.freed(address);
    if (!record) return places;
    append(places, record->freed, "freed");
    append(places, record->allocated, "allocated");
    return places;
}

void HostChecks::bad_free(std::uint64_t address, const Outcome& outcome) {
    if (!options_.memory) return;
    const char* const called = function();
    const auto freed = allocations_.freed(address);
    // Objects that free what they have may outlive the device's reset, with which it went: no harm.
    if (freed && freed->by_reset) return allocations_.freed_late(address);
    const auto live = allocations_.live(address);
    Finding finding;
    finding.kind_of = Class::memory;
    finding.kind = "invalid-free";
    if (live && live->allocation.address == address) {
        finding.message = fmt::format("{} of {}, which {} gave", called, exec::name_of(live->allocation.kind),
                                      live->function);
        finding.advice =
            fmt::format("what {} gives is freed by {}", live->function, right_free(live->allocation.kind));
    } else if (freed && freed->allocation.address == address) {
        finding.kind = "double-free";
        finding.message = fmt::format("{} of memory ({}) that has been freed before", called,
                                      bytes(freed->allocation.size));
        finding.advice =
            "free it once: an owner that is copied frees what its copy still has (delete the copy "
            "constructor, or move)";
    } else if (live && address < live->allocation.end()) {
        finding.message =
            fmt::format("{} of an address {} inside an allocation of {}", called,
                        bytes(address - live->allocation.address), bytes(live->allocation.size));
        finding.advice = fmt::format("free the address that {} gave", live->function);
    } else if (freed && address < freed->allocation.end()) {
        finding.message =
            fmt::format("{} of an address {} inside an allocation of {} that has been freed before", called,
                        bytes(address - freed->allocation.address), bytes(freed->allocation.size));
        finding.advice = "free the address that was given, once";
    } else if (!process_.addresses().in_device_range(address)) {
        finding.message =
            fmt::format("{} of an address of the host ({:#x}) that CUDA has not given", called, address);
        finding.advice = "memory from malloc, new or the stack is not CUDA's to free";
    } else {
        finding.message = fmt::format("{} of an address that is no allocation: {}", called, outcome.reason);
        finding.advice = "free the address that the allocation gave";
    }
    finding.places = history_of(address);
    add(std::move(finding), calling(), "freed");
    const std::lock_guard lock(mutex_);
    call_failed_ = true;
}

// Which of both sides it is, is told from the addresses, as the call's reason tells it.
void HostChecks::bad_copy(const Box& to, const Box& from, const BoxSize& size, Direction direction,
                          const Outcome& outcome) {
    if (!options_.memory) return;
    {
        const std::lock_guard lock(mutex_);
        call_failed_ = true;
    }
    const exec::AddressMap& map = process_.addresses();
    // Freed memory was the device's; of what is on the host only what devices know of can be told.
    const auto is_device = [&](const Box& box) {
        if (box.image) return true;
        const auto found = map.find(box.address);
        return found ? !is_host(found->kind) : map.in_device_range(box.address);
    };
    const bool to_device = is_device(to), from_device = is_device(from);
    const auto direction_is = [&](bool from_there, bool to_there) {
        return direction == (from_there ? (to_there ? Direction::device_to_device : Direction::device_to_host)
                                        : (to_there ? Direction::host_to_device : Direction::host_to_host));
    };
    const auto both_ways = [&](const Box& box) {
        const auto found = box.image ? std::nullopt : map.find(box.address);
        return found && (found->kind == MemoryKind::managed || is_host(found->kind));
    };
    const bool direction_fits = direction == Direction::by_address || direction_is(from_device, to_device) ||
                                (both_ways(to) && direction_is(from_device, !to_device)) ||
                                (both_ways(from) && direction_is(!from_device, to_device)) ||
                                (both_ways(to) && both_ways(from));
    const bool null = (to.address == 0 && !to.image) || (from.address == 0 && !from.image);
    if (!direction_fits && !null) {
        constexpr const char* names[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                         "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"};
        const auto number = static_cast<unsigned>(direction);
        const std::string given = number < 4 ? names[number] : fmt::format("{}", number);
        Finding finding;
        finding.kind_of = Class::memory;
        finding.kind = "copy-direction";
        const auto side = [](bool device) { return device ? "device memory" : "host memory"; };
        finding.message = fmt::format("{} from {} to {}, with the direction {}", function(),
                                      side(from_device), side(to_device), given);
        finding.advice = to_device || from_device
                             ? fmt::format(
                                   "the direction would be {} (or cudaMemcpyDefault); if that is not "
                                   "what is meant, destination and source are exchanged",
                                   names[(to_device ? 1 : 0) + (from_device ? 2 : 0)])
                             : "one of the two should be memory that cudaMalloc gave";
        for (const Box* box : {&to, &from}) {
            const auto history = history_of(box->address);
            finding.places.insert(finding.places.end(), history.begin(), history.end());
        }
        return add(std::move(finding), calling(), "copy");
    }
    // A side that is all there is not the one.
    const auto is_fine = [&](const Box& box, bool device) {
        if (box.image || (box.address != 0 && !device && !map.in_device_range(box.address))) return true;
        const auto found = map.find(box.address, span(box, size));
        return found && found->kind != MemoryKind::heap;
    };
    if (!is_fine(to, to_device)) return tell_bad_side(to, size, false, outcome);
    if (!is_fine(from, from_device)) return tell_bad_side(from, size, true, outcome);
    Finding finding;
    finding.kind_of = Class::host;
    finding.kind = "api-error";
    finding.rank = Rank::warning;
    finding.message = fmt::format("{} fails: {}", function(), outcome.reason);
    finding.advice = "look at what the call returns";
    add(std::move(finding), calling(), "copy");
}

void HostChecks::bad_fill(const Box& to, const BoxSize& size, const Outcome& outcome) {
    if (!options_.memory) return;
    {
        const std::lock_guard lock(mutex_);
        call_failed_ = true;
    }
    tell_bad_side(to, size, false, outcome);
}

void HostChecks::look_at_host_side(const Transfer& transfer) {
    const bool to_host = transfer.route == Route::to_host;
    if (!options_.memory || !transfer.pageable || (!to_host && transfer.route != Route::to_device)) return;
    const Box& box = to_host ? transfer.to : transfer.from;
    const std::uint64_t needed = span(box, transfer.size);
    const auto size = smaller_heap_block(box.address, needed);
    if (!size) return;
    Finding finding{.kind_of = Class::memory, .kind = "copy-out-of-bounds"};
    finding.message = fmt::format(
        "the {} of {} is {} long, and the host's memory there has {}: {} go beyond its end",
        to_host ? "destination" : "source", function(), bytes(needed), bytes(*size), bytes(needed - *size));
    finding.advice = "copy as much as both sides have; sizes are bytes, not elements";
    add(std::move(finding), calling(), "copy");
}

void HostChecks::tell_bad_side(const Box& box, const BoxSize& size, bool source, const Outcome& outcome) {
    const std::uint64_t last = box.address + span(box, size);
    const char* const side = source ? "source" : "destination";
    Finding finding;
    finding.kind_of = Class::memory;
    finding.places = history_of(box.address);
    const auto live = allocations_.live(box.address), freed = allocations_.freed(box.address);
    const auto found = process_.addresses().find(box.address);
    // A variable of the device code was not allocated by a call.
    const std::optional<exec::Allocation> holder = found  ? found
                                                   : live ? std::optional(live->allocation)
                                                          : std::nullopt;
    if (holder && last > holder->end()) {
        finding.kind = "copy-out-of-bounds";
        finding.message = fmt::format(
            "the {} of {} is {} long, from byte {} of {}: {} go beyond its end", side, function(),
            bytes(last - box.address), box.address - holder->address,
            holder->name.empty() ? fmt::format("an allocation of {}", bytes(holder->size))
                                 : fmt::format("the variable {} of {}", holder->name, bytes(holder->size)),
            bytes(last - holder->end()));
        finding.advice = fmt::format("at most {} fit from there on; sizes are bytes, not elements",
                                     bytes(holder->end() - std::min(box.address, holder->end())));
    } else if (freed && box.address < freed->allocation.end()) {
        finding.kind = "use-after-free";
        finding.message = fmt::format("the {} of {} is in memory ({}) that has been freed", side, function(),
                                      bytes(freed->allocation.size));
        finding.advice = freed->by_reset ? "the device's reset has freed it: allocate it again"
                                         : "free it after its last use";
    } else if (box.address == 0) {
        finding.kind = "null-pointer";
        finding.message = fmt::format("the {} of {} is the null pointer", side, function());
        finding.advice = "look at whether the allocation succeeded";
    } else if (!process_.addresses().in_device_range(box.address)) {
        finding.kind = "host-pointer";
        finding.message =
            fmt::format("the {} of {} should be device memory, and is the host's", side, function());
        finding.advice = "give it memory that cudaMalloc or cudaMallocManaged gave";
    } else {
        finding.kind = "invalid-address";
        finding.message = fmt::format("{}: {}", function(), outcome.reason);
        finding.advice = "give it memory that cudaMalloc or cudaMallocManaged gave";
    }
    add(std::move(finding), calling(), "copy");
}

void HostChecks::launch_failed(const std::string& kernel, const Outcome& outcome) {
    // What lockstep cannot do is no mistake of the program's.
    if (!options_.host || outcome.lacks) return;
    FailedLaunch launch{std::this_thread::get_id(), kernel, outcome.status, outcome.reason, site()};
    const std::lock_guard lock(mutex_);
    if (!kernel.empty() && !have_run_.contains(kernel)) first_failures_.try_emplace(kernel, launch);
    failed_launches_.push_back(std::move(launch));
}

// An error stays until somebody asks for it, however many launches come after it.
void HostChecks::errors_looked_at() {
    const base::OwnWork own;
    const std::lock_guard lock(mutex_);
    std::erase_if(failed_launches_,
                  [](const FailedLaunch& one) { return one.thread == std::this_thread::get_id(); });
}

void HostChecks::error_looked_at(Status status) {
    const base::OwnWork own;
    const std::lock_guard lock(mutex_);
    std::erase_if(failed_launches_, [&](const FailedLaunch& one) { return one.status == status; });
}

namespace {

std::string why(const std::string& reason) {
    constexpr std::string_view before = " was not launched: ";
    const std::size_t at = reason.find(before);
    return at == reason.npos ? reason : reason.substr(at + before.size());
}

}  // namespace

// Who tries how large a launch may be has some that succeed.
void HostChecks::tell_never_run() {
    for (const auto& [kernel, launch] : first_failures_) {
        Finding finding;
        finding.kind_of = Class::host;
        finding.kind = "launch-failed";
        finding.kernel = base::kernel_name(kernel);
        finding.message = fmt::format("the kernel never runs: its launches fail ({})", why(launch.reason));
        finding.advice = "launch it so that it fits the GPU, and end the program where a launch fails";
        add(std::move(finding), launch.site, "launched");
    }
}

// At the end of the process nobody fetches what kernels have printed.
void HostChecks::tell_lost_output() {
    if (!printed_ || printed_->stamp.is_before(clocks_.host())) return;
    Finding finding;
    finding.kind_of = Class::host;
    finding.kind = "output-lost";
    finding.kernel = printed_->kernel;
    finding.message =
        "the kernel prints, and the program ends without having waited for it: what it prints need not "
        "appear";
    finding.advice = "call cudaDeviceSynchronize() before the program ends, and look at what it returns";
    add(std::move(finding), printed_->site, "launched");
}

void HostChecks::tell_unread_results() {
    if (!computed_ || results_seen_ || blind_) return;
    Finding finding;
    finding.kind_of = Class::host;
    finding.kind = "results-never-read";
    finding.rank = Rank::warning;
    finding.kernel = computed_->kernel;
    finding.message = fmt::format(
        "the kernel writes {} of device memory, and the program ends without having copied anything to the "
        "host",
        bytes(computed_->touched.written.bytes() + computed_->touched.atomics.bytes()));
    finding.advice = "copy the results back (cudaMemcpy with cudaMemcpyDeviceToHost) before they are used";
    add(std::move(finding), computed_->site, "launched");
}

void HostChecks::tell(const FailedLaunch& launch) {
    Finding finding;
    finding.kind_of = Class::host;
    finding.kind = "launch-error-ignored";
    finding.kernel = launch.kernel.empty() ? "" : base::kernel_name(launch.kernel);
    // The finding names the kernel.
    finding.message = fmt::format("the launch fails and nothing looks at the error: {}", why(launch.reason));
    finding.advice =
        "call cudaGetLastError() after the launch and look at what it returns: the kernel did not run";
    add(std::move(finding), launch.site, "launched");
}

void HostChecks::destroyed(std::shared_ptr<const void> object, const char* what) {
    CallSite site = calling();
    const std::lock_guard lock(mutex_);
    const void* const handle = object.get();
    destroyed_[handle] = {std::move(object), what, std::move(site)};
}

void HostChecks::destroyed(const void* handle, const char* what) {
    CallSite site = calling();
    const std::lock_guard lock(mutex_);
    destroyed_[handle] = {nullptr, what, std::move(site)};
}

void HostChecks::no_such(const void* handle) {
    Finding finding;
    {
        const std::lock_guard lock(mutex_);
        const auto at = destroyed_.find(handle);
        if (at == destroyed_.end()) return;
        call_failed_ = true;
        finding.message = at->second.what;
        append(finding.places, at->second.site, "destroyed");
    }
    finding.kind_of = Class::host;
    finding.kind = "destroyed-handle";
    finding.advice = fmt::format("destroy the {} after its last use, once", finding.message);
    // Arrays are memory, and destroyed by being freed.
    const std::string_view called = function();
    if (finding.message.ends_with("array") &&
        (called.starts_with("cudaFree") || called.ends_with("Destroy"))) {
        finding.kind_of = Class::memory;
        finding.kind = "double-free";
    }
    finding.message = fmt::format(
        "{} with {} {} that has been destroyed", called,
        finding.message.starts_with("e") || finding.message.starts_with("a") ? "an" : "a", finding.message);
    if (finding.kind_of == Class::memory ? !options_.memory : !options_.host) return;
    add(std::move(finding), calling(), "call");
}

void HostChecks::recorded(EventId event) {
    const std::lock_guard lock(mutex_);
    recorded_.insert(event);
    waits_.erase(event);
}

// The first turn of a loop often waits for what later turns record: only who never does is wrong.
void HostChecks::waited_for(const Event& event) {
    if (event.recorded || event.shared) return;
    const char* const called = function();
    CallSite site = calling();
    const std::lock_guard lock(mutex_);
    if (!recorded_.contains(event.id)) waits_.try_emplace(event.id, EventWait{std::move(site), called});
}

void HostChecks::no_time(const Event& event) {
    if (!options_.host || event.recorded) return;
    Finding finding;
    finding.kind_of = Class::host;
    finding.kind = "event-never-recorded";
    finding.message = fmt::format("{} with an event that has not been recorded", function());
    finding.advice = "record it in a stream (cudaEventRecord) before: the call fails, and gives no time";
    add(std::move(finding), calling(), "call");
    const std::lock_guard lock(mutex_);
    waits_.erase(event.id);
    recorded_.insert(event.id);  // it is told
    call_failed_ = true;
}

void HostChecks::tell_leaks() {
    struct Leak {
        std::uint64_t bytes = 0, count = 0;
        AllocationRecord first;
    };
    // A loop that was unrolled has several calls of one line.
    std::map<std::pair<std::string, int>, Leak> leaks;
    for (AllocationRecord& record : allocations_.never_freed()) {
        const MemoryKind kind = record.allocation.kind;
        if (kind != MemoryKind::device && kind != MemoryKind::managed && kind != MemoryKind::pinned) continue;
        const Place place = place_of(record.allocated, "allocated");
        Leak& leak = leaks[{place.file + '\0' + place.function, place.line}];
        leak.bytes += record.allocation.size;
        if (leak.count++ == 0) leak.first = std::move(record);
    }
    for (const auto& [_, leak] : leaks) {
        Finding finding;
        finding.kind_of = Class::leak;
        finding.kind = "leak";
        finding.count = leak.count;
        finding.details = {{"size", std::to_string(leak.bytes)},
                           {"address", fmt::format("{:#x}", leak.first.allocation.address)}};
        finding.message = leak.count == 1
                              ? fmt::format("{} of {} that {} gave were never freed", bytes(leak.bytes),
                                            exec::name_of(leak.first.allocation.kind), leak.first.function)
                              : fmt::format(
                                    "{} allocations of {}, {} together, that {} gave here were "
                                    "never freed",
                                    leak.count, exec::name_of(leak.first.allocation.kind), bytes(leak.bytes),
                                    leak.first.function);
        finding.advice =
            fmt::format("free it ({}) on every way out of the code that uses it",
                        std::string_view(leak.first.function).find("Async") != std::string_view::npos
                            ? "cudaFreeAsync"
                            : right_free(leak.first.allocation.kind));
        add(std::move(finding), leak.first.allocated, "allocated");
    }
}

void HostChecks::finish(int status) {
    const base::OwnWork own;
    std::vector<FailedLaunch> failed;
    std::map<EventId, EventWait> waits;
    bool gave_up = false;
    {
        const std::lock_guard lock(mutex_);
        failed.swap(failed_launches_);
        waits.swap(waits_);
        gave_up = call_failed_;
    }
    bool faulted = false;
    for (std::size_t i = 0; i < process_.device_count(); ++i)
        faulted = faulted || process_.device(i).errors().faulted();
    gave_up = gave_up || faulted;
    for (const FailedLaunch& launch : failed) {
        tell(launch);
        first_failures_.erase(launch.kernel);
    }
    if (options_.host) {
        tell_never_run();
        if (!gave_up) tell_lost_output();
        if (!gave_up && status == 0 && failed.empty() && first_failures_.empty()) tell_unread_results();
    }
    if (options_.host)
        for (const auto& [_, wait] : waits) {
            Finding finding;
            finding.kind_of = Class::host;
            finding.kind = "event-never-recorded";
            finding.rank = Rank::warning;
            finding.message = fmt::format("{} waits for an event that nothing records: it waits for nothing",
                                          wait.function);
            finding.advice = "record it (cudaEventRecord) behind the work that is to be waited for";
            add(std::move(finding), wait.site, "call");
        }
    // Who ends because something went wrong does not tidy up; and where a kernel has faulted, nothing can be
    // freed.
    if (options_.leaks && !faulted && !(gave_up && status != 0)) tell_leaks();
}

}  // namespace lockstep::session
