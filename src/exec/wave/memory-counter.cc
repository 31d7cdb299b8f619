#include "exec/wave/memory-counter.h"

#include <algorithm>
#include <array>
#include <bit>

namespace lockstep::exec::wave {
namespace {

constexpr std::uint64_t line_bytes = 64;          // that the vector L1 asks the L2 for
constexpr std::uint64_t shared_line_bytes = 128;  // of the L2
constexpr int group_lanes = 16;                   // whose addresses are looked at together
constexpr std::uint32_t bank_count = 32, bank_bytes = 4;
constexpr std::uint32_t private_ways = 4, shared_ways = 16;

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
    std::copy_backward(set, hit ? found : set + ways_ - 1, hit ? found + 1 : set + ways_);
    *set = line;
    return hit;
}

SharedCache::SharedCache(std::uint64_t bytes) : lines_(bytes, shared_line_bytes, shared_ways) {}

bool SharedCache::request(std::uint64_t line, bool writes, gcn::MemoryCounts& counts) {
    const std::lock_guard lock(mutex_);
    const bool hit = lines_.touch(line * line_bytes / shared_line_bytes);
    // What is written goes to memory once, when the line leaves: as if it left at once.
    if (!hit) (writes ? counts.dram_write_bytes : counts.dram_read_bytes) += shared_line_bytes;
    return hit;
}

MemoryCounter::MemoryCounter(const CacheSizes& sizes, SharedCache& l2)
    : l1_(sizes.l1_bytes, line_bytes, private_ways), l2_(l2) {}

void MemoryCounter::scalar_load(std::uint32_t bytes) {
    ++counts_.scalar_loads;
    counts_.scalar_bytes += bytes;
}

void MemoryCounter::access(What what, Space space, std::uint32_t bytes, std::uint64_t lanes,
                           const std::uint64_t* addresses) {
    if (space == Space::shared) return banks(bytes, lanes, addresses);
    gcn::VectorMemoryCounts& counts = what == What::load    ? counts_.loads
                                      : what == What::store ? counts_.stores
                                                            : counts_.atomics;
    counts.bytes += std::uint64_t{bytes} * static_cast<std::uint64_t>(std::popcount(lanes));
    for (int first = 0; first < 64; first += group_lanes) {
        std::uint64_t group = lanes >> first & ((std::uint64_t{1} << group_lanes) - 1);
        std::array<std::uint64_t, group_lanes * 2> seen;
        std::size_t count = 0;
        for (; group; group &= group - 1) {
            const std::uint64_t address = addresses[first + std::countr_zero(group)];
            for (std::uint64_t line = address / line_bytes; line <= (address + bytes - 1) / line_bytes;
                 ++line) {
                if (count && seen[count - 1] == line) continue;
                if (std::find(seen.begin(), seen.begin() + count, line) != seen.begin() + count) continue;
                seen[count++] = line;
            }
        }
        counts.requests += count;
        for (std::size_t i = 0; i < count; ++i) {
            // Loads look into the L1 first; what is written goes through it.
            if (what == What::load && l1_.touch(seen[i])) {
                ++counts.l1_hits;
                continue;
            }
            ++counts.l2_requests;
            counts.l2_hits += l2_.request(seen[i], what == What::store, counts_);
        }
    }
}

// The LDS serves as many lanes at once as have 128 bytes together: 32, of wider accesses fewer. Lanes of such
// a group that want different words of a bank take turns; the same word is read once for all.
void MemoryCounter::banks(std::uint32_t bytes, std::uint64_t lanes, const std::uint64_t* addresses) {
    const std::uint32_t words = std::max(1u, bytes / bank_bytes);
    const int group_size = static_cast<int>(bank_count / std::bit_ceil(words));
    counts_.lds_bytes += std::uint64_t{bytes} * static_cast<std::uint64_t>(std::popcount(lanes));
    for (int first = 0; first < 64; first += group_size) {
        std::uint64_t group = lanes >> first & ((std::uint64_t{1} << group_size) - 1);
        if (!group) continue;
        std::array<std::array<std::uint64_t, bank_count>, bank_count> wanted;
        std::array<std::uint32_t, bank_count> depth{};
        std::uint32_t deepest = 1;
        for (; group; group &= group - 1) {
            const std::uint64_t word = addresses[first + std::countr_zero(group)] / bank_bytes;
            for (std::uint32_t k = 0; k < words; ++k) {
                const std::size_t bank = (word + k) % bank_count;
                auto* const begin = wanted[bank].data();
                auto* const end = begin + depth[bank];
                if (std::find(begin, end, word + k) != end) continue;
                wanted[bank][depth[bank]++] = word + k;
                deepest = std::max(deepest, depth[bank]);
            }
        }
        counts_.lds_cycles += deepest;
        counts_.lds_conflict_cycles += deepest - 1;
    }
}

}  // namespace lockstep::exec::wave
