// Blocks that stand for a whole launch (--sample): those that the timing model looks at, the first and the
// last, and some of every part of the grid. Always the same ones for the same launch.
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "counters/estimate.h"
#include "counters/launch-counter.h"
#include "events/observer.h"
#include "exec/engine.h"
#include "session/modules.h"
#include "timing/recorder.h"

namespace lockstep::session {

// What the timing model looks at in such a launch: as much as in one that is profiled whole.
inline constexpr timing::Sampling sampled_blocks = [] {
    timing::Sampling sampling = timing::full_sampling;
    sampling.all_blocks = false;
    return sampling;
}();

// Why the launch has to be executed whole, as words behind "executed whole: "; nothing: it need not be.
// `nested`: a kernel's thread has launched it.
std::optional<std::string> needs_all_blocks(Function& function, const exec::Launch& launch, bool nested);

class LaunchSample {
  public:
    // Launches of fewer blocks are executed whole.
    static constexpr std::uint64_t least_grid = 1024;

    // `timed`: what timing::Predictor has to see.
    LaunchSample(std::uint64_t blocks, std::span<const events::BlockRange> timed);

    // The blocks that are executed, ascending. Not worth it: these would be half of the grid or more, or the
    // grid is small.
    std::span<const events::BlockRange> executed() const { return executed_; }
    std::uint64_t count() const { return count_; }
    bool worth_it() const { return blocks_ >= least_grid && 2 * count_ <= blocks_; }

    // The part of the grid that a block stands for, and what is known of it.
    std::size_t part_of(std::uint64_t block) const;
    const std::vector<counters::PartOfGrid>& parts() const { return parts_; }

  private:
    std::uint64_t first_of(std::size_t part) const;

    std::uint64_t blocks_, count_ = 0;
    std::vector<events::BlockRange> executed_;
    std::vector<counters::PartOfGrid> parts_;
};

// Counts what one worker thread does, the parts of the grid apart.
class SampleCounter : public events::Observer {
  public:
    SampleCounter(const LaunchSample& sample, const kernel::Kernel& kernel,
                  std::span<const counters::MachineAccess> accesses)
        : sample_(sample), kernel_(kernel), accesses_(accesses) {}
    events::Wants wants() const override { return events::profile_wants; }
    void records(const events::Batch& batch) override;
    void block_ended(std::uint64_t block) override;

    struct Part {
        counters::LaunchCounter counter;
        timing::BlockGroups groups{};
    };
    const std::map<std::size_t, Part>& parts() const { return parts_; }
    // Of no blocks.
    counters::RawCounts nothing() const { return counters::LaunchCounter(kernel_, accesses_).counts(); }

  private:
    Part& part_of(std::uint64_t block);

    const LaunchSample& sample_;
    const kernel::Kernel& kernel_;
    std::span<const counters::MachineAccess> accesses_;
    std::map<std::size_t, Part> parts_;
    std::map<std::uint64_t, std::uint64_t> open_;  // bytes of the records of blocks that have not ended
};

// What is known of the whole launch, from what all worker threads (one at least) counted.
struct Estimate {
    counters::RawCounts counts;
    timing::BlockGroups groups;
};
Estimate estimate(const LaunchSample& sample, const std::deque<SampleCounter>& workers);

// Tells another observer of some of the blocks only.
class OnlyBlocks : public events::Observer {
  public:
    OnlyBlocks(events::Observer& other, std::span<const events::BlockRange> blocks)
        : other_(other), blocks_(blocks) {}
    events::Wants wants() const override { return other_.wants(); }
    void records(const events::Batch& batch) override;
    void block_ended(std::uint64_t block) override;
    void launch_failed() override { other_.launch_failed(); }

  private:
    events::Observer& other_;
    std::span<const events::BlockRange> blocks_;  // ascending
};

}  // namespace lockstep::session
