// Races in shared memory, whose shadow has an entry for each granule.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

#include "check/race-judge.h"
#include "events/observer.h"

namespace lockstep::check {

class SharedRaces {
  public:
    using Now = RaceJudge::Now;

    explicit SharedRaces(RaceJudge& judge) : judge_(judge), shadow_(judge.memory().shared.shadow) {}

    // Lanes without a gap, side by side from this address on, in whose granules is nobody who is not settled.
    // False: it is not so, and nothing was done.
    bool touch_row(Now& now, std::uint64_t address, std::uint32_t count, int lane,
                   const events::Windows& windows);
    // A lane begins something that touches these bytes by itself, which is not remembered here; or all lanes
    // of the warp do (`of_warp`), at one instruction.
    void meet(Now now, std::uint64_t begin, std::uint64_t end, int lane, bool of_warp,
              const events::Windows& windows);
    // Each lane accesses where `address_of` says.
    template <class AddressOf>
    void touch(Now& now, Lanes mask, const AddressOf& address_of, const events::Windows& windows);

  private:
    using Site = RaceJudge::Site;

    bool touch_row(Now& now, SharedShadow::Window& window, std::uint32_t first, std::uint32_t count,
                   int lane);
    void touch_granules(Now& now, SharedShadow::Window& window, std::uint32_t first, std::uint32_t count,
                        int lane);

    RaceJudge& judge_;
    SharedShadow& shadow_;
};

template <class AddressOf>
void SharedRaces::touch(Now& now, Lanes mask, const AddressOf& address_of, const events::Windows& windows) {
    const unsigned shift = shadow_.shift();
    const Site& site = *now.site;
    const bool reads = site.role == ShadowPage::reader;
    // Of two readers that the warp is not ordered behind, and that are not of one other warp, none gives way.
    const bool plain = judge_.order().is_plain() && !judge_.clustered();
    const auto stay = [&](Touch one, Touch other, Touch self) {
        if (((one ^ self) | (other ^ self)) < warp_lanes) return true;
        if (!plain || other < now.settled_below) return false;
        const std::uint32_t a = (*now.instances)[instance_of(one)].warp(),
                            b = (*now.instances)[instance_of(other)].warp();
        const auto is_apart = [&](Touch touch, std::uint32_t warp) {
            return warp != judge_.order().warp() || (touch ^ self) < warp_lanes;
        };
        return a != b && is_apart(one, a) && is_apart(other, b);
    };
    SharedShadow::Window* window = nullptr;
    std::array<const Touch*, ShadowPage::kinds>
        met{};  // whom it may race with in this epoch: so many of them
    std::size_t count = 0;
    Touch *own = nullptr, *others = nullptr;
    each_lane(mask, [&](int lane) {
        const std::uint64_t address = address_of(lane);
        if (!window || address - window->begin >= window->size) {
            window = shadow_.find(address, windows);
            if (!window) return;
            Touch& latest = window->latest[site.role];
            latest = std::max(latest, touch_of(now.instance, warp_lanes - 1));
            count = 0;
            for (std::uint32_t i = 0; i < site.meets_count; ++i)
                if (window->latest[site.meets[i]] >= now.settled_below)
                    met[count++] = window->of[site.meets[i]].data();
            own = window->of[site.role].data();
            others = window->of[ShadowPage::other_reader].data();
        }
        const std::uint64_t offset = address - window->begin;
        const std::uint64_t end = std::min<std::uint64_t>(offset + site.bytes, window->size);
        const auto first = static_cast<std::uint32_t>(offset >> shift),
                   last = static_cast<std::uint32_t>((end - 1) >> shift);
        const Touch self = touch_of(now.instance, lane);
        bool quiet = first == last;
        for (std::size_t i = 0; i < count && quiet; ++i) quiet = now.is_quiet(met[i][first], lane);
        if (quiet && (!reads || now.is_quiet(own[first], lane)))
            own[first] = self;
        else if (!quiet || !stay(own[first], others[first], self))
            touch_granules(now, *window, first, last - first + 1, lane);
    });
}

}  // namespace lockstep::check
