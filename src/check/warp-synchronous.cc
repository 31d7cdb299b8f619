#include "check/warp-synchronous.h"

#include "events/visit.h"

namespace lockstep::check {
namespace {

bool synchronises(kernel::SiteKind kind) {
    using kernel::SiteKind;
    return kind == SiteKind::barrier || kind == SiteKind::warp_sync || kind == SiteKind::fence ||
           kind == SiteKind::phase;
}

std::uint32_t group_of(const kernel::Kernel& kernel, std::uint32_t site) {
    const kernel::Site& at = kernel.sites[site];
    return kernel.blocks[kernel.first_block(at.function) + at.block].entered_with;
}

}  // namespace

WarpSynchronous::WarpSynchronous(const kernel::Kernel& kernel)
    : code_(describe(kernel, "")), group_syncs_(kernel.blocks.size()), meetings_(kernel.sites.size()) {
    std::uint32_t syncs = 0;
    for (std::uint32_t s = 0; s < kernel.sites.size(); ++s) {
        if (synchronises(kernel.sites[s].kind)) {
            ++syncs;
            group_syncs_[group_of(kernel, s)] = true;
        }
        syncs_before_.push_back(syncs);
    }
}

void WarpSynchronous::enter(Warp& warp, std::uint32_t block) {
    const std::uint32_t group = code_.kernel->blocks[block].entered_with;
    warp.segment += group_syncs_[warp.group] || group_syncs_[group];
    warp.group = group;
    warp.site = 0;
}

// Blocks that are entered together, and what they synchronise, are passed in an order that is not looked at.
void WarpSynchronous::reach(Warp& warp, std::uint32_t site) {
    const kernel::Site &before = code_.kernel->sites[warp.site], &at = code_.kernel->sites[site];
    const bool same = before.function == at.function && before.block == at.block;
    warp.segment += same ? syncs_before_[site] != syncs_before_[warp.site] : bool{group_syncs_[warp.group]};
    warp.site = site;
}

void WarpSynchronous::access(Warp& warp, std::uint32_t site, int lane, std::uint64_t address,
                             const events::Windows& windows) {
    if (!windows.shared.contains(address)) return;
    const SiteFacts& facts = code_.sites[site];
    const auto bytes = static_cast<std::uint64_t>(code_.kernel->sites[site].bytes);
    const events::WarpBits self = events::WarpBits{1} << lane;
    constexpr std::uint64_t word_bytes = 4;
    for (std::uint64_t word = address / word_bytes; word <= (address + bytes - 1) / word_bytes; ++word) {
        Word& at = warp.words[word];
        if (at.segment != warp.segment) at = {warp.segment, 0, 0};
        // Lanes that write the same word may write the same, and a lane's own write is the last.
        const bool others_wrote = facts.reads && at.writers && !(at.writers & self);
        const bool others_read = facts.writes && (at.readers & ~self);
        meetings_[site] += others_wrote || others_read;
        if (facts.reads) at.readers |= self;
        if (facts.writes) at.writers |= self;
    }
}

void WarpSynchronous::records(const events::Batch& batch) {
    if (batch.block >= watched_blocks) return;
    Warp& warp = warps_[batch.block][batch.warp];
    // Narrow elements share words, and volatile accesses, atomics and copies have rules of their own.
    const auto judged = [&](std::uint32_t site) {
        const SiteFacts& facts = code_.sites[site];
        return !facts.strong && !facts.atomic && !facts.async && !facts.product && !facts.told &&
               code_.kernel->sites[site].bytes >= 4;
    };
    const auto lanes = [](events::WarpBits mask, auto&& use) {
        for (; mask; mask &= mask - 1) use(__builtin_ctz(mask));
    };
    events::visit(
        batch.records,
        events::Visitor{[&](std::uint32_t block, const events::BlockRecord&) { enter(warp, block); },
                        [&](std::uint32_t site, const events::LinearAccess& at) {
                            reach(warp, site);
                            if (judged(site))
                                lanes(at.mask, [&](int lane) {
                                    access(warp, site, lane,
                                           at.first + static_cast<std::uint64_t>(at.stride * lane),
                                           batch.windows);
                                });
                        },
                        [&](std::uint32_t site, const events::ScatteredAccess& at) {
                            reach(warp, site);
                            if (judged(site))
                                lanes(at.mask, [&](int lane) {
                                    access(warp, site, lane, at.addresses[lane], batch.windows);
                                });
                        }});
}

}  // namespace lockstep::check
