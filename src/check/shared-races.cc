#include "check/shared-races.h"

#include "base/cpu-clones.h"

namespace lockstep::check {
namespace {

// Whether all of them are settled, or the same lanes' own: lanes from this one on.
LOCKSTEP_CPU_CLONES bool row_is_quiet(const Touch* row, std::uint32_t count, Touch below, Touch own,
                                      Touch lane) {
    Touch latest = 0;
    for (std::uint32_t i = 0; i < count; ++i) latest = std::max(latest, row[i]);
    if (latest < below) return true;
    if (latest < own) return false;
    Touch loud = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Touch other_lane = (row[i] ^ (lane + i)) & (warp_lanes - 1);
        loud |= static_cast<Touch>(row[i] >= below) & (static_cast<Touch>(row[i] < own) | (other_lane != 0));
    }
    return loud == 0;
}

}  // namespace

void SharedRaces::meet(Now now, std::uint64_t begin, std::uint64_t end, int lane, bool of_warp,
                       const events::Windows& windows) {
    const SharedShadow::Window* const window = shadow_.find(begin, windows);
    if (!window) return;
    const auto granule = [&](std::uint64_t address) {
        return static_cast<std::uint32_t>((std::min(address, window->begin + window->size) - window->begin) >>
                                          shadow_.shift());
    };
    for (std::uint32_t i = 0; i < now.site->meets_count; ++i) {
        const ShadowPage::Who who = now.site->meets[i];
        if (window->latest[who] < now.settled_below) continue;
        for (std::uint32_t at = granule(begin); at < granule(end); ++at)
            if (const Touch earlier = window->of[who][at];
                earlier >= now.settled_below && !judge_.settled(earlier, now, lane) &&
                !(of_warp && now.verdict == RaceJudge::Verdict::same_warp))
                judge_.compare(earlier, now, lane);
    }
}

// Granules of one lane.
void SharedRaces::touch_granules(Now& now, SharedShadow::Window& window, std::uint32_t first,
                                 std::uint32_t count, int lane) {
    const Site& site = *now.site;
    const Touch self = touch_of(now.instance, lane);
    for (std::uint32_t i = 0; i < site.meets_count; ++i) {
        const ShadowPage::Who who = site.meets[i];
        if (window.latest[who] < now.settled_below) continue;
        for (std::uint32_t at = first; at < first + count; ++at)
            if (const Touch earlier = window.of[who][at];
                !now.is_quiet(earlier, lane) && !judge_.settled(earlier, now, lane))
                judge_.compare(earlier, now, lane);
    }
    Touch* const own = window.of[site.role].data();
    for (std::uint32_t at = first; at < first + count; ++at) {
        if (site.role != ShadowPage::reader || now.is_quiet(own[at], lane)) {
            own[at] = self;
            continue;
        }
        Touch& other = window.of[ShadowPage::other_reader][at];
        // Two lanes of this very access stand for all of them.
        if ((own[at] ^ self) < warp_lanes && (other ^ self) < warp_lanes) continue;
        window.latest[ShadowPage::other_reader] = touch_of(now.instance, warp_lanes - 1);
        judge_.remember_reader(now, own[at], other, self);
    }
}

bool SharedRaces::touch_row(Now& now, SharedShadow::Window& window, std::uint32_t first, std::uint32_t count,
                            int lane) {
    const Site& site = *now.site;
    const auto is_quiet = [&](ShadowPage::Who who) {
        return window.latest[who] < now.settled_below ||
               row_is_quiet(window.of[who].data() + first, count, now.settled_below, now.own_from,
                            static_cast<Touch>(lane));
    };
    for (std::uint32_t i = 0; i < site.meets_count; ++i)
        if (!is_quiet(site.meets[i])) return false;
    if (site.role == ShadowPage::reader && !is_quiet(site.role)) return false;
    judge_.number(now);
    Touch* const own = window.of[site.role].data() + first;
    const Touch self = touch_of(now.instance, lane);
    for (std::uint32_t i = 0; i < count; ++i) own[i] = self + i;
    window.latest[site.role] = std::max(window.latest[site.role], touch_of(now.instance, warp_lanes - 1));
    return true;
}

bool SharedRaces::touch_row(Now& now, std::uint64_t address, std::uint32_t count, int lane,
                            const events::Windows& windows) {
    const Site& site = *now.site;
    SharedShadow::Window* const window = shadow_.find(address, windows);
    if (!window || site.bytes != 1u << shadow_.shift()) return false;
    const auto index = static_cast<std::uint32_t>((address - window->begin) >> shadow_.shift());
    return index + count <= window->granules && touch_row(now, *window, index, count, lane);
}

}  // namespace lockstep::check
