#include "timing/close-up.h"

#include <algorithm>

namespace lockstep::timing {

void SchedulerStates::add(std::size_t scheduler, WarpState state, std::int64_t begin, std::int64_t end) {
    while (end > width_ * static_cast<std::int64_t>(slices)) widen();
    if (schedulers_.size() <= scheduler) schedulers_.resize(scheduler + 1);
    std::vector<Slice>& own = schedulers_[scheduler];
    for (std::int64_t at = begin; at < end;) {
        const std::int64_t slice = at / width_, next = std::min(end, (slice + 1) * width_);
        if (own.size() <= static_cast<std::size_t>(slice)) own.resize(static_cast<std::size_t>(slice) + 1);
        own[static_cast<std::size_t>(slice)][static_cast<std::size_t>(state)] +=
            static_cast<double>(next - at);
        at = next;
    }
}

void SchedulerStates::widen() {
    width_ *= 2;
    for (std::vector<Slice>& own : schedulers_) {
        std::vector<Slice> wider((own.size() + 1) / 2);
        for (std::size_t i = 0; i < own.size(); ++i)
            for (std::size_t s = 0; s < warp_states; ++s) wider[i / 2][s] += own[i][s];
        own = std::move(wider);
    }
}

void CloseUp::issue(const BlockTrace& block, const Issue& issue, std::size_t access) {
    if (issues_.size() >= most_issues) {
        cut_ = true;
        return;
    }
    warps = static_cast<std::uint32_t>(block.warps.size());
    Issue& kept = issues_.emplace_back(issue);
    if (last_.size() <= issue.warp) last_.resize(issue.warp + 1);
    last_[issue.warp] = issues_.size();
    const auto found = std::lower_bound(
        block.lanes.begin(), block.lanes.end(), access,
        [](const LaneAddresses& lanes, std::size_t number) { return lanes.access < number; });
    if (access == WarpTrace::no_access || found == block.lanes.end() || found->access != access ||
        accesses_.size() >= most_accesses)
        return;
    const timing::Access& of = block.accesses[access];
    kept.access = static_cast<std::int32_t>(accesses_.size());
    accesses_.push_back(
        {found->mask, of.memory, of.kind, of.lane_bytes, of.sectors, of.wavefronts, found->addresses});
}

void CloseUp::goes_on(const BlockTrace& block, std::uint32_t warp, std::int64_t cycle) {
    if (looks_at(block) && !cut_ && warp < last_.size() && last_[warp] != 0)
        issues_[last_[warp] - 1].last = cycle;
}

void CloseUp::state(std::size_t scheduler, WarpState state, std::int64_t begin, std::int64_t end) {
    if (begin >= end) return;
    of_sm_ += state == WarpState::selected;
    if (of_sm_ <= most_of_sm) states_.add(scheduler, state, begin, end);
}

void CloseUp::ended(const Block& block) {
    if (blocks_.size() < most_blocks) blocks_.push_back(block);
}

}  // namespace lockstep::timing
