#include "counters/launch-counter.h"

#include <algorithm>
#include <bit>

#include "base/cpu-clones.h"
#include "counters/banks.h"
#include "counters/coalescing.h"
#include "counters/geometry.h"
#include "counters/memory-at.h"
#include "counters/slow-ways.h"
#include "events/visit.h"

namespace lockstep::counters {
namespace {

using kernel::LaneMask;

// Requests of one form of batches are of one form here.
static_assert(events::form_bytes % line_bytes == 0);

constexpr std::int64_t scattered_stride = INT64_MIN;  // stands for none
constexpr std::uint32_t tries = 4;                    // places where a form may be remembered

// All that matters of where a request starts: the memory, and for sectors and lines the place in one.
std::uint32_t start_of(const MachineAccess& access, Memory memory, std::uint64_t address) {
    const bool sectors = memory == Memory::global || memory == Memory::local;
    const std::uint32_t unit = access.transactions == Transactions::sectors ? sector_bytes : line_bytes;
    return static_cast<std::uint32_t>(memory) << 8 |
           (sectors ? static_cast<std::uint32_t>(address % unit) : 0);
}
Memory memory_of(std::uint32_t start) { return static_cast<Memory>(start >> 8); }

Coalesced coalesce_local(const Request& request, Transactions rule, const events::Batch& batch) {
    Coalesced sum;
    for_each_local_word(request, batch.windows, [&](const Request& word) {
        const Coalesced part = coalesce(word, rule);
        sum.sectors += part.sectors;
        sum.transactions += part.transactions;
        sum.bytes += part.bytes;
    });
    return sum;
}

// `uniform`: the compiler can know that all lanes have one address.
AccessCounts cost_of(const MachineAccess& access, Memory memory, bool uniform, Request request,
                     const events::Batch& batch) {
    AccessCounts cost;
    cost.requests = 1;
    cost.lanes = static_cast<unsigned>(request.mask.count());
    const bool atomic = kernel::is_atomic(access.kind);
    if (access.one_lane_for_all && uniform) request.mask = request.mask.only_first();
    switch (memory) {
        case Memory::global:
        case Memory::local: {
            const Transactions rule = access.transactions;
            Coalesced touched = memory == Memory::local ? coalesce_local(request, rule, batch)
                                : atomic                ? coalesce_atomic(request)
                                                        : coalesce(request, rule);
            cost.bytes = rule == Transactions::sectors ? touched.bytes : cost.lanes * request.bytes;
            cost.sectors = touched.sectors;
            cost.transactions = touched.transactions;
            cost.ideal_sectors = touched.ideal_sectors();
            // Local memory is asked for word by word.
            if (memory == Memory::local) cost.requests = std::max(request.bytes / 4, 1u);
            break;
        }
        case Memory::shared: {
            const Banked passes = bank_passes(request, sharing_of(access.kind));
            // A compare and swap passes twice: it reads, then it writes.
            const std::uint32_t each = access.compares ? 2 : 1;
            cost.bytes = passes.bytes;
            cost.wavefronts = each * passes.wavefronts;
            cost.conflicts = each * (passes.wavefronts - passes.parts);
            cost.ideal_wavefronts = passes.ideal_wavefronts();
            break;
        }
        case Memory::constant:
        case Memory::texture:
        case Memory::bulk: break;  // told in sectors, not in addresses
    }
    return cost;
}

std::uint64_t surplus_of(const AccessCounts& cost) {
    return cost.sectors - std::min(cost.sectors, cost.ideal_sectors);
}

LOCKSTEP_CPU_CLONES bool are_offsets(const std::uint64_t* offsets, const std::uint64_t* addresses) {
    std::uint64_t different = 0;
    for (int lane = 0; lane < kernel::warp_lanes; ++lane)
        different |= (addresses[lane] - addresses[0]) ^ offsets[lane];
    return different == 0;
}

}  // namespace

LaunchCounter::LaunchCounter(const kernel::Kernel& kernel, std::span<const MachineAccess> accesses) {
    for (std::size_t i = 0; i < kernel.sites.size(); ++i)
        sites_.push_back({.access = accesses[i], .space = kernel.sites[i].space});
    remembered_.resize(sites_.size() * slots);
    offsets_.resize(sites_.size());
    for (const kernel::NumberedBlock& block : kernel.blocks) entered_with_.push_back(block.entered_with);
    counts_.blocks.resize(kernel.blocks.size());
    counts_.sites.resize(kernel.sites.size());
    counts_.patterns.resize(kernel.sites.size());
    counts_.slow_ways.resize(kernel.sites.size());
    for (const kernel::Site& site : kernel.sites) {
        SlowWayCounts& slow_way = counts_.slow_ways[slow_parts_.size()];
        slow_parts_.push_back(machine::slow_parts(kernel.slow_way(site)));
        slow_way.parts.resize(slow_parts_.back().size());
    }
}

void LaunchCounter::records(const events::Batch& batch) {
    const auto lanes = [](events::WarpBits mask) { return static_cast<unsigned>(std::popcount(mask)); };
    events::visit(
        batch.records,
        events::Visitor{
            [&](std::uint32_t number, const events::BlockRecord& record) {
                BlockCounts& block = counts_.blocks[number];
                block.entries += batches_;
                block.lanes += batches_ * (record.mask == ~0u ? kernel::warp_lanes : lanes(record.mask));
            },
            [&](std::uint32_t number, const events::LinearAccess& record) { linear(number, record, batch); },
            [&](std::uint32_t number, const events::ScatteredAccess& record) {
                scattered(number, record, batch);
            },
            [&](std::uint32_t number, const events::TextureAccess& record) {
                AccessCounts& counts = counts_.sites[number][static_cast<std::size_t>(Memory::texture)];
                counts.requests += record.requests;
                counts.wavefronts += record.wavefronts;
                counts.sectors += record.count;
                counts.lanes += record.requests ? lanes(record.mask) : 0;
            },
            [&](std::uint32_t number, const events::BulkAccess& record) {
                AccessCounts& counts = counts_.sites[number][static_cast<std::size_t>(Memory::bulk)];
                counts.requests += record.begins;
                counts.lanes += record.begins;
                for (std::uint32_t i = 0; i < record.count; ++i) {
                    const auto [address, bytes, unused] = record.ranges[i];
                    counts.bytes += bytes;
                    counts.sectors += (address % sector_bytes + bytes + sector_bytes - 1) / sector_bytes;
                    counts.ideal_sectors += (bytes + sector_bytes - 1) / sector_bytes;
                }
            },
            [&](std::uint32_t number, const events::SplitRecord& record) {
                BlockCounts& block = counts_.blocks[number];
                block.splits += batches_;
                block.split_taken += batches_ * lanes(record.taken);
            },
            [&](std::uint32_t number, const events::SlowWayRecord& record) { slow_way(number, record); },
        });
}

void LaunchCounter::slow_way(std::uint32_t number, const events::SlowWayRecord& record) {
    SlowWayCounts& counts = counts_.slow_ways[number];
    const std::span<const machine::SlowPart> parts = slow_parts_[number];
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const LaneMask lanes = lanes_in(parts[i], record);
        if (lanes.empty()) continue;
        counts.parts[i].times += batches_;
        counts.parts[i].lanes += batches_ * static_cast<unsigned>(lanes.count());
    }
    counts.splits += batches_ * (record.count - 1);
}

void LaunchCounter::begins_form(const events::Batch& batch, const events::BatchForm& form) {
    repeats_.push_back({&form});
    records(batch);
}

// What repeated the first batch of a form is counted as that was.
void LaunchCounter::forget_forms() {
    for (const Repeats& repeats : repeats_) {
        if (repeats.times == 0) continue;
        batches_ = repeats.times;
        records(repeats.form->first);
    }
    batches_ = 1;
    repeats_.clear();
}

void LaunchCounter::moved(events::MovedBlocks& blocks) {
    blocks.for_each_form([&](const events::MovedBlocks::Form& form) {
        batches_ = form.unseen;
        for (const events::Batch& batch : blocks.records_of(form.first)) records(batch);
    });
    batches_ = 1;
}

void LaunchCounter::linear(std::uint32_t number, const events::LinearAccess& access,
                           const events::Batch& batch) {
    Site& site = sites_[number];
    // A linear request does not leave the allocation, or the window, in which it begins.
    const Memory memory = memory_at(site.space, access.first, batch.windows);
    const Form form{LaneMask(access.mask), start_of(site.access, memory, access.first), access.stride};
    if (site.form == form) {
        site.times += batches_;
        return;
    }
    if (site.access.bytes == 0 || recall(number, form, nullptr)) return;
    std::uint64_t addresses[kernel::warp_lanes];
    events::lane_addresses(access, addresses);
    remember(number, form, addresses, batch);
}

void LaunchCounter::scattered(std::uint32_t number, const events::ScatteredAccess& access,
                              const events::Batch& batch) {
    Site& site = sites_[number];
    if (site.access.bytes == 0) return;
    if (site.space == ptx::Space::none)
        return generic(number, LaneMask(access.mask), access.addresses, batch);
    if (!offsets_[number]) offsets_[number] = std::make_unique<Offsets>();
    const Memory memory = memory_at(site.space, access.addresses[0], batch.windows);
    const Form form{LaneMask(access.mask), start_of(site.access, memory, access.addresses[0]),
                    scattered_stride};
    if (site.form == form && has_offsets(number, site.slot, access.addresses)) {
        site.times += batches_;
        return;
    }
    if (!recall(number, form, access.addresses)) remember(number, form, access.addresses, batch);
}

bool LaunchCounter::has_offsets(std::uint32_t number, std::uint32_t slot,
                                const std::uint64_t* addresses) const {
    return are_offsets(offsets_[number]->lanes[slot], addresses);
}

// Where a form is looked for: a few places, beginning with this one.
static std::uint32_t home_of(LaneMask mask, std::uint32_t start) {
    const auto lanes = static_cast<std::uint32_t>(mask.bits() ^ mask.bits() >> 32);
    return (lanes * 0x9e3779b1u + start * 0x85ebca6bu) >> 28;
}

bool LaunchCounter::recall(std::uint32_t number, const Form& form, const std::uint64_t* scattered) {
    Site& site = sites_[number];
    Remembered* forms = &remembered_[std::size_t{number} * slots];
    const std::uint32_t home = home_of(form.mask, form.start);
    for (std::uint32_t i = 0; i < tries; ++i) {
        const std::uint32_t slot = (home + i) % slots;
        if (forms[slot].form != form || (scattered && !has_offsets(number, slot, scattered))) continue;
        forms[site.slot].times += site.times;
        site.form = form;
        site.times = batches_;
        site.slot = slot;
        return true;
    }
    return false;
}

void LaunchCounter::remember(std::uint32_t number, const Form& form, const std::uint64_t* addresses,
                             const events::Batch& batch) {
    Site& site = sites_[number];
    Remembered* forms = &remembered_[std::size_t{number} * slots];
    forms[site.slot].times += site.times;
    site.form = form;
    site.times = batches_;
    site.slot = home_of(form.mask, form.start);
    for (std::uint32_t i = 0; i < tries; ++i) {
        const std::uint32_t slot = (site.slot + i) % slots;
        if (!forms[slot].form.mask.empty()) continue;
        site.slot = slot;
        break;
    }
    // Where none is free, the first is given up.
    Remembered& place = forms[site.slot];
    add(counts_, number, place, place.times);
    const Request request{form.mask, site.access.bytes, addresses};
    place = {form, 0, cost_of(site.access, memory_of(form.start), form.stride == 0, request, batch), {}};
    if (memory_of(form.start) == Memory::global) place.pattern = pattern_of(request);
    if (form.stride == scattered_stride)
        for (int lane = 0; lane < kernel::warp_lanes; ++lane)
            offsets_[number]->lanes[site.slot][lane] = addresses[lane] - addresses[0];
}

void LaunchCounter::add(RawCounts& counts, std::uint32_t number, const Remembered& form,
                        std::uint64_t times) {
    const Memory memory = memory_of(form.form.start);
    counts.sites[number][static_cast<std::size_t>(memory)] += form.cost * times;
    if (memory == Memory::global)
        counts.patterns[number].add({form.pattern, times, surplus_of(form.cost) * times});
}

// Each lane may be in another memory; the hardware makes a request of each.
void LaunchCounter::generic(std::uint32_t number, LaneMask mask, const std::uint64_t* addresses,
                            const events::Batch& batch) {
    const Site& site = sites_[number];
    LaneMask lanes[memories];
    mask.for_each([&](int lane) {
        const Memory memory = memory_at(site.space, addresses[lane], batch.windows);
        lanes[static_cast<std::size_t>(memory)] |= LaneMask::of(lane);
    });
    for (std::size_t m = 0; m < memories; ++m) {
        if (lanes[m].empty()) continue;
        const auto memory = static_cast<Memory>(m);
        const Request request{lanes[m], site.access.bytes, addresses};
        const AccessCounts cost = cost_of(site.access, memory, false, request, batch);
        counts_.sites[number][m] += cost;
        if (memory == Memory::global)
            counts_.patterns[number].add({pattern_of(request), 1, surplus_of(cost)});
    }
}

RawCounts LaunchCounter::counts() const {
    RawCounts all = counts_;
    for (std::size_t number = 0; number < sites_.size(); ++number)
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
            const Remembered& known = remembered_[number * slots + slot];
            const std::uint64_t times =
                known.times + (slot == sites_[number].slot ? sites_[number].times : 0);
            add(all, static_cast<std::uint32_t>(number), known, times);
        }
    for (std::size_t block = 0; block < all.blocks.size(); ++block) {
        const BlockCounts& with = all.blocks[entered_with_[block]];
        all.blocks[block].entries = with.entries;
        all.blocks[block].lanes = with.lanes;
    }
    return all;
}

void RawCounts::add(const RawCounts& other) {
    for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i] += other.blocks[i];
    for (std::size_t i = 0; i < sites.size(); ++i)
        for (std::size_t m = 0; m < memories; ++m) sites[i][m] += other.sites[i][m];
    for (std::size_t i = 0; i < patterns.size(); ++i) patterns[i].add(other.patterns[i]);
    for (std::size_t i = 0; i < slow_ways.size(); ++i) slow_ways[i] += other.slow_ways[i];
}

}  // namespace lockstep::counters
