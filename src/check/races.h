// Races of one launch: accesses to the same byte, at least one of which writes, that nothing orders.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "check/byte-set.h"
#include "check/code.h"
#include "check/findings.h"
#include "check/order.h"
#include "check/shadow.h"
#include "events/observer.h"

namespace lockstep::check {

// The shadow of a process's memory, and the numbers of the accesses in it. It outlives launches: what an
// earlier one left is told by its number, and counts as nobody.
class RaceMemory {
  public:
    // An instruction of a warp in one of its segments.
    struct Instance {
        std::uint32_t segment = 0;
        std::uint32_t site = 0;
    };
    static constexpr std::uint32_t most_instances = 1u << 27;  // with a lane's number, a Touch

    Shadow shadow;
    // Whether an address is of memory that the program has: there is other, by which kernels pass parameters.
    std::function<bool(std::uint64_t)> is_allocated = [](std::uint64_t) { return true; };
    std::vector<Instance> instances{1};
    std::uint32_t first = 1;   // of this launch
    std::uint32_t launch = 0;  // its number
    void begin_launch();
};

class Races {
  public:
    // "block (1,0,0), thread (3,0,0)" of the lane of a warp of a block.
    using Who = std::function<std::string(std::uint32_t block, std::uint32_t warp, int lane)>;
    // `clustered`: blocks may reach each other's shared memory.
    Races(const KernelCode& code, bool clustered, RaceMemory& memory, Order& order, Findings& findings,
          Who who);

    // An access of the warp that the order is at. Lanes outside of the mask have no address.
    void access(std::uint32_t site, Lanes mask, const std::uint64_t* addresses,
                const events::Windows& windows);
    void access(std::uint32_t site, Lanes mask, std::uint64_t first, std::int64_t stride,
                const events::Windows& windows);
    // Copies (cp.async) that the warp's lanes have issued and not waited for write until then: lanes commit a
    // group of them, or wait until no more than so many groups are left.
    void commit_copies();
    void wait_for_copies(Lanes lanes, std::uint32_t groups_left, const events::Windows& windows);
    void block_ended(std::uint64_t block);
    // The memory is somebody else's from now on.
    void forget(std::uint64_t address, std::uint64_t size);
    // The bytes of global memory that the launch has read and written.
    void touched(ByteSet& read, ByteSet& written, ByteSet& atomics) const;
    // Sites that race with another.
    std::set<std::uint32_t> racing() const;
    // What was seen becomes findings: one for two lines, with the widest scope in which they race.
    void finish();

  private:
    // How what an instance did stands to what the warp does now, whichever lanes these are.
    enum class Verdict : std::uint8_t {
        settled,    // it came first, or counts as nobody
        same_warp,  // by lane
        apart,
    };
    struct Now {
        std::uint32_t site = 0, bytes = 0;
        const SiteFacts* facts = nullptr;
        bool shared = false;
        std::uint32_t instance = 0;
        Touch settled_below = 0;  // touches with smaller numbers came first, or count as nobody
        std::uint64_t address = 0;
        // Of the instance that was looked at last: neighbours have the same one, mostly.
        std::uint32_t known = 0;
        Verdict verdict{};
    };
    // Between threads of …
    enum class Scope : std::uint8_t { warp, block, grid };
    // Two sites whose accesses race, and the first such accesses of the widest scope.
    struct Seen {
        std::uint64_t count = 0;
        Scope scope = Scope::warp;
        bool same_value = true;
        struct Side {
            std::uint32_t site = 0, block = 0, warp = 0;
            int lane = 0;
        } first, second;
    };
    using Sites = std::tuple<std::uint32_t, std::uint32_t, bool>;  // and whether in shared memory

    Now begin(std::uint32_t site, bool shared);
    std::uint32_t instance(std::uint32_t site);
    // `per_lane` granules of each; `One`: that is 1.
    template <bool One>
    void granules(Now& now, ShadowPage& page, std::uint32_t first, std::uint32_t count, int lane,
                  std::uint32_t per_lane);
    void touch(Now& now, std::uint64_t address, int lane);
    Verdict verdict(std::uint32_t instance, const Now& now) const;
    bool settled(Touch earlier, Now& now, int lane) const;
    void remember_reader(Now& now, ShadowPage& page, std::uint32_t granule, int lane);
    void compare(Touch earlier, const Now& now, int lane);
    void note(Touch earlier, const Now& now, int lane);
    Finding finding(const Seen& seen, bool shared) const;

    struct Copy {
        std::uint32_t site = 0, group = 0;
        Lanes lanes = 0;
        std::array<std::uint64_t, warp_lanes> addresses{};
    };
    struct Copies {
        std::uint32_t group = 0;  // that is not committed yet
        std::vector<Copy> open;
    };

    const KernelCode& code_;
    bool clustered_, scoped_ = false;  // some atomics have a block's scope only
    RaceMemory& memory_;
    Order& order_;
    Findings& findings_;
    Who who_;
    struct Made {
        std::uint32_t segment = 0, instance = 0;
    };
    std::vector<Made> made_;  // by site: the last instance
    std::map<Sites, Seen> seen_;
    std::map<std::pair<std::uint64_t, std::uint32_t>, Copies> copies_;  // by block and warp
    std::vector<std::uint64_t> pages_;  // of global memory that were touched, by number
};

}  // namespace lockstep::check
