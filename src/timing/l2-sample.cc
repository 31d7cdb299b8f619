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

// Of how many samples, each half as dense as the one before, the line is a member.
std::uint32_t level_of(std::uint64_t line) {
    const std::uint64_t hash = (line ^ line >> 29) * 0xbf58476d1ce4e5b9u;
    return std::min<std::uint32_t>(static_cast<std::uint32_t>(std::countl_zero(hash ^ hash << 32)),
                                   SampleLevel::levels - 1);
}

bool in_device_memory(ptx::Space space) { return space == ptx::Space::global || space == ptx::Space::none; }

}  // namespace

void SampleLevel::count(std::uint32_t level) {
    entries_[level].fetch_add(1, std::memory_order_relaxed);
    // As far as it takes: then the level follows from the entries, in whatever order they come.
    for (std::uint32_t current = now(); level >= current && current + 1 < levels;) {
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
        moments_.clear();
    }
    warp_ = batch.warp;
    if (moments_.size() <= warp_) moments_.resize(warp_ + 1);
    moment_ = moments_[warp_];
    const std::byte* at = batch.records.data();
    const std::byte* end = at + batch.records.size();
    while (at < end) {
        const std::uint32_t word = *reinterpret_cast<const std::uint32_t*>(at);
        const std::uint32_t number = events::number_of(word);
        switch (events::tag_of(word)) {
            case events::Tag::block: events::take<events::BlockRecord>(at); break;
            case events::Tag::split: events::take<events::SplitRecord>(at); break;
            case events::Tag::linear_access: {
                const auto& record = events::take<events::LinearAccess>(at);
                const events::Site& site = kernel_.sites[number];
                if (!in_device_memory(site.space)) break;
                if (site.space == ptx::Space::none &&
                    (batch.shared.contains(record.first) || batch.local.contains(record.first) ||
                     batch.params.contains(record.first)))
                    break;
                ++moment_;
                last_line_ = ~std::uint64_t{0};
                // Most requests lie in one or two lines, of which most are not in the sample.
                if (record.stride >= 0 && record.stride <= static_cast<std::int64_t>(sector_bytes)) {
                    const std::uint64_t stride = static_cast<std::uint64_t>(record.stride);
                    const auto first_lane = static_cast<std::uint32_t>(std::countr_zero(record.mask));
                    const auto last_lane = 31u - static_cast<std::uint32_t>(std::countl_zero(record.mask));
                    const std::uint64_t first = (record.first + stride * first_lane) / line_bytes;
                    const std::uint64_t last = (record.first + stride * last_lane) / line_bytes;
                    bool sampled = false;
                    for (std::uint64_t line = first; line <= last && !sampled; ++line)
                        sampled = level_of(line) >= level_.now();
                    if (!sampled) break;
                }
                counters::for_each_lane(record.mask, [&](int lane) {
                    touch(record.first + static_cast<std::uint64_t>(record.stride * lane),
                          static_cast<std::uint32_t>(site.bytes), number);
                });
                break;
            }
            case events::Tag::scattered_access: {
                const auto& record = events::take<events::ScatteredAccess>(at);
                const events::Site& site = kernel_.sites[number];
                if (!in_device_memory(site.space)) break;
                ++moment_;
                last_line_ = ~std::uint64_t{0};
                counters::for_each_lane(record.mask, [&](int lane) {
                    const std::uint64_t address = record.addresses[lane];
                    if (site.space == ptx::Space::none &&
                        (batch.shared.contains(address) || batch.local.contains(address)))
                        return;
                    touch(address, static_cast<std::uint32_t>(site.bytes), number);
                });
                break;
            }
        }
    }
    moments_[warp_] = moment_;
}

void L2Sampler::touch(std::uint64_t address, std::uint32_t bytes, std::uint32_t number) {
    const std::uint64_t line = address / line_bytes;
    const auto first = static_cast<std::uint32_t>(address % line_bytes / sector_bytes);
    const auto last =
        std::min(3u, static_cast<std::uint32_t>((address % line_bytes + bytes - 1) / sector_bytes));
    const auto sectors = static_cast<std::uint8_t>((0xfu >> (3 - last)) & (0xfu << first));
    if (line == last_line_) {
        // The line of the lane before: its entry is the last one, if it has one.
        if (!entries_.empty() && entries_.back().line == line && entries_.back().moment == moment_ &&
            entries_.back().warp == warp_ && entries_.back().block == block_)
            entries_.back().sectors |= sectors;
        return;
    }
    last_line_ = line;
    const std::uint32_t level = level_of(line);
    if (level < level_.now()) return;
    const AccessKind kind = kernel_.sites[number].kind;
    entries_.push_back(
        {line, block_, moment_, warp_, number, sectors, kind != AccessKind::load, kind != AccessKind::store});
    level_.count(level);
    if (level_.now() != thinned_to_) thin();
}

void L2Sampler::thin() {
    thinned_to_ = level_.now();
    std::erase_if(entries_, [&](const SampledAccess& entry) { return level_of(entry.line) < thinned_to_; });
}

std::vector<SampledAccess> L2Sampler::take() {
    thin();
    return std::move(entries_);
}

L2Outcome simulate_l2(std::vector<SampledAccess> entries, std::uint32_t level, std::size_t sites,
                      const gpu::GpuModel& gpu, std::uint64_t resident) {
    // Warps that are resident together advance together.
    resident = std::max<std::uint64_t>(resident, 1);
    std::sort(entries.begin(), entries.end(), [&](const SampledAccess& a, const SampledAccess& b) {
        return std::tuple(a.block / resident, a.moment, a.block, a.warp, a.line, a.site) <
               std::tuple(b.block / resident, b.moment, b.block, b.warp, b.line, b.site);
    });
    Cache cache((gpu.timing.l2_effective_bytes / line_bytes) >> level);
    const auto weight = static_cast<double>(std::uint64_t{1} << level);
    const auto pair_sectors = static_cast<std::uint32_t>(gpu.timing.dram_fetch_bytes) / sector_bytes;
    L2Outcome outcome;
    std::vector<double> accessed(sites);
    outcome.miss_share.resize(sites);
    for (const SampledAccess& entry : entries) {
        const auto touched = static_cast<double>(std::popcount(entry.sectors));
        accessed[entry.site] += touched;
        CacheLine* line = cache.find(entry.line);
        if (!line) {
            CacheLine evicted;
            if (cache.lines() == 0) {
                if (entry.reads) outcome.miss_share[entry.site] += touched;
                continue;
            }
            line = &cache.insert(entry.line, evicted);
            outcome.write_bytes += std::popcount(evicted.dirty) * sector_bytes * weight;
        }
        if (entry.reads) {
            const auto missing = static_cast<std::uint8_t>(entry.sectors & ~line->valid);
            outcome.miss_share[entry.site] += std::popcount(missing);
            std::uint8_t fetched = missing;
            if (pair_sectors >= 4)
                fetched = missing ? 0xf : 0;
            else if (pair_sectors == 2)
                fetched = static_cast<std::uint8_t>((missing & 3 ? 3 : 0) | (missing & 12 ? 12 : 0));
            fetched = static_cast<std::uint8_t>(fetched & ~line->valid);
            outcome.read_bytes += std::popcount(fetched) * sector_bytes * weight;
            line->valid |= fetched;
        }
        if (entry.writes) {
            line->valid |= entry.sectors;
            line->dirty |= entry.sectors;
            outcome.written_bytes += touched * sector_bytes * weight;
        }
    }
    for (std::size_t s = 0; s < sites; ++s)
        if (accessed[s] > 0) outcome.miss_share[s] /= accessed[s];
    return outcome;
}

}  // namespace lockstep::timing
