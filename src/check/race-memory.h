// What of a process's memory is remembered for races: who touched it, and in which accesses.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "check/order.h"
#include "check/shadow.h"
#include "check/shared-shadow.h"
#include "events/records.h"

namespace lockstep::check {

// An instruction of a warp in one of its segments. There are as many as a launch has accesses by warps, so
// that they are small: a site's number has 24 bits, and a block at most 64 warps.
class Instance {
  public:
    Instance() = default;
    Instance(const Segment& segment, std::uint32_t site)
        : block_(segment.block),
          epoch_(segment.epoch),
          sequence_(segment.sequence),
          warp_and_site_(segment.warp << events::number_bits | site) {}
    std::uint32_t block() const { return block_; }
    std::uint32_t warp() const { return warp_and_site_ >> events::number_bits; }
    std::uint32_t site() const { return events::number_of(warp_and_site_); }
    Segment segment() const { return {block_, warp(), epoch_, sequence_}; }

  private:
    std::uint32_t block_ = 0, epoch_ = 0, sequence_ = 0, warp_and_site_ = 0;
};

// The instances of a launch, by number. Numbers only grow, from launch to launch too: what an earlier one
// left in a shadow is told by its number, and counts as nobody. They lie in pieces, so that none is ever
// moved and no room is kept for as many again.
class Instances {
  public:
    static constexpr std::uint32_t most = 1u << 27;  // with a lane's number, a Touch

    std::uint32_t add(const Segment& segment, std::uint32_t site) {
        const std::uint32_t index = count_++;
        if (index >> piece_bits == pieces_.size())
            pieces_.push_back(std::make_unique<Instance[]>(std::size_t{1} << piece_bits));
        pieces_[index >> piece_bits][index & piece_mask] = {segment, site};
        return first_ + index;
    }
    // Those that are known: [first, next).
    std::uint32_t first() const { return first_; }
    std::uint32_t next() const { return first_ + count_; }
    const Instance& operator[](std::uint32_t number) const {
        const std::uint32_t index = number - first_;
        return pieces_[index >> piece_bits][index & piece_mask];
    }
    // All that there are count as nobody from now on.
    void forget() {
        first_ = next();
        count_ = 0;
    }
    void begin_again() { *this = {}; }
    std::size_t size() const { return (pieces_.size() << piece_bits) * sizeof(Instance); }

  private:
    static constexpr std::uint32_t piece_bits = 12, piece_mask = (1u << piece_bits) - 1;
    std::uint32_t first_ = 1, count_ = 0;
    std::vector<std::unique_ptr<Instance[]>> pieces_;
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
