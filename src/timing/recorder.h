// Watches a launch for the timing model: keeps what chosen blocks did, how much every block did, and a sample
// of the L2's lines. Memory stays bounded whatever the launch does.
#pragma once
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "events/batch-forms.h"
#include "timing/l2-sample.h"
#include "timing/trace.h"

namespace lockstep::timing {

// The SMs that a sampled replay has at most. Of fewer SMs, the first ones are replayed.
constexpr std::uint32_t most_sms = 8;

// How much of a launch is looked at.
struct Sampling {
    std::uint32_t sms;         // that are replayed at most
    std::uint32_t stretches;   // of the grid, each one fill of an SM
    double instructions;       // of warps that a replay should not exceed by much,
    double share;              // or such a share of the whole launch's, if that is more
    double even_instructions;  // the same where all blocks do as much, if that leaves two SMs
    std::uint64_t l2_entries;  // kept of the L2's sample
    bool all_blocks;           // are watched, not only those of the stretches
    // Of a warp that goes on for longer, what is kept: it goes on as it has begun.
    std::uint64_t warp_bytes;  // of records
    double warp_instructions;
};
// For a profile, and for a program that only wants to know the time: that must not take much longer than
// without.
inline constexpr Sampling full_sampling{most_sms, 5, 3e6, 0, 4e5, 150'000, true, ~std::uint64_t{0}, INFINITY};
inline constexpr Sampling thin_sampling{2,    4, 1.5e4, 7e-4, INFINITY, 15'000, false, std::uint64_t{1} << 20,
                                        16000};

// How many SMs are replayed of so many that could be, each of which issues so many instructions. `even`: all
// blocks of the launch do as much; then two SMs tell nearly what eight do.
std::uint32_t sms_to_replay(std::uint32_t sms, double instructions_of_sm, double instructions_of_launch,
                            bool even, const Sampling& sampling);

// Which blocks are kept: those that the first SMs, evenly chosen, would get; where an SM gets very many,
// those of some stretches of the grid, each long enough to fill the SM.
class BlockChoice {
  public:
    BlockChoice(std::uint64_t blocks, std::uint32_t sms, std::uint32_t resident,
                const Sampling& sampling = full_sampling);

    struct Chosen {
        std::uint64_t block = 0;
        std::uint32_t sm = 0;  // 0 … most_sms - 1
    };
    const std::vector<Chosen>& blocks() const { return blocks_; }  // ascending
    const Chosen* find(std::uint64_t block) const;
    // The blocks that have to be watched. None: all.
    const std::vector<events::BlockRange>& watched() const { return watched_; }
    std::uint64_t watched_blocks() const { return watched_blocks_; }  // 0: all are
    // Blocks of the grid for each that is watched.
    double blocks_a_watched() const { return blocks_a_watched_; }
    // Those among them whose accesses the L2's sample follows: neighbours, which share data.
    bool is_followed(std::uint64_t block) const;
    const L2Weights& l2_weights() const { return l2_weights_; }
    std::uint64_t blocks_of_one_sm() const;

  private:
    std::vector<Chosen> blocks_;
    void watch(std::uint64_t blocks);

    std::vector<events::BlockRange> watched_, followed_;
    std::uint64_t watched_blocks_ = 0;
    double blocks_a_watched_ = 1;
    L2Weights l2_weights_;
};

// Blocks that did about as much: by the bytes of their records, in steps of an eighth of a doubling.
struct BlockGroup {
    double blocks = 0, record_bytes = 0;
};
std::uint32_t group_of(std::uint64_t record_bytes);
using BlockGroups = std::map<std::uint32_t, BlockGroup>;

// What the worker threads share.
class RecorderState {
  public:
    // `warps`: of a block. `resident`: blocks whose records are kept at the same time at least.
    RecorderState(const BlockChoice& choice, std::uint64_t resident, std::uint32_t warps,
                  const Sampling& sampling = full_sampling);

    const BlockChoice& choice;
    std::uint64_t most_warp_bytes;     // of one warp's records, if there is no room for more
    std::atomic<bool> has_cut{false};  // one had more
    // Called once, on the thread of the last of the watched blocks when it has ended, where not all are.
    std::function<void()> all_seen;
    std::atomic<std::uint64_t> unseen;  // watched blocks that have not ended
    // Where there is one, every block goes here when it has ended, and none is kept.
    std::function<void(RecordedBlock)> sink;
    std::function<void()> close_sink;       // no more blocks are needed: lets those go that wait in it
    std::atomic<std::uint64_t> in_sink{0};  // bytes of records that went, or are about to go, and are needed
    SampleLevel l2_level;

    // SMs whose blocks are still kept; they become fewer when their records take too much memory.
    std::uint32_t sms() const { return sms_.load(std::memory_order_relaxed); }
    void count(std::uint32_t sm, std::uint64_t bytes);
    // Whether warps that tell much have to be cut.
    bool is_full() const;

  private:
    std::atomic<std::uint32_t> sms_;
    std::array<std::atomic<std::uint64_t>, most_sms> bytes_{};
};

// By what it did; of two that did the same, the first: whichever thread saw it.
bool is_longer(const RecordedBlock& one, const RecordedBlock& other);

class Recorder : public events::FormObserver {
  public:
    // `accesses`: of the kernel's sites.
    Recorder(const kernel::Kernel& kernel, std::span<const counters::MachineAccess> accesses,
             RecorderState& state);
    events::Wants wants() const override { return events::profile_wants; }
    void records(const events::Batch& batch) override;
    void begins_form(const events::Batch& batch, const events::BatchForm& form) override;
    void has_form(const events::Batch& batch, const events::BatchForm& form) override;
    void forget_forms() override { l2_.forget_forms(); }
    void moved(events::MovedBlocks& blocks) override;
    void block_ended(std::uint64_t block) override;
    void launch_failed() override {
        if (state_.close_sink) state_.close_sink();
    }

    struct Result {
        std::vector<RecordedBlock> blocks;
        RecordedBlock longest;  // of the blocks that were watched and are not among these, by its bytes
        BlockGroups groups;
        std::vector<SampledAccess> l2;
    };
    Result take();

  private:
    struct Open {
        std::uint64_t bytes = 0;
        const BlockChoice::Chosen* chosen = nullptr;
        bool followed = false;
        RecordedBlock block;
        void begin(std::uint64_t number, const RecorderState& state);
    };
    Open& open(std::uint64_t block);
    // Whether its block is among those that the result has in any case.
    bool is_kept(const Open& one) const { return one.chosen && one.chosen->sm < state_.sms(); }
    // `bytes`: how much the batch tells. `follow`: tells the L2's sample of it.
    template <class Follow>
    void keep(const events::Batch& batch, std::size_t bytes, Follow follow);
    void end_kept(Open& ended);
    void drop_blocks();
    void count_blocks(std::uint64_t blocks, std::uint64_t bytes);

    RecorderState& state_;
    bool has_rows_;  // accesses that are recorded in short
    L2Sampler l2_;
    std::map<std::uint64_t, Open> open_;                 // mostly one
    std::map<std::uint64_t, Open>::node_type closed_{};  // whose memory the next one takes
    Open* current_ = nullptr;
    std::uint64_t current_block_ = 0;
    std::uint32_t sms_ = most_sms;  // whose blocks are in the result
    BlockGroup* group_ = nullptr;   // of the block that ended last, with
    std::uint64_t grouped_bytes_ = 0;
    Result result_;
};

}  // namespace lockstep::timing
