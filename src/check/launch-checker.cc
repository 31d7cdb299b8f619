#include "check/launch-checker.h"

#include <fmt/format.h>

#include <bit>

#include "events/visit.h"

namespace lockstep::check {

using events::Wants;

LaunchChecker::LaunchChecker(const KernelCode& code, const LaunchShape& shape, const Tools& tools,
                             Memory& memory, Findings& findings)
    : code_(code),
      shape_(shape),
      tools_(tools),
      memory_(memory),
      findings_(findings),
      order_((shape.threads() + warp_lanes - 1) / warp_lanes),
      races_(code, memory.races, order_, findings,
             [this](std::uint32_t b, std::uint32_t w, int l) { return who(b, w, l); }),
      barriers_(code, shape.threads(), findings,
                [this](std::uint32_t b, std::uint32_t w, int l) { return who(b, w, l); }),
      values_(code, memory.defined, memory.origins, findings,
              [this](std::uint32_t b, std::uint32_t w, int l) { return who(b, w, l); }) {}

Wants LaunchChecker::wants_of(const Tools& tools) {
    Wants wants;
    if (tools.memory) wants = wants | Wants::accesses | Wants::allocations;
    if (tools.races)
        wants =
            wants | Wants::blocks | Wants::accesses | Wants::barriers | Wants::fences | Wants::allocations;
    if (tools.synchronisation) wants = wants | Wants::blocks | Wants::barriers;
    if (tools.initialisation) wants = wants | Wants::blocks | Wants::accesses | Wants::allocations;
    return wants;
}

std::string LaunchChecker::who(std::uint32_t block, std::uint32_t warp, int lane) const {
    const auto place = [](std::uint64_t number, const std::array<std::uint32_t, 3>& extent) {
        return std::array{static_cast<std::uint32_t>(number % extent[0]),
                          static_cast<std::uint32_t>(number / extent[0] % extent[1]),
                          static_cast<std::uint32_t>(number / extent[0] / extent[1])};
    };
    return who(place(block, shape_.grid),
               place(std::uint64_t{warp} * warp_lanes + static_cast<std::uint64_t>(lane), shape_.block));
}

std::string LaunchChecker::who(const std::array<std::uint32_t, 3>& block,
                               const std::array<std::uint32_t, 3>& thread) const {
    return fmt::format("block ({},{},{}), thread ({},{},{})", block[0], block[1], block[2], thread[0],
                       thread[1], thread[2]);
}

template <class Record>
void LaunchChecker::access(const events::Batch& batch, std::uint32_t site, const Record& record) {
    if (tools_.races) order_.go_on(record.mask);
    barriers_.go_on(batch.block, batch.warp, record.mask);
    constexpr bool linear = std::is_same_v<Record, events::LinearAccess>;
    if constexpr (linear) {
        if (tools_.races) races_.access(site, record.mask, record.first, record.stride, batch.windows);
        if (tools_.initialisation)
            values_.access(site, record.mask, record.first, record.stride, batch.windows);
    } else {
        if (tools_.races) races_.access(site, record.mask, record.addresses, batch.windows);
        if (tools_.initialisation) values_.access(site, record.mask, record.addresses, batch.windows);
    }
    if (tools_.memory && code_.sites[site].variable >= 0) {
        if constexpr (linear) {
            std::uint64_t addresses[warp_lanes];
            events::lane_addresses(record, addresses);
            in_variable(batch, site, record.mask, addresses);
        } else {
            in_variable(batch, site, record.mask, record.addresses);
        }
    }
}

// An address that was counted from one variable of shared memory must not lead into another.
void LaunchChecker::in_variable(const events::Batch& batch, std::uint32_t site, Lanes mask,
                                const std::uint64_t* addresses) {
    const SharedVariable& variable = code_.variables[static_cast<std::size_t>(code_.sites[site].variable)];
    if (variable.size == 0) return;
    const auto bytes = static_cast<std::uint64_t>(code_.kernel->sites[site].bytes);
    for (Lanes left = mask; left; left &= left - 1) {
        const int lane = std::countr_zero(left);
        const std::uint64_t offset = addresses[lane] - batch.windows.shared.begin - variable.offset;
        if (offset <= variable.size - bytes) continue;
        if (!batch.windows.shared.contains(addresses[lane])) return;  // a fault, or another block's
        const bool writes = code_.sites[site].writes;
        Finding finding{.kind_of = Class::memory,
                        .kind = writes ? "out-of-bounds-write" : "out-of-bounds-read",
                        .kernel = code_.name};
        const auto distance = static_cast<std::int64_t>(offset);
        finding.message = fmt::format(
            "{} of {} bytes {} the shared variable '{}' of {} bytes: it hits another variable of the block",
            writes ? "write" : "read", bytes,
            distance < 0 ? fmt::format("{} bytes before", -distance)
                         : fmt::format("{} bytes behind the end of", offset + bytes - variable.size),
            variable.name, variable.size);
        finding.advice = "check the index against the array's extent";
        finding.places = {code_.place(site, writes ? "write" : "read",
                                      who(static_cast<std::uint32_t>(batch.block), batch.warp, lane))};
        findings_.add(std::move(finding));
        return;
    }
}

void LaunchChecker::barrier(const events::Batch& batch, std::uint32_t site,
                            const events::BarrierRecord& record) {
    const kernel::Site& at = code_.kernel->sites[site];
    const ptx::Instruction& inst = code_.instruction(site);
    if (tools_.races) order_.go_on(record.mask);
    barriers_.go_on(batch.block, batch.warp, record.mask);
    if (at.kind == kernel::SiteKind::warp_sync) {
        const bool orders = inst.opcode == ptx::Opcode::bar || inst.opcode == ptx::Opcode::barrier;
        if (tools_.races) order_.meet(orders && record.threads ? record.threads : record.mask, orders);
        if (tools_.synchronisation)
            barriers_.meet(batch.block, batch.warp, site, record.mask, record.threads, record.barrier);
        return;
    }
    const bool waits = !inst.has(ptx::Modifier::arrive);
    const bool cluster = inst.has(ptx::Modifier::cluster);
    const bool whole = !cluster && waits && (record.threads == 0 || record.threads >= shape_.threads());
    if (!whole) {
        if (tools_.races)
            order_.arrive(cluster ? 0 : (batch.block + 1) << 8 | record.barrier, record.mask, waits);
        return;
    }
    if (tools_.races) order_.arrive_all(record.mask);
    if (tools_.synchronisation) barriers_.arrive(batch.block, batch.warp, site, record.mask);
}

void LaunchChecker::records(const events::Batch& batch) {
    if (tools_.races) order_.at(batch.block, batch.warp);
    if (tools_.initialisation) {
        if (begun_.insert(batch.block).second) values_.block_begins(batch.windows);
        values_.at(batch.block, batch.warp);
    }
    events::visit(
        batch.records,
        events::Visitor{
            [&](std::uint32_t number, const events::BlockRecord& record) {
                if (tools_.races) order_.go_on(record.mask);
                barriers_.go_on(batch.block, batch.warp, record.mask);
                if (tools_.initialisation) values_.enter(number, record.mask);
            },
            [&](std::uint32_t site, const events::LinearAccess& record) { access(batch, site, record); },
            [&](std::uint32_t site, const events::ScatteredAccess& record) { access(batch, site, record); },
            [&](std::uint32_t site, const events::BulkAccess& record) {
                if (!tools_.initialisation) return;
                // Which bytes of shared memory come from it is not told.
                memory_.defined.set(batch.windows.shared.begin, batch.windows.shared.size, Byte::defined);
                for (std::uint32_t i = 0; i < record.count && code_.sites[site].writes; ++i)
                    memory_.defined.set(record.ranges[i].address, record.ranges[i].bytes, Byte::defined);
            },
            [&](std::uint32_t, const events::PhaseRecord& record) {
                if (!tools_.races) return;
                record.waits ? order_.wait_phase(record.phase, record.mask)
                             : order_.arrive_phase(record.phase, record.mask);
            },
            [&](std::uint32_t site, const events::BarrierRecord& record) { barrier(batch, site, record); },
            [&](std::uint32_t, const events::FenceRecord& record) {
                if (tools_.races) order_.fence(record.mask);
            },
            [&](std::uint32_t, const events::AllocationRecord& record) {
                if (!record.address) return;
                if (tools_.races) races_.forget(record.address, record.bytes);
                if (tools_.initialisation) memory_.defined.set(record.address, record.bytes, Byte::unwritten);
            },
        });
}

void LaunchChecker::block_ended(std::uint64_t block) {
    if (tools_.synchronisation) barriers_.block_ended(block);
    if (tools_.races) order_.block_ended(block);
    if (tools_.initialisation) {
        values_.block_ended(block);
        begun_.erase(block);
    }
}

void LaunchChecker::finish() { races_.finish(); }

}  // namespace lockstep::check
