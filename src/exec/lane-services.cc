#include "exec/lane-services.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <span>

#include "events/records.h"
#include "exec/accessible.h"
#include "exec/block-slot.h"
#include "exec/device-printf.h"
#include "exec/run-state.h"

namespace lockstep::exec {
namespace {

// Reads a NUL-terminated string from device memory, as far as it is readable.
std::string read_string(const WarpContext& ctx, std::uint64_t address) {
    auto allocation = ctx.slot->run.grid.memory->find(address);
    std::uint64_t end = 0;
    if (allocation)
        end = allocation->end();
    else if (auto window = find_window(ctx, address))
        end = window->begin + window->size;
    else
        return "(unreadable)";
    constexpr std::uint64_t longest = 1 << 20;  // what has no end must not exhaust the host's memory
    const char* text = reinterpret_cast<const char*>(address);
    return {text, strnlen(text, std::min(end - address, longest))};
}

bool release(RunState& run, std::uint64_t address) {
    const std::optional<Allocation> freed = run.grid.memory->release_heap(address);
    if (freed) run.forget(freed->address, freed->end());
    return freed.has_value();
}

// A thread's allocation, told before another thread can know of it.
template <class Record>
void tell(WarpContext& ctx, Record record) {
    if (!ctx.slot->watched || !ctx.slot->run.grid.wants.has(events::Wants::allocations)) return;
    record.word = events::tagged(Record::tag, record.word);
    ctx.slot->append(ctx, std::as_bytes(std::span(&record, 1)));
    ctx.slot->drain(ctx);
}

}  // namespace

std::uint32_t print_of_lane(WarpContext& ctx, std::uint64_t format, std::uint64_t arguments) {
    const auto reader = [&ctx](std::uint64_t address) { return read_string(ctx, address); };
    std::span<const std::byte> bytes;
    if (auto window = find_window(ctx, arguments))
        bytes = {reinterpret_cast<const std::byte*>(arguments), window->begin + window->size - arguments};
    else if (auto allocation = ctx.slot->run.grid.memory->find(arguments))
        bytes = {reinterpret_cast<const std::byte*>(arguments), allocation->end() - arguments};
    std::uint32_t count = 0;
    const std::string text = format_device_printf(read_string(ctx, format), bytes, reader, count);
    const Launch& launch = ctx.slot->run.grid.launch;
    if (launch.printed && !text.empty()) *launch.printed = true;
    if (!launch.silent) std::fwrite(text.data(), 1, text.size(), stdout);
    return count;
}

void assertion_of_lane(WarpContext& ctx, std::uint32_t site, int lane, const Assertion& assertion) {
    Fault fault = fault_at(
        ctx, FaultKind::device_assert, site, lane,
        fmt::format("{}:{}: {}: assertion `{}' failed", read_string(ctx, assertion.file), assertion.line,
                    read_string(ctx, assertion.function), read_string(ctx, assertion.message)));
    ctx.slot->fault(std::move(fault));
}

std::uint64_t allocation_of_lane(WarpContext& ctx, std::uint32_t site, int lane, std::uint64_t bytes) {
    const auto made =
        ctx.slot->run.grid.memory->allocate(std::max<std::uint64_t>(bytes, 1), MemoryKind::heap);
    const std::uint64_t address = made ? *made : 0;  // as malloc: null when there is no more
    tell(ctx, events::AllocationRecord{site, static_cast<std::uint32_t>(lane), address, bytes});
    return address;
}

void release_of_lane(WarpContext& ctx, std::uint32_t site, int lane, std::uint64_t address) {
    if (address == 0) return;
    RunState& run = ctx.slot->run;
    tell(ctx, events::ReleaseRecord{site, static_cast<std::uint32_t>(lane), address});
    if (release(run, address)) return;
    const bool twice = run.grid.memory->was_heap(address);
    Fault fault =
        fault_at(ctx, twice ? FaultKind::freed_twice : FaultKind::illegal_address, site, lane,
                 fmt::format("free of {:#x}, which {}: it points to {}", address,
                             twice ? "was freed before" : "is not a pointer from malloc in a kernel",
                             run.grid.memory->describe(address)));
    fault.at->address = address;
    ctx.slot->fault_and_go_on(ctx, std::move(fault), 1u << lane);
}

}  // namespace lockstep::exec
