// Counts what wavefronts do to memory: lines asked of the vector L1, its hits and the L2's, banks of the LDS.
// One for each block in execution; the L2 belongs to all of a launch.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "exec/wave/memory-form.h"
#include "gcn/counts.h"
#include "gcn/site-counts.h"

namespace lockstep::exec::wave {

// Lines by their numbers, the least recently used of a set goes first.
class LineCache {
  public:
    LineCache(std::uint64_t bytes, std::uint64_t line_bytes, std::uint32_t ways);
    // Whether it was there; it is now.
    bool touch(std::uint64_t line);
    void clear();

  private:
    std::uint32_t ways_;
    std::uint64_t sets_;
    std::vector<std::uint64_t> lines_;  // by set, the last used first; ~0: none
};

struct CacheShape {
    std::uint64_t l1_bytes = 16384, l1_line_bytes = 64;
    std::uint64_t l2_bytes = 8 << 20, l2_line_bytes = 64;
    std::uint64_t dies = 1, channels = 1;  // channels: of each die's L2
};

// The L2 and the memory behind it.
class SharedCache {
  public:
    explicit SharedCache(const CacheShape& shape);
    // Of one of its lines; whether it hit.
    bool request(std::uint64_t line);

  private:
    std::mutex mutex_;
    LineCache lines_;
};

class MemoryCounter {
  public:
    // `sites`: so many instructions that access memory there are.
    MemoryCounter(const CacheShape& shape, SharedCache& l2, std::size_t sites);

    // Dies take the blocks of a launch in turn.
    void begin_block(std::uint64_t block) {
        l1_.clear();
        die_ = block % shape_.dies;
    }
    enum class What : std::uint8_t { load, store, atomic };
    // `site`: the instruction. `addresses`: by lane, where in this process they lie (in the LDS: from its
    // begin).
    void access(std::uint32_t site, What what, Space space, std::uint32_t bytes, std::uint64_t lanes,
                const std::uint64_t* addresses);
    void scalar_load(std::uint32_t bytes);
    const gcn::MemoryCounts& counts() const { return counts_; }
    const std::vector<gcn::SiteCounts>& sites() const { return sites_; }

  private:
    // The lines that lanes ask for, those of each group of lanes once: how many. `contiguous`: all lanes run,
    // and access memory one behind the other.
    template <class Use>
    static std::uint64_t lines(std::uint64_t line_bytes, int group, std::uint32_t bytes, std::uint64_t lanes,
                               const std::uint64_t* addresses, bool contiguous, const Use& use);
    // What an access of the LDS takes, and what took it: lanes' addresses less the first one's word, which
    // decides nothing. Most accesses of an instruction are like the one before.
    struct BankAccess {
        std::uint64_t lanes = 0;
        std::uint32_t bytes = 0;
        std::uint32_t cycles = 0, conflict_cycles = 0;
        std::array<std::uint32_t, 64> offsets{};
    };
    // Whether it hit.
    bool ask_l2(What what, std::uint64_t line);
    void banks(std::uint32_t site, std::uint32_t bytes, std::uint64_t lanes, const std::uint64_t* addresses);
    static void find_turns(BankAccess& access);

    static constexpr std::size_t remembered_sites = 64;
    std::vector<BankAccess> bank_accesses_ = std::vector<BankAccess>(remembered_sites);
    gcn::MemoryCounts counts_;
    std::vector<gcn::SiteCounts> sites_;
    CacheShape shape_;
    LineCache l1_;
    SharedCache& l2_;
    std::uint64_t die_ = 0;
};

}  // namespace lockstep::exec::wave
