#include "check/races.h"

#include <bit>

namespace lockstep::check {

template <class Address>
void Races::meet_open_copies(std::uint32_t site, Lanes mask, const Address& address) {
    const Site& at = judge_.site(site);
    if (at.facts->async || at.space == ptx::Space::global) return;
    copies_.meet(order_.block(), mask, at.bytes, address,
                 [&](std::uint32_t copy, std::uint32_t warp, int copier, int lane) {
                     log_.note_copy({copy, order_.block(), warp, copier},
                                    {site, order_.block(), order_.warp(), lane});
                 });
}

template <class Address>
void Races::meet_copies(std::uint32_t site, Lanes mask, const Address& address) {
    if (!copies_.empty()) meet_open_copies(site, mask, address);
    if (async_.empty()) return;
    const std::uint32_t bytes = judge_.site(site).bytes;
    const bool writes = judge_.site(site).facts->writes;
    each_lane(mask, [&](int lane) {
        const std::uint64_t begin = address(lane);
        async_.meet(order_.block(), begin, begin + bytes, writes, [&](const AsyncAccesses::Access& other) {
            if (!order_.knows_phase(other.phase, lane))
                log_.note_copy({other.site, order_.block(), other.warp, other.lane},
                               {site, order_.block(), order_.warp(), lane});
        });
    });
}

void Races::begin_async(const AsyncAccesses::Access& access, const events::Windows& windows) {
    async_.meet(order_.block(), access.begin, access.end, access.writes,
                [&](const AsyncAccesses::Access& other) {
                    if (other.warp == access.warp && other.lane == access.lane && other.site == access.site &&
                        other.phase == access.phase)
                        return;
                    if (!order_.knows_phase(other.phase, access.lane))
                        log_.note_copy({other.site, order_.block(), other.warp, other.lane},
                                       {access.site, order_.block(), access.warp, access.lane});
                });
    shared_.meet(judge_.begin_async(access.site, access.writes), access.begin, access.end, access.lane,
                 judge_.site(access.site).facts->product, windows);
    async_.issue(order_.block(), access);
}

void Races::bulk_copy(std::uint32_t site, int lane, std::uint32_t phase, const events::ByteRange& shared,
                      const events::Windows& windows) {
    const bool writes = phase != 0;
    if (!writes) phase = groups_.phase(AsyncGroups::thread(order_.block(), order_.warp(), lane));
    begin_async({site, order_.warp(), lane, phase, shared.address, shared.address + shared.bytes, writes},
                windows);
}

void Races::bulk_global(std::uint32_t site, int lane, const events::ByteRange& range) {
    Now now = judge_.begin(site, false);
    global_.touch(now, range.address, range.bytes, lane, GlobalRaces::one_lane);
}

void Races::product(std::uint32_t site, const events::ByteRange& read, const events::Windows& windows) {
    const std::uint32_t phase = groups_.phase(AsyncGroups::warpgroup(order_.block(), order_.warp()));
    begin_async({site, order_.warp(), 0, phase, read.address, read.address + read.bytes, false}, windows);
}

void Races::commit_bulk(Lanes lanes) {
    each_lane(lanes,
              [&](int lane) { groups_.commit(AsyncGroups::thread(order_.block(), order_.warp(), lane)); });
}

void Races::wait_for_bulk(Lanes lanes, std::uint32_t groups_left) {
    each_lane(lanes, [&](int lane) {
        groups_.wait(AsyncGroups::thread(order_.block(), order_.warp(), lane), groups_left,
                     [&](std::uint32_t phase) { order_.wait_phase(phase, Lanes{1} << lane); });
    });
}

// The warps of a group read for each other: who has waited knows that all have read.
void Races::wait_for_products(std::uint32_t groups_left) {
    groups_.wait(AsyncGroups::warpgroup(order_.block(), order_.warp()), groups_left,
                 [&](std::uint32_t phase) { order_.wait_phase(phase, ~Lanes{0}); });
}

void Races::access(std::uint32_t site, Lanes mask, const std::uint64_t* addresses,
                   const events::Windows& windows) {
    const Site& at = judge_.site(site);
    // Who waits at the other block's barrier is not followed from here.
    if (at.local || at.facts->told) return;
    meet_copies(site, mask, [&](int lane) { return addresses[lane]; });
    if (quiet_ && at.space == ptx::Space::shared) return;
    if (at.facts->async && at.facts->writes) copies_.issue(warp(), site, at.bytes, mask, addresses);
    touch_lanes(site, mask, addresses, at.bytes, windows);
    if (!at.facts->strong) return;
    each_lane(mask, [&](int lane) {
        const std::uint64_t address = addresses[lane];
        if (windows.local.contains(address) || windows.params.contains(address)) return;
        if (at.facts->acquires) order_.acquire(address, lane, at.facts->block_scope);
        if (at.facts->publishes) order_.publish(address, lane, at.facts->releases, at.facts->block_scope);
    });
}

// Lanes whose bytes follow each other, and those that read the same, are one.
void Races::touch_lanes(std::uint32_t site, Lanes mask, const std::uint64_t* addresses, std::uint32_t bytes,
                        const events::Windows& windows) {
    const Site& at = judge_.site(site);
    const std::uint32_t form = form_of(bytes);
    const bool joins = form <= unit_bits;
    const bool shares = !at.facts->writes && !at.facts->strong;
    // By lane: whether it begins where the one before ends, or where that begins.
    if (at.space != ptx::Space::global) {
        Lanes shared = at.space == ptx::Space::shared ? mask : 0;
        if (!shared)
            each_lane(mask, [&](int lane) {
                shared |= static_cast<Lanes>(windows.in_shared(addresses[lane])) << lane;
            });
        if (shared && !quiet_) {
            Now now = judge_.begin(site, true);
            judge_.number(now);
            shared_.touch(now, shared, [&](int lane) { return addresses[lane]; }, windows);
        }
        mask &= ~shared;
        if (!mask) return;
    }
    Lanes follows = 0, repeats = 0;
    for (int lane = 1; lane < warp_lanes; ++lane) {
        const std::uint64_t step = addresses[lane] - addresses[lane - 1];
        follows |= static_cast<Lanes>(step == bytes) << lane;
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
        touch_run(now, site, address, bytes, lane, end, same, windows);
    }
}

void Races::touch_run(Now& now, std::uint32_t site, std::uint64_t address, std::uint32_t bytes, int lane,
                      int end, bool same, const events::Windows& windows) {
    const std::uint32_t size = same ? bytes : bytes * static_cast<std::uint32_t>(end - lane);
    if (!judge_.site(site).facts->writes && global_.is_read_by_many(address, size)) return;
    if (windows.local.contains(address) || windows.params.contains(address)) return;
    if (!now.site) now = judge_.begin(site, false);
    const std::uint32_t form = form_of(bytes);
    if (!same)
        return global_.touch(now, address, size, lane, form <= unit_bits ? form : GlobalRaces::one_lane);
    // All of them read one place: the first two stand for them.
    global_.touch(now, address, bytes, lane, GlobalRaces::one_lane);
    global_.touch(now, address, bytes, lane + 1, GlobalRaces::one_lane);
}

// Of each row so many bytes.
bool Races::are_read_by_many(const events::RowsAccess& rows, std::uint32_t bytes) const {
    if (!global_.is_read_by_many(rows.first, bytes)) return false;
    for (std::uint32_t row = 1; row < rows.rows; ++row)
        if (rows.distances[row - 1] != 0 && !global_.is_read_by_many(rows.begin(row), bytes)) return false;
    return true;
}

// Rows are what touch_lanes would find in their addresses.
void Races::access_rows(std::uint32_t site, const events::RowsAccess& rows, bool copied,
                        const events::Windows& windows) {
    const Site& at = judge_.site(site);
    const bool same = rows.stride == 0 && !at.facts->writes;
    if (copied || !at.plain || at.space != ptx::Space::global || rows.mask != ~Lanes{0} ||
        !(same || rows.stride == static_cast<std::int64_t>(at.bytes)))
        return access(site, rows.mask, rows.scattered().addresses, windows);
    const int width = rows.width();
    if (!at.facts->writes &&
        are_read_by_many(rows, same ? at.bytes : at.bytes * static_cast<std::uint32_t>(width)))
        return;
    Now now;
    const auto step = static_cast<std::uint64_t>(std::int64_t{rows.stride} * width);
    for (std::uint32_t row = 0, next = 0; row < rows.rows; row = next) {
        for (next = row + 1; next < rows.rows && rows.begin(next) - rows.begin(next - 1) == step;) ++next;
        touch_run(now, site, rows.begin(row), at.bytes, static_cast<int>(row) * width,
                  static_cast<int>(next) * width, same, windows);
    }
}

void Races::access(std::uint32_t site, Lanes mask, std::uint64_t first, std::int64_t stride,
                   const events::Windows& windows) {
    const Site& at = judge_.site(site);
    if (at.facts->told) return;
    meet_copies(site, mask, [&](int of) { return first + static_cast<std::uint64_t>(stride * of); });
    if (quiet_ && at.space == ptx::Space::shared) return;
    const int lane = std::countr_zero(mask);
    const std::uint64_t address = first + static_cast<std::uint64_t>(stride * lane);
    const bool side_by_side = stride == static_cast<std::int64_t>(at.bytes),
               gaps = (mask >> lane) & ((mask >> lane) + 1);
    const bool shared = at.space != ptx::Space::global && windows.in_shared(first);
    if (shared && quiet_) return;
    if (!shared && at.plain && side_by_side &&
        global_.touch_quickly(site, address, mask >> lane, lane, windows))
        return;
    if (at.local || windows.local.contains(first) || windows.params.contains(first)) return;
    // All lanes read one place: the first two stand for them.
    const bool stand_for_all = stride == 0 && !at.facts->writes && !at.facts->strong;
    if (shared && !at.facts->strong && !at.facts->async) {
        Now now = judge_.begin(site, true);
        if (side_by_side && !gaps &&
            shared_.touch_row(now, address, static_cast<std::uint32_t>(std::popcount(mask)), lane, windows))
            return;
        judge_.number(now);
        const Lanes two = mask & ~(mask & (mask - 1) & ((mask & (mask - 1)) - 1));
        return shared_.touch(
            now, stand_for_all ? two : mask,
            [&](int l) { return first + static_cast<std::uint64_t>(stride * l); }, windows);
    }
    if (stand_for_all) {
        Now now = judge_.begin(site, false);
        global_.touch(now, first, at.bytes, std::countr_zero(mask), GlobalRaces::one_lane);
        if (const Lanes rest = mask & (mask - 1))
            global_.touch(now, first, at.bytes, std::countr_zero(rest), GlobalRaces::one_lane);
        return;
    }
    if (!side_by_side || at.facts->strong || at.facts->async || at.form > unit_bits || gaps) {
        std::uint64_t addresses[warp_lanes];
        for (int lane = 0; lane < warp_lanes; ++lane)
            addresses[lane] = first + static_cast<std::uint64_t>(stride * lane);
        return access(site, mask, addresses, windows);
    }
    // Lanes side by side, without a gap.
    Now now = judge_.begin(site, false);
    global_.touch(now, address, static_cast<std::uint32_t>(std::popcount(mask)) * at.bytes, lane, at.form);
}

void Races::wait_for_copies(Lanes lanes, std::uint32_t groups_left, const events::Windows& windows) {
    // They have written at some time until now.
    for (const OpenCopies::Copy& copy : copies_.wait(warp(), lanes, groups_left))
        touch_lanes(copy.site, copy.lanes, copy.addresses.data(), judge_.site(copy.site).bytes, windows);
}

}  // namespace lockstep::check
