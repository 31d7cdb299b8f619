#include "counters/launch-counter.h"

#include <algorithm>
#include <cstring>

#include "counters/banks.h"
#include "counters/coalescing.h"

namespace lockstep::counters {
namespace {

constexpr std::int64_t scattered_stride = INT64_MIN;  // stands for none

Memory memory_at(ptx::Space space, std::uint64_t address, const events::Batch& batch) {
    switch (space) {
        case ptx::Space::global: return Memory::global;
        case ptx::Space::shared: return Memory::shared;
        case ptx::Space::local: return Memory::local;
        case ptx::Space::constant:
        case ptx::Space::param: return Memory::constant;
        case ptx::Space::none: break;
    }
    if (batch.shared.contains(address)) return Memory::shared;
    if (batch.local.contains(address)) return Memory::local;
    if (batch.params.contains(address)) return Memory::constant;
    return Memory::global;
}

// All that matters of where a request starts: banks do not care, sectors do up to their size.
std::uint32_t phase_of(Memory memory, std::uint64_t address) {
    return memory == Memory::global || memory == Memory::local ? address % sector_bytes : 0;
}

// Local memory: word w of the 32 lanes lies together, so that lanes at the same place in their own memory are
// next to each other. An access of more than one word is one to each.
Coalesced coalesce_local(const Request& request, const events::Batch& batch) {
    Coalesced sum;
    std::uint32_t words = std::max(request.bytes / 4, 1u);
    std::uint64_t placed[32];
    for (std::uint32_t w = 0; w < words; ++w) {
        for_each_lane(request.mask, [&](int lane) {
            std::uint64_t own = request.addresses[lane] - batch.local.begin -
                                static_cast<std::uint64_t>(lane) * batch.local_bytes + w * 4;
            placed[lane] = own / 4 * 128 + static_cast<std::uint64_t>(lane) * 4 + own % 4;
        });
        Coalesced part = coalesce({request.mask, std::min(request.bytes, 4u), placed});
        sum.sectors += part.sectors;
        sum.bytes += part.bytes;
    }
    return sum;
}

AccessCounts cost_of(events::AccessKind kind, Memory memory, const Request& request,
                     const events::Batch& batch) {
    AccessCounts cost;
    cost.requests = 1;
    cost.lanes = static_cast<unsigned>(std::popcount(request.mask));
    switch (memory) {
        case Memory::global:
        case Memory::local: {
            Coalesced touched = memory == Memory::global ? coalesce(request) : coalesce_local(request, batch);
            cost.bytes = touched.bytes;
            cost.sectors = touched.sectors;
            cost.ideal_sectors = touched.ideal_sectors();
            break;
        }
        case Memory::shared: {
            bool atomic = kind == events::AccessKind::atomic || kind == events::AccessKind::reduction;
            Banked passes = bank_passes(request, atomic ? Sharing::nothing : Sharing::words);
            cost.bytes = passes.bytes;
            cost.wavefronts = passes.wavefronts;
            cost.conflicts = passes.wavefronts - passes.parts;
            cost.ideal_wavefronts = passes.ideal_wavefronts();
            break;
        }
        case Memory::constant: break;
    }
    return cost;
}

}  // namespace

std::vector<std::uint32_t> machine_bytes(const events::ObservedKernel& kernel,
                                         std::span<const machine::View> views) {
    std::vector<std::uint32_t> bytes;
    for (const events::Site& site : kernel.sites) {
        std::uint32_t here = 0;
        if (site.kind != events::AccessKind::none)
            for (const machine::Instruction& instruction : views[site.function].blocks[site.block].code)
                if (instruction.ptx == static_cast<std::int32_t>(site.instruction) &&
                    instruction.access_bytes)
                    here = instruction.access_bytes;
        bytes.push_back(here);
    }
    return bytes;
}

LaunchCounter::LaunchCounter(const events::ObservedKernel& kernel, std::span<const std::uint32_t> bytes) {
    for (std::size_t i = 0; i < kernel.sites.size(); ++i) {
        const events::Site& site = kernel.sites[i];
        sites_.push_back({.bytes = bytes[i], .space = site.space, .kind = site.kind});
    }
    offsets_.resize(sites_.size());
    counts_.blocks.resize(kernel.blocks.size());
    counts_.sites.resize(kernel.sites.size());
}

void LaunchCounter::records(const events::Batch& batch) {
    const std::byte* at = batch.records.data();
    const std::byte* end = at + batch.records.size();
    while (at < end) {
        std::uint32_t word;
        std::memcpy(&word, at, sizeof word);
        std::uint32_t number = events::number_of(word);
        switch (events::tag_of(word)) {
            case events::Tag::block: {
                events::BlockRecord record;
                std::memcpy(&record, at, sizeof record);
                BlockCounts& block = counts_.blocks[number];
                ++block.entries;
                block.lanes += record.mask == ~0u ? 32u : static_cast<unsigned>(std::popcount(record.mask));
                at += sizeof record;
                break;
            }
            case events::Tag::linear_access: {
                events::LinearAccess record;
                std::memcpy(&record, at, sizeof record);
                linear(number, record, batch);
                at += sizeof record;
                break;
            }
            case events::Tag::scattered_access: {
                // Read in place: records are aligned to eight bytes, as the buffer is.
                scattered(number, *reinterpret_cast<const events::ScatteredAccess*>(at), batch);
                at += sizeof(events::ScatteredAccess);
                break;
            }
            case events::Tag::split: {
                events::SplitRecord record;
                std::memcpy(&record, at, sizeof record);
                BlockCounts& block = counts_.blocks[number];
                ++block.splits;
                block.split_taken += static_cast<unsigned>(std::popcount(record.taken));
                at += sizeof record;
                break;
            }
        }
    }
}

void LaunchCounter::linear(std::uint32_t number, const events::LinearAccess& access,
                           const events::Batch& batch) {
    Site& site = sites_[number];
    // A linear request does not leave the allocation, or the window, in which it begins.
    Memory memory = memory_at(site.space, access.first, batch);
    if (site.mask == access.mask && site.stride == access.stride && site.memory == memory &&
        site.phase == phase_of(memory, access.first)) {
        ++site.times;
        return;
    }
    if (site.bytes == 0) return;
    std::uint64_t addresses[32];
    for (int lane = 0; lane < 32; ++lane)
        addresses[lane] = access.first + static_cast<std::uint64_t>(access.stride * lane);
    remember(number, memory, access.stride, {access.mask, site.bytes, addresses}, batch);
}

void LaunchCounter::scattered(std::uint32_t number, const events::ScatteredAccess& access,
                              const events::Batch& batch) {
    Site& site = sites_[number];
    if (site.bytes == 0) return;
    if (site.space == ptx::Space::none) return generic(number, access.mask, access.addresses, batch);
    std::uint64_t first = access.addresses[0];
    Memory memory = memory_at(site.space, first, batch);
    std::uint64_t* offsets = offsets_[number].lanes;
    if (site.mask == access.mask && site.stride == scattered_stride &&
        site.phase == phase_of(memory, first)) {
        std::uint64_t different = 0;
        for (int lane = 0; lane < 32; ++lane) different |= (access.addresses[lane] - first) ^ offsets[lane];
        if (!different) {
            ++site.times;
            return;
        }
    }
    for (int lane = 0; lane < 32; ++lane) offsets[lane] = access.addresses[lane] - first;
    remember(number, memory, scattered_stride, {access.mask, site.bytes, access.addresses}, batch);
}

// Each lane may be in another memory; the hardware makes a request of each.
void LaunchCounter::generic(std::uint32_t number, std::uint32_t mask, const std::uint64_t* addresses,
                            const events::Batch& batch) {
    const Site& site = sites_[number];
    std::uint32_t lanes[memories] = {};
    for_each_lane(mask, [&](int lane) {
        Memory memory = memory_at(site.space, addresses[lane], batch);
        lanes[static_cast<std::size_t>(memory)] |= 1u << lane;
    });
    for (std::size_t m = 0; m < memories; ++m)
        if (lanes[m])
            counts_.sites[number][m] +=
                cost_of(site.kind, static_cast<Memory>(m), {lanes[m], site.bytes, addresses}, batch);
}

void LaunchCounter::remember(std::uint32_t number, Memory memory, std::int64_t stride, const Request& request,
                             const events::Batch& batch) {
    Site& site = sites_[number];
    counts_.sites[number][static_cast<std::size_t>(site.memory)] += site.cost * site.times;
    site.memory = memory;
    site.mask = request.mask;
    site.phase = phase_of(memory, request.addresses[0]);
    site.stride = stride;
    site.times = 1;
    site.cost = cost_of(site.kind, memory, request, batch);
}

RawCounts LaunchCounter::counts() const {
    RawCounts all = counts_;
    for (std::size_t i = 0; i < sites_.size(); ++i)
        all.sites[i][static_cast<std::size_t>(sites_[i].memory)] += sites_[i].cost * sites_[i].times;
    return all;
}

void RawCounts::add(const RawCounts& other) {
    for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i] += other.blocks[i];
    for (std::size_t i = 0; i < sites.size(); ++i)
        for (std::size_t m = 0; m < memories; ++m) sites[i][m] += other.sites[i][m];
}

}  // namespace lockstep::counters
