// What of a process's memory is remembered for races: who touched it, and in which accesses.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "check/order.h"
#include "check/shadow.h"
#include "check/shared-shadow.h"

namespace lockstep::check {

// An instruction of a warp in one of its segments.
struct Instance {
    Segment segment;
    std::uint32_t site = 0;
};

// The instances of a launch, by number. Numbers only grow, from launch to launch too: what an earlier one
// left in a shadow is told by its number, and counts as nobody.
class Instances {
  public:
    static constexpr std::uint32_t most = 1u << 27;  // with a lane's number, a Touch

    std::uint32_t add(const Segment& segment, std::uint32_t site) {
        kept_.emplace_back(segment, site);
        return next() - 1;
    }
    // Those that are known: [first, next).
    std::uint32_t first() const { return first_; }
    std::uint32_t next() const { return first_ + static_cast<std::uint32_t>(kept_.size()); }
    const Instance& operator[](std::uint32_t number) const { return kept_[number - first_]; }
    // All that there are count as nobody from now on.
    void forget() {
        first_ = next();
        kept_.clear();
    }
    void begin_again() { *this = {}; }
    std::size_t size() const { return kept_.capacity() * sizeof(Instance); }

  private:
    std::uint32_t first_ = 1;
    std::vector<Instance> kept_;
};

// The shadow of a process's memory, and the accesses in it. It outlives launches.
class RaceMemory {
  public:
    template <class S>
    struct Space {
        S shadow;
        Instances instances;
        void forget() {
            shadow.clear();
            instances.begin_again();
        }
    };
    Space<Shadow> global;
    Space<SharedShadow> shared;
    Instances& instances(bool of_shared) { return of_shared ? shared.instances : global.instances; }
    // Whether an address is of memory that the program has: there is other, by which kernels pass parameters.
    std::function<bool(std::uint64_t)> is_allocated = [](std::uint64_t) { return true; };
    std::uint32_t launch = 0;  // the number of this one
    // In shared memory no access is smaller than 2^shared_shift bytes.
    void begin_launch(unsigned shared_shift);
    // Of all that is kept here.
    std::size_t size() const;
};

}  // namespace lockstep::check
