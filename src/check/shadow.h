// Who touched memory last: for each byte the last writer, two readers that are not ordered among each other,
// and the last atomic. Most accesses are a warp's to neighbouring bytes, so that 32 of them have one entry:
// the first lane, and after how many bytes the next follows. Where that does not do, each word has its own,
// or each byte where accesses are smaller. Pages come into being when they are touched, and each of these
// when somebody is to be remembered in it.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace lockstep::check {

// An access of one lane: its instance's number and the lane. 0: nobody.
using Touch = std::uint32_t;

constexpr Touch touch_of(std::uint32_t instance, int lane) {
    return instance << 5 | static_cast<std::uint32_t>(lane);
}
constexpr std::uint32_t instance_of(Touch touch) { return touch >> 5; }
constexpr int lane_of(Touch touch) { return static_cast<int>(touch & 31); }

constexpr std::uint32_t unit_bits = 5, unit_bytes = 1u << unit_bits;

// Who touched 32 bytes.
struct Unit {
    static constexpr std::uint32_t apart = 32;  // a form: each granule has its own
    Touch touch = 0;                            // of the first byte; `apart`: none is later
    std::uint32_t form = 0;                     // the lane grows by one after 2^form bytes
    bool operator==(const Unit&) const = default;
};

// The form of neighbouring lanes that touch so many bytes each.
constexpr std::uint32_t form_of(std::uint32_t bytes) {
    return std::has_single_bit(bytes) ? static_cast<std::uint32_t>(std::countr_zero(bytes)) : Unit::apart;
}

class ShadowPage {
  public:
    static constexpr unsigned bits = 12;  // of an address inside of a page
    static constexpr std::uint32_t bytes = 1u << bits, units = bytes / unit_bytes;
    enum Who : std::uint8_t { writer, reader, other_reader, atomic, kinds };

    struct Role {
        std::array<Unit, units> of{};
        std::unique_ptr<Touch[]> granules;  // of units that are apart
    };
    // Null: there is nobody.
    Role* find(Who who) { return roles_[who].get(); }
    const Role* find(Who who) const { return roles_[who].get(); }
    Role& get(Who who) {
        if (!roles_[who]) roles_[who] = std::make_unique<Role>();
        return *roles_[who];
    }
    // A granule has 2^shift bytes: words, or bytes once some access made them so.
    unsigned shift() const { return shift_; }
    void refine();
    // Gives each granule of the unit its own touch.
    void take_apart(Role& role, std::uint32_t unit);
    // Of the byte at this offset.
    Touch touch(const Role& role, std::uint32_t offset) const {
        const Unit& unit = role.of[offset >> unit_bits];
        if (unit.form == Unit::apart) return role.granules[offset >> shift_];
        return unit.touch + (offset % unit_bytes >> unit.form);
    }

    // Units that two blocks are known to have read in this launch, and nobody to have written: another read
    // changes nothing. (False, too, where they lie in both halves of the page, as few accesses do.)
    bool are_read_by_many(std::uint32_t first, std::uint32_t last) const {
        const std::uint64_t units = ~std::uint64_t{0} >> (63 - (last - first) % 64) << first % 64;
        return first / 64 == last / 64 && (read_by_many_[first / 64] & units) == units;
    }
    void read_by_many(std::uint32_t unit) { read_by_many_[unit / 64] |= std::uint64_t{1} << unit % 64; }
    void not_read_by_many(std::uint32_t unit) {
        read_by_many_[unit / 64] &= ~(std::uint64_t{1} << unit % 64);
    }
    void nothing_read_by_many() { read_by_many_ = {}; }

    std::uint32_t launch = 0;  // that touched it last, as RaceMemory counts them
    bool ignored = false;      // in that launch: it is none of the program's
    std::size_t size() const;

  private:
    std::uint32_t granules() const { return bytes >> shift_; }

    unsigned shift_ = 2;
    std::array<std::uint64_t, units / 64> read_by_many_{};  // a bit each
    std::array<std::unique_ptr<Role>, kinds> roles_;
};

class Shadow {
  public:
    ShadowPage& page(std::uint64_t address) {
        const std::uint64_t number = address >> ShadowPage::bits;
        Recent& recent = recent_[number % recent_.size()];
        if (recent.number != number || !recent.page) recent = {number, &find_or_make(number)};
        return *recent.page;
    }
    // One that was asked for lately; null: not known.
    const ShadowPage* recent(std::uint64_t address) const {
        const std::uint64_t number = address >> ShadowPage::bits;
        const Recent& recent = recent_[number % recent_.size()];
        return recent.number == number ? recent.page : nullptr;
    }
    void clear() {
        pages_.clear();
        recent_.fill({});
    }
    const std::unordered_map<std::uint64_t, std::unique_ptr<ShadowPage>>& pages() const { return pages_; }
    std::size_t size() const;

  private:
    std::unordered_map<std::uint64_t, std::unique_ptr<ShadowPage>> pages_;  // by number
    struct Recent {
        std::uint64_t number = 0;
        ShadowPage* page = nullptr;
    };
    ShadowPage& find_or_make(std::uint64_t number);
    std::array<Recent, 1024> recent_{};
};

}  // namespace lockstep::check
