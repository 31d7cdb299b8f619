// Accesses that may not be, and that execution has left out. It tells of them while a warp's records are
// still in its buffer: each is held until its record is read.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <utility>

#include "check/lanes.h"

namespace lockstep::check {

struct LeftOutAccess {
    std::uint32_t site = 0;
    Lanes lanes = 0;
    std::uint64_t address = 0;  // the same for all of them
    // Those that were no consequence of another that was left out.
    std::function<void(Lanes)> tell;
};

class LeftOut {
  public:
    void add(std::uint64_t block, std::uint32_t warp, LeftOutAccess access) {
        warps_[{block, warp}].push_back(std::move(access));
    }
    bool empty() const { return warps_.empty(); }

    // Calls f(access) for those of an access's lanes that were left out, and forgets them.
    template <class Addresses, class F>
    void take(std::uint64_t block, std::uint32_t warp, std::uint32_t site, Lanes mask, Addresses addresses,
              F f) {
        const auto found = warps_.find({block, warp});
        if (found == warps_.end()) return;
        std::deque<LeftOutAccess>& waiting = found->second;
        while (!waiting.empty()) {
            const LeftOutAccess& first = waiting.front();
            bool same = first.site == site && (first.lanes & ~mask) == 0;
            each_lane(first.lanes, [&](int lane) { same &= addresses(lane) == first.address; });
            if (!same) return;
            f(first);
            waiting.pop_front();
        }
    }
    // The warp's records have been read: what is left had none.
    void settle(std::uint64_t block, std::uint32_t warp) {
        const auto found = warps_.find({block, warp});
        if (found == warps_.end()) return;
        for (const LeftOutAccess& access : found->second) access.tell(access.lanes);
        warps_.erase(found);
    }
    void settle_all() {
        for (const auto& [_, waiting] : warps_)
            for (const LeftOutAccess& access : waiting) access.tell(access.lanes);
        warps_.clear();
    }

  private:
    std::map<std::pair<std::uint64_t, std::uint32_t>, std::deque<LeftOutAccess>> warps_;  // by block and warp
};

}  // namespace lockstep::check
