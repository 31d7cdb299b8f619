// Races in global memory, whose shadow is made of pages and, in them, of units that a warp's lanes share.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "check/byte-set.h"
#include "check/race-judge.h"
#include "events/observer.h"

namespace lockstep::check {

class GlobalRaces {
  public:
    static constexpr std::uint32_t one_lane = Unit::apart - 1;  // a form: all bytes are of one

    explicit GlobalRaces(RaceJudge& judge) : judge_(judge), memory_(judge.memory()) {}

    // Bytes of lanes that follow each other, which may cross pages: the lane grows by one after 2^form bytes.
    void touch(RaceJudge::Now& now, std::uint64_t address, std::uint32_t size, int lane, std::uint32_t form);
    // Most accesses: neighbouring lanes touch whole units of a page, in none of which is anybody who is not
    // settled. False: it is not so, and nothing was done.
    bool touch_quickly(std::uint32_t site, std::uint64_t address, Lanes mask, int lane,
                       const events::Windows& windows);
    // Whether another read of these bytes changes nothing and meets nobody.
    bool is_read_by_many(std::uint64_t address, std::uint32_t size) const {
        const auto offset = static_cast<std::uint32_t>(address % ShadowPage::bytes);
        if (offset + size > ShadowPage::bytes) return false;
        const ShadowPage* const page = memory_.global.shadow.recent(address);
        return page && page->launch == memory_.launch &&
               page->are_read_by_many(offset / unit_bytes, (offset + size - 1) / unit_bytes);
    }
    // The memory is somebody else's from now on.
    void forget(std::uint64_t address, std::uint64_t size);
    // The bytes that the launch has read and written.
    void touched(ByteSet& read, ByteSet& written, ByteSet& atomics) const;

  private:
    using Now = RaceJudge::Now;
    using Site = RaceJudge::Site;
    using Verdict = RaceJudge::Verdict;
    // A stretch of bytes of a page, and the lanes whose they are: the first, and the next after each 2^form
    // bytes.
    struct Stretch {
        std::uint64_t page = 0;            // where that begins
        std::uint32_t begin = 0, end = 0;  // in the page
        int lane = 0;
        std::uint32_t form = 0;
        int lane_at(std::uint32_t offset) const { return lane + static_cast<int>((offset - begin) >> form); }
        // The part that is in a unit.
        Stretch in(std::uint32_t unit) const {
            const std::uint32_t from = std::max(begin, unit * unit_bytes);
            return {page, from, std::min(end, (unit + 1) * unit_bytes), lane_at(from), form};
        }
        bool is_whole() const { return end - begin == unit_bytes; }
    };
    enum class Answer : std::uint8_t { no, yes, by_lane };

    void touch(Now& now, ShadowPage& page, const Stretch& stretch);
    void look(Now& now, const ShadowPage& page, const ShadowPage::Role& role, const Stretch& part);
    static void put(const Now& now, ShadowPage& page, ShadowPage::Role& role, const Stretch& part);
    void remember_reader(Now& now, ShadowPage& page, const Stretch& part);
    bool are_of_two_blocks(const Now& now, const ShadowPage& page, std::uint32_t unit) const;
    bool remember_reader_of_unit(Now& now, ShadowPage& page, const Stretch& part);
    Answer settled(const Unit& earlier, Now& now, const Stretch& part) const;

    RaceJudge& judge_;
    RaceMemory& memory_;
    std::vector<std::uint64_t> pages_;  // that were touched, by number
};

}  // namespace lockstep::check
