#include "timing/cache.h"

#include <algorithm>
#include <bit>

#include "base/cpu-clones.h"

namespace lockstep::timing {
namespace {

constexpr std::uint64_t most_sets = std::uint64_t{1} << 24;

// A bit for each of the ways that has the number.
LOCKSTEP_CPU_CLONES std::uint32_t those_with(const std::uint64_t* numbers, std::uint64_t number) {
    std::uint32_t found = 0;
    for (std::uint32_t way = 0; way < CacheSets::ways; ++way)
        found |= static_cast<std::uint32_t>(numbers[way] == number) << way;
    return found;
}

LOCKSTEP_CPU_CLONES std::uint64_t least_of(const std::uint64_t* numbers) {
    std::uint64_t least = numbers[0];
    for (std::uint32_t way = 1; way < CacheSets::ways; ++way)
        least = numbers[way] < least ? numbers[way] : least;
    return least;
}

}  // namespace

CacheSets::CacheSets(std::uint64_t lines)
    : count_(lines ? std::clamp<std::uint64_t>(lines / ways, 1, most_sets - 1) : 0) {
    if (count_) inverse_ = ~std::uint64_t{0} / count_ + 1;
}

std::uint64_t CacheSets::way_of(const std::array<std::uint64_t, ways>& tags, std::uint64_t line) {
    const std::uint32_t found = those_with(tags.data(), line);
    return found ? static_cast<std::uint64_t>(std::countr_zero(found)) : ways;
}

std::uint64_t CacheSets::oldest_of(const std::array<std::uint64_t, ways>& used) {
    return static_cast<std::uint64_t>(std::countr_zero(those_with(used.data(), least_of(used.data()))));
}

}  // namespace lockstep::timing
