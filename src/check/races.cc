#include "check/races.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace lockstep::check {
namespace {

constexpr Touch touch_of(std::uint32_t instance, int lane) {
    return instance << 5 | static_cast<std::uint32_t>(lane);
}
constexpr std::uint32_t instance_of(Touch touch) { return touch >> 5; }
constexpr int lane_of(Touch touch) { return static_cast<int>(touch & 31); }

constexpr std::uint32_t one_lane = Unit::apart - 1;  // a form: all bytes are of one

}  // namespace

// When there are no more numbers, what was remembered is forgotten.
void RaceMemory::begin_launch(unsigned shared_shift) {
    ++launch;
    const auto forget = [](auto& space) {
        space.instances.forget();
        if (space.instances.next() > Instances::most / 2) space.forget();
    };
    forget(global);
    forget(shared);
    shared.shadow.begin_launch(shared_shift);
}

std::size_t RaceMemory::size() const {
    return global.shadow.size() + global.instances.size() + shared.shadow.size() + shared.instances.size();
}

Races::Races(const KernelCode& code, bool clustered, RaceMemory& memory, Order& order, Findings& findings,
             Who who)
    : code_(code),
      clustered_(clustered),
      memory_(memory),
      order_(order),
      findings_(findings),
      who_(std::move(who)) {
    unsigned shared_shift = 2;
    for (auto& made : made_) made.resize(code.sites.size());
    of_two_blocks_.resize(code.sites.size());
    for (const SiteFacts& facts : code.sites) scoped_ |= facts.atomic && facts.block_scope;
    for (std::uint32_t site = 0; site < code.sites.size(); ++site)
        if (code.sites[site].block_scope || (code.kernel->sites[site].kind == kernel::SiteKind::fence &&
                                             code.instruction(site).has(ptx::Modifier::cta)))
            order_.has_block_scopes();
    for (std::size_t i = 0; i < code.sites.size(); ++i) {
        const SiteFacts& facts = code.sites[i];
        const kernel::Site& at = code.kernel->sites[i];
        Site site{
            .facts = &facts,
            .bytes = static_cast<std::uint32_t>(at.bytes),
            .form = std::has_single_bit(static_cast<std::uint32_t>(at.bytes))
                        ? static_cast<std::uint32_t>(std::countr_zero(static_cast<std::uint32_t>(at.bytes)))
                        : Unit::apart,
            .space = at.space,
            .local = at.space == ptx::Space::local};
        if (kernel::is_access(at.kind) && at.space != ptx::Space::global && !site.local)
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
    memory_.begin_launch(shared_shift);
}

std::uint32_t Races::instance(std::uint32_t site, bool shared) {
    const std::uint32_t segment = order_.number();
    Instances& instances = memory_.instances(shared);
    Made& made = made_[shared][site];
    if (made.segment == segment && made.instance >= instances.first()) return made.instance;
    if (instances.next() >= Instances::most) {
        shared ? memory_.shared.forget() : memory_.global.forget();
        std::fill(made_[shared].begin(), made_[shared].end(), Made{});
        std::fill(of_two_blocks_.begin(), of_two_blocks_.end(), Pair{});
    }
    made = {segment, instances.add({order_.segment(), site})};
    return made.instance;
}

Races::Verdict Races::verdict(std::uint32_t instance, const Now& now) const {
    const Instances& instances = *now.instances;
    if (instance < instances.first()) return Verdict::settled;  // an earlier launch's
    const Segment& segment = instances[instance].segment;
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

bool Races::settled(Touch earlier, Now& now, int lane) const {
    const std::uint32_t instance = instance_of(earlier);
    if (instance != now.known) {
        now.known = instance;
        now.verdict = verdict(instance, now);
    }
    if (now.verdict == Verdict::settled) return true;
    const Segment& segment = (*now.instances)[instance].segment;
    if (now.verdict == Verdict::same_warp && order_.lane_before(segment, lane_of(earlier), lane)) return true;
    return order_.acquired(segment, lane_of(earlier), lane);
}

// For all bytes of a part of the unit.
Races::Answer Races::settled(const Unit& earlier, Now& now, const Stretch& part) const {
    if (earlier.touch < now.settled_below) return Answer::yes;
    if (earlier.form == Unit::apart) return Answer::by_lane;
    const std::uint32_t instance = instance_of(earlier.touch);
    if (instance != now.known) {
        now.known = instance;
        now.verdict = verdict(instance, now);
    }
    if (now.verdict == Verdict::settled) return Answer::yes;
    if (!order_.is_plain()) return Answer::by_lane;
    if (now.verdict == Verdict::apart) return Answer::no;
    if (earlier.form != part.form) return Answer::by_lane;
    const int lane = lane_of(earlier.touch) + static_cast<int>(part.begin % unit_bytes >> earlier.form);
    return lane == part.lane ? Answer::yes : Answer::no;
}

void Races::compare(Touch earlier, const Now& now, int lane) {
    const Instance& instance = (*now.instances)[instance_of(earlier)];
    const SiteFacts &before = code_.sites[instance.site], &facts = *now.site->facts;
    if ((before.verified && facts.atomic) || (facts.verified && before.atomic)) return;
    // Strong accesses may meet, but a lane does not wait for its neighbours because both are volatile; and
    // atomics of one block's scope are none for another block.
    if (before.strong && facts.strong) {
        const Segment& segment = instance.segment;
        const Segment own = order_.segment();
        const bool scoped = (before.block_scope || facts.block_scope) && segment.block != own.block;
        const bool volatile_lanes = now.shared && !before.atomic && !facts.atomic &&
                                    segment.block == own.block && segment.warp == own.warp;
        if (!scoped && !volatile_lanes) return;
    }
    note(earlier, now, lane);
}

// Whether the access under way tells more of later races than the second of two readers: that one is kept
// which the writers to come are least likely to be ordered with.
bool Races::is_less_telling(const Now& now, Touch one, Touch other) const {
    const Instances& instances = *now.instances;
    const Segment &a = instances[instance_of(one)].segment, &b = instances[instance_of(other)].segment;
    const Segment& c = order_.segment();
    return a.block == b.block && (c.block != a.block || (a.warp == b.warp && c.warp != a.warp));
}

// Readers of global memory in one launch: whoever writes there races with one of them, so that no other need
// be known. Where one such pair is, there are others of the same instances.
bool Races::are_of_two_blocks(const Now& now, Touch one, Touch other) {
    if (now.shared) return false;
    const Pair pair{instance_of(one), instance_of(other)};
    Pair& known = of_two_blocks_[now.number];
    if (known == pair) return true;
    const Instances& instances = *now.instances;
    if (std::min(pair.one, pair.other) < instances.first() ||
        instances[pair.one].segment.block == instances[pair.other].segment.block)
        return false;
    known = pair;
    return true;
}

void Races::remember_reader_of_granule(Now& now, Touch& one, Touch& other, Touch self) {
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

// Where it is the same for all bytes. False: it is not.
bool Races::remember_reader_of_unit(Now& now, ShadowPage& page, const Stretch& part) {
    if (!part.is_whole()) return false;
    const Unit self{touch_of(now.instance, part.lane), part.form};
    Unit& one = page.get(ShadowPage::reader).of[part.begin / unit_bytes];
    if (one == self) return true;
    const Answer first = settled(one, now, part);
    if (first == Answer::by_lane) return false;
    if (first == Answer::yes) {
        one = self;
        return true;
    }
    Unit& other = page.get(ShadowPage::other_reader).of[part.begin / unit_bytes];
    if (other == self) return true;
    const Answer second = settled(other, now, part);
    if (second == Answer::by_lane) return false;
    if (second == Answer::yes || is_less_telling(now, one.touch, other.touch)) other = self;
    return true;
}

void Races::remember_reader(Now& now, ShadowPage& page, const Stretch& part) {
    const std::uint32_t unit = part.begin / unit_bytes;
    if (const ShadowPage::Role* const others = page.find(ShadowPage::other_reader)) {
        const ShadowPage::Role& readers = *page.find(ShadowPage::reader);
        const bool whole = readers.of[unit].form != Unit::apart && others->of[unit].form != Unit::apart;
        // Of a granule, where there are no two.
        const bool same = whole || (part.begin | ((1u << page.shift()) - 1)) == part.end - 1;
        if (same && are_of_two_blocks(now, page.touch(readers, part.begin), page.touch(*others, part.begin)))
            return;
    }
    if (remember_reader_of_unit(now, page, part)) return;
    ShadowPage::Role& readers = page.get(ShadowPage::reader);
    ShadowPage::Role& others = page.get(ShadowPage::other_reader);
    if (((part.begin | part.end) & ((1u << page.shift()) - 1)) != 0 || part.form < page.shift())
        page.refine();
    page.take_apart(readers, unit);
    page.take_apart(others, unit);
    const unsigned shift = page.shift();
    for (std::uint32_t at = part.begin; at < part.end; at += 1u << shift)
        remember_reader_of_granule(now, readers.granules[at >> shift], others.granules[at >> shift],
                                   touch_of(now.instance, part.lane_at(at)));
    readers.of[unit].touch = others.of[unit].touch = touch_of(now.instance, warp_lanes - 1);
}

void Races::put(const Now& now, ShadowPage& page, ShadowPage::Role& role, const Stretch& part) {
    const std::uint32_t unit = part.begin / unit_bytes;
    if (part.is_whole()) {
        role.of[unit] = {touch_of(now.instance, part.lane), part.form};
        return;
    }
    if (((part.begin | part.end) & ((1u << page.shift()) - 1)) != 0 || part.form < page.shift())
        page.refine();
    page.take_apart(role, unit);
    const unsigned shift = page.shift();
    for (std::uint32_t at = part.begin; at < part.end; at += 1u << shift)
        role.granules[at >> shift] = touch_of(now.instance, part.lane_at(at));
    role.of[unit].touch = touch_of(now.instance, warp_lanes - 1);
}

void Races::look(Now& now, const ShadowPage& page, const ShadowPage::Role& role, const Stretch& part) {
    const Unit& unit = role.of[part.begin / unit_bytes];
    if (settled(unit, now, part) == Answer::yes) return;
    // As fine as both are.
    unsigned shift = std::min(unit.form == Unit::apart ? page.shift() : std::min(unit.form, 2u), part.form);
    if (((part.begin | part.end) & ((1u << shift) - 1)) != 0) shift = 0;
    for (std::uint32_t at = part.begin; at < part.end; at += 1u << shift) {
        const Touch earlier = page.touch(role, at);
        const int lane = part.lane_at(at);
        if (earlier >= now.settled_below && !settled(earlier, now, lane)) compare(earlier, now, lane);
    }
}

void Races::touch(Now& now, ShadowPage& page, const Stretch& stretch) {
    const std::uint32_t first = stretch.begin / unit_bytes, last = (stretch.end - 1) / unit_bytes;
    const Touch below = now.settled_below;
    if (first == last) {
        const Site& site = *now.site;
        for (std::uint32_t i = 0; i < site.meets_count; ++i)
            if (const ShadowPage::Role* const role = page.find(site.meets[i]);
                role && role->of[first].touch >= below)
                look(now, page, *role, stretch);
        ShadowPage::Role& role = page.get(site.role);
        if (site.role == ShadowPage::reader && role.of[first].touch >= below)
            return remember_reader(now, page, stretch);
        return put(now, page, role, stretch);
    }
    // Whether all of them are settled, for one look at many.
    const auto quiet = [&](const ShadowPage::Role& role) {
        Touch latest = 0;
        for (std::uint32_t unit = first; unit <= last; ++unit) latest = std::max(latest, role.of[unit].touch);
        return latest < below;
    };
    const Site& site = *now.site;
    for (std::uint32_t i = 0; i < site.meets_count; ++i) {
        const ShadowPage::Role* const role = page.find(site.meets[i]);
        if (!role || quiet(*role)) continue;
        for (std::uint32_t unit = first; unit <= last; ++unit)
            if (role->of[unit].touch >= below) look(now, page, *role, stretch.in(unit));
    }
    ShadowPage::Role& role = page.get(site.role);
    const bool all_quiet = site.role != ShadowPage::reader || quiet(role);
    for (std::uint32_t unit = first; unit <= last; ++unit) {
        const Stretch part = stretch.in(unit);
        if (all_quiet || role.of[unit].touch < below)
            put(now, page, role, part);
        else
            remember_reader(now, page, part);
    }
}

// Most accesses: neighbouring lanes touch whole units of a page, in none of which is anybody who is not
// settled. False: it is not so, and nothing was done.
bool Races::touch_quickly(std::uint32_t number, std::uint64_t address, Lanes mask, int lane,
                          const events::Windows& windows) {
    const Site& site = sites_[number];
    const std::uint32_t size = static_cast<std::uint32_t>(std::popcount(mask)) << site.form;
    const auto offset = static_cast<std::uint32_t>(address % ShadowPage::bytes);
    if (clustered_ ||
        (mask & (mask + 1)) | ((offset | size) % unit_bytes) | (offset + size > ShadowPage::bytes))
        return false;
    ShadowPage& page = memory_.global.shadow.page(address);
    if (page.launch != memory_.launch || page.ignored || windows.local.contains(address) ||
        windows.params.contains(address))
        return false;
    ShadowPage::Role* const own = page.find(site.role);
    if (!own) return false;
    const Touch below = settled_below(false), mine = own_from(false);
    const std::uint32_t first = offset / unit_bytes, count = size / unit_bytes,
                        step = unit_bytes >> site.form;
    const auto is_settled = [&](const ShadowPage::Role& role) {
        const Unit* const units = role.of.data() + first;
        Touch latest = 0;
        for (std::uint32_t i = 0; i < count; ++i) latest = std::max(latest, units[i].touch);
        if (latest < below) return true;
        // What the same lanes did.
        if (latest < mine) return false;
        const std::uint32_t instance = instance_of(latest);
        for (std::uint32_t i = 0; i < count; ++i)
            if (units[i] != Unit{touch_of(instance, lane + static_cast<int>(i * step)), site.form})
                return false;
        return true;
    };
    for (std::uint32_t i = 0; i < site.meets_count; ++i)
        if (const ShadowPage::Role* const role = page.find(site.meets[i]); role && !is_settled(*role))
            return false;
    if (site.role == ShadowPage::reader && !is_settled(*own)) return false;
    Touch touch = touch_of(instance(number, false), lane);
    for (std::uint32_t i = 0; i < count; ++i, touch += step) own->of[first + i] = {touch, site.form};
    return true;
}

void Races::touch(Now& now, std::uint64_t address, std::uint32_t size, int lane, std::uint32_t form) {
    for (std::uint64_t at = address, end = address + size; at < end;) {
        const auto offset = static_cast<std::uint32_t>(at % ShadowPage::bytes);
        const auto here =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(end - at, ShadowPage::bytes - offset));
        ShadowPage& page = memory_.global.shadow.page(at);
        if (page.launch != memory_.launch) {
            page.launch = memory_.launch;
            page.ignored = !memory_.is_allocated(at);
            if (!page.ignored) pages_.push_back(at >> ShadowPage::bits);
        }
        if (!page.ignored)
            touch(now, page, {offset, offset + here, lane + static_cast<int>((at - address) >> form), form});
        at += here;
    }
}

// What was there when the block began its present epoch is settled in shared memory: its own accesses came
// before the barrier, and others' before the block.
Touch Races::settled_below(bool shared) {
    Instances& instances = memory_.instances(shared);
    if (!shared || clustered_) return touch_of(instances.first(), 0);
    if (order_.begins_epoch() && order_.is_alone()) instances.forget();
    return touch_of(std::max(order_.mark(instances.next()), instances.first()), 0);
}

// Instances that came since the warp's turn began are its own.
Touch Races::own_from(bool shared) {
    Own& own = own_[shared];
    if (own.turn != order_.turn()) own = {order_.turn(), memory_.instances(shared).next()};
    return touch_of(own.instance, 0);
}

Races::Now Races::begin(std::uint32_t site, bool shared) {
    const Touch below = settled_below(shared), own = own_from(shared);
    return {.number = site,
            .site = &sites_[site],
            .shared = shared,
            .instances = &memory_.instances(shared),
            .instance = instance(site, shared),
            .settled_below = below,
            .own_from = own};
}

// ---- shared memory ----

// Granules of one lane.
void Races::touch_granules(Now& now, SharedShadow::Window& window, std::uint32_t first, std::uint32_t count,
                           int lane) {
    const Site& site = *now.site;
    const Touch self = touch_of(now.instance, lane);
    for (std::uint32_t i = 0; i < site.meets_count; ++i) {
        const ShadowPage::Who who = site.meets[i];
        if (window.latest[who] < now.settled_below) continue;
        for (std::uint32_t at = first; at < first + count; ++at)
            if (const Touch earlier = window.of[who][at];
                !now.is_quiet(earlier, lane) && !settled(earlier, now, lane))
                compare(earlier, now, lane);
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
        remember_reader_of_granule(now, own[at], other, self);
    }
}

// Lanes with a granule each, side by side, in none of which is anybody who is not settled. False: it is not
// so, and nothing was done.
bool Races::touch_row(Now& now, SharedShadow::Window& window, std::uint32_t first, std::uint32_t count,
                      int lane) {
    const Site& site = *now.site;
    const Touch below = now.settled_below, mine = now.own_from;
    const auto is_quiet = [&](ShadowPage::Who who) {
        if (window.latest[who] < below) return true;
        const Touch* const row = window.of[who].data() + first;
        Touch latest = 0;
        for (std::uint32_t i = 0; i < count; ++i) latest = std::max(latest, row[i]);
        if (latest < below) return true;
        if (latest < mine) return false;
        Touch loud = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            const Touch other_lane = (row[i] ^ (static_cast<Touch>(lane) + i)) & (warp_lanes - 1);
            loud |= row[i] < below ? 0 : row[i] < mine ? 1 : other_lane;
        }
        return loud == 0;
    };
    for (std::uint32_t i = 0; i < site.meets_count; ++i)
        if (!is_quiet(site.meets[i])) return false;
    if (site.role == ShadowPage::reader && !is_quiet(site.role)) return false;
    Touch* const own = window.of[site.role].data() + first;
    const Touch self = touch_of(now.instance, lane);
    for (std::uint32_t i = 0; i < count; ++i) own[i] = self + i;
    window.latest[site.role] = std::max(window.latest[site.role], touch_of(now.instance, warp_lanes - 1));
    return true;
}

template <class AddressOf>
void Races::touch_shared(Now& now, Lanes mask, const AddressOf& address_of, const events::Windows& windows) {
    const unsigned shift = memory_.shared.shadow.shift();
    const Site& site = *now.site;
    const bool reads = site.role == ShadowPage::reader;
    // Of two readers that the warp is not ordered behind, and that are not of one other warp, none gives way.
    const bool plain = order_.is_plain() && !clustered_;
    const auto stay = [&](Touch one, Touch other, Touch self) {
        if (((one ^ self) | (other ^ self)) < warp_lanes) return true;
        if (!plain || other < now.settled_below) return false;
        const Segment &a = (*now.instances)[instance_of(one)].segment,
                      &b = (*now.instances)[instance_of(other)].segment;
        const auto is_apart = [&](Touch touch, const Segment& segment) {
            return segment.warp != order_.warp() || (touch ^ self) < warp_lanes;
        };
        return a.warp != b.warp && is_apart(one, a) && is_apart(other, b);
    };
    SharedShadow::Window* window = nullptr;
    std::array<const Touch*, ShadowPage::kinds>
        met{};  // whom it may race with in this epoch: so many of them
    std::size_t count = 0;
    Touch *own = nullptr, *others = nullptr;
    each_lane(mask, [&](int lane) {
        const std::uint64_t address = address_of(lane);
        if (!window || address - window->begin >= window->size) {
            window = memory_.shared.shadow.find(address, windows);
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

// ---- accesses ----

template <class Address>
void Races::meet_open_copies(std::uint32_t site, Lanes mask, Address address) {
    const auto found = copies_.find({order_.block(), order_.warp()});
    if (found == copies_.end() || sites_[site].facts->async) return;
    for (const Copy& copy : found->second.open)
        each_lane(copy.lanes & mask, [&](int lane) {
            const std::uint64_t begin = address(lane),
                                copied = copy.addresses[static_cast<std::size_t>(lane)];
            if (begin >= copied + sites_[copy.site].bytes || copied >= begin + sites_[site].bytes) return;
            Seen& seen = seen_[{std::min(copy.site, site), std::max(copy.site, site), true}];
            if (++seen.count > 1) return;
            const Segment own = order_.segment();
            seen.same_value = false;
            seen.scope = Scope::thread;
            seen.first = {copy.site, own.block, own.warp, lane};
            seen.second = {site, own.block, own.warp, lane};
        });
}

void Races::access(std::uint32_t site, Lanes mask, const std::uint64_t* addresses,
                   const events::Windows& windows) {
    const Site& at = sites_[site];
    if (at.local) return;
    if (!copies_.empty()) meet_open_copies(site, mask, [&](int lane) { return addresses[lane]; });
    if (at.facts->async && at.facts->writes) {
        Copies& copies = copies_[{order_.block(), order_.warp()}];
        copies.open.push_back({site, copies.group, mask, {}});
        std::copy_n(addresses, warp_lanes, copies.open.back().addresses.begin());
    }
    touch_lanes(site, mask, addresses, windows);
    if (!at.facts->strong) return;
    each_lane(mask, [&](int lane) {
        const std::uint64_t address = addresses[lane];
        if (windows.local.contains(address) || windows.params.contains(address)) return;
        if (at.facts->acquires) order_.acquire(address, lane, at.facts->block_scope);
        if (at.facts->publishes) order_.publish(address, lane, at.facts->releases, at.facts->block_scope);
    });
}

// Lanes whose bytes follow each other, and those that read the same, are one.
void Races::touch_lanes(std::uint32_t site, Lanes mask, const std::uint64_t* addresses,
                        const events::Windows& windows) {
    const Site& at = sites_[site];
    const bool joins = at.form <= unit_bits;
    const bool shares = !at.facts->writes && !at.facts->strong;
    // By lane: whether it begins where the one before ends, or where that begins.
    if (at.space != ptx::Space::global) {
        Lanes shared = at.space == ptx::Space::shared ? mask : 0;
        if (!shared)
            each_lane(mask, [&](int lane) {
                shared |= static_cast<Lanes>(windows.in_shared(addresses[lane])) << lane;
            });
        if (shared) {
            Now now = begin(site, true);
            touch_shared(now, shared, [&](int lane) { return addresses[lane]; }, windows);
            mask &= ~shared;
        }
        if (!mask) return;
    }
    Lanes follows = 0, repeats = 0;
    for (int lane = 1; lane < warp_lanes; ++lane) {
        const std::uint64_t step = addresses[lane] - addresses[lane - 1];
        follows |= static_cast<Lanes>(step == at.bytes) << lane;
        repeats |= static_cast<Lanes>(step == 0) << lane;
    }
    const Lanes beside = mask & mask << 1;
    follows &= joins ? beside : 0;
    repeats &= shares ? beside : 0;
    Now now;
    for (Lanes left = mask; left;) {
        const int lane = std::countr_zero(left);
        const std::uint64_t address = addresses[lane];
        const auto run = [&](Lanes goes_on) {
            return lane + 1 < warp_lanes ? std::countr_one(goes_on >> (lane + 1)) : 0;
        };
        const bool same = run(repeats) > 0;
        const int end = lane + 1 + (same ? run(repeats) : run(follows));
        left &= end < warp_lanes ? ~Lanes{0} << end : 0;
        if (windows.local.contains(address) || windows.params.contains(address)) continue;
        if (!now.site) now = begin(site, false);
        if (!same) {
            touch(now, address, at.bytes * static_cast<std::uint32_t>(end - lane), lane,
                  joins ? at.form : one_lane);
            continue;
        }
        // All of them read one place: the first two stand for them.
        touch(now, address, at.bytes, lane, one_lane);
        touch(now, address, at.bytes, lane + 1, one_lane);
    }
}

void Races::access(std::uint32_t site, Lanes mask, std::uint64_t first, std::int64_t stride,
                   const events::Windows& windows) {
    const Site& at = sites_[site];
    if (!copies_.empty())
        meet_open_copies(site, mask, [&](int of) { return first + static_cast<std::uint64_t>(stride * of); });
    const int lane = std::countr_zero(mask);
    const std::uint64_t address = first + static_cast<std::uint64_t>(stride * lane);
    const bool side_by_side = stride == static_cast<std::int64_t>(at.bytes),
               gaps = (mask >> lane) & ((mask >> lane) + 1);
    const bool shared = at.space != ptx::Space::global && windows.in_shared(first);
    if (!shared && at.plain && side_by_side && touch_quickly(site, address, mask >> lane, lane, windows))
        return;
    if (at.local || windows.local.contains(first) || windows.params.contains(first)) return;
    // All lanes read one place: the first two stand for them.
    const bool stand_for_all = stride == 0 && !at.facts->writes && !at.facts->strong;
    if (shared && !at.facts->strong && !at.facts->async) {
        Now now = begin(site, true);
        if (SharedShadow::Window* const window = memory_.shared.shadow.find(address, windows);
            window && side_by_side && !gaps && at.bytes == 1u << memory_.shared.shadow.shift()) {
            const std::uint32_t index = static_cast<std::uint32_t>((address - window->begin) / at.bytes),
                                count = static_cast<std::uint32_t>(std::popcount(mask));
            if (index + count <= window->of[at.role].size() && touch_row(now, *window, index, count, lane))
                return;
        }
        const Lanes two = mask & ~(mask & (mask - 1) & ((mask & (mask - 1)) - 1));
        return touch_shared(
            now, stand_for_all ? two : mask,
            [&](int l) { return first + static_cast<std::uint64_t>(stride * l); }, windows);
    }
    if (stand_for_all) {
        Now now = begin(site, false);
        touch(now, first, at.bytes, std::countr_zero(mask), one_lane);
        if (const Lanes rest = mask & (mask - 1))
            touch(now, first, at.bytes, std::countr_zero(rest), one_lane);
        return;
    }
    if (!side_by_side || at.facts->strong || at.facts->async || at.form > unit_bits || gaps) {
        std::uint64_t addresses[warp_lanes];
        for (int lane = 0; lane < warp_lanes; ++lane)
            addresses[lane] = first + static_cast<std::uint64_t>(stride * lane);
        return access(site, mask, addresses, windows);
    }
    // Lanes side by side, without a gap.
    Now now = begin(site, false);
    touch(now, address, static_cast<std::uint32_t>(std::popcount(mask)) * at.bytes, lane, at.form);
}

void Races::commit_copies() { ++copies_[{order_.block(), order_.warp()}].group; }

void Races::wait_for_copies(Lanes lanes, std::uint32_t groups_left, const events::Windows& windows) {
    const auto found = copies_.find({order_.block(), order_.warp()});
    if (found == copies_.end()) return;
    Copies& copies = found->second;
    std::vector<Copy> arrived;
    for (Copy& copy : copies.open) {
        if (!(copy.lanes & lanes) || copy.group + groups_left >= copies.group + (groups_left == 0)) continue;
        arrived.push_back(copy);
        arrived.back().lanes &= lanes;
        copy.lanes &= ~lanes;
    }
    std::erase_if(copies.open, [](const Copy& copy) { return copy.lanes == 0; });
    // They have written at some time until now.
    for (const Copy& copy : arrived) {
        touch_lanes(copy.site, copy.lanes, copy.addresses.data(), windows);
    }
}

void Races::block_ended(std::uint64_t block) {
    copies_.erase(copies_.lower_bound({block, 0}), copies_.lower_bound({block + 1, 0}));
}

void Races::forget(std::uint64_t address, std::uint64_t size) {
    const Now nobody{.instances = &memory_.global.instances};
    for (std::uint64_t at = address, end = address + size; at < end;) {
        const auto offset = static_cast<std::uint32_t>(at % ShadowPage::bytes);
        const auto here =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(end - at, unit_bytes - offset % unit_bytes));
        ShadowPage& page = memory_.global.shadow.page(at);
        for (const auto who :
             {ShadowPage::writer, ShadowPage::reader, ShadowPage::other_reader, ShadowPage::atomic})
            if (ShadowPage::Role* const role = page.find(who))
                put(nobody, page, *role, {offset, offset + here, 0, one_lane});
        at += here;
    }
}

void Races::touched(ByteSet& read, ByteSet& written, ByteSet& atomics) const {
    std::vector<std::uint64_t> numbers = pages_;
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    const Touch stale = touch_of(memory_.global.instances.first(), 0);
    for (const std::uint64_t number : numbers) {
        const auto found = memory_.global.shadow.pages().find(number);
        if (found == memory_.global.shadow.pages().end()) continue;
        const ShadowPage& page = *found->second;
        const auto add = [&](ByteSet& set, ShadowPage::Who who) {
            const ShadowPage::Role* const role = page.find(who);
            if (!role) return;
            const std::uint64_t base = number << ShadowPage::bits;
            std::uint32_t begin = 0, end = 0;  // of what is to be added
            const auto extend = [&](std::uint32_t from, std::uint32_t to) {
                if (from != end) {
                    if (begin < end) set.add(base + begin, base + end);
                    begin = from;
                }
                end = to;
            };
            for (std::uint32_t unit = 0; unit < ShadowPage::units; ++unit) {
                if (role->of[unit].touch < stale) continue;
                const std::uint32_t from = unit * unit_bytes, to = from + unit_bytes;
                if (role->of[unit].form != Unit::apart) {
                    extend(from, to);
                    continue;
                }
                const std::uint32_t step = 1u << page.shift();
                for (std::uint32_t at = from; at < to; at += step)
                    if (page.touch(*role, at) >= stale) extend(at, at + step);
            }
            if (begin < end) set.add(base + begin, base + end);
        };
        add(read, ShadowPage::reader);
        add(written, ShadowPage::writer);
        add(atomics, ShadowPage::atomic);
    }
}

void Races::note(Touch earlier, const Now& now, int lane) {
    const Instance& instance = (*now.instances)[instance_of(earlier)];
    const Segment& before = instance.segment;
    const Segment own = order_.segment();
    const Scope scope = before.block != own.block ? Scope::grid
                        : before.warp != own.warp ? Scope::block
                                                  : Scope::warp;
    Seen& seen =
        seen_[{std::min(instance.site, now.number), std::max(instance.site, now.number), now.shared}];
    const auto &one = code_.sites[instance.site].value, &other = now.site->facts->value;
    seen.same_value &= one && other && *one == *other;
    if (++seen.count > 1 && scope <= seen.scope) return;
    seen.scope = scope;
    seen.first = {instance.site, before.block, before.warp, lane_of(earlier)};
    seen.second = {now.number, own.block, own.warp, lane};
}

Finding Races::finding(const Seen& seen, bool shared) const {
    const SiteFacts &first = code_.sites[seen.first.site], &second = code_.sites[seen.second.site];
    const auto verb = [](const SiteFacts& facts) {
        return facts.atomic ? "atomic" : facts.writes ? "write" : "read";
    };
    const auto with_article = [&](const SiteFacts& facts) {
        return fmt::format("{} {}", facts.atomic ? "an" : "a", verb(facts));
    };
    Finding finding{.kind_of = Class::race, .kernel = code_.name, .count = seen.count};
    finding.own_places = 2;
    for (const Seen::Side& side : {seen.first, seen.second})
        finding.places.push_back(
            code_.place(side.site, verb(code_.sites[side.site]), who_(side.block, side.warp, side.lane)));
    const Place &a = finding.places[0], &b = finding.places[1];
    const std::string between =
        a.file == b.file && a.line == b.line ? fmt::format("the accesses of line {}", a.line)
        : a.file == b.file
            ? fmt::format("lines {} and {}", std::min(a.line, b.line), std::max(a.line, b.line))
            : fmt::format("{}:{} and {}:{}", a.file, a.line, b.file, b.line);
    finding.kind = first.atomic != second.atomic   ? "race-atomic"
                   : seen.scope == Scope::grid     ? "race-blocks"
                   : seen.scope == Scope::warp     ? "race-warp"
                   : first.writes && second.writes ? "race-write-write"
                                                   : "race-read-write";
    finding.message = fmt::format("{} and {} of the same {} memory by threads of {}, which nothing orders",
                                  with_article(first), with_article(second), shared ? "shared" : "global",
                                  seen.scope == Scope::grid     ? "different blocks"
                                  : seen.scope == Scope::thread ? "a block"
                                  : seen.scope == Scope::warp   ? "one warp"
                                                                : "different warps of a block");
    finding.details = {{"space", shared ? "shared" : "global"}};
    if (seen.scope == Scope::thread) {
        finding.message = fmt::format(
            "{} of shared memory that an asynchronous copy of the same thread writes, for "
            "which it has not waited",
            with_article(second));
        finding.advice =
            "wait for the copy's group before (__pipeline_wait_prior, cp.async.wait_group, or the "
            "pipeline's consumer_wait)";
    } else if (seen.same_value) {
        finding.rank = Rank::warning;
        finding.message += fmt::format("; all of them write the value {:#x}", *first.value);
        finding.advice =
            "let one thread write it, or use an atomic: that all write the same value does not make it "
            "defined";
    } else if (first.strong && second.strong && seen.scope == Scope::grid) {
        finding.advice = "use atomics with device scope (atomicAdd instead of atomicAdd_block)";
    } else if (first.atomic != second.atomic) {
        finding.advice = "use an atomic, or a volatile or cuda::atomic_ref access, on both sides";
    } else if (seen.scope == Scope::grid) {
        finding.advice =
            "__syncthreads() orders one block only: write to other memory than is read, or split the kernel "
            "in "
            "two launches";
    } else if (a.line == b.line && a.file == b.file && first.writes && second.writes && !first.reads) {
        finding.advice =
            "let each thread write to an element of its own, or one thread alone, or combine the values by "
            "an "
            "atomic";
    } else {
        finding.advice = fmt::format("put a {} between {}",
                                     seen.scope == Scope::warp ? "__syncwarp()" : "__syncthreads()", between);
    }
    return finding;
}

std::set<std::uint32_t> Races::racing() const {
    std::set<std::uint32_t> sites;
    for (const auto& [pair, _] : seen_) sites.insert({std::get<0>(pair), std::get<1>(pair)});
    return sites;
}

void Races::finish() {
    // Several instructions of a line are one access to who reads the source.
    std::map<std::tuple<std::string, int, std::string, int, bool>, std::pair<Seen, bool>> by_lines;
    for (const auto& [sites, seen] : seen_) {
        const Place one = code_.place(std::get<0>(sites), ""), other = code_.place(std::get<1>(sites), "");
        const bool swapped = std::tie(other.file, other.line) < std::tie(one.file, one.line);
        const Place &low = swapped ? other : one, &high = swapped ? one : other;
        const auto [at, fresh] = by_lines.try_emplace(
            {low.file, low.line, high.file, high.line, std::get<2>(sites)}, seen, std::get<2>(sites));
        if (fresh) continue;
        Seen& joined = at->second.first;
        const std::uint64_t count = joined.count + seen.count;
        const bool same_value = joined.same_value && seen.same_value;
        if (seen.scope > joined.scope) joined = seen;
        joined.count = count;
        joined.same_value = same_value;
    }
    for (const auto& [_, seen] : by_lines) findings_.add(finding(seen.first, seen.second));
}

}  // namespace lockstep::check
