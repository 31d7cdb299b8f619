#include "exec/callbacks.h"

#include <fmt/format.h>

#include <bit>
#include <chrono>
#include <cstring>
#include <span>
#include <thread>
#include <vector>

#include "events/records.h"
#include "exec/accessible.h"
#include "exec/block-slot.h"
#include "exec/lane-services.h"
#include "exec/run-state.h"
#include "exec/scalar/matrix.h"
#include "exec/scalar/memory-barrier.h"

namespace lockstep::exec {
namespace {

extern "C" {

// The address, the same for all of `lanes`, is not in the range that this instruction used last: find its
// allocation, or fault.
std::uint64_t callback_access_fault(WarpContext* ctx, std::uint32_t site_number, std::uint64_t address,
                                    std::uint32_t lanes) {
    const auto bytes = static_cast<std::uint64_t>(ctx->slot->run.grid.code->sites[site_number].bytes);
    const auto first = static_cast<std::uint32_t>(std::countr_zero(lanes | 1u << 31));
    const auto last = static_cast<std::uint32_t>(31 - std::countl_zero(lanes | 1u));
    const std::optional<Window> known = accessible(*ctx, site_number, address, bytes, first, lanes);
    if (!known) return ctx->slot->in_place_of(site_number, address);
    if (known->remembered)
        ctx->sites[site_number] = {known->begin, known->size - bytes};
    else if (first < last &&  // what is one lane's own is not another's
             !accessible(*ctx, site_number, address, bytes, last, lanes & ~(1u << first)))
        return ctx->slot->in_place_of(site_number, address);
    return address;
}

// Arrays that a library function is about to read or write through pointers; a count below 1 touches nothing.
void callback_check_pointers(WarpContext* ctx, std::uint32_t site, std::uint32_t mask,
                             const std::uint64_t* addresses, const std::int32_t* counts) {
    const auto bytes = static_cast<std::uint64_t>(ctx->slot->run.grid.code->sites[site].bytes);
    for (; mask; mask &= mask - 1) {
        auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
        if (counts[lane] > 0)
            must_be_accessible(*ctx, site, addresses[lane], bytes * static_cast<std::uint64_t>(counts[lane]),
                               lane);
    }
}

void callback_check_strings(WarpContext* ctx, std::uint32_t site, std::uint32_t mask,
                            const std::uint64_t* addresses) {
    for (; mask; mask &= mask - 1) {
        auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
        const std::uint64_t address = addresses[lane];
        const Window window = must_be_accessible(*ctx, site, address, 1, lane);
        const std::uint64_t room = window.begin + window.size - address;
        // Without an end in there, the byte behind is read as well.
        if (strnlen(reinterpret_cast<const char*>(address), room) == room)
            must_be_accessible(*ctx, site, address, room + 1, lane);
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
            spaces[lane] =
                allocation && allocation->read_only && allocation->kind == MemoryKind::variable ? 1 : 0;
        }
    }
}

void callback_cluster_rank(WarpContext* ctx, std::uint32_t mask, const std::uint64_t* addresses,
                           std::uint32_t* ranks) {
    for (; mask; mask &= mask - 1) {
        const int lane = std::countr_zero(mask);
        for (std::uint32_t rank = 0; rank < ctx->cluster_size; ++rank)
            if (addresses[lane] - reinterpret_cast<std::uint64_t>(ctx->cluster_shared[rank + 1]) <
                ctx->shared_bytes)
                ranks[lane] = rank;
    }
}

void callback_barrier(WarpContext* ctx, std::uint32_t id, std::uint32_t threads, std::uint32_t kind,
                      std::uint32_t site) {
    ctx->slot->barrier(*ctx, id, threads, static_cast<BarrierRequest::Kind>(kind), site);
}

std::uint32_t callback_barrier_reduce(WarpContext* ctx, std::uint32_t id, std::uint32_t threads,
                                      std::uint32_t votes, std::uint32_t kind, std::uint32_t site) {
    return ctx->slot->reduce(*ctx, id, threads, votes, static_cast<BarrierRequest::Kind>(kind), site);
}

void callback_barriers(WarpContext* ctx, BarrierRequest* requests, std::uint32_t count, std::uint32_t site) {
    ctx->slot->barriers(*ctx, {requests, count}, site);
}

void callback_yield(WarpContext* ctx) { ctx->slot->yield(*ctx); }

void callback_slice(WarpContext* ctx) { ctx->slot->slice(*ctx); }

void callback_preempt(WarpContext* ctx) { ctx->slot->preempt(*ctx); }

void callback_drain_events(WarpContext* ctx) { ctx->slot->drain(*ctx); }
void callback_end_round(WarpContext* ctx) { ctx->slot->end_round(); }

void callback_stopped(WarpContext* ctx, std::uint32_t site) {
    Fault fault = fault_at(
        *ctx, FaultKind::timeout, site, std::countr_zero(ctx->active | 1u << 31),
        fmt::format("still running after {} seconds (--timeout)", ctx->slot->run.grid.timeout_seconds));
    ctx->slot->fault(std::move(fault));
}

void callback_trap(WarpContext* ctx, std::uint32_t site, std::uint32_t mask) {
    Fault fault =
        fault_at(*ctx, FaultKind::trap, site, std::countr_zero(mask), "executed a trap instruction");
    ctx->slot->fault(std::move(fault));
}

void callback_beyond_barrier(WarpContext* ctx, std::uint32_t site, std::uint32_t mask,
                             const std::uint64_t* states) {
    const int lane = std::countr_zero(mask);
    Fault fault = fault_at(
        *ctx, FaultKind::trap, site, lane,
        fmt::format("more arrivals at a barrier (mbarrier) than its phase still waits for, {}, or more bytes "
                    "than it can wait for",
                    states[lane] >> memory_barrier_pending & memory_barrier_counts));
    ctx->slot->fault(std::move(fault));
}

void callback_not_a_member(WarpContext* ctx, std::uint32_t site, std::uint32_t lane, std::uint32_t mask) {
    // Before independent thread scheduling, no instruction makes the lanes of a mask meet.
    if (ctx->slot->run.grid.gpu->compute_capability() < 70) return;
    Fault fault =
        fault_at(*ctx, FaultKind::illegal_instruction, site, static_cast<int>(lane),
                 fmt::format("the mask {:#010x} of a warp function has no bit for the lane that calls it, {}",
                             mask, lane));
    ctx->slot->fault_and_go_on(*ctx, std::move(fault), 1u << lane);
}

void callback_missing_lanes(WarpContext* ctx, std::uint32_t site, std::uint32_t mask) {
    Fault fault = fault_at(
        *ctx, FaultKind::illegal_instruction, site, std::countr_zero(mask),
        fmt::format("a matrix instruction needs all 32 lanes of its warp at once; those of {:#010x} are here",
                    mask));
    ctx->slot->fault(std::move(fault));
}

// The pieces of shared memory that a product reads, those side by side as one.
static void tell_product(WarpContext& ctx, std::uint32_t site, const std::vector<std::uint32_t>& pieces) {
    events::BulkAccess record{};
    record.word = events::tagged(events::BulkAccess::tag, site);
    record.mask = ~events::WarpBits{0};
    for (std::size_t i = 0; i < pieces.size();) {
        const std::size_t first = i++;
        while (i < pieces.size() && pieces[i] == pieces[i - 1] + warpgroup_piece) ++i;
        record.shared = {reinterpret_cast<std::uint64_t>(ctx.shared) + pieces[first],
                         pieces[i - 1] + warpgroup_piece - pieces[first], 0};
        ctx.slot->append(ctx, std::as_bytes(std::span(&record, 1)).first(record.size()));
    }
}

void callback_warpgroup_product(WarpContext* ctx, std::uint32_t site, std::uint32_t place, std::uint64_t form,
                                std::uint64_t a, std::uint64_t b, const std::uint32_t* a_registers,
                                const std::uint32_t* metadata, std::uint32_t how, std::uint32_t* d) {
    const MatrixForm matrices = MatrixForm::unpack(form);
    WarpgroupOperands operands = warpgroup_operands(how);
    operands.a_registers = a_registers, operands.metadata = metadata;
    operands.a = a, operands.b = b;
    operands.row = ctx->warp % 4 * tensor::rows;
    auto fail = [&](std::string why) {
        Fault fault = fault_at(*ctx, FaultKind::illegal_instruction, place, 0, std::move(why));
        ctx->slot->fault(std::move(fault));
    };
    const std::vector<std::uint32_t> pieces = warpgroup_reads(matrices, operands);
    const std::uint64_t end = std::uint64_t{pieces.back()} + warpgroup_piece;
    if (end > ctx->shared_bytes)
        fail(fmt::format(
            "wgmma: a matrix descriptor reaches to byte {} of shared memory, but the block has {}", end,
            ctx->shared_bytes));
    if (ctx->slot->watched && ctx->slot->run.grid.wants.has(events::Wants::texels))
        tell_product(*ctx, site, pieces);
    warpgroup_product(matrices, operands, ctx->shared, d);
}

void callback_bad_call(WarpContext* ctx, std::uint32_t site, std::uint64_t target, std::uint32_t lane) {
    Fault fault = fault_at(
        *ctx, FaultKind::invalid_call, site, static_cast<int>(lane),
        fmt::format("call through the pointer {:#x}, which is no device function of this type", target));
    ctx->slot->fault(std::move(fault));
}

void callback_bad_index(WarpContext* ctx, std::uint32_t site, std::uint32_t index, std::uint32_t targets,
                        std::uint32_t lane) {
    Fault fault =
        fault_at(*ctx, FaultKind::invalid_call, site, static_cast<int>(std::min(lane, 31u)),
                 fmt::format("brx.idx with the index {}, but its table has {} targets", index, targets));
    ctx->slot->fault(std::move(fault));
}

void callback_stack_overflow(WarpContext* ctx, std::uint32_t site) {
    Fault fault = fault_at(*ctx, FaultKind::stack_overflow, site, std::countr_zero(ctx->active | 1u << 31),
                           "stack overflow: calls are nested too deeply");
    ctx->slot->fault(std::move(fault));
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
        const int lane = std::countr_zero(mask);
        results[lane] = print_of_lane(*ctx, formats[lane], arguments[lane]);
    }
}

void callback_assert_fail(WarpContext* ctx, std::uint32_t site, std::uint32_t mask,
                          const std::uint64_t* messages, const std::uint64_t* files,
                          const std::uint32_t* lines, const std::uint64_t* functions, const std::uint64_t*) {
    const int lane = std::countr_zero(mask);
    assertion_of_lane(*ctx, site, lane, {messages[lane], files[lane], functions[lane], lines[lane]});
}

void callback_allocate(WarpContext* ctx, std::uint32_t site, std::uint32_t mask, const std::uint64_t* sizes,
                       std::uint64_t* results) {
    for (; mask; mask &= mask - 1) {
        const int lane = std::countr_zero(mask);
        results[lane] = allocation_of_lane(*ctx, site, lane, sizes[lane]);
    }
}

void callback_release(WarpContext* ctx, std::uint32_t site, std::uint32_t mask,
                      const std::uint64_t* addresses) {
    for (; mask; mask &= mask - 1) {
        const int lane = std::countr_zero(mask);
        release_of_lane(*ctx, site, lane, addresses[lane]);
    }
}

void callback_device_runtime(WarpContext* ctx, std::uint32_t site, std::uint32_t mask, std::uint32_t function,
                             std::byte* results, const std::byte* arguments) {
    ctx->slot->requests().call(*ctx, site, mask, function, results, arguments);
}

}  // extern "C"

}  // namespace

std::byte* accessible_memory(WarpContext& warp, std::uint32_t site, std::uint64_t address,
                             std::uint64_t bytes, std::uint32_t lane) {
    must_be_accessible(warp, site, address, bytes, lane);
    return reinterpret_cast<std::byte*>(address);
}

jit::Callbacks make_callbacks() {
    jit::Callbacks c;
#define LOCKSTEP_CALLBACK(name, result, ...) c.name = &callback_##name;
#include "exec/callbacks.def"
    return c;
}

}  // namespace lockstep::exec
