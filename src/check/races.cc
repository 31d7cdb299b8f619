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

}  // namespace

// When there are no more numbers, what was remembered is forgotten.
void RaceMemory::begin_launch() {
    ++launch;
    if (instances.size() > most_instances / 2) {
        shadow.clear();
        instances.resize(1);
    }
    first = static_cast<std::uint32_t>(instances.size());
}

Races::Races(const KernelCode& code, bool clustered, RaceMemory& memory, Order& order, Findings& findings,
             Who who)
    : code_(code),
      clustered_(clustered),
      memory_(memory),
      order_(order),
      findings_(findings),
      who_(std::move(who)) {
    memory_.begin_launch();
    made_.resize(code.sites.size());
    for (const SiteFacts& facts : code.sites) scoped_ |= facts.atomic && facts.block_scope;
}

std::uint32_t Races::instance(std::uint32_t site) {
    const std::uint32_t segment = order_.segment();
    Made& made = made_[site];
    if (made.segment == segment) return made.instance;
    if (memory_.instances.size() >= RaceMemory::most_instances) {
        memory_.shadow.clear();
        memory_.instances.resize(1);
        memory_.first = 1;
        std::fill(made_.begin(), made_.end(), Made{});
    }
    made = {segment, static_cast<std::uint32_t>(memory_.instances.size())};
    memory_.instances.push_back({segment, site});
    return made.instance;
}

Races::Verdict Races::verdict(std::uint32_t instance, const Now& now) const {
    if (instance < memory_.first) return Verdict::settled;  // an earlier launch's
    const std::uint32_t segment = memory_.instances[instance].segment;
    // In shared memory: of a block that had it before.
    if (now.shared) {
        const std::uint32_t block = order_.segment(segment).block;
        if (block != order_.block() && (!clustered_ || !order_.is_running(block))) return Verdict::settled;
    }
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
    const std::uint32_t segment = memory_.instances[instance].segment;
    if (now.verdict == Verdict::same_warp && order_.lane_before(segment, lane_of(earlier), lane)) return true;
    return order_.acquired(segment, lane_of(earlier), lane);
}

void Races::compare(Touch earlier, const Now& now, int lane) {
    const SiteFacts& before = code_.sites[memory_.instances[instance_of(earlier)].site];
    if ((before.verified && now.facts->atomic) || (now.facts->verified && before.atomic)) return;
    // Strong accesses may meet, but a lane does not wait for its neighbours because both are volatile; and
    // atomics of one block's scope are none for another block.
    if (before.strong && now.facts->strong) {
        const Segment& segment = order_.segment(memory_.instances[instance_of(earlier)].segment);
        const Segment& own = order_.segment(memory_.instances[now.instance].segment);
        const bool scoped = (before.block_scope || now.facts->block_scope) && segment.block != own.block;
        const bool volatile_lanes = now.shared && !before.atomic && !now.facts->atomic &&
                                    segment.block == own.block && segment.warp == own.warp;
        if (!scoped && !volatile_lanes) return;
    }
    note(earlier, now, lane);
}

// Of two readers, that one is kept which the writers to come are least likely to be ordered with.
void Races::remember_reader(Now& now, ShadowPage& page, std::uint32_t granule, int lane) {
    const Touch self = touch_of(now.instance, lane);
    Touch* const readers = page.get(ShadowPage::reader);
    Touch& one = readers[granule];
    if (one == self) return;
    if (settled(one, now, lane)) {
        one = self;
        return;
    }
    Touch& other = page.get(ShadowPage::other_reader)[granule];
    if (other == self) return;
    if (settled(other, now, lane)) {
        other = self;
        return;
    }
    const auto segment = [&](Touch touch) -> const Segment& {
        return order_.segment(memory_.instances[instance_of(touch)].segment);
    };
    const Segment &a = segment(one), &b = segment(other), &c = segment(self);
    if (a.block == b.block && (c.block != a.block || (a.warp == b.warp && c.warp != a.warp))) other = self;
}

// Granules of lanes that follow each other, `per_lane` each.
template <bool One>
void Races::granules(Now& now, ShadowPage& page, std::uint32_t first, std::uint32_t count, int lane,
                     std::uint32_t per_lane) {
    if (!now.shared) {
        if (page.launch != memory_.launch) {
            page.launch = memory_.launch;
            page.ignored = !memory_.is_allocated(now.address);
            if (!page.ignored) pages_.push_back(now.address >> ShadowPage::bits);
        }
        if (page.ignored) return;
    }
    const Touch below = now.settled_below;
    const auto lane_at = [&](std::uint32_t i) { return lane + static_cast<int>(One ? i : i / per_lane); };
    // Whether all of them are settled, for one look at many.
    const auto quiet = [&](const Touch* touches) {
        Touch highest = 0;
        for (std::uint32_t i = 0; i < count; ++i) highest = std::max(highest, touches[first + i]);
        return highest < below;
    };
    const auto look = [&](ShadowPage::Who who) {
        const Touch* const touches = page.find(who);
        if (!touches || quiet(touches)) return;
        for (std::uint32_t i = 0; i < count; ++i) {
            const Touch earlier = touches[first + i];
            if (earlier < below || (instance_of(earlier) == now.known && now.verdict == Verdict::settled))
                continue;
            if (!settled(earlier, now, lane_at(i))) compare(earlier, now, lane_at(i));
        }
    };
    const auto put = [&](Touch* touches) {
        for (std::uint32_t i = 0; i < count; ++i) touches[first + i] = touch_of(now.instance, lane_at(i));
    };
    look(ShadowPage::writer);
    if (now.facts->writes) {
        look(ShadowPage::reader);
        look(ShadowPage::other_reader);
    }
    if (!now.facts->atomic || scoped_) look(ShadowPage::atomic);
    if (now.facts->atomic || now.facts->writes)
        return put(page.get(now.facts->atomic ? ShadowPage::atomic : ShadowPage::writer));
    Touch* const readers = page.get(ShadowPage::reader);
    if (quiet(readers)) return put(readers);
    for (std::uint32_t i = 0; i < count; ++i) {
        Touch& reader = readers[first + i];
        if (reader < below || (instance_of(reader) == now.known && now.verdict == Verdict::settled))
            reader = touch_of(now.instance, lane_at(i));
        else
            remember_reader(now, page, first + i, lane_at(i));
    }
}

// What was there when the block began its present epoch is settled in shared memory: its own accesses came
// before the barrier, and others' before the block.
Races::Now Races::begin(std::uint32_t site, bool shared) {
    const std::uint32_t mark = order_.mark(static_cast<std::uint32_t>(memory_.instances.size()));
    return {
        .site = site,
        .bytes = static_cast<std::uint32_t>(code_.kernel->sites[site].bytes),
        .facts = &code_.sites[site],
        .shared = shared,
        .instance = instance(site),
        .settled_below = touch_of(shared && !clustered_ ? std::max(mark, memory_.first) : memory_.first, 0)};
}

void Races::touch(Now& now, std::uint64_t address, int lane) {
    constexpr std::uint64_t page_bytes = 1u << ShadowPage::bits;
    const auto offset = static_cast<std::uint32_t>(address % page_bytes);
    // Aligned accesses never cross a page.
    const std::uint32_t size = std::min<std::uint32_t>(now.bytes, page_bytes - offset);
    ShadowPage& page = memory_.shadow.page(address);
    now.address = address;
    const ShadowPage::Range range = page.range(offset, size);
    range.count == 1 ? granules<true>(now, page, range.first, 1, lane, 1)
                     : granules<false>(now, page, range.first, range.count, lane, range.count);
}

void Races::access(std::uint32_t site, Lanes mask, const std::uint64_t* addresses,
                   const events::Windows& windows) {
    Now now = begin(site, false);
    if (now.facts->async && now.facts->writes) {
        Copies& copies = copies_[{order_.block(), order_.warp()}];
        copies.open.push_back({site, copies.group, mask, {}});
        std::copy_n(addresses, warp_lanes, copies.open.back().addresses.begin());
    }
    for (Lanes left = mask; left; left &= left - 1) {
        const int lane = std::countr_zero(left);
        const std::uint64_t address = addresses[lane];
        if (windows.local.contains(address) || windows.params.contains(address)) continue;
        now.shared = windows.in_shared(address);
        touch(now, address, lane);
        if (now.facts->acquires) order_.acquire(address, lane);
        if (now.facts->publishes) order_.publish(address, lane, now.facts->releases);
    }
}

void Races::access(std::uint32_t site, Lanes mask, std::uint64_t first, std::int64_t stride,
                   const events::Windows& windows) {
    const SiteFacts& facts = code_.sites[site];
    const auto bytes = static_cast<std::uint32_t>(code_.kernel->sites[site].bytes);
    if (windows.local.contains(first) || windows.params.contains(first)) return;
    // All lanes read one place: the first two stand for them.
    if (stride == 0 && !facts.writes && !facts.strong) {
        Now now = begin(site, windows.in_shared(first));
        const int lane = std::countr_zero(mask);
        touch(now, first, lane);
        if (const Lanes rest = mask & (mask - 1)) touch(now, first, std::countr_zero(rest));
        return;
    }
    if (stride != static_cast<std::int64_t>(bytes) || facts.strong || facts.async ||
        (mask & (mask + (mask & -mask)))) {
        std::uint64_t addresses[warp_lanes];
        for (int lane = 0; lane < warp_lanes; ++lane)
            addresses[lane] = first + static_cast<std::uint64_t>(stride * lane);
        return access(site, mask, addresses, windows);
    }
    // Lanes side by side, without a gap.
    constexpr std::uint64_t page_bytes = 1u << ShadowPage::bits;
    int lane = std::countr_zero(mask);
    std::uint64_t address = first + static_cast<std::uint64_t>(stride * lane);
    auto left = static_cast<std::uint64_t>(std::popcount(mask)) * bytes;
    Now now = begin(site, windows.in_shared(address));
    while (left > 0) {
        now.address = address;
        const auto offset = static_cast<std::uint32_t>(address % page_bytes);
        const auto here = static_cast<std::uint32_t>(std::min<std::uint64_t>(left, page_bytes - offset));
        ShadowPage& page = memory_.shadow.page(address);
        const ShadowPage::Range range = page.range(offset, here);
        const std::uint32_t per_lane = bytes >> page.shift();
        per_lane == 1 ? granules<true>(now, page, range.first, range.count, lane, 1)
                      : granules<false>(now, page, range.first, range.count, lane, per_lane);
        address += here;
        left -= here;
        lane += static_cast<int>(here / bytes);
    }
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
        Now now = begin(copy.site, false);
        each_lane(copy.lanes, [&](int lane) {
            const std::uint64_t address = copy.addresses[static_cast<std::size_t>(lane)];
            now.shared = windows.in_shared(address);
            touch(now, address, lane);
        });
    }
}

void Races::block_ended(std::uint64_t block) {
    copies_.erase(copies_.lower_bound({block, 0}), copies_.lower_bound({block + 1, 0}));
}

void Races::forget(std::uint64_t address, std::uint64_t size) {
    for (std::uint64_t at = address & ~std::uint64_t{3}; at < address + size; at += 4) {
        ShadowPage& page = memory_.shadow.page(at);
        const auto offset = static_cast<std::uint32_t>(at % (1u << ShadowPage::bits));
        for (const auto who :
             {ShadowPage::writer, ShadowPage::reader, ShadowPage::other_reader, ShadowPage::atomic})
            if (Touch* const touches = page.find(who))
                std::fill_n(touches + (offset >> page.shift()), 4 >> page.shift(), Touch{0});
    }
}

void Races::touched(ByteSet& read, ByteSet& written, ByteSet& atomics) const {
    std::vector<std::uint64_t> numbers = pages_;
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    const Touch stale = touch_of(memory_.first, 0);
    for (const std::uint64_t number : numbers) {
        const auto found = memory_.shadow.pages().find(number);
        if (found == memory_.shadow.pages().end()) continue;
        const ShadowPage& page = *found->second;
        const std::uint32_t granules = 1u << (ShadowPage::bits - page.shift());
        const auto add = [&](ByteSet& set, const Touch* touches) {
            for (std::uint32_t i = 0; touches && i < granules;) {
                if (touches[i] < stale) {
                    ++i;
                    continue;
                }
                const std::uint32_t begin = i;
                while (i < granules && touches[i] >= stale) ++i;
                const std::uint64_t base = number << ShadowPage::bits;
                set.add(base + (begin << page.shift()), base + (i << page.shift()));
            }
        };
        add(read, page.find(ShadowPage::reader));
        add(written, page.find(ShadowPage::writer));
        add(atomics, page.find(ShadowPage::atomic));
    }
}

void Races::note(Touch earlier, const Now& now, int lane) {
    const RaceMemory::Instance& instance = memory_.instances[instance_of(earlier)];
    const Segment& before = order_.segment(instance.segment);
    const Segment& own = order_.segment(memory_.instances[now.instance].segment);
    const Scope scope = before.block != own.block ? Scope::grid
                        : before.warp != own.warp ? Scope::block
                                                  : Scope::warp;
    Seen& seen = seen_[{std::min(instance.site, now.site), std::max(instance.site, now.site), now.shared}];
    const auto &one = code_.sites[instance.site].value, &other = now.facts->value;
    seen.same_value &= one && other && *one == *other;
    if (++seen.count > 1 && scope <= seen.scope) return;
    seen.scope = scope;
    seen.first = {instance.site, before.block, before.warp, lane_of(earlier)};
    seen.second = {now.site, own.block, own.warp, lane};
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
                                  seen.scope == Scope::grid   ? "different blocks"
                                  : seen.scope == Scope::warp ? "one warp"
                                                              : "different warps of a block");
    if (seen.same_value) {
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
