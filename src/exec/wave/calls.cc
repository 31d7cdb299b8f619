#include "exec/wave/calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>

#include "exec/accessible.h"
#include "exec/block-slot.h"
#include "exec/callbacks.h"
#include "exec/lane-services.h"
#include "exec/run-state.h"
#include "exec/scalar/soft-float.h"
#include "exec/texture-form.h"
#include "exec/wave/lane-addresses.h"
#include "exec/wave/memory-counter.h"
#include "exec/wave/memory-form.h"
#include "exec/wave/service.h"
#include "exec/wave/symbols.h"

namespace lockstep::exec::wave {
namespace {

// Of one lane: where in this process its address lies.
std::uint64_t own_address(const WarpContext& ctx, Space space, std::uint64_t address, int lane) {
    const auto local = [&](std::uint64_t offset) {
        return reinterpret_cast<std::uint64_t>(ctx.local) +
               std::uint64_t{ctx.local_bytes} * static_cast<std::uint64_t>(lane) + offset;
    };
    switch (space) {
        case Space::global: return address;
        case Space::shared: return reinterpret_cast<std::uint64_t>(ctx.shared) + address;
        case Space::scratch: return local(address);
        case Space::flat:
            if (address - shared_aperture < aperture_bytes)
                return reinterpret_cast<std::uint64_t>(ctx.shared) + (address - shared_aperture);
            if (address - private_aperture < aperture_bytes) return local(address - private_aperture);
            return address;
    }
    return address;
}

// Whether the instruction has been at this address's allocation before.
bool is_known(const SiteRange& known, std::uint64_t address) {
    return address - known.begin <= known.limit && known.begin != SiteRange().begin;
}

// The address where the lane may access `bytes`; does not return where it may not.
[[gnu::noinline]] void look_up(WarpContext& ctx, std::uint32_t site, std::uint64_t own, std::uint32_t bytes,
                               int lane) {
    const Window window = must_be_accessible(ctx, site, own, bytes, static_cast<std::uint32_t>(lane));
    if (window.remembered && window.size >= bytes) ctx.sites[site] = {window.begin, window.size - bytes};
}

std::byte* checked(WarpContext& ctx, std::uint32_t site, Space space, std::uint64_t address,
                   std::uint32_t bytes, int lane) {
    const std::uint64_t own = own_address(ctx, space, address, lane);
    if (!is_known(ctx.sites[site], own)) look_up(ctx, site, own, bytes, lane);
    return reinterpret_cast<std::byte*>(own);
}

template <class F>
void for_lanes(std::uint64_t lanes, F f) {
    for (; lanes; lanes &= lanes - 1) f(std::countr_zero(lanes));
}

std::uint32_t lanes_in(const WarpContext& ctx) { return ctx.wave_lanes; }

std::uint64_t all_lanes(const WarpContext& ctx) {
    return lanes_in(ctx) == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << lanes_in(ctx)) - 1;
}

// Whether all lanes run, and the instruction has been at each one's allocation before.
bool all_known(const WarpContext& ctx, const SiteRange& known, std::uint64_t lanes, std::uint64_t base,
               const std::uint64_t* addresses) {
    if (lanes != all_lanes(ctx) || known.begin == SiteRange().begin) return false;
    std::uint64_t outside = 0;
    for (std::uint32_t lane = 0; lane < lanes_in(ctx); ++lane)
        outside |= base + addresses[lane] - known.begin > known.limit ? 1 : 0;
    return outside == 0;
}

// Calls f(lane, address) for each lane, in order, once it is known that it may access it.
template <class F>
void for_accesses(WarpContext& ctx, std::uint32_t site, const MemoryForm& form, std::uint64_t lanes,
                  const std::uint64_t* addresses, F f) {
    if (form.space == Space::flat || form.space == Space::scratch) {
        for_lanes(lanes, [&](int lane) {
            f(lane, checked(ctx, site, form.space, addresses[lane], form.bytes, lane));
        });
        return;
    }
    const std::uint64_t base = form.space == Space::shared ? reinterpret_cast<std::uint64_t>(ctx.shared) : 0;
    SiteRange known = ctx.sites[site];
    if (all_known(ctx, known, lanes, base, addresses)) {
        const auto count = static_cast<int>(lanes_in(ctx));
        for (int lane = 0; lane < count; ++lane)
            f(lane, reinterpret_cast<std::byte*>(base + addresses[lane]));
        return;
    }
    for_lanes(lanes, [&](int lane) {
        const std::uint64_t own = base + addresses[lane];
        if (!is_known(known, own)) {
            look_up(ctx, site, own, form.bytes, lane);
            known = ctx.sites[site];
        }
        f(lane, reinterpret_cast<std::byte*>(own));
    });
}

// Where all lanes access words one behind the other, that they may: the first one's. Null: it has to be found
// by lane.
std::byte* contiguous_words(WarpContext& ctx, std::uint32_t site, const MemoryForm& form, std::uint64_t lanes,
                            const std::uint64_t* addresses) {
    const std::uint32_t count = lanes_in(ctx);
    if (form.bytes != 4 || lanes != all_lanes(ctx) || form.space == Space::scratch ||
        addresses[0] >= shared_aperture || !is_contiguous(4, lanes, addresses))
        return nullptr;
    // Its ends are checked, and all between them is inside.
    checked(ctx, site, form.space, addresses[count - 1], 4, static_cast<int>(count - 1));
    std::byte* const first = checked(ctx, site, form.space, addresses[0], 4, 0);
    const SiteRange& known = ctx.sites[site];
    const auto begin = reinterpret_cast<std::uint64_t>(first);
    return begin >= known.begin && begin - known.begin + 4 * (count - 1) <= known.limit ? first : nullptr;
}

// What a narrow load puts into the register.
std::uint32_t widened(const MemoryForm& form, std::uint32_t value, std::uint32_t old) {
    if (form.sign) {
        const std::uint32_t shift = 32 - 8 * form.bytes;
        value = static_cast<std::uint32_t>(static_cast<std::int32_t>(value << shift) >> shift);
    }
    if (!form.keeps_half) return value;
    return form.high_half ? (old & 0xffff) | value << 16 : (old & 0xffff0000) | (value & 0xffff);
}

template <class T>
T atomic_result(AtomicOp op, T old, T operand, T compared) {
    using Signed = std::make_signed_t<T>;
    const auto as_signed = [](T value) { return static_cast<Signed>(value); };
    switch (op) {
        case AtomicOp::add: return old + operand;
        case AtomicOp::sub: return old - operand;
        case AtomicOp::rsub: return operand - old;
        case AtomicOp::smin: return as_signed(old) < as_signed(operand) ? old : operand;
        case AtomicOp::smax: return as_signed(old) > as_signed(operand) ? old : operand;
        case AtomicOp::umin: return std::min(old, operand);
        case AtomicOp::umax: return std::max(old, operand);
        case AtomicOp::bit_and: return old & operand;
        case AtomicOp::bit_or: return old | operand;
        case AtomicOp::bit_xor: return old ^ operand;
        case AtomicOp::inc: return old >= operand ? 0 : old + 1;
        case AtomicOp::dec: return old == 0 || old > operand ? operand : old - 1;
        case AtomicOp::swap: return operand;
        case AtomicOp::cmpswap: return old == compared ? operand : old;
        case AtomicOp::fadd:
        case AtomicOp::fmin:
        case AtomicOp::fmax: {
            using Float = std::conditional_t<sizeof(T) == 4, float, double>;
            const auto a = std::bit_cast<Float>(old), b = std::bit_cast<Float>(operand);
            const Float result = op == AtomicOp::fadd   ? a + b
                                 : op == AtomicOp::fmin ? std::fmin(a, b)
                                                        : std::fmax(a, b);
            return std::bit_cast<T>(result);
        }
        case AtomicOp::pk_add_f16: {
            using soft::F16, soft::Round;
            T sum = 0;
            for (unsigned shift = 0; shift < 32; shift += 16) {
                const auto half = [&](T word) { return soft::unpack<F16>(word >> shift & 0xffff); };
                sum |=
                    static_cast<T>(soft::pack<F16>(soft::sum(half(old), half(operand), Round::rn), Round::rn))
                    << shift;
            }
            return sum;
        }
    }
    return old;
}

template <class T>
T atomic_step(AtomicOp op, T* at, T operand, T compared) {
    T old = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(at, &old, atomic_result(op, old, operand, compared), true,
                                        __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    }
    return old;
}

std::uint64_t value64(const std::uint32_t* data, std::uint32_t count, int lane, std::uint32_t word) {
    return data[word * count + static_cast<std::uint32_t>(lane)] |
           std::uint64_t{data[(word + 1) * count + static_cast<std::uint32_t>(lane)]} << 32;
}

// Where each lane's address lies in this process, for those who count.
void tell_counter(WarpContext& ctx, std::uint32_t site, MemoryCounter::What what, const MemoryForm& form,
                  std::uint64_t lanes, const std::uint64_t* addresses) {
    if (!ctx.wave_memory) return;
    if (form.space == Space::global || form.space == Space::shared)
        return ctx.wave_memory->access(site, what, form.space, form.bytes, lanes, addresses);
    std::uint64_t own[64];
    if (form.space == Space::scratch) {
        // The hardware lays lanes' words side by side, and goes through wide accesses word by word.
        const auto begin = reinterpret_cast<std::uint64_t>(ctx.local);
        for (std::uint32_t word = 0; word < form.bytes; word += 4) {
            for_lanes(lanes, [&](int lane) {
                const std::uint64_t offset = addresses[lane] + word;
                own[lane] = begin + offset / 4 * 4 * lanes_in(ctx) + 4 * static_cast<std::uint64_t>(lane) +
                            offset % 4;
            });
            ctx.wave_memory->access(site, what, Space::scratch, std::min(4u, form.bytes - word), lanes, own);
        }
        return;
    }
    Space space = form.space;
    for_lanes(lanes, [&](int lane) {
        own[lane] = own_address(ctx, form.space, addresses[lane], lane);
        if (form.space == Space::flat && addresses[lane] - shared_aperture < aperture_bytes)
            space = Space::shared;
    });
    ctx.wave_memory->access(site, what, space, form.bytes, lanes, own);
}

// Textures are looked at by 32 lanes at once, as CUDA's warps do it.
void access_textures(WarpContext& ctx, std::uint32_t site, std::uint64_t lanes, std::uint32_t* registers) {
    constexpr std::uint32_t object = 2, form = 4, numbers = 6, values = 12, most_numbers = 6, channels = 4;
    const std::uint32_t count = lanes_in(ctx);
    for (std::uint32_t first = 0; first < count; first += warp_lanes) {
        const auto mask = static_cast<std::uint32_t>(lanes >> first);
        if (mask == 0) continue;
        const auto word = [&](std::uint32_t which, std::uint32_t lane) -> std::uint32_t& {
            return registers[which * count + first + lane];
        };
        std::uint64_t handles[warp_lanes], data[channels * warp_lanes] = {};
        std::uint32_t in[most_numbers * warp_lanes];
        for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
            handles[lane] = word(object, lane) | std::uint64_t{word(object + 1, lane)} << 32;
            for (std::uint32_t i = 0; i < most_numbers; ++i)
                in[i * warp_lanes + lane] = word(numbers + i, lane);
            for (std::uint32_t i = 0; i < channels; ++i) data[i * warp_lanes + lane] = word(values + i, lane);
        }
        // Lane 0 of the half.
        WarpContext half = ctx;
        for (auto& thread : half.thread) thread += first;
        // The same in all lanes: a constant of the function that asked.
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
        const TextureForm what =
            TextureForm::of(word(form, lane) | std::uint64_t{word(form + 1, lane)} << 32);
        if (what.operation != TextureForm::Operation::store) std::ranges::fill(data, 0);
        callback_texture(&half, site, what.number(), mask, handles, in, data);
        for_lanes(mask, [&](int l) {
            for (std::uint32_t i = 0; i < channels; ++i)
                word(i, static_cast<std::uint32_t>(l)) =
                    static_cast<std::uint32_t>(data[i * warp_lanes + static_cast<std::uint32_t>(l)]);
        });
    }
}

}  // namespace

extern "C" {

void wave_load(WarpContext* ctx, std::uint32_t site, std::uint32_t form_number, std::uint64_t lanes,
               const std::uint64_t* addresses, std::uint32_t* data) {
    const MemoryForm form = MemoryForm::of(form_number);
    const std::uint32_t count = lanes_in(*ctx);
    tell_counter(*ctx, site, MemoryCounter::What::load, form, lanes, addresses);
    if (const std::byte* const first = contiguous_words(*ctx, site, form, lanes, addresses)) {
        std::memcpy(data, first, 4 * std::size_t{count});
        return;
    }
    if (form.bytes == 4)
        return for_accesses(*ctx, site, form, lanes, addresses,
                            [&](int lane, const std::byte* at) { std::memcpy(&data[lane], at, 4); });
    for_accesses(*ctx, site, form, lanes, addresses, [&](int lane, const std::byte* at) {
        if (form.bytes >= 4) {
            for (std::uint32_t word = 0; word < form.bytes / 4; ++word)
                std::memcpy(&data[word * count + static_cast<std::uint32_t>(lane)], at + 4 * word, 4);
            return;
        }
        std::uint32_t value = 0;
        std::memcpy(&value, at, form.bytes);
        data[lane] = widened(form, value, data[lane]);
    });
}

void wave_store(WarpContext* ctx, std::uint32_t site, std::uint32_t form_number, std::uint64_t lanes,
                const std::uint64_t* addresses, const std::uint32_t* data) {
    const MemoryForm form = MemoryForm::of(form_number);
    const std::uint32_t count = lanes_in(*ctx);
    tell_counter(*ctx, site, MemoryCounter::What::store, form, lanes, addresses);
    if (std::byte* const first = contiguous_words(*ctx, site, form, lanes, addresses)) {
        std::memcpy(first, data, 4 * std::size_t{count});
        return;
    }
    if (form.bytes == 4)
        return for_accesses(*ctx, site, form, lanes, addresses,
                            [&](int lane, std::byte* at) { std::memcpy(at, &data[lane], 4); });
    for_accesses(*ctx, site, form, lanes, addresses, [&](int lane, std::byte* at) {
        if (form.bytes >= 4) {
            for (std::uint32_t word = 0; word < form.bytes / 4; ++word)
                std::memcpy(at + 4 * word, &data[word * count + static_cast<std::uint32_t>(lane)], 4);
            return;
        }
        const std::uint32_t value = form.high_half ? data[lane] >> 16 : data[lane];
        std::memcpy(at, &value, form.bytes);
    });
}

void wave_atomic(WarpContext* ctx, std::uint32_t site, std::uint32_t form_number, std::uint64_t lanes,
                 const std::uint64_t* addresses, std::uint32_t* data) {
    const MemoryForm form = MemoryForm::of(form_number);
    const std::uint32_t count = lanes_in(*ctx);
    tell_counter(*ctx, site, MemoryCounter::What::atomic, form, lanes, addresses);
    for_accesses(*ctx, site, form, lanes, addresses, [&](int lane, std::byte* at) {
        if (reinterpret_cast<std::uint64_t>(at) % form.bytes) {
            Fault fault = fault_at(*ctx, FaultKind::misaligned_address, site, lane,
                                   fmt::format("misaligned atomic operation of {} bytes at {:#x}", form.bytes,
                                               reinterpret_cast<std::uint64_t>(at)));
            ctx->slot->fault(std::move(fault));
        }
        if (form.bytes == 8) {
            const std::uint64_t old =
                atomic_step(form.atomic, reinterpret_cast<std::uint64_t*>(at), value64(data, count, lane, 0),
                            form.atomic == AtomicOp::cmpswap ? value64(data, count, lane, 2) : 0);
            data[lane] = static_cast<std::uint32_t>(old);
            data[count + static_cast<std::uint32_t>(lane)] = static_cast<std::uint32_t>(old >> 32);
            return;
        }
        const std::uint32_t compared =
            form.atomic == AtomicOp::cmpswap ? data[count + static_cast<std::uint32_t>(lane)] : 0;
        data[lane] = atomic_step(form.atomic, reinterpret_cast<std::uint32_t*>(at), data[lane], compared);
    });
}

void wave_scalar_load(WarpContext* ctx, std::uint32_t site, std::uint64_t address, std::uint32_t words,
                      std::uint32_t* data) {
    const int lane = std::countr_zero(ctx->lanes | std::uint64_t{1} << 63);
    address &= ~std::uint64_t{3};  // as the hardware does
    if (ctx->wave_memory) ctx->wave_memory->scalar_load(4 * words);
    std::memcpy(data, checked(*ctx, site, Space::global, address, 4 * words, lane), 4 * std::size_t{words});
}

void wave_bpermute(std::uint64_t lanes, const std::uint32_t* from, const std::uint32_t* data,
                   std::uint32_t* result, std::uint32_t count) {
    for_lanes(lanes, [&](int lane) {
        const std::uint32_t other = from[lane] / 4 % count;
        result[lane] = lanes >> other & 1 ? data[other] : 0;
    });
}

void wave_permute(std::uint64_t lanes, const std::uint32_t* to, const std::uint32_t* data,
                  std::uint32_t* result, std::uint32_t count) {
    std::fill_n(result, count, 0u);
    for_lanes(lanes, [&](int lane) { result[to[lane] / 4 % count] = data[lane]; });
}

void wave_barrier(WarpContext* ctx, std::uint32_t site) {
    ctx->slot->barrier(*ctx, 0, 0, BarrierRequest::sync, site);
}

void wave_slice(WarpContext* ctx, std::uint32_t site) {
    if (__atomic_load_n(ctx->stop, __ATOMIC_RELAXED)) {
        Fault fault = fault_at(
            *ctx, FaultKind::timeout, site, std::countr_zero(ctx->lanes | std::uint64_t{1} << 63),
            fmt::format("still running after {} seconds (--timeout)", ctx->slot->run.grid.timeout_seconds));
        ctx->slot->fault(std::move(fault));
    }
    ctx->slot->slice(*ctx);
}

void wave_yield(WarpContext* ctx) { ctx->slot->yield(*ctx); }

std::uint64_t wave_clock(WarpContext* ctx, std::uint32_t real_time) {
    const std::chrono::duration<double> now = std::chrono::steady_clock::now().time_since_epoch();
    constexpr double real_time_hertz = 1e8;
    const double hertz = real_time ? real_time_hertz : 1e6 * ctx->slot->run.grid.gpu->clock_mhz;
    return static_cast<std::uint64_t>(now.count() * hertz);
}

void wave_trap(WarpContext* ctx, std::uint32_t site, std::uint64_t lanes) {
    Fault fault = fault_at(*ctx, FaultKind::trap, site, std::countr_zero(lanes | std::uint64_t{1} << 63),
                           "trap instruction");
    ctx->slot->fault(std::move(fault));
}

void wave_bad_call(WarpContext* ctx, std::uint32_t site, std::uint64_t address) {
    Fault fault =
        fault_at(*ctx, FaultKind::invalid_call, site, std::countr_zero(ctx->lanes | std::uint64_t{1} << 63),
                 fmt::format("call of {:#x}, which is no function that this kernel can reach", address));
    ctx->slot->fault(std::move(fault));
}

void wave_service(WarpContext* ctx, std::uint32_t site, std::uint32_t number, std::uint64_t lanes,
                  std::uint32_t* registers) {
    const std::uint32_t count = lanes_in(*ctx);
    if (number == service_texture) return access_textures(*ctx, site, lanes, registers);
    for_lanes(lanes, [&](int lane) {
        const auto word = [&](std::uint32_t which) -> std::uint32_t& {
            return registers[which * count + static_cast<std::uint32_t>(lane)];
        };
        const auto number64 = [&](std::uint32_t first) {
            return word(first) | std::uint64_t{word(first + 1)} << 32;
        };
        const auto address = [&](std::uint32_t first) {
            return own_address(*ctx, Space::flat, number64(first), lane);
        };
        switch (number) {
            case service_print: word(0) = print_of_lane(*ctx, address(2), address(4)); return;
            case service_assert:
                assertion_of_lane(*ctx, site, lane, {address(2), address(4), address(7), word(6)});
            case service_malloc: {
                const std::uint64_t made = allocation_of_lane(*ctx, site, lane, number64(2));
                word(0) = static_cast<std::uint32_t>(made), word(1) = static_cast<std::uint32_t>(made >> 32);
                return;
            }
            case service_workspace:
                word(0) = static_cast<std::uint32_t>(ctx->workspace);
                word(1) = static_cast<std::uint32_t>(ctx->workspace >> 32);
                return;
            default: release_of_lane(*ctx, site, lane, number64(2)); return;
        }
    });
}
}

std::uint64_t dispatch_packet_offset(const gcn::Kernel& kernel) {
    return (std::uint64_t{kernel.kernarg_bytes} + 63) / 64 * 64;
}

bool packs_thread_numbers(std::string_view target) {
    return target == "gfx90a" || target.starts_with("gfx94") || target.starts_with("gfx95") ||
           target.starts_with("gfx11") || target.starts_with("gfx12");
}

}  // namespace lockstep::exec::wave
