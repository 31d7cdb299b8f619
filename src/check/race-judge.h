// Whether what a warp does now races with an access that is remembered. What an access is compared with, and
// where it is remembered, is the business of global-races.h and shared-races.h.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "check/code.h"
#include "check/order.h"
#include "check/race-log.h"
#include "check/race-memory.h"

namespace lockstep::check {

class RaceJudge {
  public:
    // How what an instance did stands to what the warp does now, whichever lanes these are.
    enum class Verdict : std::uint8_t {
        settled,    // it came first, or counts as nobody
        same_warp,  // by lane
        apart,
    };
    // What each access of a site does here.
    struct Site {
        const SiteFacts* facts = nullptr;
        std::uint32_t bytes = 0;
        std::uint32_t form = 0;  // as Unit has it
        ptx::Space space = ptx::Space::none;
        bool local = false, plain = false;
        ShadowPage::Who role = ShadowPage::reader;               // in which it is remembered
        std::array<ShadowPage::Who, ShadowPage::kinds> meets{};  // whom it may race with: so many of them
        std::uint32_t meets_count = 0;
    };
    struct Now {
        std::uint32_t number = 0;  // of the site
        const Site* site = nullptr;
        bool shared = false;
        const Instances* instances = nullptr;
        std::uint32_t instance = 0;
        Touch settled_below = 0;  // touches with smaller numbers came first, or count as nobody
        Touch own_from = 0;       // those from here on are the warp's own
        // Of the instance that was looked at last: neighbours have the same one, mostly.
        std::uint32_t known = 0;
        Verdict verdict{};
        bool is_quiet(Touch earlier, int lane) const {
            return earlier < settled_below ||
                   (earlier >= own_from && ((earlier ^ static_cast<Touch>(lane)) & (warp_lanes - 1)) == 0);
        }
    };

    // `clustered`: blocks may reach each other's shared memory.
    RaceJudge(const KernelCode& code, bool clustered, RaceMemory& memory, Order& order, RaceLog& log);

    const Site& site(std::uint32_t number) const { return sites_[number]; }
    bool clustered() const { return clustered_; }
    bool has_copies() const { return copies_; }
    RaceMemory& memory() const { return memory_; }
    const Order& order() const { return order_; }

    // An access of the warp that the order is at; it has no instance yet.
    Now begin(std::uint32_t site, bool shared) {
        if (memory_.instances(shared).next() >= Instances::most) begin_again(shared);
        const Turn& now = turn(shared);
        return {.number = site,
                .site = &sites_[site],
                .shared = shared,
                .instances = &memory_.instances(shared),
                .settled_below = now.settled_below,
                .own_from = now.own_from};
    }
    // The same of what is done to shared memory by itself, and remembered elsewhere: by a copy, or by a
    // product for its whole warp.
    Now begin_async(std::uint32_t site, bool writes) {
        Now now = begin(site, true);
        now.site = &async_sites_[writes];
        return now;
    }
    // Gives it its number, where it is to be remembered: of the site's accesses in the segment that the warp
    // is in. Most reads are of memory that others have read before, and need none.
    [[gnu::always_inline]] void number(Now& now) {
        const std::uint32_t segment = order_.number();
        Made& made = made_[now.shared][now.number];
        if (made.segment != segment || made.instance < now.instances->first())
            made = {segment, memory_.instances(now.shared).add(order_.segment(), now.number)};
        now.instance = made.instance;
    }

    Verdict verdict(std::uint32_t instance, Now& now) const {
        if (instance != now.known) {
            now.known = instance;
            now.verdict = find_verdict(instance, now);
        }
        return now.verdict;
    }
    bool settled(Touch earlier, Now& now, int lane) const;
    // They are not settled: it is a race, unless both are strong.
    // The address is that of global memory.
    void compare(Touch earlier, const Now& now, int lane, std::uint64_t address = 0);
    // One of two readers gives way to the access under way, if that tells more of the writers to come.
    void remember_reader(Now& now, Touch& one, Touch& other, Touch self);
    bool are_of_two_blocks(const Now& now, Touch one, Touch other);
    bool is_less_telling(const Now& now, Touch one, Touch other) const;

  private:
    // From when the warp began to act until another does.
    struct Turn {
        std::uint64_t number = 0;
        Touch settled_below = 0, own_from = 0;
    };
    const Turn& turn(bool shared) {
        Turn& now = turns_[shared];
        if (now.number != order_.turn()) now = {order_.turn(), settled_below(shared), own_from(shared)};
        return now;
    }
    Touch settled_below(bool shared);
    // Instances that come since the warp's turn began are its own.
    Touch own_from(bool shared) const { return touch_of(memory_.instances(shared).next(), 0); }
    // There are no more numbers: what was remembered is forgotten.
    void begin_again(bool shared);
    Verdict find_verdict(std::uint32_t instance, const Now& now) const;

    const KernelCode& code_;
    bool clustered_, scoped_ = false;  // some atomics have a block's scope only
    bool copies_ = false;              // some are asynchronous (cp.async)
    RaceMemory& memory_;
    Order& order_;
    RaceLog& log_;
    struct Made {
        std::uint32_t segment = 0, instance = 0;
    };
    std::vector<Site> sites_;
    std::array<Site, 2> async_sites_;  // that read, or write
    SiteFacts async_facts_[2];
    struct Pair {
        std::uint32_t one = ~0u, other = ~0u;
        bool operator==(const Pair&) const = default;
    };
    std::vector<Pair> of_two_blocks_;        // by site: the instances that were last found to be
    std::array<Turn, 2> turns_;              // by whether it is in shared memory
    std::array<std::vector<Made>, 2> made_;  // by whether it is in shared memory, and site: the last instance
};

}  // namespace lockstep::check
