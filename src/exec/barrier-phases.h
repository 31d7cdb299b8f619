// The phases of a block's barriers in shared memory (mbarrier), each with a number of its own, so that
// observers can tell who waited for what. Only blocks that are watched keep them.
#pragma once
#include <cstdint>
#include <map>

namespace lockstep::exec {

class BarrierPhases {
  public:
    void clear() { *this = {}; }
    // A barrier is made anew.
    void init(std::uint64_t barrier) { barriers_[barrier] = {.current = ++last_}; }
    // Somebody has arrived, or bytes have: the phase to which that belongs. `parity`: the barrier's now,
    // after it.
    std::uint32_t arrive(std::uint64_t barrier, bool parity);
    // The phase that ended last; 0: none that was seen.
    std::uint32_t ended(std::uint64_t barrier) const;

  private:
    struct Barrier {
        std::uint32_t current = 0, ended = 0;
        bool parity = false;
    };
    std::map<std::uint64_t, Barrier> barriers_;  // by address
    std::uint32_t last_ = 0;
};

}  // namespace lockstep::exec
