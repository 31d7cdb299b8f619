#include "exec/callbacks.h"

#include <fmt/format.h>

#include <bit>
#include <chrono>
#include <cstring>
#include <thread>

#include "exec/block-slot.h"
#include "exec/device-printf.h"
#include "exec/fault-message.h"
#include "exec/run-state.h"

namespace lockstep::exec {
namespace {

struct Window {
    std::uint64_t begin, size;
    std::uint32_t space;  // as isspacep counts them: jit/move.cc
    bool writable;
};

// Memory outside the allocation table that generic addresses may point to: the block's shared memory, the
// warp's local memory, the kernel's parameters.
std::optional<Window> find_window(const WarpContext& ctx, std::uint64_t address) {
    const Grid& grid = ctx.slot->run.grid;
    Window windows[] = {
        {reinterpret_cast<std::uint64_t>(ctx.shared), ctx.shared_bytes, 2, true},
        {reinterpret_cast<std::uint64_t>(ctx.slot->warps[0].local),
         std::uint64_t{grid.local_bytes} * warp_lanes * ctx.warps, 3, true},
        {reinterpret_cast<std::uint64_t>(ctx.params), ctx.slot->run.params.size(), 4, false},
    };
    for (const Window& w : windows)
        if (w.begin && address - w.begin < w.size) return w;
    return std::nullopt;
}

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
    const char* text = reinterpret_cast<const char*>(address);
    return {text, strnlen(text, end - address)};
}

extern "C" {

// The address is not in the range that this instruction used last: find its allocation, or fault.
void callback_access(WarpContext* ctx, std::uint32_t site_number, std::uint64_t address, std::uint32_t lane) {
    BlockSlot& slot = *ctx->slot;
    const Grid& grid = slot.run.grid;
    const events::Site& site = grid.code->observed.sites[site_number];
    auto bytes = static_cast<std::uint64_t>(site.bytes);
    const char* verb = site.writes() ? "write" : "read";
    lane = std::min(lane, 31u);
    auto fault = [&](FaultKind kind, const std::string& what) {
        slot.fault({kind, fault_message(grid, *ctx, site_number, static_cast<int>(lane), what)});
    };
    if (bytes > 1 && address % bytes != 0)
        fault(FaultKind::misaligned_address,
              fmt::format("misaligned {} of {} bytes at {:#x} (the address must be a multiple of {})", verb,
                          bytes, address, bytes));
    std::uint64_t begin, size;
    bool writable;
    if (auto allocation = grid.memory->find(address, bytes)) {
        begin = allocation->address, size = allocation->size, writable = !allocation->read_only;
    } else if (auto window = find_window(*ctx, address);
               window && address - window->begin + bytes <= window->size) {
        begin = window->begin, size = window->size, writable = window->writable;
    } else if (site.space != ptx::Space::shared && grid.memory->lets_pass(address, bytes)) {
        // The range is not remembered: what lies there may change, and the next lane may be in bounds again.
        if (grid.warnings)
            grid.warnings->once(
                fmt::format("{} {} {}", grid.kernel, verb, site_place(grid, site_number)),
                fault_message(
                    grid, *ctx, site_number, static_cast<int>(lane),
                    fmt::format("{} of {} bytes at {:#x} is out of bounds, which a GPU lets pass: {}", verb,
                                bytes, address, grid.memory->describe(address))));
        return;
    } else {
        auto shared = reinterpret_cast<std::uint64_t>(ctx->shared);
        bool near_shared =
            site.space == ptx::Space::shared || (address >= shared && address - shared < (1u << 20));
        std::string where =
            near_shared ? fmt::format("the block has {} bytes of shared memory, this is byte {}",
                                      ctx->shared_bytes, address - shared)
                        : grid.memory->describe(address) + grid.memory->what_a_gpu_does(address, bytes);
        std::string shown = near_shared ? fmt::format("shared address {:#x}", address - shared)
                                        : fmt::format("{:#x}", address);
        fault(FaultKind::illegal_address,
              fmt::format("{} of {} bytes at {} is out of bounds: {}", verb, bytes, shown, where));
        return;
    }
    if (site.writes() && !writable)
        fault(FaultKind::illegal_address,
              fmt::format(
                  "write of {} bytes at {:#x}, which is read-only (constant memory or kernel parameters)",
                  bytes, address));
    ctx->sites[site_number] = {begin, size - bytes};
}

void callback_check_pointers(WarpContext* ctx, std::uint32_t site, std::uint32_t mask,
                             const std::uint64_t* addresses) {
    for (; mask; mask &= mask - 1) {
        auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
        callback_access(ctx, site, addresses[lane], lane);
    }
}

void callback_address_space(WarpContext* ctx, std::uint32_t mask, const std::uint64_t* addresses,
                            std::uint32_t* spaces) {
    for (; mask; mask &= mask - 1) {
        int lane = std::countr_zero(mask);
        std::uint64_t address = addresses[lane];
        if (auto window = find_window(*ctx, address)) {
            spaces[lane] = window->space;
        } else {
            auto allocation = ctx->slot->run.grid.memory->find(address);
            spaces[lane] = allocation && allocation->read_only ? 1 : 0;
        }
    }
}

void callback_barrier(WarpContext* ctx, std::uint32_t id, std::uint32_t threads, std::uint32_t arrive,
                      std::uint32_t site) {
    ctx->slot->barrier(*ctx, id, threads, arrive != 0, site);
}

std::uint32_t callback_barrier_reduce(WarpContext* ctx, std::uint32_t id, std::uint32_t threads,
                                      std::uint32_t votes, std::uint32_t operation, std::uint32_t site) {
    return ctx->slot->reduce(*ctx, id, threads, votes, operation, site);
}

void callback_yield(WarpContext* ctx) { ctx->slot->yield(*ctx); }

void callback_drain(WarpContext* ctx) { ctx->slot->drain(*ctx); }

void callback_stopped(WarpContext* ctx, std::uint32_t site) {
    const Grid& grid = ctx->slot->run.grid;
    int lane = std::countr_zero(ctx->active | 1u << 31);
    ctx->slot->fault({FaultKind::timeout,
                      fault_message(grid, *ctx, site, lane,
                                    fmt::format("still running after {} seconds (--timeout), in a loop",
                                                grid.timeout_seconds))});
}

void callback_trap(WarpContext* ctx, std::uint32_t site, std::uint32_t mask) {
    ctx->slot->fault({FaultKind::trap, fault_message(ctx->slot->run.grid, *ctx, site, std::countr_zero(mask),
                                                     "executed a trap instruction")});
}

void callback_not_a_member(WarpContext* ctx, std::uint32_t site, std::uint32_t lane, std::uint32_t mask) {
    const Grid& grid = ctx->slot->run.grid;
    // Before independent thread scheduling, no instruction makes the lanes of a mask meet.
    if (grid.gpu->compute_capability() < 70) return;
    ctx->slot->fault(
        {FaultKind::illegal_instruction,
         fault_message(grid, *ctx, site, static_cast<int>(lane),
                       fmt::format("the mask {:#010x} of a warp function has no bit for the lane "
                                   "that calls it, {}",
                                   mask, lane))});
}

void callback_bad_call(WarpContext* ctx, std::uint32_t site, std::uint64_t target, std::uint32_t lane) {
    ctx->slot->fault(
        {FaultKind::invalid_call,
         fault_message(ctx->slot->run.grid, *ctx, site, static_cast<int>(lane),
                       fmt::format("call through the pointer {:#x}, which is no device function of this type",
                                   target))});
}

void callback_stack_overflow(WarpContext* ctx, std::uint32_t site) {
    ctx->slot->fault({FaultKind::stack_overflow,
                      fault_message(ctx->slot->run.grid, *ctx, site, std::countr_zero(ctx->active | 1u << 31),
                                    "stack overflow: calls are nested too deeply")});
}

// Clocks come from the host: this engine does not know the simulated time.
std::uint64_t callback_globaltimer(WarpContext*) {
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                          std::chrono::system_clock::now().time_since_epoch())
                                          .count());
}

std::uint64_t callback_clock(WarpContext* ctx) {
    auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
                  std::chrono::steady_clock::now().time_since_epoch())
                  .count();
    return static_cast<std::uint64_t>(ns) * static_cast<std::uint64_t>(ctx->slot->run.grid.gpu->clock_mhz) /
           1000;
}

void callback_print(WarpContext* ctx, std::uint32_t, std::uint32_t mask, const std::uint64_t* formats,
                    const std::uint64_t* arguments, std::uint32_t* results) {
    for (; mask; mask &= mask - 1) {
        int lane = std::countr_zero(mask);
        auto reader = [ctx](std::uint64_t address) { return read_string(*ctx, address); };
        // The argument buffer is the thread's own memory, laid out by the compiler.
        std::uint64_t buffer = arguments[lane];
        std::span<const std::byte> bytes;
        if (auto window = find_window(*ctx, buffer))
            bytes = {reinterpret_cast<const std::byte*>(buffer), window->begin + window->size - buffer};
        else if (auto allocation = ctx->slot->run.grid.memory->find(buffer))
            bytes = {reinterpret_cast<const std::byte*>(buffer), allocation->end() - buffer};
        std::uint32_t& count = results[lane];  // CUDA's printf returns the number of arguments
        std::string text = format_device_printf(read_string(*ctx, formats[lane]), bytes, reader, count);
        std::fwrite(text.data(), 1, text.size(), stdout);
    }
}

void callback_assert(WarpContext* ctx, std::uint32_t site, std::uint32_t mask, const std::uint64_t* messages,
                     const std::uint64_t* files, const std::uint32_t* lines, const std::uint64_t* functions,
                     const std::uint64_t*) {
    int lane = std::countr_zero(mask);
    ctx->slot->fault(
        {FaultKind::device_assert,
         fault_message(
             ctx->slot->run.grid, *ctx, site, lane,
             fmt::format("{}:{}: {}: assertion `{}' failed", read_string(*ctx, files[lane]), lines[lane],
                         read_string(*ctx, functions[lane]), read_string(*ctx, messages[lane])))});
}

void callback_allocate(WarpContext* ctx, std::uint32_t, std::uint32_t mask, const std::uint64_t* sizes,
                       std::uint64_t* results) {
    for (; mask; mask &= mask - 1) {
        int lane = std::countr_zero(mask);
        auto address =
            ctx->slot->run.grid.memory->allocate(std::max<std::uint64_t>(sizes[lane], 1), MemoryKind::heap);
        results[lane] = address ? *address : 0;  // as malloc: null when there is no more
    }
}

void callback_release(WarpContext* ctx, std::uint32_t site, std::uint32_t mask,
                      const std::uint64_t* addresses) {
    for (; mask; mask &= mask - 1) {
        int lane = std::countr_zero(mask);
        if (addresses[lane] == 0) continue;
        if (!ctx->slot->run.grid.memory->release(addresses[lane]))
            ctx->slot->fault(
                {FaultKind::illegal_address,
                 fault_message(ctx->slot->run.grid, *ctx, site, lane,
                               fmt::format("free of {:#x}, which malloc did not return", addresses[lane]))});
    }
}

}  // extern "C"

}  // namespace

jit::Callbacks make_callbacks() {
    jit::Callbacks c;
    c.access_fault = reinterpret_cast<void*>(&callback_access);
    c.barrier = reinterpret_cast<void*>(&callback_barrier);
    c.barrier_reduce = reinterpret_cast<void*>(&callback_barrier_reduce);
    c.yield = reinterpret_cast<void*>(&callback_yield);
    c.stopped = reinterpret_cast<void*>(&callback_stopped);
    c.trap = reinterpret_cast<void*>(&callback_trap);
    c.not_a_member = reinterpret_cast<void*>(&callback_not_a_member);
    c.clock = reinterpret_cast<void*>(&callback_clock);
    c.globaltimer = reinterpret_cast<void*>(&callback_globaltimer);
    c.drain_events = reinterpret_cast<void*>(&callback_drain);
    c.bad_call = reinterpret_cast<void*>(&callback_bad_call);
    c.check_pointers = reinterpret_cast<void*>(&callback_check_pointers);
    c.address_space = reinterpret_cast<void*>(&callback_address_space);
    c.stack_overflow = reinterpret_cast<void*>(&callback_stack_overflow);
    c.print = reinterpret_cast<void*>(&callback_print);
    c.assert_fail = reinterpret_cast<void*>(&callback_assert);
    c.allocate = reinterpret_cast<void*>(&callback_allocate);
    c.release = reinterpret_cast<void*>(&callback_release);
    return c;
}

}  // namespace lockstep::exec
