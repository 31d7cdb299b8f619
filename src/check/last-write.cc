#include "check/last-write.h"

#include <bit>

#include "events/visit.h"

namespace lockstep::check {

using events::Wants;

// Barriers: so that records come in the order in which things happened.
LastWrite::LastWrite(const KernelCode& code, ByteSet::Range bytes, Wants wants)
    : code_(code), bytes_(bytes), wants_(wants | Wants::accesses | Wants::barriers) {}

void LastWrite::records(const events::Batch& batch) {
    const auto look = [&](std::uint32_t site, auto mask, const auto& address_of) {
        if (!code_.sites[site].writes) return;
        const auto bytes = static_cast<std::uint64_t>(code_.kernel->sites[site].bytes);
        for (; mask; mask &= mask - 1) {
            const int lane = std::countr_zero(mask);
            const std::uint64_t address = address_of(lane);
            if (address < bytes_.end && bytes_.begin < address + bytes)
                write_ = {site, static_cast<std::uint32_t>(batch.block), batch.warp, lane};
        }
    };
    events::visit(batch.records, events::Visitor{
                                     [&](std::uint32_t site, const events::LinearAccess& record) {
                                         look(site, record.mask, [&](int lane) {
                                             return record.first + static_cast<std::uint64_t>(record.stride) *
                                                                       static_cast<std::uint64_t>(lane);
                                         });
                                     },
                                     [&](std::uint32_t site, const events::ScatteredAccess& record) {
                                         look(site, record.mask,
                                              [&](int lane) { return record.addresses[lane]; });
                                     },
                                 });
}

}  // namespace lockstep::check
