#include "session/device.h"

#include <fmt/format.h>

#include <cstring>

#include "pipeline/pipeline.h"
#include "session/block-override.h"
#include "session/observer.h"
#include "session/simulated-clock.h"

namespace lockstep::session {

Device::Device(Process& process, gpu::GpuModel gpu)
    : process_(process),
      gpu_(std::move(gpu)),
      memory_(process.addresses(), gpu_.memory_bytes),
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
    process_.addresses().release(address);
    if (found) process_.tell([&](Observer& observer) { observer.released(*found); });
}

Outcome Device::release(std::uint64_t address, bool host_memory) {
    if (address == 0) return {};
    // Work that uses it is its owner's.
    const auto before = process_.addresses().find(address, 0);
    const bool of_other = before && before->owner != exec::no_device && before->owner != number();
    Device& owner = of_other ? process_.device(static_cast<std::size_t>(before->owner)) : *this;
    if (Outcome waited = owner.synchronize(); !waited) return waited;
    const auto found = process_.addresses().find(address, 0);
    const auto fail = [&](const char* what) {
        return Outcome(Status::invalid_value, fmt::format("{:#x} cannot be freed{}: it is {}", address, what,
                                                          process_.addresses().describe(address)));
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
    if (!found || found->address != address || found->kind != exec::MemoryKind::device)
        return Outcome(Status::invalid_value, fmt::format("{:#x} cannot be freed in a stream: it is {}",
                                                          address, process_.addresses().describe(address)));
    return submit({this, stream.id, Free{address}});
}

Outcome Device::copy(const Box& to, const Box& from, const BoxSize& size, Direction direction,
                     const Stream& stream, bool waits) {
    if (errors_.faulted()) return {};  // accepted, and never run: a kernel before it has faulted
    const auto transfer = check_copy(process_.addresses(), to, from, size, direction);
    if (!transfer) return transfer.outcome;
    if (size.empty()) return {};
    // Copies inside the device return at once, even from cudaMemcpy; of pageable memory and on the host
    // never.
    const bool stops_host = transfer->pageable || transfer->route == Route::on_host ||
                            (waits && transfer->route != Route::on_device);
    if (Outcome bad = submit({this, stream.id, Copy{*transfer}, stops_host}); !bad) return bad;
    return waits ? Outcome(errors_.at_call(true)) : Outcome();
}

Outcome Device::fill(const Box& to, const BoxSize& size, std::uint32_t value, int value_bytes,
                     const Stream& stream) {
    if (errors_.faulted()) return {};
    if (Outcome bad = check_fill(process_.addresses(), to, size, value_bytes); !bad) return bad;
    if (size.empty()) return {};
    const auto target = process_.addresses().find(to.address);
    const bool stops_host = target && target->kind == exec::MemoryKind::pinned;
    return submit({this, stream.id, Fill{to, size, value, value_bytes}, stops_host});
}

std::uint32_t Device::registers(Function& function) {
    const std::scoped_lock lock(registers_mutex_);
    if (!function.registers) {
        const auto kernel = exec::analysed(*function.kernel, true);
        const int most = process_.options().watch.max_registers;
        function.registers = kernel ? pipeline::estimate_registers(**kernel, gpu_, most) : 0;
    }
    return *function.registers;
}

Outcome Device::launch(Function& function, const LaunchShape& asked, void** arguments, const Stream& stream) {
    if (stream.device != this)
        return Outcome(Status::invalid_handle, "the kernel is launched on one device, in a stream of another",
                       true);
    const exec::KernelInfo& info = function.info();
    const LaunchShape shape =
        process_.changes_block(function.name) ? with_block(asked, *process_.options().block) : asked;
    if (const auto obstacle = launch_obstacle(gpu_, info, function.settings, shape)) {
        process_.launch_failed(function.name, report::FailureKind::refused, obstacle->reason);
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

Outcome Device::submit(const Command& command) {
    const std::optional<Done> done = process_.work().submit(command, patience(command));
    SimulatedClock* const clock = process_.clock();
    if (clock && (done || !clock->is_told_late(command)))
        if (Outcome timed = tell_clock(command, done ? *done : Done{}); !timed) return timed;
    return done ? done->outcome : Outcome();
}

Outcome Device::tell_clock(const Command& command, const Done& done) {
    if (!done.complete) return {};
    Outcome timed = process_.clock()->submit(command, done);
    if (!timed)
        process_.launch_failed(command.as<KernelLaunch>()->function->name, report::FailureKind::unsupported,
                               timed.reason);
    return timed;
}

std::uint64_t Device::text(const std::string& content) {
    const std::lock_guard lock(texts_mutex_);
    std::uint64_t& address = texts_[content];
    if (address) return address;
    const auto made =
        memory_.allocate(content.size() + 1, exec::MemoryKind::variable, "text of the device runtime");
    if (!made) return 0;
    std::memcpy(reinterpret_cast<void*>(*made), content.c_str(), content.size() + 1);
    return address = *made;
}

void Device::reset() {
    process_.work().wait_for_device(legacy_->id);
    const std::lock_guard running(process_.launching());
    modules_.unload_all();
    for (const auto& stream : streams_.take_all()) forget(*stream);
    for (const auto& event : events_.take_all()) forget(*event);
    for (const exec::Allocation& one : process_.addresses().allocations())
        if (one.owner == number() && one.kind != exec::MemoryKind::heap) forget_memory(one.address);
    memory_.release_all();
    texts_.clear();
    limits_.reset();
    errors_.clear();
}

}  // namespace lockstep::session
