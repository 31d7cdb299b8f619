#include "timing/cache.h"

#include <algorithm>

namespace lockstep::timing {

Cache::Cache(std::uint64_t lines) : sets_(lines ? std::max<std::uint64_t>(lines / ways, 1) : 0) {
    lines_.resize(sets_ * ways);
}

// Strides of powers of two would meet in few sets; hardware hashes too.
std::uint64_t Cache::set_of(std::uint64_t line) const { return (line * 0x9e3779b97f4a7c15u >> 24) % sets_; }

CacheLine* Cache::find(std::uint64_t line) {
    if (!sets_) return nullptr;
    CacheLine* set = &lines_[set_of(line) * ways];
    for (std::uint64_t w = 0; w < ways; ++w)
        if (set[w].tag == line) {
            set[w].used = ++clock_;
            return &set[w];
        }
    return nullptr;
}

CacheLine& Cache::insert(std::uint64_t line, CacheLine& evicted) {
    CacheLine* set = &lines_[set_of(line) * ways];
    CacheLine* oldest =
        std::min_element(set, set + ways, [](const auto& a, const auto& b) { return a.used < b.used; });
    evicted = *oldest;
    *oldest = {};
    oldest->tag = line;
    oldest->used = ++clock_;
    return *oldest;
}

}  // namespace lockstep::timing
