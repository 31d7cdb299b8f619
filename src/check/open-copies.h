// Copies (cp.async) that lanes have issued and not waited for: they write until then.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "check/lanes.h"

namespace lockstep::check {

class OpenCopies {
  public:
    struct Copy {
        std::uint32_t site = 0, bytes = 0, group = 0;
        Lanes lanes = 0;
        std::array<std::uint64_t, warp_lanes> addresses{};
        std::uint64_t begin = 0, end = 0;  // all that it writes lies between
    };
    using Warp = std::pair<std::uint64_t, std::uint32_t>;  // block and warp

    bool empty() const { return warps_.empty(); }
    void issue(Warp warp, std::uint32_t site, std::uint32_t bytes, Lanes lanes,
               const std::uint64_t* addresses);
    // The warp's lanes commit a group of copies …
    void commit(Warp warp) { ++warps_[warp].group; }
    // … or some wait until no more than so many groups are left: the copies that have arrived.
    std::vector<Copy> wait(Warp warp, Lanes lanes, std::uint32_t groups_left);
    void block_ended(std::uint64_t block);

    // Calls f(copy's site, its warp, its lane, lane) for each lane that accesses so many bytes, of which a
    // lane of the block copies some.
    template <class Address, class F>
    void meet(std::uint64_t block, Lanes mask, std::uint32_t bytes, const Address& address,
              const F& f) const {
        std::uint64_t lowest = ~std::uint64_t{0}, highest = 0;
        each_lane(mask, [&](int lane) {
            lowest = std::min(lowest, address(lane));
            highest = std::max(highest, address(lane));
        });
        for (auto at = warps_.lower_bound({block, 0}); at != warps_.end() && at->first.first == block; ++at)
            for (const Copy& copy : at->second.open) {
                if (copy.begin >= highest + bytes || lowest >= copy.end) continue;
                each_lane(mask, [&](int lane) {
                    const std::uint64_t begin = address(lane);
                    each_lane(copy.lanes, [&](int copier) {
                        const std::uint64_t copied = copy.addresses[static_cast<std::size_t>(copier)];
                        if (begin < copied + copy.bytes && copied < begin + bytes)
                            f(copy.site, at->first.second, copier, lane);
                    });
                });
            }
    }

  private:
    struct Copies {
        std::uint32_t group = 0;  // that is not committed yet
        std::vector<Copy> open;
    };
    std::map<Warp, Copies> warps_;
};

}  // namespace lockstep::check
