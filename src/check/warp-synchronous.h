// Lanes that read a word of shared memory which another lane of their warp has just written, or write one
// that another has just read, with nothing between that makes them meet: code from the time when the lanes of
// a warp ran in lockstep. On GPUs since Volta they need not.
#pragma once
#include <map>
#include <unordered_map>
#include <vector>

#include "check/code.h"
#include "events/observer.h"
#include "events/records.h"

namespace lockstep::check {

// Looks at the first blocks of a launch; of each warp alone, so that the order of warps is of no matter.
// Whatever synchronises counts for all lanes of a warp: what is found is so, and some is not found.
class WarpSynchronous : public events::Observer {
  public:
    explicit WarpSynchronous(const kernel::Kernel& kernel);
    events::Wants wants() const override { return events::Wants::blocks | events::Wants::accesses; }
    void records(const events::Batch& batch) override;
    void block_ended(std::uint64_t block) override { warps_.erase(block); }
    // By site: how often it was the second of two such accesses.
    const std::vector<std::uint64_t>& meetings() const { return meetings_; }

  private:
    struct Word {
        std::uint64_t segment = 0;
        events::WarpBits writers = 0, readers = 0;
    };
    struct Warp {
        std::uint64_t segment = 1;  // from one synchronisation to the next
        std::uint32_t group = 0;    // of basic blocks
        std::uint32_t site = 0;     // the last access
        std::unordered_map<std::uint64_t, Word> words;
    };
    static constexpr std::uint64_t watched_blocks = 4;

    void enter(Warp& warp, std::uint32_t block);
    void access(Warp& warp, std::uint32_t site, int lane, std::uint64_t address,
                const events::Windows& windows);
    void reach(Warp& warp, std::uint32_t site);

    KernelCode code_;
    std::vector<std::uint32_t> syncs_before_;  // by site: those that synchronise, up to it
    std::vector<bool> group_syncs_;            // by block
    std::vector<std::uint64_t> meetings_;
    std::map<std::uint64_t, std::map<std::uint32_t, Warp>> warps_;  // by block
};

}  // namespace lockstep::check
