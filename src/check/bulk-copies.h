// Bulk copies into the shared memory of blocks that run: nobody may look at what one brings before the phase
// of the barrier that it arrives at is known to have ended.
#pragma once
#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace lockstep::check {

class BulkCopies {
  public:
    struct Copy {
        std::uint32_t site = 0, warp = 0;  // who has issued it
        int lane = 0;
        std::uint32_t phase = 0;
        std::uint64_t begin = 0, end = 0;
        bool overlaps(std::uint64_t first, std::uint64_t behind) const {
            return begin < behind && first < end;
        }
    };

    bool empty() const { return blocks_.empty(); }
    // Of what was copied there before, nobody waits any more.
    void issue(std::uint64_t block, const Copy& copy) {
        std::vector<Copy>& copies = blocks_[block];
        std::erase_if(copies, [&](const Copy& one) { return one.overlaps(copy.begin, copy.end); });
        copies.push_back(copy);
    }
    void block_ended(std::uint64_t block) { blocks_.erase(block); }

    // Calls f with each copy that brings some of these bytes.
    template <class F>
    void meet(std::uint64_t block, std::uint64_t begin, std::uint64_t end, const F& f) const {
        const auto found = blocks_.find(block);
        if (found == blocks_.end()) return;
        for (const Copy& copy : found->second)
            if (copy.overlaps(begin, end)) f(copy);
    }

  private:
    std::unordered_map<std::uint64_t, std::vector<Copy>> blocks_;
};

}  // namespace lockstep::check
