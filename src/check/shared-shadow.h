// Who touched shared memory last. As in shadow.h, but each granule has its own entry, in arrays beside each
// block's memory: that is small, is touched in all patterns, and barriers settle all of it again and again,
// so that finding an entry has to be quick and its room does not matter.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "check/shadow.h"
#include "events/observer.h"

namespace lockstep::check {

class SharedShadow {
  public:
    struct Window {
        std::uint64_t begin = 0, size = 0;
        std::uint32_t granules = 0;
        std::array<std::vector<Touch>, ShadowPage::kinds> of;  // by role and granule
        std::array<Touch, ShadowPage::kinds> latest{};         // in a role none is later
    };

    // A granule has 2^shift bytes: as many as the smallest access of the launch.
    void begin_launch(unsigned shift);
    unsigned shift() const { return shift_; }
    // That the address is in; null: none.
    Window* find(std::uint64_t address, const events::Windows& windows) {
        if (recent_ && address - recent_->begin < recent_->size) return recent_;
        return find_or_make(address, windows);
    }
    void clear();
    std::size_t size() const;

  private:
    Window* find_or_make(std::uint64_t address, const events::Windows& windows);

    unsigned shift_ = 2;
    std::unordered_map<std::uint64_t, Window> windows_;  // by where they begin
    Window* recent_ = nullptr;
};

}  // namespace lockstep::check
