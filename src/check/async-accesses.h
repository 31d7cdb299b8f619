// What is done to shared memory by itself, after the instruction that asks for it: bulk copies, which write
// or read it, and wgmma, which reads it. Nobody may be in its way who does not know that it is over: by the
// phase of the barrier that it arrives at, or by whoever has waited for its group.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lockstep::check {

class AsyncAccesses {
  public:
    struct Access {
        std::uint32_t site = 0, warp = 0;  // who has asked for it
        int lane = 0;
        std::uint32_t phase = 0;
        std::uint64_t begin = 0, end = 0;
        bool writes = false;
        bool overlaps(std::uint64_t first, std::uint64_t behind) const {
            return begin < behind && first < end;
        }
    };

    bool empty() const { return blocks_.empty(); }
    // Of what was copied there before nobody waits any more, and who waits for this has waited for what the
    // same warp has read there before.
    void issue(std::uint64_t block, const Access& access) {
        std::vector<Access>& all = blocks_[block];
        std::erase_if(all, [&](const Access& one) {
            if (access.writes) return one.overlaps(access.begin, access.end);
            return !one.writes && one.warp == access.warp && one.lane == access.lane &&
                   one.site == access.site && one.begin >= access.begin && one.end <= access.end;
        });
        all.push_back(access);
    }
    void block_ended(std::uint64_t block) { blocks_.erase(block); }

    // Calls f with each that writes some of these bytes, or reads what is to be written.
    template <class F>
    void meet(std::uint64_t block, std::uint64_t begin, std::uint64_t end, bool writes, const F& f) const {
        const auto found = blocks_.find(block);
        if (found == blocks_.end()) return;
        for (const Access& one : found->second)
            if ((one.writes || writes) && one.overlaps(begin, end)) f(one);
    }

  private:
    std::unordered_map<std::uint64_t, std::vector<Access>> blocks_;
};

// Groups of such accesses, which those that asked for them commit and wait for: a thread's bulk copies out of
// shared memory, and the products of a warpgroup, of which each warp counts for itself. A group is a phase
// with a number that no barrier's has.
class AsyncGroups {
  public:
    struct Owner {
        std::uint64_t block = 0;
        std::uint32_t number = 0;  // a thread's, or that of a warpgroup
        std::uint32_t member = 0;  // which of its warps
        auto operator<=>(const Owner&) const = default;
    };
    static constexpr std::uint32_t first_warpgroup = 1024, warps = 4;

    static Owner thread(std::uint64_t block, std::uint32_t warp, int lane) {
        return {block, warp * 32 + static_cast<std::uint32_t>(lane), 0};
    }
    static Owner warpgroup(std::uint64_t block, std::uint32_t warp) {
        return {block, first_warpgroup + warp / warps, warp % warps};
    }
    std::uint32_t phase(const Owner& owner) { return number(owner, committed_[owner].count); }
    void commit(const Owner& owner) { ++committed_[owner].count; }
    // Calls f with the phase of each group that is over when no more than so many are left.
    template <class F>
    void wait(const Owner& owner, std::uint32_t left, const F& f) {
        Groups& groups = committed_[owner];
        for (; groups.over + left < groups.count; ++groups.over) f(number(owner, groups.over));
    }
    void block_ended(std::uint64_t block) {
        committed_.erase(committed_.lower_bound({block}), committed_.lower_bound({block + 1}));
    }

  private:
    struct Groups {
        std::uint32_t count = 0, over = 0;
    };
    static std::uint32_t number(const Owner& owner, std::uint32_t group) {
        constexpr std::uint32_t bits = 20;  // beyond that numbers come again, and count as known
        return 1u << 31 | owner.number << bits | (group & ((1u << bits) - 1));
    }
    std::map<Owner, Groups> committed_;
};

}  // namespace lockstep::check
