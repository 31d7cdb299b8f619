#include "timing/cache.h"

#include <algorithm>
#include <utility>

namespace lockstep::timing {

Cache::Cache(std::uint64_t lines) : sets_(lines ? std::max<std::uint64_t>(lines / ways, 1) : 0) {}

// Strides of powers of two would meet in few sets; hardware hashes too.
std::unique_ptr<Cache::Set>& Cache::set_of(std::uint64_t line) {
    return sets_[(line * 0x9e3779b97f4a7c15u >> 24) % sets_.size()];
}

CacheLine* Cache::find(std::uint64_t line) {
    if (sets_.empty()) return nullptr;
    Set* const set = set_of(line).get();
    if (!set) return nullptr;
    for (std::size_t way = 0; way < ways; ++way)
        if (set->tags[way] == line) {
            set->used[way] = ++clock_;
            return &set->lines[way];
        }
    return nullptr;
}

CacheLine& Cache::insert(std::uint64_t line, CacheLine& evicted) {
    std::unique_ptr<Set>& set = set_of(line);
    if (!set) set = std::make_unique<Set>();
    const auto way =
        static_cast<std::size_t>(std::min_element(set->used.begin(), set->used.end()) - set->used.begin());
    set->tags[way] = line;
    set->used[way] = ++clock_;
    evicted = std::exchange(set->lines[way], {});
    return set->lines[way];
}

}  // namespace lockstep::timing
