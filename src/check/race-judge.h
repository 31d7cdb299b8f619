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
    RaceMemory& memory() const { return memory_; }
    const Order& order() const { return order_; }

    // An access of the warp that the order is at.
    Now begin(std::uint32_t site, bool shared);
    Touch settled_below(bool shared);
    Touch own_from(bool shared);
    // The number of the site's access, in the segment that the warp is in.
    std::uint32_t instance(std::uint32_t site, bool shared);

    Verdict verdict(std::uint32_t instance, Now& now) const {
        if (instance != now.known) {
            now.known = instance;
            now.verdict = find_verdict(instance, now);
        }
        return now.verdict;
    }
    bool settled(Touch earlier, Now& now, int lane) const;
    // They are not settled: it is a race, unless both are strong.
    void compare(Touch earlier, const Now& now, int lane);
    // One of two readers gives way to the access under way, if that tells more of the writers to come.
    void remember_reader(Now& now, Touch& one, Touch& other, Touch self);
    bool are_of_two_blocks(const Now& now, Touch one, Touch other);
    bool is_less_telling(const Now& now, Touch one, Touch other) const;

  private:
    Verdict find_verdict(std::uint32_t instance, const Now& now) const;

    const KernelCode& code_;
    bool clustered_, scoped_ = false;  // some atomics have a block's scope only
    RaceMemory& memory_;
    Order& order_;
    RaceLog& log_;
    struct Made {
        std::uint32_t segment = 0, instance = 0;
    };
    std::vector<Site> sites_;
    struct Own {
        std::uint64_t turn = 0;
        std::uint32_t instance = 0;  // the first of the warp's since then
    };
    struct Pair {
        std::uint32_t one = ~0u, other = ~0u;
        bool operator==(const Pair&) const = default;
    };
    std::vector<Pair> of_two_blocks_;        // by site: the instances that were last found to be
    std::array<Own, 2> own_;                 // by whether it is in shared memory
    std::array<std::vector<Made>, 2> made_;  // by whether it is in shared memory, and site: the last instance
};

}  // namespace lockstep::check
