// A cache of 128-byte lines with four sectors each: least recently used lines go first.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace lockstep::timing {

struct CacheLine {
    std::uint8_t valid = 0, dirty = 0;  // sectors
    std::array<double, 4> arrives{};    // when a sector's data are there
    std::uint32_t site = 0;             // that brought them last
};

// The sectors of a line that a miss of these brings, where so many bytes come at once.
inline std::uint8_t fetched_with(std::uint8_t missing, int fetch_bytes) {
    if (fetch_bytes >= 128) return missing ? 0xf : 0;
    if (fetch_bytes >= 64) return static_cast<std::uint8_t>((missing & 3 ? 3 : 0) | (missing & 12 ? 12 : 0));
    return missing;
}

// Which set a line is in, and which way of a set.
class CacheSets {
  public:
    static constexpr std::uint64_t ways = 16;
    explicit CacheSets(std::uint64_t lines);

    std::uint64_t count() const { return count_; }
    // Strides of powers of two would meet in few sets; hardware hashes too. The remainder of a division by
    // the number of sets, by two products: of 40 bits by less than 24 it comes out exactly so (Lemire,
    // "Faster remainders when the divisor is a constant", 2019).
    std::uint64_t of(std::uint64_t line) const {
        __extension__ using Wide = unsigned __int128;
        const std::uint64_t hash = line * 0x9e3779b97f4a7c15u >> 24;
        return static_cast<std::uint64_t>(static_cast<Wide>(inverse_ * hash) * count_ >> 64);
    }
    // `ways` where none of these is the line.
    static std::uint64_t way_of(const std::array<std::uint64_t, ways>& tags, std::uint64_t line);
    // The first of those that were used least recently.
    static std::uint64_t oldest_of(const std::array<std::uint64_t, ways>& used);

  private:
    std::uint64_t count_;
    std::uint64_t inverse_ = 0;  // 2^64 / count_, rounded up
};

// `Line`: what is kept of each.
template <class Line>
class CacheOf {
  public:
    // A cache of no lines misses always.
    explicit CacheOf(std::uint64_t lines) : where_(lines), sets_(where_.count()) {}

    // The line, if it is there.
    Line* find(std::uint64_t line) {
        if (sets_.empty()) return nullptr;
        Set* const set = sets_[where_.of(line)].get();
        if (!set) return nullptr;
        const std::uint64_t way = CacheSets::way_of(set->tags, line);
        if (way == CacheSets::ways) return nullptr;
        set->used[way] = ++clock_;
        return &set->lines[way];
    }
    // Makes room for the line; what was there before is in `evicted`.
    Line& insert(std::uint64_t line, Line& evicted) {
        std::unique_ptr<Set>& set = sets_[where_.of(line)];
        if (!set) set = std::make_unique<Set>();
        const std::uint64_t way = CacheSets::oldest_of(set->used);
        set->tags[way] = line;
        set->used[way] = ++clock_;
        evicted = std::exchange(set->lines[way], {});
        return set->lines[way];
    }
    std::uint64_t lines() const { return sets_.size() * CacheSets::ways; }

  private:
    // What is looked at by every access stands together.
    struct Set {
        Set() { tags.fill(~std::uint64_t{0}); }
        std::array<std::uint64_t, CacheSets::ways> tags;    // line numbers
        std::array<std::uint64_t, CacheSets::ways> used{};  // when, for the choice of what goes
        std::array<Line, CacheSets::ways> lines;
    };

    CacheSets where_;
    std::vector<std::unique_ptr<Set>> sets_;  // made when they are first used: most launches are small
    std::uint64_t clock_ = 0;
};

using Cache = CacheOf<CacheLine>;

}  // namespace lockstep::timing
