#include "exec/wave/memory-counter.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>

#include "exec/wave/lane-addresses.h"

namespace lockstep::exec::wave {
namespace {

constexpr int group_lanes = 16;  // whose addresses are looked at together
constexpr int lookup_lanes = 4;  // that look at the L1's tags together
constexpr std::uint32_t bank_count = 32, bank_bytes = 4;
constexpr std::uint32_t private_ways = 4, shared_ways = 16;

// Neighbours of 256 bytes lie in different channels of the L2. AMD says that higher bits of the address are
// hashed into it so that all channels have their share, not how: here they turn the order.
std::uint64_t channel_of(std::uint64_t address, std::uint64_t channels) {
    constexpr std::uint64_t channel_bytes = 256;
    const std::uint64_t piece = address / channel_bytes, row = piece / channels;
    const std::uint64_t turn = row ^ row >> 4 ^ row >> 8 ^ row >> 12 ^ row >> 16;
    return (piece + turn) % channels;
}

// The fewest lines that hold what each group of lanes asks for.
std::uint64_t least_lines(std::uint64_t line_bytes, std::uint32_t bytes, std::uint64_t lanes) {
    std::uint64_t total = 0;
    for (; lanes; lanes >>= group_lanes) {
        const auto running = static_cast<std::uint64_t>(std::popcount(lanes & ((1u << group_lanes) - 1)));
        total += (running * bytes + line_bytes - 1) / line_bytes;
    }
    return total;
}

// The bytes from each lane to the next one, where they are always the same.
std::optional<std::int64_t> common_stride(std::uint64_t lanes, const std::uint64_t* addresses) {
    std::optional<std::int64_t> stride;
    int last = -1;
    for (; lanes; lanes &= lanes - 1) {
        const int lane = std::countr_zero(lanes);
        if (last >= 0) {
            const auto step = static_cast<std::int64_t>(addresses[lane] - addresses[last]) / (lane - last);
            if (stride && *stride != step) return std::nullopt;
            stride = step;
        }
        last = lane;
    }
    return stride;
}

// Why an access asks for more lines than it has to.
void note_surplus(gcn::SiteCounts& site, std::uint64_t surplus, std::uint32_t bytes, std::uint64_t lanes,
                  const std::uint64_t* addresses) {
    const auto stride = common_stride(lanes, addresses);
    if (stride && *stride == bytes) {
        site.offset_surplus += surplus;
    } else if (stride) {
        site.strided_surplus += surplus;
        site.stride = *stride;
    } else {
        site.other_surplus += surplus;
    }
}

}  // namespace

LineCache::LineCache(std::uint64_t bytes, std::uint64_t line, std::uint32_t ways)
    : ways_(ways),
      sets_(std::max<std::uint64_t>(1, bytes / line / ways)),
      lines_(sets_ * ways, ~std::uint64_t{0}) {}

void LineCache::clear() { std::ranges::fill(lines_, ~std::uint64_t{0}); }

bool LineCache::touch(std::uint64_t line) {
    std::uint64_t* const set = &lines_[line % sets_ * ways_];
    std::uint64_t* const found = std::find(set, set + ways_, line);
    const bool hit = found != set + ways_;
    std::uint64_t before = line;
    for (std::uint64_t* at = set; at != set + ways_; ++at) {
        std::swap(*at, before);
        if (at == found) break;
    }
    return hit;
}

SharedCache::SharedCache(const CacheShape& shape)
    : lines_(shape.l2_bytes, shape.l2_line_bytes, shared_ways) {}

bool SharedCache::request(std::uint64_t line) {
    const std::lock_guard lock(mutex_);
    return lines_.touch(line);
}

MemoryCounter::MemoryCounter(const CacheShape& shape, SharedCache& l2, std::size_t sites)
    : sites_(sites), shape_(shape), l1_(shape.l1_bytes, shape.l1_line_bytes, private_ways), l2_(l2) {
    counts_.channels.resize(shape.dies * shape.channels);
}

bool MemoryCounter::ask_l2(What what, std::uint64_t line) {
    const std::uint64_t address = line * shape_.l2_line_bytes;
    gcn::ChannelCounts& channel =
        counts_.channels[die_ * shape_.channels + channel_of(address, shape_.channels)];
    const bool hit = l2_.request(line);
    ++(what == What::load ? channel.reads : what == What::store ? channel.writes : channel.atomics);
    channel.hits += hit;
    if (hit) return true;
    // What is written goes to memory once, when the line leaves: as if it left at once.
    const bool writes = what == What::store;
    (writes ? counts_.dram_write_bytes : counts_.dram_read_bytes) += shape_.l2_line_bytes;
    (writes ? channel.dram_write_bytes : channel.dram_read_bytes) += shape_.l2_line_bytes;
    return false;
}

void MemoryCounter::scalar_load(std::uint32_t bytes) {
    ++counts_.scalar_loads;
    counts_.scalar_bytes += bytes;
}

template <class Use>
std::uint64_t MemoryCounter::lines(std::uint64_t line_bytes, int group, std::uint32_t bytes,
                                   std::uint64_t lanes, const std::uint64_t* addresses, bool contiguous,
                                   const Use& use) {
    std::uint64_t total = 0;
    for (int first = 0; first < 64; first += group) {
        std::uint64_t rest = lanes >> first & ((std::uint64_t{1} << group) - 1);
        if (contiguous) {
            if (!rest) break;
            const std::uint64_t begin = addresses[first] / line_bytes;
            const std::uint64_t last = (addresses[first + group - 1] + bytes - 1) / line_bytes;
            total += last - begin + 1;
            for (std::uint64_t line = begin; line <= last; ++line) use(line);
            continue;
        }
        std::array<std::uint64_t, group_lanes * 2> seen;
        std::size_t count = 0;
        for (; rest; rest &= rest - 1) {
            const std::uint64_t address = addresses[first + std::countr_zero(rest)];
            for (std::uint64_t line = address / line_bytes; line <= (address + bytes - 1) / line_bytes;
                 ++line) {
                if (count && seen[count - 1] == line) continue;
                if (std::find(seen.begin(), seen.begin() + count, line) != seen.begin() + count) continue;
                seen[count++] = line;
            }
        }
        total += count;
        for (std::size_t i = 0; i < count; ++i) use(seen[i]);
    }
    return total;
}

void MemoryCounter::access(std::uint32_t site, What what, Space space, std::uint32_t bytes,
                           std::uint64_t lanes, const std::uint64_t* addresses) {
    if (space == Space::shared) return banks(site, bytes, lanes, addresses);
    const bool contiguous = is_contiguous(bytes, lanes, addresses);
    gcn::SiteCounts& at = sites_[site];
    at.scratch_accesses += space == Space::scratch;
    gcn::VectorMemoryCounts& counts = what == What::load    ? counts_.loads
                                      : what == What::store ? counts_.stores
                                                            : counts_.atomics;
    counts.bytes += std::uint64_t{bytes} * static_cast<std::uint64_t>(std::popcount(lanes));
    const auto ignore = [](std::uint64_t) {};
    counts.lookups += lines(shape_.l1_line_bytes, lookup_lanes, bytes, lanes, addresses, contiguous, ignore);
    // Neighbouring requests of an instruction for one line of the L2 are one.
    std::uint64_t last = ~std::uint64_t{0};
    const auto ask = [&](std::uint64_t address, std::uint64_t line_bytes) {
        ++counts.l1_misses;
        const std::uint64_t line = address / shape_.l2_line_bytes;
        if (line_bytes >= shape_.l2_line_bytes || what != What::load || line != last) {
            ++counts.l2_requests, ++at.l2_requests;
            const bool hit = ask_l2(what, line);
            counts.l2_hits += hit, at.l2_hits += hit;
        }
        last = line;
    };
    // Loads look into the L1 first; what is written goes through it.
    const std::uint64_t line_bytes = what == What::load ? shape_.l1_line_bytes : gcn::write_line_bytes;
    const std::uint64_t requests =
        lines(line_bytes, group_lanes, bytes, lanes, addresses, contiguous, [&](std::uint64_t line) {
            if (what == What::load && l1_.touch(line))
                ++counts.l1_hits, ++at.l1_hits;
            else
                ask(line * line_bytes, line_bytes);
        });
    const std::uint64_t least = std::min(requests, least_lines(line_bytes, bytes, lanes));
    counts.requests += requests;
    at.requests += requests, at.least_requests += least;
    if (requests > least) note_surplus(at, requests - least, bytes, lanes, addresses);
}

void MemoryCounter::banks(std::uint32_t site, std::uint32_t bytes, std::uint64_t lanes,
                          const std::uint64_t* addresses) {
    counts_.lds_bytes += std::uint64_t{bytes} * static_cast<std::uint64_t>(std::popcount(lanes));
    BankAccess now;
    now.lanes = lanes, now.bytes = bytes;
    const std::uint64_t base = lanes ? addresses[std::countr_zero(lanes)] / bank_bytes * bank_bytes : 0;
    if (lanes == ~std::uint64_t{0})
        for (std::size_t lane = 0; lane < 64; ++lane)
            now.offsets[lane] = static_cast<std::uint32_t>(addresses[lane] - base);
    else
        for (std::uint64_t rest = lanes; rest; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            now.offsets[static_cast<std::size_t>(lane)] = static_cast<std::uint32_t>(addresses[lane] - base);
        }
    BankAccess& before = bank_accesses_[site % remembered_sites];
    if (before.lanes != lanes || before.bytes != bytes || before.offsets != now.offsets) {
        find_turns(now);
        before = now;
    }
    counts_.lds_cycles += before.cycles;
    counts_.lds_conflict_cycles += before.conflict_cycles;
    gcn::SiteCounts& at = sites_[site];
    ++at.lds_accesses;
    at.lds_cycles += before.cycles, at.lds_conflict_cycles += before.conflict_cycles;
}

// The LDS serves as many lanes at once as have 128 bytes together: 32, of wider accesses fewer. Lanes of such
// a group that want different words of a bank take turns; the same word is read once for all.
void MemoryCounter::find_turns(BankAccess& access) {
    const std::uint32_t words = std::max(1u, access.bytes / bank_bytes);
    const int group_size = static_cast<int>(bank_count / std::bit_ceil(words));
    for (int first = 0; first < 64; first += group_size) {
        std::uint64_t group = access.lanes >> first & ((std::uint64_t{1} << group_size) - 1);
        if (!group) {  // its turn comes all the same
            ++access.cycles;
            continue;
        }
        std::array<std::array<std::uint32_t, bank_count>, bank_count> wanted;
        std::array<std::uint32_t, bank_count> depth{};
        std::uint32_t deepest = 1;
        for (; group; group &= group - 1) {
            const std::uint32_t word =
                access.offsets[static_cast<std::size_t>(first + std::countr_zero(group))] / bank_bytes;
            for (std::uint32_t k = 0; k < words; ++k) {
                const std::size_t bank = (word + k) % bank_count;
                auto* const begin = wanted[bank].data();
                auto* const end = begin + depth[bank];
                if (std::find(begin, end, word + k) != end) continue;
                wanted[bank][depth[bank]++] = word + k;
                deepest = std::max(deepest, depth[bank]);
            }
        }
        access.cycles += deepest;
        access.conflict_cycles += deepest - 1;
    }
}

}  // namespace lockstep::exec::wave
