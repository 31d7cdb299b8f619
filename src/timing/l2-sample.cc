#include "timing/l2-sample.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "counters/request.h"
#include "events/take-record.h"
#include "timing/cache.h"
#include "timing/trace.h"

namespace lockstep::timing {
namespace {

using events::AccessKind;

constexpr std::uint32_t entries_a_look = 1024;  // made between looks at how thin the sample has to be

// Spreads lines evenly, also those a power of two apart, and in words that a vector unit multiplies.
std::uint32_t hash_of(std::uint64_t line) {
    auto hash = static_cast<std::uint32_t>(line ^ line >> 32);
    hash = (hash ^ hash >> 16) * 0x85ebca6bu;
    return (hash ^ hash >> 13) * 0xc2b2ae35u;
}

// Of how many samples, each half as dense as the one before, the line is a member.
std::uint32_t level_of(std::uint64_t line) {
    return static_cast<std::uint32_t>(std::countl_zero(hash_of(line)));
}

// The bits that are 0 in the hash of a line of the sample.
std::uint32_t hash_mask(std::uint32_t level) { return static_cast<std::uint32_t>(~(0xffffffffull >> level)); }

bool any_in_sample(std::uint64_t first_line, std::uint64_t last_line, std::uint32_t mask) {
    for (std::uint64_t line = first_line; line <= last_line; ++line)
        if ((hash_of(line) & mask) == 0) return true;
    return false;
}

// Of all 32, whether they take part or not.
std::uint32_t lanes_in_sample(const std::uint64_t* addresses, std::uint32_t mask) {
    std::uint32_t found = 0;
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        found |= static_cast<std::uint32_t>((hash_of(addresses[lane] / line_bytes) & mask) == 0) << lane;
    return found;
}

bool in_device_memory(ptx::Space space) { return space == ptx::Space::global || space == ptx::Space::none; }

}  // namespace

void SampleLevel::settle() {
    for (std::uint32_t current = now(); current + 1 < levels;) {
        std::uint64_t all = 0;
        for (std::uint32_t l = current; l < levels; ++l) all += entries_[l].load(std::memory_order_relaxed);
        if (all <= most_) return;
        if (level_.compare_exchange_strong(current, current + 1)) ++current;
    }
}

L2Sampler::L2Sampler(const events::ObservedKernel& kernel, SampleLevel& level)
    : kernel_(kernel), level_(level) {}

void L2Sampler::records(const events::Batch& batch) {
    if (batch.block != block_) {
        block_ = batch.block;
        progress_.clear();
    }
    warp_ = batch.warp;
    if (progress_.size() <= warp_) progress_.resize(warp_ + 1);
    const std::byte* at = batch.records.data();
    const std::byte* end = at + batch.records.size();
    while (at < end) {
        const std::uint32_t word = *reinterpret_cast<const std::uint32_t*>(at);
        const std::uint32_t number = events::number_of(word);
        switch (events::tag_of(word)) {
            case events::Tag::block:
                events::take<events::BlockRecord>(at);
                progress_[warp_].entered = true;
                break;
            case events::Tag::split: events::take<events::SplitRecord>(at); break;
            case events::Tag::linear_access: {
                const auto& record = events::take<events::LinearAccess>(at);
                const ptx::Space space = kernel_.sites[number].space;
                if (!in_device_memory(space)) break;
                if (space == ptx::Space::none &&
                    (batch.shared.contains(record.first) || batch.local.contains(record.first) ||
                     batch.params.contains(record.first)))
                    break;
                note_access();
                linear(record, number);
                break;
            }
            case events::Tag::scattered_access: {
                const auto& record = events::take<events::ScatteredAccess>(at);
                if (!in_device_memory(kernel_.sites[number].space)) break;
                note_access();
                scattered(record, number, batch);
                break;
            }
        }
    }
}

// What is issued together shares a moment; in which order follows from the code.
void L2Sampler::note_access() {
    Progress& warp = progress_[warp_];
    warp.moment += warp.entered;
    warp.entered = false;
}

// Most requests have no line in the sample: they cost a look.
void L2Sampler::linear(const events::LinearAccess& access, std::uint32_t number) {
    const std::uint32_t mask = hash_mask(level_.now());
    if (access.stride >= 0 && access.stride <= static_cast<std::int64_t>(sector_bytes)) {
        const auto stride = static_cast<std::uint64_t>(access.stride);
        const auto first_lane = static_cast<std::uint32_t>(std::countr_zero(access.mask));
        const auto last_lane = 31u - static_cast<std::uint32_t>(std::countl_zero(access.mask));
        if (!any_in_sample((access.first + stride * first_lane) / line_bytes,
                           (access.first + stride * last_lane) / line_bytes, mask))
            return;
    }
    std::uint64_t addresses[32];
    events::lane_addresses(access, addresses);
    touch(lanes_in_sample(addresses, mask) & access.mask, addresses, number);
}

void L2Sampler::scattered(const events::ScatteredAccess& access, std::uint32_t number,
                          const events::Batch& batch) {
    std::uint32_t lanes = lanes_in_sample(access.addresses, hash_mask(level_.now())) & access.mask;
    if (lanes != 0 && kernel_.sites[number].space == ptx::Space::none)
        counters::for_each_lane(lanes, [&](int lane) {
            const std::uint64_t address = access.addresses[lane];
            if (batch.shared.contains(address) || batch.local.contains(address)) lanes &= ~(1u << lane);
        });
    touch(lanes, access.addresses, number);
}

// Lanes whose lines are in the sample. Neighbours in one line make one entry.
void L2Sampler::touch(std::uint32_t lanes, const std::uint64_t* addresses, std::uint32_t number) {
    const events::Site& site = kernel_.sites[number];
    const std::uint32_t moment = progress_[warp_].moment;
    std::uint64_t last_line = ~std::uint64_t{0};
    counters::for_each_lane(lanes, [&](int lane) {
        const std::uint64_t address = addresses[lane];
        const std::uint64_t line = address / line_bytes;
        const auto first = static_cast<std::uint32_t>(address % line_bytes / sector_bytes);
        const auto last = std::min<std::uint32_t>(
            3u, static_cast<std::uint32_t>(
                    (address % line_bytes + static_cast<std::uint32_t>(site.bytes) - 1) / sector_bytes));
        const auto sectors = static_cast<std::uint8_t>((0xfu >> (3 - last)) & (0xfu << first));
        if (line == last_line) {
            entries_.back().sectors |= sectors;
            return;
        }
        last_line = line;
        entries_.push_back({line, block_, moment, warp_, number, sectors, site.kind != AccessKind::load,
                            site.kind != AccessKind::store});
        level_.count(level_of(line));
        ++counted_;
    });
    if (counted_ < entries_a_look) return;
    counted_ = 0;
    level_.settle();
    if (level_.now() != thinned_to_) thin();
}

void L2Sampler::thin() {
    thinned_to_ = level_.now();
    std::erase_if(entries_, [&](const SampledAccess& entry) { return level_of(entry.line) < thinned_to_; });
}

std::vector<SampledAccess> L2Sampler::take() {
    level_.settle();
    thin();
    return std::move(entries_);
}

L2Outcome simulate_l2(std::vector<SampledAccess> entries, std::uint32_t level,
                      std::span<const SampledSite> sites, const gpu::GpuModel& gpu, std::uint64_t resident) {
    // Warps that are resident together advance together.
    resident = std::max<std::uint64_t>(resident, 1);
    std::sort(entries.begin(), entries.end(), [&](const SampledAccess& a, const SampledAccess& b) {
        return std::tuple(a.block / resident, a.moment, sites[a.site].order, a.block, a.warp, a.line,
                          a.site) <
               std::tuple(b.block / resident, b.moment, sites[b.site].order, b.block, b.warp, b.line, b.site);
    });
    Cache cache((gpu.timing.l2_effective_bytes / line_bytes) >> level);
    struct Seen {
        double accessed = 0, missed = 0, fetched = 0;  // sectors
        bool writes = false;
    };
    std::vector<Seen> seen(sites.size());
    double written_back = 0;
    for (const SampledAccess& entry : entries) {
        Seen& site = seen[entry.site];
        const auto touched = static_cast<double>(std::popcount(entry.sectors));
        site.accessed += touched;
        site.writes = entry.writes;
        CacheLine* line = cache.find(entry.line);
        if (!line) {
            CacheLine evicted;
            if (cache.lines() == 0) {
                if (entry.reads) site.missed += touched;
                continue;
            }
            line = &cache.insert(entry.line, evicted);
            written_back += std::popcount(evicted.dirty);
        }
        if (entry.reads) {
            const auto missing = static_cast<std::uint8_t>(entry.sectors & ~line->valid);
            site.missed += std::popcount(missing);
            const auto fetched =
                static_cast<std::uint8_t>(fetched_with(missing, gpu.timing.dram_fetch_bytes) & ~line->valid);
            site.fetched += std::popcount(fetched);
            line->valid |= fetched;
        }
        if (entry.writes) {
            line->valid |= entry.sectors;
            line->dirty |= entry.sectors;
        }
    }
    // What the sample stands for: where all accesses were counted, as many as these; by its lines otherwise.
    L2Outcome outcome;
    const auto by_lines = static_cast<double>(std::uint64_t{1} << level);
    double written = 0;
    for (std::size_t s = 0; s < sites.size(); ++s) {
        const Seen& site = seen[s];
        outcome.miss_share.push_back(site.accessed > 0 ? site.missed / site.accessed : 0);
        if (site.accessed == 0) continue;
        const double weight = sites[s].sectors > 0 ? sites[s].sectors / site.accessed : by_lines;
        outcome.read_bytes += site.fetched * weight * sector_bytes;
        if (!site.writes) continue;
        written += site.accessed;
        outcome.written_bytes += site.accessed * weight * sector_bytes;
    }
    if (written > 0) outcome.write_bytes = written_back * outcome.written_bytes / written;
    return outcome;
}

}  // namespace lockstep::timing
