#include "session/moved-launches.h"

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <set>
#include <utility>

#include "events/visit.h"
#include "session/repeated-launches.h"

namespace lockstep::session {
namespace {

using events::BlockKeeper;
using events::BlockRange;
using events::BlockRecords;
using events::GridBox;
using events::GridPlace;
using events::MovedBlocks;

// Smaller grids are watched; so are smaller parts of one, and parts that need too many forms.
constexpr std::uint64_t least_grid = 128, least_alike = 32, blocks_a_form = 8;
// Launches of fewer threads are watched until they have taken long: code of two kinds is compiled otherwise.
constexpr std::uint64_t least_threads = 1 << 16;
// Into so many parts is a grid cut at most: a matrix has nine, by which of its edges they are at.
constexpr int most_boxes = 32;

// What an atomic operation leaves may depend on the order of blocks.
bool may_come_in_any_order(const kernel::Kernel& kernel) {
    return std::none_of(kernel.sites.begin(), kernel.sites.end(), [&](const kernel::Site& site) {
        if (!kernel::is_atomic(site.kind) || site.space == ptx::Space::shared) return false;
        const ptx::Type type = kernel.instruction_of(site).type();
        const ptx::TypeClass kind = ptx::type_class(type);
        return site.kind == kernel::SiteKind::atomic || kind == ptx::TypeClass::floating ||
               kind == ptx::TypeClass::packed;
    });
}

// Ascending, without those that are in `without`.
std::vector<BlockRange> ranges_of(std::span<const GridBox> boxes, const GridPlace& grid,
                                  const std::set<std::uint64_t>& without) {
    std::vector<BlockRange> rows;
    for (const GridBox& box : boxes)
        for (std::uint32_t z = box.begin[2]; z < box.end[2]; ++z)
            for (std::uint32_t y = box.begin[1]; y < box.end[1]; ++y) {
                const std::uint64_t first = events::number_of({box.begin[0], y, z}, grid);
                rows.push_back({first, first + box.end[0] - box.begin[0]});
            }
    std::sort(rows.begin(), rows.end(),
              [](const BlockRange& a, const BlockRange& b) { return a.begin < b.begin; });
    std::vector<BlockRange> ranges;
    for (BlockRange row : rows) {
        for (auto seen = without.lower_bound(row.begin); seen != without.end() && *seen < row.end; ++seen) {
            if (row.begin < *seen) ranges.push_back({row.begin, *seen});
            row.begin = *seen + 1;
        }
        if (row.begin == row.end) continue;
        if (!ranges.empty() && ranges.back().end == row.begin)
            ranges.back().end = row.end;
        else
            ranges.push_back(row);
    }
    return ranges;
}

std::uint64_t count_of(std::span<const BlockRange> ranges) {
    std::uint64_t blocks = 0;
    for (const BlockRange& range : ranges) blocks += range.end - range.begin;
    return blocks;
}

class MovedLaunch {
  public:
    MovedLaunch(const WatchedGrid& watched, std::span<const kernel::StepCheck> checks)
        : watched_(watched),
          checks_(checks),
          grid_{watched.launch.grid.x, watched.launch.grid.y, watched.launch.grid.z} {
        for (const events::Observers& worker : watched.observers) {
            keeping_.push_back(worker);
            keeping_.back().push_back(&keepers_.emplace_back());
        }
    }

    PartlyRun run() {
        PartlyRun result;
        std::vector<GridBox> open{{{}, grid_}};
        for (int tries = 0; tries < most_boxes && !open.empty(); ++tries) {
            const auto largest =
                std::max_element(open.begin(), open.end(),
                                 [](const GridBox& a, const GridBox& b) { return a.count() < b.count(); });
            const GridBox box = *largest;
            if (box.count() < least_alike) break;
            open.erase(largest);
            if ((result.fault = look_at(box, open))) return result;
        }
        seen_alone_.insert(seen_alone_.end(), open.begin(), open.end());
        std::vector<GridBox> boxes;
        for (MovedBlocks& blocks : moved_) {
            boxes.push_back(blocks.box());
            std::vector<std::uint64_t> seen;
            std::copy_if(seen_.begin(), seen_.end(), std::back_inserter(seen),
                         [&](std::uint64_t block) { return blocks.has(block); });
            blocks.set_seen(std::move(seen));
        }
        const std::vector<BlockRange> rest = ranges_of(seen_alone_, grid_, seen_);
        result.fault = run_blocks(rest, watched_.observers);
        result.watched = seen_.size() + count_of(rest);
        result.left = ranges_of(boxes, grid_, seen_);
        result.moved = std::move(moved_);
        return result;
    }

  private:
    // Watches a box's first block and its neighbours. What lies beyond those that do the same is left open.
    std::optional<exec::Fault> look_at(const GridBox& box, std::vector<GridBox>& open) {
        std::array<std::optional<std::uint64_t>, 3> next;
        std::set<std::uint64_t> wanted{events::number_of(box.begin, grid_)};
        for (int axis = 0; axis < 3; ++axis) {
            if (box.end[axis] - box.begin[axis] == 1) continue;
            GridPlace place = box.begin;
            ++place[axis];
            wanted.insert(*(next[axis] = events::number_of(place, grid_)));
        }
        std::vector<BlockRange> unseen;
        for (const std::uint64_t block : wanted)
            if (seen_.insert(block).second) unseen.push_back({block, block + 1});
        if (auto fault = run_blocks(unseen, keeping_)) return fault;
        std::array<const BlockRecords*, 3> neighbours{};
        for (int axis = 0; axis < 3; ++axis)
            if (next[axis]) neighbours[axis] = &kept(*next[axis]);
        MovedBlocks found = MovedBlocks::find(watched_.kernel, checks_, grid_, box,
                                              kept(events::number_of(box.begin, grid_)), neighbours);
        const GridBox alike = found.box();
        GridBox rest = box;
        for (int axis = 0; axis < 3; ++axis) {
            GridBox beyond = rest;
            beyond.begin[axis] = rest.end[axis] = alike.end[axis];
            if (beyond.count() > 0) open.push_back(beyond);
        }
        for (BlockKeeper& keeper : keepers_)
            std::erase_if(keeper.blocks(), [&](const auto& one) { return found.has(one.first); });
        if (alike.count() >= std::max(least_alike, blocks_a_form * found.forms()) && can_be_kept(found))
            moved_.push_back(std::move(found));
        else
            seen_alone_.push_back(alike);
        return {};
    }

    bool can_be_kept(MovedBlocks& blocks) const {
        const std::span<const events::Batch> warps = blocks.records_of(blocks.box().begin);
        return std::all_of(warps.begin(), warps.end(), [&](const events::Batch& warp) {
            return events::whole_bytes(warp.records) <= watched_.most_warp_bytes;
        });
    }

    const BlockRecords& kept(std::uint64_t block) {
        for (BlockKeeper& keeper : keepers_)
            if (const auto at = keeper.blocks().find(block); at != keeper.blocks().end()) return at->second;
        return nothing_;
    }

    std::optional<exec::Fault> run_blocks(std::span<const BlockRange> blocks,
                                          std::span<const events::Observers> observers) const {
        if (blocks.empty()) return {};
        exec::Launch launch = watched_.launch;
        launch.only = blocks;
        return exec::run(watched_.code, launch, observers);
    }

    const WatchedGrid& watched_;
    std::span<const kernel::StepCheck> checks_;
    GridPlace grid_;
    std::deque<BlockKeeper> keepers_;         // one for each worker
    std::vector<events::Observers> keeping_;  // all that watch, with them
    BlockRecords nothing_;                    // of blocks that have told nothing
    std::set<std::uint64_t> seen_;            // blocks that have run
    std::deque<MovedBlocks> moved_;
    std::vector<GridBox> seen_alone_;  // whose other blocks have to be watched, too
};

}  // namespace

const std::vector<kernel::StepCheck>* MovedLaunches::checks(const kernel::Kernel& kernel,
                                                            const exec::Launch& launch) {
    if (given_up_ || launch.grid.count() < least_grid) return nullptr;
    if (watched_ < worth_compiling_s && launch.grid.count() * launch.block.count() < least_threads)
        return nullptr;
    if (launch.cooperative || launch.clustered || launch.schedule || launch.bad_accesses) return nullptr;
    if (std::exchange(asked_, &kernel) != &kernel)
        checks_ = may_come_in_any_order(kernel) ? kernel::block_steps(kernel) : std::nullopt;
    return checks_ ? &*checks_ : nullptr;
}

PartlyRun run_some(const WatchedGrid& grid, std::span<const kernel::StepCheck> checks) {
    return MovedLaunch(grid, checks).run();
}

}  // namespace lockstep::session
