#include "check/global-races.h"

#include <bit>

namespace lockstep::check {

// For all bytes of a part of the unit.
GlobalRaces::Answer GlobalRaces::settled(const Unit& earlier, Now& now, const Stretch& part) const {
    if (earlier.touch < now.settled_below) return Answer::yes;
    if (earlier.form == Unit::apart) return Answer::by_lane;
    const Verdict verdict = judge_.verdict(instance_of(earlier.touch), now);
    if (verdict == Verdict::settled) return Answer::yes;
    if (!judge_.order().is_plain()) return Answer::by_lane;
    if (verdict == Verdict::apart) return Answer::no;
    if (earlier.form != part.form) return Answer::by_lane;
    const int lane = lane_of(earlier.touch) + static_cast<int>(part.begin % unit_bytes >> earlier.form);
    return lane == part.lane ? Answer::yes : Answer::no;
}

// Where it is the same for all bytes. False: it is not.
bool GlobalRaces::remember_reader_of_unit(Now& now, ShadowPage& page, const Stretch& part) {
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
    if (second == Answer::yes || judge_.is_less_telling(now, one.touch, other.touch)) other = self;
    return true;
}

bool GlobalRaces::are_of_two_blocks(const Now& now, const ShadowPage& page, std::uint32_t unit) const {
    const ShadowPage::Role &readers = *page.find(ShadowPage::reader),
                           &others = *page.find(ShadowPage::other_reader);
    for (std::uint32_t at = unit * unit_bytes; at < (unit + 1) * unit_bytes; at += 1u << page.shift())
        if (!judge_.are_of_two_blocks(now, page.touch(readers, at), page.touch(others, at))) return false;
    return true;
}

void GlobalRaces::remember_reader(Now& now, ShadowPage& page, const Stretch& part) {
    const std::uint32_t unit = part.begin / unit_bytes;
    if (const ShadowPage::Role* const others = page.find(ShadowPage::other_reader)) {
        const ShadowPage::Role& readers = *page.find(ShadowPage::reader);
        const bool whole = readers.of[unit].form != Unit::apart && others->of[unit].form != Unit::apart;
        // Of a granule, where there are no two.
        const bool same = whole || (part.begin | ((1u << page.shift()) - 1)) == part.end - 1;
        if (same &&
            judge_.are_of_two_blocks(now, page.touch(readers, part.begin), page.touch(*others, part.begin))) {
            const auto has = [&](ShadowPage::Who who) {
                const ShadowPage::Role* const role = page.find(who);
                return role && role->of[unit].touch >= now.settled_below;
            };
            // Who goes through a unit by granules comes to its end.
            const bool all = whole || (part.end % unit_bytes == 0 && are_of_two_blocks(now, page, unit));
            if (all && !has(ShadowPage::writer) && !has(ShadowPage::atomic)) page.read_by_many(unit);
            return;
        }
    }
    judge_.number(now);
    if (remember_reader_of_unit(now, page, part)) return;
    ShadowPage::Role& readers = page.get(ShadowPage::reader);
    ShadowPage::Role& others = page.get(ShadowPage::other_reader);
    if (((part.begin | part.end) & ((1u << page.shift()) - 1)) != 0 || part.form < page.shift())
        page.refine();
    page.take_apart(readers, unit);
    page.take_apart(others, unit);
    const unsigned shift = page.shift();
    for (std::uint32_t at = part.begin; at < part.end; at += 1u << shift)
        judge_.remember_reader(now, readers.granules[at >> shift], others.granules[at >> shift],
                               touch_of(now.instance, part.lane_at(at)));
    readers.of[unit].touch = others.of[unit].touch = touch_of(now.instance, warp_lanes - 1);
}

void GlobalRaces::put(const Now& now, ShadowPage& page, ShadowPage::Role& role, const Stretch& part) {
    const std::uint32_t unit = part.begin / unit_bytes;
    page.not_read_by_many(unit);
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

void GlobalRaces::look(Now& now, const ShadowPage& page, const ShadowPage::Role& role, const Stretch& part) {
    const Unit& unit = role.of[part.begin / unit_bytes];
    if (settled(unit, now, part) == Answer::yes) return;
    // As fine as both are.
    unsigned shift = std::min(unit.form == Unit::apart ? page.shift() : std::min(unit.form, 2u), part.form);
    if (((part.begin | part.end) & ((1u << shift) - 1)) != 0) shift = 0;
    for (std::uint32_t at = part.begin; at < part.end; at += 1u << shift) {
        const Touch earlier = page.touch(role, at);
        const int lane = part.lane_at(at);
        if (earlier >= now.settled_below && !judge_.settled(earlier, now, lane))
            judge_.compare(earlier, now, lane, part.page + at);
    }
}

void GlobalRaces::touch(Now& now, ShadowPage& page, const Stretch& stretch) {
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
        judge_.number(now);
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
        if (all_quiet || role.of[unit].touch < below) {
            judge_.number(now);
            put(now, page, role, part);
        } else {
            remember_reader(now, page, part);
        }
    }
}

bool GlobalRaces::touch_quickly(std::uint32_t number, std::uint64_t address, Lanes mask, int lane,
                                const events::Windows& windows) {
    const Site& site = judge_.site(number);
    const std::uint32_t size = static_cast<std::uint32_t>(std::popcount(mask)) << site.form;
    const auto offset = static_cast<std::uint32_t>(address % ShadowPage::bytes);
    if (judge_.clustered() ||
        (mask & (mask + 1)) | ((offset | size) % unit_bytes) | (offset + size > ShadowPage::bytes))
        return false;
    Now now = judge_.begin(number, false);
    ShadowPage& page = memory_.global.shadow.page(address);
    if (page.launch != memory_.launch || page.ignored || windows.local.contains(address) ||
        windows.params.contains(address))
        return false;
    ShadowPage::Role* const own = page.find(site.role);
    if (!own) return false;
    const std::uint32_t first = offset / unit_bytes, count = size / unit_bytes,
                        step = unit_bytes >> site.form;
    const auto is_settled = [&](const ShadowPage::Role& role) {
        const Unit* const units = role.of.data() + first;
        Touch latest = 0;
        for (std::uint32_t i = 0; i < count; ++i) latest = std::max(latest, units[i].touch);
        if (latest < now.settled_below) return true;
        for (std::uint32_t i = 0; i < count; ++i) {
            const Unit& unit = units[i];
            if (unit.touch < now.settled_below) continue;
            if (unit.form == Unit::apart) return false;
            // What the same lanes did, or what came before.
            const Unit same{touch_of(instance_of(unit.touch), lane + static_cast<int>(i * step)), site.form};
            if (!(unit.touch >= now.own_from && unit == same) &&
                judge_.verdict(instance_of(unit.touch), now) != Verdict::settled)
                return false;
        }
        return true;
    };
    for (std::uint32_t i = 0; i < site.meets_count; ++i)
        if (const ShadowPage::Role* const role = page.find(site.meets[i]); role && !is_settled(*role))
            return false;
    if (site.role == ShadowPage::reader && !is_settled(*own)) return false;
    judge_.number(now);
    Touch touch = touch_of(now.instance, lane);
    for (std::uint32_t i = 0; i < count; ++i, touch += step) {
        own->of[first + i] = {touch, site.form};
        if (site.role != ShadowPage::reader) page.not_read_by_many(first + i);
    }
    return true;
}

void GlobalRaces::touch(Now& now, std::uint64_t address, std::uint32_t size, int lane, std::uint32_t form) {
    for (std::uint64_t at = address, end = address + size; at < end;) {
        const auto offset = static_cast<std::uint32_t>(at % ShadowPage::bytes);
        const auto here =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(end - at, ShadowPage::bytes - offset));
        ShadowPage& page = memory_.global.shadow.page(at);
        if (page.launch != memory_.launch) {
            page.launch = memory_.launch;
            page.nothing_read_by_many();
            page.ignored = !memory_.is_allocated(at);
            if (!page.ignored) pages_.push_back(at >> ShadowPage::bits);
        }
        if (!page.ignored)
            touch(
                now, page,
                {at - offset, offset, offset + here, lane + static_cast<int>((at - address) >> form), form});
        at += here;
    }
}

void GlobalRaces::forget(std::uint64_t address, std::uint64_t size) {
    const Now nobody{.instances = &memory_.global.instances};
    for (std::uint64_t at = address, end = address + size; at < end;) {
        const auto offset = static_cast<std::uint32_t>(at % ShadowPage::bytes);
        const auto here =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(end - at, unit_bytes - offset % unit_bytes));
        ShadowPage& page = memory_.global.shadow.page(at);
        for (const auto who :
             {ShadowPage::writer, ShadowPage::reader, ShadowPage::other_reader, ShadowPage::atomic})
            if (ShadowPage::Role* const role = page.find(who))
                put(nobody, page, *role, {at - offset, offset, offset + here, 0, one_lane});
        at += here;
    }
}

void GlobalRaces::touched(ByteSet& read, ByteSet& written, ByteSet& atomics) const {
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

}  // namespace lockstep::check
