// Most of what a block does to shared memory between two barriers is apart: what a warp writes no other
// touches, and no other lane. Seen from the ranges of addresses, that takes no look at each granule.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "check/lanes.h"
#include "check/race-judge.h"
#include "events/observer.h"
#include "events/records.h"

namespace lockstep::check {

class QuietRounds {
  public:
    explicit QuietRounds(const RaceJudge& judge);

    // A round of all warps of a block, from one barrier to the next: whether no two of their accesses to
    // shared memory can race. False: it is not known.
    bool is_quiet(std::span<const events::Batch* const> warps);

  private:
    // What an access touches lies in [begin, end).
    struct Range {
        std::uint64_t begin = 0, end = 0;
        std::uint64_t first = 0;  // lane l begins at first + l * stride …
        std::int64_t stride = 0;
        bool linear = false;
        bool apart = false;  // no two lanes touch the same
        Lanes lanes = 0;
        std::uint32_t warp = 0;
        std::uint32_t bytes = 0;  // of a lane
        // What both touch, the same lane does.
        bool is_by_lanes_of(const Range& other) const;
        // Nothing is touched by both: their lanes take turns in memory, or are others.
        bool is_between(const Range& other) const;
    };
    enum class Where : std::uint8_t { elsewhere, shared, unknown };

    static Range range(const events::LinearAccess& record, std::uint32_t bytes, std::uint32_t warp);
    static Range range(const events::RowsAccess& record, std::uint32_t bytes, std::uint32_t warp);
    static Range range(const events::ScatteredAccess& record, std::uint32_t bytes, std::uint32_t warp);
    template <class Record>
    Where where(const RaceJudge::Site& site, const Record& record, const events::Windows& windows) const;
    // Collects writes, or looks whether reads are apart from them. False: there is something that is not, or
    // of which more would have to be known.
    bool look(const events::Batch& batch, bool at_writes);
    template <class Record>
    bool look(const RaceJudge::Site& site, const Record& record, const events::Batch& batch);
    bool writes_are_apart();
    bool is_apart_from_writes(const Range& read) const;

    const RaceJudge& judge_;
    std::vector<Range> writes_;
};

}  // namespace lockstep::check
