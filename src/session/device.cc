#include "session/device.h"

#include <fmt/format.h>

#include <cstring>

#include "base/demangle.h"
#include "pipeline/pipeline.h"
#include "session/block-override.h"
#include "session/checker.h"
#include "session/observer.h"
#include "session/simulated-clock.h"

namespace lockstep::session {

Device::Device(Process& process, gpu::GpuModel gpu)
    : process_(process),
      gpu_(std::move(gpu)),
      memory_(process.addresses(), gpu_.memory_bytes, gpu_.target.empty()),
      limits_(gpu_, memory_),
      modules_(process.registry(),
               Machine{gpu_, memory_, process.options().exec, !process.options().profile.file.empty()},
               process.options().ptx),
      legacy_(std::make_shared<Stream>(
          Stream{this, number() == 0 ? first_legacy_stream : process.new_stream()})) {
    process.work().add_stream(legacy_->id, legacy_->id, true);
}

Found<std::uint64_t> Device::allocate(std::uint64_t size, exec::MemoryKind kind) {
    auto address = memory_.allocate(size, kind);
    if (!address) return Outcome(Status::memory_allocation, address.error().message);
    if (const auto made = process_.addresses().find(*address, 0))
        process_.tell([&](Observer& observer) { observer.allocated(*made); });
    return *address;
}

void Device::forget_memory(std::uint64_t address) {
    const auto found = process_.addresses().find(address, 0);
    if (found && found->kind == exec::MemoryKind::managed) process_.forget_managed(*found, *this);
    process_.addresses().release(address);
    process_.graphs().freed(address);
    if (found) process_.tell([&](Observer& observer) { observer.released(*found); });
}

Outcome Device::back_memory(const GraphMemory& memory) {
    if (auto backed = memory_.back(memory.address, exec::MemoryKind::device); !backed)
        return Outcome(Status::memory_allocation, backed.error().message);
    process_.graphs().took(memory);
    if (const auto made = process_.addresses().find(memory.address, 0))
        process_.tell([&](Observer& observer) { observer.allocated(*made); });
    return {};
}

Outcome Device::release(std::uint64_t address, bool host_memory) {
    if (address == 0) return {};
    // Work that uses it is its owner's.
    const auto before = process_.addresses().find(address, 0);
    const bool of_other = before && before->owner != exec::no_device && before->owner != number();
    Device& owner = of_other ? process_.device(static_cast<std::size_t>(before->owner)) : *this;
    if (HostChecks* const host = checks(); host && host_memory && before)
        host->host_freed(before->address, before->size, "cudaFreeHost");
    if (Outcome waited = owner.synchronize(); !waited) return waited;
    const auto found = process_.addresses().find(address, 0);
    const auto fail = [&](const char* what) {
        Outcome bad(Status::invalid_value, fmt::format("{:#x} cannot be freed{}: it is {}", address, what,
                                                       process_.addresses().describe(address)));
        if (HostChecks* const host = checks()) host->bad_free(address, bad);
        return bad;
    };
    if (!found || found->address != address) return fail("");
    const bool pinned = found->kind == exec::MemoryKind::pinned;
    const bool device = found->kind == exec::MemoryKind::device || found->kind == exec::MemoryKind::managed;
    if (host_memory ? !pinned : !device)
        return fail(host_memory ? " as pinned host memory" : " as device memory");
    forget_memory(address);
    return {};
}

Outcome Device::release(std::uint64_t address, const Stream& stream) {
    const auto found = process_.addresses().find(address, 0);
    if (address == 0) return {};
    // A graph frees what a graph has allocated.
    if (const auto capture = process_.captures().of(stream)) {
        if (!capture->invalid && !process_.graphs().allocation(address))
            return Outcome(
                Status::invalid_value,
                fmt::format("{:#x} cannot be freed by a graph, which did not allocate it", address));
        return submit(stream, Free{address});
    }
    if (!found || found->address != address || found->kind != exec::MemoryKind::device) {
        Outcome bad(Status::invalid_value, fmt::format("{:#x} cannot be freed in a stream: it is {}", address,
                                                       process_.addresses().describe(address)));
        if (HostChecks* const host = checks()) host->bad_free(address, bad);
        return bad;
    }
    return submit(stream, Free{address});
}

Outcome Device::copy(const Box& to, const Box& from, const BoxSize& size, Direction direction,
                     const Stream& stream, bool waits, bool reads_at_once) {
    if (errors_.faulted()) return {};  // accepted, and never run: a kernel before it has faulted
    auto copy = prepare(to, from, size, direction, process_.captures().of(stream) != nullptr);
    if (HostChecks* const host = checks(); host && !copy)
        host->bad_copy(to, from, size, direction, copy.outcome);
    if (!copy) return copy.outcome;
    if (size.empty()) return {};
    // Copies inside the device return at once, even from cudaMemcpy; of pageable memory and on the host
    // never.
    const Transfer& transfer = copy->transfer;
    const bool stops_host = transfer.pageable || transfer.route == Route::on_host ||
                            (waits && transfer.route != Route::on_device);
    copy.value.staged = !waits && ((transfer.pageable && transfer.route == Route::to_device) ||
                                   (reads_at_once && !stops_host));
    if (Outcome bad = submit(stream, *copy, stops_host || reads_at_once); !bad) return bad;
    return waits ? Outcome(errors_.at_call(true)) : Outcome();
}

Found<Copy> Device::prepare(const Box& to, const Box& from, const BoxSize& size, Direction direction,
                            bool later) {
    const auto transfer = check_copy(process_.addresses(), to, from, size, direction,
                                     later ? MemoryIs::coming : MemoryIs::there);
    if (!transfer) return transfer.outcome;
    return Copy{*transfer, direction};
}

Found<Fill> Device::prepare(const Box& to, const BoxSize& size, std::uint32_t value, int value_bytes,
                            bool later) {
    if (Outcome bad = check_fill(process_.addresses(), to, size, value_bytes,
                                 later ? MemoryIs::coming : MemoryIs::there);
        !bad)
        return bad;
    return Fill{to, size, value, value_bytes};
}

Outcome Device::fill(const Box& to, const BoxSize& size, std::uint32_t value, int value_bytes,
                     const Stream& stream) {
    if (errors_.faulted()) return {};
    const auto fill = prepare(to, size, value, value_bytes, process_.captures().of(stream) != nullptr);
    if (HostChecks* const host = checks(); host && !fill) host->bad_fill(to, size, fill.outcome);
    if (!fill) return fill.outcome;
    if (size.empty()) return {};
    const auto target = process_.addresses().find(to.address);
    const bool stops_host = target && target->kind == exec::MemoryKind::pinned;
    return submit(stream, *fill, stops_host);
}

Outcome Device::prefetch(std::uint64_t address, std::uint64_t bytes, int device, const Stream& stream) {
    if (Outcome bad = process_.captures().forbid(stream, "a prefetch"); !bad) return bad;
    return submit({this, stream.id, Prefetch{address, bytes, device}});
}

Outcome Device::discard(std::uint64_t address, std::uint64_t bytes, const Stream& stream) {
    if (Outcome bad = process_.captures().forbid(stream, "a discard"); !bad) return bad;
    return submit({this, stream.id, Discard{address, bytes}});
}

machine::ThreadResources Device::resources(Function& function) {
    const std::scoped_lock lock(resources_mutex_);
    if (!function.resources) {
        const std::uint64_t local = function.info().local_bytes;
        const auto kernel = exec::analysed(*function.kernel);
        function.resources =
            kernel ? pipeline::estimate_resources(**kernel, gpu_, local) : machine::ThreadResources{0, local};
    }
    return *function.resources;
}

Outcome Device::launch(Function& function, const LaunchShape& asked, void** arguments, const Stream& stream) {
    if (stream.device != this)
        return Outcome(Status::invalid_handle, "the kernel is launched on one device, in a stream of another",
                       true);
    auto kernel = prepare(function, asked, arguments);
    kernel.value.stream = stream.id;
    if (RangeSelection* const ranges = process_.ranges()) kernel.value.in_ranges = ranges->wants();
    if (kernel && function.info().launches_graphs && !process_.captures().of(stream)) {
        const std::string reason =
            fmt::format("kernel '{}' launches graphs (cudaGraphLaunch), which only kernels of a graph can",
                        base::demangle(function.name));
        process_.launch_failed(function.name, report::FailureKind::refused, reason);
        return Outcome(Status::not_supported, reason, true);
    }
    return kernel ? submit(stream, std::move(kernel.value))
                  : process_.captures().refuse(stream, kernel.outcome);
}

Found<KernelLaunch> Device::prepare(Function& function, const LaunchShape& asked, void** arguments) {
    const exec::KernelInfo& info = function.info();
    LaunchShape shape =
        process_.changes_block(function.name) ? with_block(asked, *process_.options().block) : asked;
    if (shape.shared_carveout < 0) shape.shared_carveout = function.settings.carveout(cache_config);
    if (const auto obstacle = launch_obstacle(gpu_, info, function.settings, shape)) {
        process_.launch_failed(function.name, report::FailureKind::refused, obstacle->reason);
        return refusal(info, *obstacle);
    }
    if (!info.params.empty() && !arguments)
        return Outcome(Status::invalid_value,
                       fmt::format("kernel '{}' takes {} arguments, none were given",
                                   base::demangle(info.name), info.params.size()),
                       true);
    for (std::size_t i = 0; i < info.params.size(); ++i)
        if (!arguments[i])
            return Outcome(Status::invalid_value,
                           fmt::format("kernel '{}': the pointer to argument {} of {} is null",
                                       base::demangle(info.name), i + 1, info.params.size()),
                           true);

    auto packed = pack_arguments(info, arguments);
    if (!packed) return packed.outcome;
    return KernelLaunch{&function, shape, asked.threads(), std::move(packed.value)};
}

Outcome Device::launch(const GraphExec& graph, const Stream& stream) {
    const std::shared_ptr<const GraphPlan> plan = graph.plan;
    if (Outcome bad = process_.captures().forbid(stream, "the launch of a graph"); !bad) return bad;
    constexpr unsigned long long frees_first = 1;  // cudaGraphInstantiateFlagAutoFreeOnLaunch
    for (const auto& memory : plan->memory) {
        if (!process_.addresses().find(memory->address)) continue;
        if (!(graph.flags & frees_first))
            return Outcome(Status::invalid_value,
                           fmt::format("the memory at {:#x}, which the graph allocates, has not been freed "
                                       "since its last launch",
                                       memory->address));
        if (Outcome bad = release(memory->address, stream); !bad) return bad;
    }
    for (const auto& event : plan->recorded_events) event->recorded = true;
    return submit({this, stream.id, GraphLaunch{plan}});
}

// How long a kernel takes is known when it has run, and on the simulated clock commands stand in the order in
// which they are told to it. So a call waits a while for what has a time; what waits longer, for a host
// function that itself waits for something, is told when it has been done. Host functions go on beside the
// program, unless their time counts.
StreamWork::Wait Device::patience(const Command& command) const {
    if (command.stops_host) return StreamWork::Wait::until_done;
    const bool timed = process_.clock() && !command.as<Free>() &&
                       (!command.as<HostFunction>() || process_.clock()->host_measured());
    return timed ? StreamWork::Wait::a_while : StreamWork::Wait::no;
}

HostChecks* Device::checks() { return process_.checker() ? &process_.checker()->host() : nullptr; }

Outcome Device::submit(Command command) {
    HostChecks* const host = checks();
    HostChecks::Number number;
    if (host) number = host->submitted(command);
    command.number = number.command;
    const std::optional<Done> done = process_.work().submit(command, patience(command));
    SimulatedClock* const clock = process_.clock();
    if (clock && (done || !clock->is_told_late(command)))
        if (Outcome timed = tell_clock(command, done ? *done : Done{}); !timed) return timed;
    if (command.stops_host) host_goes_on();
    const Copy* const copy = command.as<Copy>();
    if (host && command.stops_host && !(copy && copy->staged)) host->host_waited(number.stamp);
    return done ? done->outcome : Outcome();
}

Outcome Device::tell_clock(const Command& command, const Done& done) {
    if (!done.complete) return {};
    Outcome timed = process_.clock()->submit(command, done);
    if (!timed)
        process_.launch_failed(
            command.as<KernelLaunch>() ? command.as<KernelLaunch>()->function->name : std::string(),
            report::FailureKind::unsupported, timed.reason);
    return timed;
}

std::uint64_t Device::text(const std::string& content) {
    const std::lock_guard lock(texts_mutex_);
    std::uint64_t& address = texts_[content];
    if (address) return address;
    const auto made =
        memory_.allocate(content.size() + 1, exec::MemoryKind::runtime, "text of the device runtime");
    if (!made) return 0;
    std::memcpy(reinterpret_cast<void*>(*made), content.c_str(), content.size() + 1);
    return address = *made;
}

void Device::reset() {
    process_.work().wait_for_device(legacy_->id);
    if (HostChecks* const host = checks()) {
        host->host_waited_for_device(legacy_->id);
        host->reset(number());
    }
    const std::lock_guard running(process_.launching());
    modules_.unload_all();
    arrays_.forget_all();
    objects_.clear();
    for (const auto& stream : streams_.take_all()) forget(*stream);
    for (const auto& event : events_.take_all()) forget(*event);
    for (const exec::Allocation& one : process_.addresses().allocations())
        if (one.owner == number() && one.kind != exec::MemoryKind::heap) forget_memory(one.address);
    memory_.release_all();
    texts_.clear();
    limits_.reset();
    cache_config = CacheConfig::none;
    errors_.clear();
}

}  // namespace lockstep::session
