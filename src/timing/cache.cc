#include "timing/cache.h"

#include <algorithm>

namespace lockstep::timing {

Cache::Cache(std::uint64_t lines) : sets_(lines ? std::max<std::uint64_t>(lines / ways, 1) : 0) {}

// Strides of powers of two would meet in few sets; hardware hashes too.
std::unique_ptr<Cache::Set>& Cache::set_of(std::uint64_t line) {
    return sets_[(line * 0x9e3779b97f4a7c15u >> 24) % sets_.size()];
}

CacheLine* Cache::find(std::uint64_t line) {
    if (sets_.empty()) return nullptr;
    const std::unique_ptr<Set>& set = set_of(line);
    if (!set) return nullptr;
    for (CacheLine& one : *set)
        if (one.tag == line) {
            one.used = ++clock_;
            return &one;
        }
    return nullptr;
}

CacheLine& Cache::insert(std::uint64_t line, CacheLine& evicted) {
    std::unique_ptr<Set>& set = set_of(line);
    if (!set) set = std::make_unique<Set>();
    CacheLine& oldest = *std::min_element(
        set->begin(), set->end(), [](const CacheLine& a, const CacheLine& b) { return a.used < b.used; });
    evicted = oldest;
    oldest = {};
    oldest.tag = line;
    oldest.used = ++clock_;
    return oldest;
}

}  // namespace lockstep::timing
