// Blocks of a grid that make the same records as one of them, with each address moved by as much as they are
// away from it. Whoever counts or times need not see them run: of a kernel of kernel/block-steps.h, a block
// and its neighbours tell how far that holds.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "events/observer.h"
#include "kernel/block-steps.h"

namespace lockstep::events {

// Accesses of one form are moved by a multiple of this. It decides on sectors, lines and banks.
constexpr std::uint64_t form_bytes = 128;

using GridPlace = std::array<std::uint32_t, 3>;  // x first

// Blocks from `begin` up to `end`, along each axis.
struct GridBox {
    GridPlace begin{}, end{};
    std::uint64_t count() const {
        std::uint64_t blocks = 1;
        for (int axis = 0; axis < 3; ++axis) blocks *= end[axis] - begin[axis];
        return blocks;
    }
};
constexpr std::uint64_t number_of(const GridPlace& place, const GridPlace& grid) {
    return (std::uint64_t{place[2]} * grid[1] + place[1]) * grid[0] + place[0];
}
constexpr GridPlace place_of(std::uint64_t block, const GridPlace& grid) {
    return {static_cast<std::uint32_t>(block % grid[0]),
            static_cast<std::uint32_t>(block / grid[0] % grid[1]),
            static_cast<std::uint32_t>(block / grid[0] / grid[1])};
}

// All that one block has told, by warp.
struct BlockRecords {
    std::vector<Batch> warps;  // whose records are kept in …
    std::vector<std::vector<std::byte>> bytes;
    bool whole = true;  // none was too long to be kept
};

// Keeps what blocks tell.
class BlockKeeper final : public Observer {
  public:
    // Of a warp, about as much as the timing model keeps of each of the most that it replays.
    static constexpr std::size_t most_bytes = 256 << 10;
    static constexpr Wants kept_wants = profile_wants | Wants::values;
    Wants wants() const override { return kept_wants; }
    void records(const Batch& batch) override;
    std::map<std::uint64_t, BlockRecords>& blocks() { return blocks_; }

  private:
    std::map<std::uint64_t, BlockRecords> blocks_;
};

class MovedBlocks {
  public:
    MovedBlocks(MovedBlocks&&) = default;
    MovedBlocks& operator=(MovedBlocks&&) = default;

    // As many of the blocks of `box` as surely do what its first one did: a box with the same begin. `next`:
    // the first one's neighbours along each axis; null where the box has none.
    static MovedBlocks find(const kernel::Kernel& kernel, std::span<const kernel::StepCheck> checks,
                            const GridPlace& grid, const GridBox& box, const BlockRecords& first,
                            const std::array<const BlockRecords*, 3>& next);

    const GridPlace& grid() const { return grid_; }
    const GridBox& box() const { return box_; }
    // Blocks of the box that somebody has seen, ascending: the others are what all this is about.
    void set_seen(std::vector<std::uint64_t> seen) { seen_ = std::move(seen); }
    bool is_seen(std::uint64_t block) const;
    std::uint64_t unseen() const { return box_.count() - seen_.size(); }
    bool has(std::uint64_t block) const;

    // An address in the first block's records, and by how much it grows along each axis.
    struct Moved {
        std::uint32_t warp = 0;
        std::uint32_t at = 0;  // of the warp's records, in bytes
        bool lanes = false;    // one for each lane, of a scattered access
        std::array<std::int64_t, 3> steps{};
    };
    std::span<const Moved> moved() const { return moved_; }  // in the order of the records

    // Blocks so far apart, along each axis, that they differ by whole lines.
    const GridPlace& periods() const { return periods_; }
    std::uint64_t forms() const { return std::uint64_t{periods_[0]} * periods_[1] * periods_[2]; }
    // Calls its argument with the blocks of each form: the first one, and how many there are along each axis.
    struct Form {
        GridPlace first{}, count{};
        std::uint64_t unseen = 0;
    };
    void for_each_form(const std::function<void(const Form&)>& f) const;

    // What a block of the box tells, by warp. It is there until the next is asked for.
    std::span<const Batch> records_of(const GridPlace& block);

  private:
    MovedBlocks() = default;

    GridPlace grid_{};
    GridBox box_;
    GridPlace periods_{1, 1, 1};
    std::vector<std::uint64_t> seen_;
    BlockRecords first_, other_;  // without values; the one that was asked for
    std::vector<Moved> moved_;
};

}  // namespace lockstep::events
