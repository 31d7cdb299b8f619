// A cache of 128-byte lines with four sectors each: least recently used lines go first.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
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

class Cache {
  public:
    // A cache of no lines misses always.
    explicit Cache(std::uint64_t lines);

    // The line, if it is there.
    CacheLine* find(std::uint64_t line);
    // Makes room for the line; what was there before is in `evicted`.
    CacheLine& insert(std::uint64_t line, CacheLine& evicted);
    std::uint64_t lines() const { return sets_.size() * ways; }

  private:
    static constexpr std::uint64_t ways = 16;
    // What is looked at by every access stands together.
    struct Set {
        Set() { tags.fill(~std::uint64_t{0}); }
        std::array<std::uint64_t, ways> tags;    // line numbers
        std::array<std::uint64_t, ways> used{};  // when, for the choice of what goes
        std::array<CacheLine, ways> lines;
    };
    std::unique_ptr<Set>& set_of(std::uint64_t line);

    std::vector<std::unique_ptr<Set>> sets_;  // made when they are first used: most launches are small
    std::uint64_t clock_ = 0;
};

}  // namespace lockstep::timing
