#include "exec/accessible.h"

#include <fmt/format.h>

#include "exec/block-slot.h"
#include "exec/fault-message.h"
#include "exec/run-state.h"

namespace lockstep::exec {
namespace {

constexpr std::uint32_t local_space = 3, param_space = 4, cluster_space = 5;

// Another block's shared memory.
std::optional<Window> cluster_window(const WarpContext& ctx, std::uint64_t address) {
    for (std::uint32_t rank = 0; rank < ctx.cluster_size; ++rank) {
        const auto begin = reinterpret_cast<std::uint64_t>(ctx.cluster_shared[rank + 1]);
        if (begin && address - begin < ctx.shared_bytes)
            return Window{begin, ctx.shared_bytes, cluster_space, true};
    }
    return std::nullopt;
}

// All that an instruction may reach which names one of these state spaces. Local memory is a thread's own,
// whoever knows its addresses.
std::optional<Window> own_window(const WarpContext& ctx, ptx::Space space, std::uint32_t lane) {
    auto address = [](const std::byte* p) { return reinterpret_cast<std::uint64_t>(p); };
    switch (space) {
        case ptx::Space::shared: return Window{address(ctx.shared), ctx.shared_bytes, 2, true};
        case ptx::Space::local:
            // The range of one lane is not the others'.
            return Window{address(ctx.local) + std::uint64_t{ctx.local_bytes} * lane, ctx.local_bytes,
                          local_space, true, false};
        case ptx::Space::param: return Window{address(ctx.params), ctx.slot->run.params.size(), 4, false};
        default: return std::nullopt;
    }
}

}  // namespace

std::optional<Window> find_window(const WarpContext& ctx, std::uint64_t address) {
    const Grid& grid = ctx.slot->run.grid;
    Window windows[] = {
        {reinterpret_cast<std::uint64_t>(ctx.shared), ctx.shared_bytes, 2, true},
        {reinterpret_cast<std::uint64_t>(ctx.slot->warps[0].local),
         std::uint64_t{grid.local_bytes} * ctx.wave_lanes * ctx.warps, local_space, true},
        {reinterpret_cast<std::uint64_t>(ctx.params), ctx.slot->run.params.size(), 4, false},
    };
    for (const Window& w : windows)
        if (w.begin && address - w.begin < w.size) return w;
    return ctx.cluster_size > 1 ? cluster_window(ctx, address) : std::nullopt;
}

Fault fault_at(const WarpContext& ctx, FaultKind kind, std::uint32_t site, int lane,
               const std::string& what) {
    const Grid& grid = ctx.slot->run.grid;
    Fault::At at{.site = site, .what = what};
    for (int axis = 0; axis < 3; ++axis)
        at.block[axis] = ctx.block[axis], at.thread[axis] = ctx.thread[axis][lane];
    if (const ptx::SourceLine* const line = site_line(grid, site))
        at.file = grid.module->files[line->file], at.line = line->line;
    return {kind, fault_message(grid, ctx, site, lane, what), std::move(at)};
}

std::variant<Window, Fault> find_accessible(const WarpContext& ctx, std::uint32_t site_number,
                                            std::uint64_t address, std::uint64_t bytes, std::uint32_t lane) {
    const Grid& grid = ctx.slot->run.grid;
    const kernel::Site& site = grid.code->sites[site_number];
    const char* verb = site.writes() ? "write" : "read";
    const std::optional<Window> own = own_window(ctx, site.space, lane);
    const auto shared = reinterpret_cast<std::uint64_t>(ctx.shared);
    const bool in_shared =
        site.space == ptx::Space::shared || (address >= shared && address - shared < (1u << 20));
    // A generic address may lead to a thread's own memory.
    const auto in_local = [&] {
        if (own) return site.space == ptx::Space::local;
        const auto window = find_window(ctx, address);
        return window && window->space == local_space;
    };
    // Of a flood of faults the same words are not made each time.
    BadAccesses* const told = grid.launch.bad_accesses;
    auto fault = [&](FaultKind kind, auto what) {
        Fault made{kind, {}, Fault::At{.site = site_number}};
        if (!told || told->wants(site_number, kind))
            made = fault_at(ctx, kind, site_number, static_cast<int>(lane), what());
        made.at->address = address, made.at->bytes = bytes, made.at->writes = site.writes();
        made.at->space = in_shared                         ? "shared"
                         : in_local()                      ? "local"
                         : site.space == ptx::Space::param ? "param"
                                                           : "global";
        made.at->global = made.at->space == "global";
        made.at->space_begin = in_shared ? shared : own ? own->begin : 0;
        return made;
    };
    // As the program knows it.
    auto shown = [&] {
        if (site.space == ptx::Space::local) return fmt::format("local address {:#x}", address - own->begin);
        if (site.space == ptx::Space::param)
            return fmt::format("offset {} of the parameters",
                               static_cast<std::int64_t>(address - own->begin));
        if (in_shared) return fmt::format("shared address {:#x}", address - shared);
        return fmt::format("{:#x}", address);
    };
    auto alignment = static_cast<std::uint64_t>(site.bytes);
    if (alignment > 1 && address % alignment != 0)
        return fault(FaultKind::misaligned_address, [&] {
            return fmt::format("misaligned {} of {} bytes at {} (the address must be a multiple of {})", verb,
                               bytes, shown(), alignment);
        });
    auto fits = [&](const Window& w) {
        return bytes <= w.size && address - w.begin <= w.size - bytes && (w.writable || !site.writes());
    };
    if (own && fits(*own)) {
        const std::uint64_t offset = address - own->begin - site.variable_begin;
        if (!site.variable_bytes || (bytes <= site.variable_bytes && offset <= site.variable_bytes - bytes))
            return *own;
        const auto distance = static_cast<std::int64_t>(offset);
        return fault(FaultKind::illegal_address, [&] {
            return fmt::format("{} of {} bytes {} a shared variable of {} bytes: it hits another variable",
                               verb, bytes,
                               distance < 0 ? fmt::format("{} bytes before", -distance)
                                            : fmt::format("at byte {} of", offset),
                               site.variable_bytes);
        });
    }
    if (own && site.space == ptx::Space::shared && ctx.cluster_size > 1)
        if (const auto other = cluster_window(ctx, address); other && fits(*other)) return *other;
    std::optional<Allocation> allocation;
    if (!own) {
        allocation = grid.memory->find(address, bytes);
        if (allocation && !(site.writes() && allocation->read_only))
            return Window{allocation->address, allocation->size, 0, !allocation->read_only};
        if (auto window = find_window(ctx, address); window && fits(*window)) {
            if (window->space != local_space) return *window;
            if (const auto local = own_window(ctx, ptx::Space::local, lane); fits(*local)) return *local;
            return fault(FaultKind::illegal_address, [&] {
                return fmt::format(
                    "{} of {} bytes at {:#x}, which is another thread's local memory (on a GPU the address "
                    "would lead to this thread's own)",
                    verb, bytes, address);
            });
        }
        if (!allocation)
            for (const MemoryRange& range : grid.launch.of_launchers)
                if (range.holds(address))
                    return fault(FaultKind::address_space, [&] {
                        return fmt::format(
                            "{} of {} bytes at {:#x}, which is shared or local memory of the block that "
                            "launched this kernel: a child reaches none of its parent's",
                            verb, bytes, address);
                    });
        if (!allocation && grid.memory->lets_pass(address, bytes)) {
            if (grid.warnings)
                grid.warnings->once(
                    fmt::format("{} {} {}", grid.kernel, verb, site_place(grid, site_number)),
                    fault_message(
                        grid, ctx, site_number, static_cast<int>(lane),
                        fmt::format("{} of {} bytes at {:#x} is out of bounds, which a GPU lets pass: {}",
                                    verb, bytes, address, grid.memory->describe(address))));
            // What lies there may change, and the next lane may be in bounds again.
            return Window{address, bytes, 0, true, false};
        }
    }

    auto out_of_bounds = [&](auto where) {
        return fault(FaultKind::illegal_address, [&] {
            return fmt::format("{} of {} bytes at {} is out of bounds: {}", verb, bytes, shown(), where());
        });
    };
    const std::optional<Window> window = own ? own : find_window(ctx, address);
    if ((allocation && allocation->read_only) ||
        (window && !window->writable && site.writes() && address - window->begin < window->size))
        return fault(FaultKind::illegal_address, [&] {
            return fmt::format("write of {} bytes at {:#x}, which is read-only ({})", bytes, address,
                               allocation && allocation->access.read
                                   ? "cuMemSetAccess gave the device no more"
                                   : "constant memory or kernel parameters");
        });
    if (site.space == ptx::Space::local)
        return out_of_bounds(
            [&] { return fmt::format("the thread has {} bytes of local memory", own->size); });
    if (site.space == ptx::Space::param)
        return out_of_bounds([&] { return fmt::format("the kernel has {} bytes of them", own->size); });
    if (in_shared)
        return out_of_bounds([&] {
            return fmt::format("the block has {} bytes of shared memory, this is byte {}", ctx.shared_bytes,
                               address - shared);
        });
    if (const auto way = grid.memory->how_to_reach(address, bytes))
        return fault(FaultKind::illegal_address, [&] {
            return fmt::format("{} of {} bytes at {:#x}, which device {} has no access to: {} ({})", verb,
                               bytes, address, grid.memory->number(), grid.memory->describe(address), *way);
        });
    return out_of_bounds(
        [&] { return grid.memory->describe(address) + grid.memory->what_a_gpu_does(address, bytes); });
}

// A load, store or atomic that names global memory, and whose address lies in other memory. Instructions with
// operands in several spaces have sites that name one of them.
static std::optional<Fault> outside_of_global(const WarpContext& ctx, std::uint32_t site_number,
                                              std::uint64_t address, std::uint32_t lane) {
    const kernel::Site& site = ctx.slot->run.grid.code->sites[site_number];
    if (site.space != ptx::Space::global) return std::nullopt;
    const auto window = find_window(ctx, address);
    if (!window || window->space == param_space) return std::nullopt;
    Fault fault = fault_at(
        ctx, FaultKind::address_space, site_number, static_cast<int>(lane),
        fmt::format("{} of {} bytes at {:#x} as global memory, and it is {} memory (the compiler takes a "
                    "pointer that is a kernel's argument to be one to global memory)",
                    site.writes() ? "write" : "read", site.bytes, address,
                    window->space == local_space ? "local" : "shared"));
    fault.at->address = address, fault.at->bytes = static_cast<std::uint64_t>(site.bytes);
    fault.at->writes = site.writes(), fault.at->space_begin = window->begin;
    fault.at->space = window->space == local_space ? "local" : "shared";
    return fault;
}

std::optional<Window> accessible(WarpContext& ctx, std::uint32_t site, std::uint64_t address,
                                 std::uint64_t bytes, std::uint32_t lane, std::uint32_t lanes) {
    if (auto wrong = outside_of_global(ctx, site, address, lane)) {
        ctx.slot->fault_and_go_on(ctx, std::move(*wrong), lanes);
        return std::nullopt;
    }
    std::variant<Window, Fault> found = find_accessible(ctx, site, address, bytes, lane);
    if (const Window* const window = std::get_if<Window>(&found)) return *window;
    ctx.slot->fault_and_go_on(ctx, std::move(std::get<Fault>(found)), lanes);
    return std::nullopt;
}

Window must_be_accessible(WarpContext& ctx, std::uint32_t site, std::uint64_t address, std::uint64_t bytes,
                          std::uint32_t lane) {
    std::variant<Window, Fault> found = find_accessible(ctx, site, address, bytes, lane);
    if (Fault* fault = std::get_if<Fault>(&found)) ctx.slot->fault(std::move(*fault));
    return std::get<Window>(found);
}

}  // namespace lockstep::exec
