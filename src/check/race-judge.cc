#include "check/race-judge.h"

#include <algorithm>
#include <bit>

namespace lockstep::check {

RaceJudge::RaceJudge(const KernelCode& code, bool clustered, RaceMemory& memory, Order& order, RaceLog& log)
    : code_(code), clustered_(clustered), memory_(memory), order_(order), log_(log) {
    unsigned shared_shift = 2;
    for (auto& made : made_) made.resize(code.sites.size());
    of_two_blocks_.resize(code.sites.size());
    for (const SiteFacts& facts : code.sites) {
        scoped_ |= facts.atomic && facts.block_scope;
        copies_ |= facts.async;
    }
    for (std::uint32_t site = 0; site < code.sites.size(); ++site)
        if (code.sites[site].block_scope || (code.kernel->sites[site].kind == kernel::SiteKind::fence &&
                                             code.instruction(site).has(ptx::Modifier::cta)))
            order_.has_block_scopes();
    for (std::size_t i = 0; i < code.sites.size(); ++i) {
        const SiteFacts& facts = code.sites[i];
        const kernel::Site& at = code.kernel->sites[i];
        Site site{.facts = &facts,
                  .bytes = static_cast<std::uint32_t>(at.bytes),
                  .form = form_of(static_cast<std::uint32_t>(at.bytes)),
                  .space = at.space,
                  .local = at.space == ptx::Space::local};
        if (kernel::is_access(at.kind) && at.space != ptx::Space::global && at.space != ptx::Space::texture &&
            !site.local)
            shared_shift = std::min(shared_shift, static_cast<unsigned>(std::countr_zero(site.bytes)));
        site.plain = !site.local && !facts.strong && !facts.async && site.form <= unit_bits;
        const auto meets = [&](ShadowPage::Who who) { site.meets[site.meets_count++] = who; };
        meets(ShadowPage::writer);
        if (facts.writes) {
            meets(ShadowPage::reader);
            meets(ShadowPage::other_reader);
        }
        if (!facts.atomic || scoped_) meets(ShadowPage::atomic);
        if (facts.writes) site.role = facts.atomic ? ShadowPage::atomic : ShadowPage::writer;
        sites_.push_back(site);
    }
    for (const bool writes : {false, true}) {
        async_facts_[writes] = {.reads = !writes, .writes = writes};
        Site& site = async_sites_[writes];
        site.facts = &async_facts_[writes];
        site.space = ptx::Space::shared;
        for (const ShadowPage::Who who : {ShadowPage::writer, ShadowPage::atomic})
            site.meets[site.meets_count++] = who;
        if (!writes) continue;
        for (const ShadowPage::Who who : {ShadowPage::reader, ShadowPage::other_reader})
            site.meets[site.meets_count++] = who;
    }
    memory_.begin_launch(shared_shift);
}

void RaceJudge::begin_again(bool shared) {
    shared ? memory_.shared.forget() : memory_.global.forget();
    std::fill(made_[shared].begin(), made_[shared].end(), Made{});
    std::fill(of_two_blocks_.begin(), of_two_blocks_.end(), Pair{});
    turns_[shared] = {};
}

// What was there when the block began its present epoch is settled in shared memory: its own accesses came
// before the barrier, and others' before the block.
Touch RaceJudge::settled_below(bool shared) {
    Instances& instances = memory_.instances(shared);
    if (!shared || clustered_) return touch_of(instances.first(), 0);
    if (order_.begins_epoch() && order_.is_alone()) instances.forget();
    return touch_of(std::max(order_.mark(instances.next()), instances.first()), 0);
}

RaceJudge::Verdict RaceJudge::find_verdict(std::uint32_t instance, const Now& now) const {
    const Instances& instances = *now.instances;
    if (instance < instances.first()) return Verdict::settled;  // an earlier launch's
    const Segment segment = instances[instance].segment();
    // In shared memory: of a block that had it before.
    if (now.shared && segment.block != order_.block() && (!clustered_ || !order_.is_running(segment.block)))
        return Verdict::settled;
    switch (order_.relation(segment)) {
        case Relation::before: return Verdict::settled;
        case Relation::same_warp: return Verdict::same_warp;
        case Relation::unordered: break;
    }
    return Verdict::apart;
}

bool RaceJudge::settled(Touch earlier, Now& now, int lane) const {
    const std::uint32_t instance = instance_of(earlier);
    if (verdict(instance, now) == Verdict::settled) return true;
    const Segment segment = (*now.instances)[instance].segment();
    if (now.verdict == Verdict::same_warp && order_.lane_before(segment, lane_of(earlier), lane)) return true;
    return order_.acquired(segment, lane_of(earlier), lane);
}

void RaceJudge::compare(Touch earlier, const Now& now, int lane, std::uint64_t address) {
    const Instance& instance = (*now.instances)[instance_of(earlier)];
    const SiteFacts &before = code_.sites[instance.site()], &facts = *now.site->facts;
    if ((before.verified && facts.atomic) || (facts.verified && before.atomic)) return;
    const Segment segment = instance.segment(), own = order_.segment();
    // Strong accesses may meet, but a lane does not wait for its neighbours because both are volatile; and
    // atomics of one block's scope are none for another block.
    if (before.strong && facts.strong) {
        const bool scoped = (before.block_scope || facts.block_scope) && segment.block != own.block;
        const bool volatile_lanes = now.shared && !before.atomic && !facts.atomic &&
                                    segment.block == own.block && segment.warp == own.warp;
        if (!scoped && !volatile_lanes) return;
    }
    log_.note({instance.site(), segment.block, segment.warp, lane_of(earlier)},
              {now.number, own.block, own.warp, lane}, address);
}

// Whether the access under way tells more of later races than the second of two readers: that one is kept
// which the writers to come are least likely to be ordered with.
bool RaceJudge::is_less_telling(const Now& now, Touch one, Touch other) const {
    const Instances& instances = *now.instances;
    const Instance &a = instances[instance_of(one)], &b = instances[instance_of(other)];
    const Segment& c = order_.segment();
    return a.block() == b.block() && (c.block != a.block() || (a.warp() == b.warp() && c.warp != a.warp()));
}

// Readers of global memory in one launch: whoever writes there races with one of them, so that no other need
// be known. Where one such pair is, there are others of the same instances.
bool RaceJudge::are_of_two_blocks(const Now& now, Touch one, Touch other) {
    if (now.shared) return false;
    const Pair pair{instance_of(one), instance_of(other)};
    Pair& known = of_two_blocks_[now.number];
    if (known == pair) return true;
    const Instances& instances = *now.instances;
    if (std::min(pair.one, pair.other) < instances.first() ||
        instances[pair.one].block() == instances[pair.other].block())
        return false;
    known = pair;
    return true;
}

void RaceJudge::remember_reader(Now& now, Touch& one, Touch& other, Touch self) {
    const int lane = lane_of(self);
    if (one == self || are_of_two_blocks(now, one, other)) return;
    if (one < now.settled_below || settled(one, now, lane)) {
        one = self;
        return;
    }
    if (other == self) return;
    if (other < now.settled_below || settled(other, now, lane) || is_less_telling(now, one, other))
        other = self;
}

}  // namespace lockstep::check
