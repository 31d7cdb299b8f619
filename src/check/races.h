// Races of one launch: accesses to the same byte, at least one of which writes, that nothing orders.
#pragma once
#include <algorithm>
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
#include "check/shared-shadow.h"
#include "events/observer.h"

namespace lockstep::check {

// An instruction of a warp in one of its segments.
struct Instance {
    Segment segment;
    std::uint32_t site = 0;
};

// The instances of a launch, by number. Numbers only grow, from launch to launch too: what an earlier one
// left in a shadow is told by its number, and counts as nobody.
class Instances {
  public:
    static constexpr std::uint32_t most = 1u << 27;  // with a lane's number, a Touch

    std::uint32_t add(const Instance& instance) {
        kept_.push_back(instance);
        return next() - 1;
    }
    // Those that are known: [first, next).
    std::uint32_t first() const { return first_; }
    std::uint32_t next() const { return first_ + static_cast<std::uint32_t>(kept_.size()); }
    const Instance& operator[](std::uint32_t number) const { return kept_[number - first_]; }
    // All that there are count as nobody from now on.
    void forget() {
        first_ = next();
        kept_.clear();
    }
    void begin_again() { *this = {}; }
    std::size_t size() const { return kept_.capacity() * sizeof(Instance); }

  private:
    std::uint32_t first_ = 1;
    std::vector<Instance> kept_;
};

// The shadow of a process's memory, and the accesses in it. It outlives launches.
class RaceMemory {
  public:
    template <class S>
    struct Space {
        S shadow;
        Instances instances;
        void forget() {
            shadow.clear();
            instances.begin_again();
        }
    };
    Space<Shadow> global;
    Space<SharedShadow> shared;
    Instances& instances(bool of_shared) { return of_shared ? shared.instances : global.instances; }
    // Whether an address is of memory that the program has: there is other, by which kernels pass parameters.
    std::function<bool(std::uint64_t)> is_allocated = [](std::uint64_t) { return true; };
    std::uint32_t launch = 0;  // the number of this one
    // In shared memory no access is smaller than 2^shared_shift bytes.
    void begin_launch(unsigned shared_shift);
    // Of all that is kept here.
    std::size_t size() const;
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
    // A stretch of bytes of a page, and the lanes whose they are: the first, and the next after each 2^form
    // bytes.
    struct Stretch {
        std::uint32_t begin = 0, end = 0;  // in the page
        int lane = 0;
        std::uint32_t form = 0;
        int lane_at(std::uint32_t offset) const { return lane + static_cast<int>((offset - begin) >> form); }
        // The part that is in a unit.
        Stretch in(std::uint32_t unit) const {
            const std::uint32_t from = std::max(begin, unit * unit_bytes);
            return {from, std::min(end, (unit + 1) * unit_bytes), lane_at(from), form};
        }
        bool is_whole() const { return end - begin == unit_bytes; }
    };
    enum class Answer : std::uint8_t { no, yes, by_lane };
    // Between threads of …
    enum class Scope : std::uint8_t { thread, warp, block, grid };
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

    Touch settled_below(bool shared);
    Touch own_from(bool shared);
    Now begin(std::uint32_t site, bool shared);
    std::uint32_t instance(std::uint32_t site, bool shared);
    void touch_lanes(std::uint32_t site, Lanes mask, const std::uint64_t* addresses,
                     const events::Windows& windows);
    // Bytes of lanes that follow each other, which may cross pages.
    void touch(Now& now, std::uint64_t address, std::uint32_t size, int lane, std::uint32_t form);
    void touch(Now& now, ShadowPage& page, const Stretch& stretch);
    bool touch_quickly(std::uint32_t number, std::uint64_t address, Lanes mask, int lane,
                       const events::Windows& windows);
    // Lanes that access shared memory: each where `address_of` says.
    template <class AddressOf>
    void touch_shared(Now& now, Lanes mask, const AddressOf& address_of, const events::Windows& windows);
    void touch_granules(Now& now, SharedShadow::Window& window, std::uint32_t first, std::uint32_t count,
                        int lane);
    bool touch_row(Now& now, SharedShadow::Window& window, std::uint32_t first, std::uint32_t count,
                   int lane);
    void look(Now& now, const ShadowPage& page, const ShadowPage::Role& role, const Stretch& part);
    static void put(const Now& now, ShadowPage& page, ShadowPage::Role& role, const Stretch& part);
    void remember_reader(Now& now, ShadowPage& page, const Stretch& part);
    bool remember_reader_of_unit(Now& now, ShadowPage& page, const Stretch& part);
    void remember_reader_of_granule(Now& now, Touch& one, Touch& other, Touch self);
    bool are_of_two_blocks(const Now& now, Touch one, Touch other);
    bool is_less_telling(const Now& now, Touch one, Touch other) const;
    Verdict verdict(std::uint32_t instance, const Now& now) const;
    bool settled(Touch earlier, Now& now, int lane) const;
    Answer settled(const Unit& earlier, Now& now, const Stretch& part) const;
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
    // Accesses of what the lane itself copies, and has not waited for.
    template <class Address>
    void meet_open_copies(std::uint32_t site, Lanes mask, Address address);

    const KernelCode& code_;
    bool clustered_, scoped_ = false;  // some atomics have a block's scope only
    RaceMemory& memory_;
    Order& order_;
    Findings& findings_;
    Who who_;
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
    std::map<Sites, Seen> seen_;
    std::map<std::pair<std::uint64_t, std::uint32_t>, Copies> copies_;  // by block and warp
    std::vector<std::uint64_t> pages_;  // of global memory that were touched, by number
};

}  // namespace lockstep::check
