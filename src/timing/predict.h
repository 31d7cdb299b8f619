// From what was recorded of a launch to its predicted time.
#pragma once
#include <cstdint>
#include <future>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "counters/launch-counts.h"
#include "events/observer.h"
#include "timing/block-feed.h"
#include "timing/code.h"
#include "timing/prediction.h"
#include "timing/recorder.h"
#include "timing/replay.h"

namespace lockstep::timing {

struct Options {
    std::size_t workers = 1;            // threads that execute the launch
    bool what_if = false;               // also without each of timing/changes.h, where a sample is replayed
    bool detailed = false;              // every block is replayed, on every SM, with every line of the L2
    bool close_up = false;              // also what is seen from near (timing/close-up.h)
    bool groups_given = false;          // predict() is told what all blocks did
    Sampling sampling = full_sampling;  // unless it is detailed
    HostRanges host{};                  // what is not the device's memory
};

// Watches one launch. Make it before, give its observers to the engine, ask it after.
class Predictor {
  public:
    // All must outlive it.
    Predictor(const kernel::Kernel& kernel, const Code& code,
              std::span<const counters::MachineAccess> accesses, const gpu::GpuModel& gpu,
              const counters::LaunchConfig& config, const gpu::Occupancy& occupancy,
              const gpu::SharedConfiguration& shared, const Options& options);
    ~Predictor();

    events::FormObserver& observer(std::size_t worker) { return recorders_[worker]; }
    // The blocks that they have to see; none: all.
    std::span<const events::BlockRange> watched() const {
        return replaying_.joinable() ? std::span<const events::BlockRange>() : choice_.watched();
    }
    // Of a warp that tells more, only the beginning is kept: where that ends follows from how it was told.
    std::uint64_t most_warp_bytes() const { return state_.most_warp_bytes; }
    bool has_cut() const { return state_.has_cut; }
    // `counts`: of all threads; null: nobody has counted. `groups`: of the whole grid, if they are given.
    timing::Prediction predict(const counters::RawCounts* counts, BlockGroups groups = {});

  private:
    struct Collected;
    struct Sample;
    struct Replayed;
    std::uint64_t held_blocks() const;
    ReplaySetup setup(std::uint32_t sms, std::uint64_t blocks, const L2Outcome* l2) const;
    ReplaySetup watched(ReplaySetup replayed) const;
    void follow();
    Collected collect();
    L2Outcome l2_of(const Collected& all, const counters::RawCounts* counts) const;
    std::vector<BlockTrace> traces_of(const Collected& all, std::uint32_t first_sm,
                                      std::uint32_t end_sm) const;
    Sample sample_of(Collected all, const counters::RawCounts* counts) const;
    Replayed replay_sample(const Sample& sample, const ReplaySetup& setup,
                           std::span<const BlockTrace> traces) const;
    std::optional<BlockTrace> longest_of(const Collected& all, std::span<const BlockTrace> replayed) const;
    double straggling(const Sample& sample, const ReplaySums& sums) const;
    void imagine(Sample sample, double straggling, timing::Prediction& result) const;
    timing::Prediction predict_sample(const counters::RawCounts* counts, BlockGroups groups = {});
    double overhead_ns() const;
    timing::Prediction prediction_of(const Replayed& replayed) const;

    const kernel::Kernel& kernel_;
    const Code& code_;
    std::span<const counters::MachineAccess> accesses_;
    const gpu::GpuModel& gpu_;
    std::uint64_t blocks_;
    std::uint32_t block_threads_;
    std::uint32_t resident_, used_;  // blocks of an SM, SMs that have any
    std::uint32_t full_resident_;    // blocks of an SM if only their warps counted
    std::uint64_t l1_bytes_;
    std::size_t workers_;
    bool what_if_;
    std::shared_ptr<CloseUp> close_up_;  // null: nobody wants one
    Sampling sampling_;
    HostRanges host_;
    BlockChoice choice_;
    RecorderState state_;
    std::vector<Recorder> recorders_;
    std::future<timing::Prediction> early_;  // made beside the blocks that nobody watches
    // Detailed.
    std::unique_ptr<BlockFeed> feed_;
    std::unique_ptr<Replayed> followed_;
    std::thread replaying_;
};

}  // namespace lockstep::timing
