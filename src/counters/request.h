// What one memory instruction of a warp asks for: the lanes that take part and their addresses. All lanes
// access the same number of bytes, a power of two, at an address that is a multiple of it; so two lanes touch
// either the same bytes or none in common.
#pragma once
#include <cstdint>

#include "kernel/lanes.h"

namespace lockstep::counters {

struct Request {
    kernel::LaneMask mask;
    std::uint32_t bytes = 0;                   // a lane
    const std::uint64_t* addresses = nullptr;  // by lane
};

// Which of at most 32 keys were seen before: a small open hash table that costs nothing to empty.
class SeenKeys {
  public:
    static constexpr std::uint32_t slots = 64;

    // The slot of the key, and whether it is new.
    std::uint32_t find(std::uint64_t key, bool& is_new) {
        auto slot = static_cast<std::uint32_t>(key * 0x9e3779b97f4a7c15u >> 58);
        while (taken_ >> slot & 1 && keys_[slot] != key) slot = (slot + 1) % slots;
        is_new = !(taken_ >> slot & 1);
        taken_ |= std::uint64_t{1} << slot;
        keys_[slot] = key;
        return slot;
    }
    bool insert(std::uint64_t key) {
        bool is_new;
        find(key, is_new);
        return is_new;
    }

  private:
    std::uint64_t taken_ = 0;
    std::uint64_t keys_[slots];
};

}  // namespace lockstep::counters
