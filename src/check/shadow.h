// Who touched memory last: for each word, or each byte where accesses are smaller, the last writer, two
// readers that are not ordered among each other, and the last atomic. Pages come into being when they are
// touched, and each of these when somebody is to be remembered in it.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace lockstep::check {

// An access of one lane: its instance's number and the lane. 0: nobody.
using Touch = std::uint32_t;

class ShadowPage {
  public:
    static constexpr unsigned bits = 12;  // of an address inside of a page
    enum Who : std::uint8_t { writer, reader, other_reader, atomic, kinds };

    // The granules that hold [offset, offset + size): their first, and how many. Small accesses make them
    // bytes.
    struct Range {
        std::uint32_t first, count;
    };
    Range range(std::uint32_t offset, std::uint32_t size) {
        if (((offset | size) & ((1u << shift_) - 1)) != 0) refine();
        return {offset >> shift_, size >> shift_};
    }
    // By granule; null: there is nobody.
    Touch* find(Who who) { return touches_[who].get(); }
    const Touch* find(Who who) const { return touches_[who].get(); }
    Touch* get(Who who) {
        if (!touches_[who]) make(who);
        return touches_[who].get();
    }
    unsigned shift() const { return shift_; }
    std::uint32_t launch = 0;  // that touched it last, as RaceMemory counts them
    bool ignored = false;      // in that launch: it is none of the program's
    std::size_t bytes() const;

  private:
    void make(Who who);
    void refine();
    std::uint32_t granules() const { return 1u << (bits - shift_); }

    unsigned shift_ = 2;
    std::array<std::unique_ptr<Touch[]>, kinds> touches_;
};

class Shadow {
  public:
    ShadowPage& page(std::uint64_t address) {
        const std::uint64_t number = address >> ShadowPage::bits;
        Recent& recent = recent_[number % recent_.size()];
        if (recent.number != number || !recent.page) recent = {number, &find_or_make(number)};
        return *recent.page;
    }
    void clear() {
        pages_.clear();
        recent_ = {};
    }
    const std::unordered_map<std::uint64_t, std::unique_ptr<ShadowPage>>& pages() const { return pages_; }
    std::size_t bytes() const;

  private:
    std::unordered_map<std::uint64_t, std::unique_ptr<ShadowPage>> pages_;  // by number
    struct Recent {
        std::uint64_t number = 0;
        ShadowPage* page = nullptr;
    };
    ShadowPage& find_or_make(std::uint64_t number);
    std::array<Recent, 64> recent_{};
};

}  // namespace lockstep::check
