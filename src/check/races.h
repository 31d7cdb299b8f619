// Races of one launch: accesses to the same byte, at least one of which writes, that nothing orders.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
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
    Races(const KernelCode& code, RaceMemory& memory, Order& order, Findings& findings, Who who);

    // An access of the warp that the order is at. Lanes outside of the mask have no address.
    void access(std::uint32_t site, Lanes mask, const std::uint64_t* addresses,
                const events::Windows& windows);
    void access(std::uint32_t site, Lanes mask, std::uint64_t first, std::int64_t stride,
                const events::Windows& windows);
    // The memory is somebody else's from now on.
    void forget(std::uint64_t address, std::uint64_t size);
    // The bytes of global memory that the launch has read and written.
    void touched(ByteSet& read, ByteSet& written) const;
    // What was seen becomes findings: one for two lines, with the widest scope in which they race.
    void finish();

  private:
    struct Now {
        std::uint32_t site = 0, bytes = 0;
        const SiteFacts* facts = nullptr;
        bool shared = false;
        std::uint32_t instance = 0;
        std::uint64_t address = 0;
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
    void granules(const Now& now, ShadowPage& page, std::uint32_t first, std::uint32_t count, int lane,
                  std::uint32_t per_lane);
    void touch(Now& now, std::uint64_t address, int lane);
    bool ordered(Touch earlier, const Now& now, int lane);
    void remember_reader(const Now& now, ShadowPage& page, std::uint32_t granule, int lane);
    void compare(Touch earlier, const Now& now, int lane);
    void note(Touch earlier, const Now& now, int lane);
    Finding finding(const Seen& seen, bool shared) const;
    bool is_stale(Touch touch, bool shared) const;

    const KernelCode& code_;
    RaceMemory& memory_;
    Order& order_;
    Findings& findings_;
    Who who_;
    struct Made {
        std::uint32_t segment = 0, instance = 0;
    };
    std::vector<Made> made_;  // by site: the last instance
    // The relation of the last instance that was asked for.
    std::uint32_t related_ = 0, related_to_ = 0;
    Relation relation_{};
    std::map<Sites, Seen> seen_;
    std::vector<std::uint64_t> pages_;  // of global memory that were touched, by number
};

}  // namespace lockstep::check
