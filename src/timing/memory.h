// What all SMs share: the L2 cache and device memory, as servers that take their time for each request.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "gpu/model.h"
#include "timing/cache.h"
#include "timing/fit.h"
#include "timing/host-memory.h"
#include "timing/l2-sample.h"
#include "timing/server.h"
#include "timing/swapped-words.h"
#include "timing/trace.h"

namespace lockstep::timing {

struct MemoryTotals {
    double l2_reads = 0, l2_writes = 0, l2_hits = 0;  // sectors
    double dram_read_bytes = 0, dram_write_bytes = 0;
};

// What a warp has asked device memory for, until all of it is there: the latest of several comes later than
// one alone.
struct UnderWay {
    std::uint64_t page = ~std::uint64_t{0};  // of the line that was asked for last
    double later = -1;  // cycles, by which that one comes later; negative: there was none
    double until = 0;
};

class MemorySystem {
  public:
    // `share`: of the GPU's bandwidth that the replayed SMs have. `l2`: what a sample of the whole launch
    // says; null: the cache is simulated line by line.
    // `host`: addresses that are not the device's; null: none.
    MemorySystem(const gpu::GpuModel& gpu, double share, const L2Outcome* l2, std::size_t sites,
                 const HostRanges* host = nullptr);

    // Sectors of a line that the L1 does not have. `accessed`: how many the instruction wanted of this line,
    // with those that the L1 had. Returns when the data are at the SM.
    // `under_way`: of the same warp.
    double read(const Line& line, std::uint32_t accessed, std::uint32_t site, double now,
                UnderWay& under_way);
    // What the L1 had: the L2's share of misses is of all sectors. What the site would have missed is fetched
    // by the one that brought the line.
    void note_l1_hits(std::uint32_t sectors, std::uint32_t site, std::uint32_t fetched_at) {
        credit(site, sectors, fetched_at);
    }
    // When an SM has the translation of its first load's address.
    double translate(double now) {
        const double turn = fit::translation_turn / share_;
        return translations_.take(now, turn) + turn + figures_.dram_first_load_cycles;
    }
    // When an SM has the next line of constants that its kernel begins with.
    double fetch_constants(double now) {
        const double turn = fit::constant_line_turn / share_;
        return constant_lines_.take(now, turn) + turn +
               figures_.cold_constant_times * figures_.constant_latency;
    }
    // Stored sectors that go to the L2 with others: what it writes back is a share of all that are stored.
    void note_joined(std::uint32_t sectors) { joined_ += sectors; }
    // Returns when the L2 has taken the data.
    double write(const Line& line, bool partial, double now);
    // Of a warp, at one line.
    struct Atomic {
        std::uint32_t lanes = 1, meeting = 1;  // those at one address at most
        double passes = 1;                     // Access::passes, at this line
        bool adds_floats = false, compares = false;
        std::uint32_t site = 0;
        std::uint64_t block = 0;  // whose it is
    };
    // Returns when the result is at the SM.
    double atomic(const Line& line, const Atomic& request, double now);
    // When a warp that tries again and again has swapped the words, and the result is at the SM; and how
    // often it fails before.
    SwappedWords::Changed swap(const Access& access, std::span<const Word> words, WarpNumber warp,
                               double now);
    // Of loops that compare and swap; complete when no more requests come.
    const counters::FailedRounds& failed_rounds() {
        swapped_.finish();
        return swapped_.failed();
    }

    // When the L2 has all stores and atomics, which the end of a launch waits for: half of the way to it and
    // back later than they were sent.
    double settled() const { return settled_; }

    const MemoryTotals& totals() const { return totals_; }
    double dram_busy() const { return dram_.busy; }
    double l2_busy() const { return std::max({requests_.busy, replies_.busy, arrays_.busy}); }
    double atomics_busy() const { return std::max(atomics_.busy, hottest_); }

  private:
    struct Kept {
        CacheLine* line = nullptr;
        double written = 0;  // when what had to go for it is written; 0: nothing had to
    };
    bool is_hosts(const Line& line) const { return host_ && host_->has(line.address); }
    double word_turn(const Atomic& request) const;
    Server& slice_of(const Line& line);
    Kept keep(const Line& line, double now);
    void credit(std::uint32_t site, std::uint32_t sectors, std::uint32_t fetched_at);
    // How many of the line's sectors must come from device memory.
    std::uint32_t misses(const Line& line, std::uint32_t site);
    double fetch(std::uint32_t sectors, double now);
    double behind_others(const Line& line, double now, UnderWay& under_way) const;
    double queue_wait(double begun, double now);
    void note_arrival(const Line& line, double arrives);
    double wait_with_others(const Line& line, std::uint32_t found, std::uint32_t site, double now);
    double use_dram(double bytes, double now);
    double spread();
    void set_mix(double read_bytes, double write_bytes);

    const gpu::TimingFigures& figures_;
    double dram_extra_latency_;
    double reply_cost_;     // cycles a byte
    double request_cost_;   // cycles a piece of 32 bytes
    double peak_cost_ = 0;  // cycles a byte at the peak bandwidth
    std::uint64_t uses_ = 0;
    std::uint64_t random_ = 1;
    double dram_cost_ = 0;  // cycles a byte
    double share_;
    double atomic_cost_;  // cycles a lane
    double write_back_share_ = 1;
    std::uint32_t joined_ = 0;  // sectors since the last write
    Server requests_, replies_, dram_, atomics_, translations_, constant_lines_;
    Server arrays_;            // of the L2, into which stores and what device memory sends are written
    double queue_cycles_ = 0;  // of loads, see TimingFigures::dram_queue_read
    double dram_use_ = 0;      // share of the last while in which the memory was busy
    double dram_use_at_ = 0;
    const L2Outcome* outcome_;
    std::vector<double> credit_;  // by site: sectors that device memory still owes
    std::vector<double> waits_;   // by site: sectors that are still to be waited for with others
    std::unique_ptr<Cache> cache_;
    const HostRanges* host_;
    HostBus bus_;
    std::vector<Server> slices_;  // of the L2: atomics, one request to a line after the other
    // Lines of atomics: lanes at one word take turns.
    struct HotLine {
        Server server;
        std::uint64_t first = 0, last = 0;  // blocks that came to it
        std::uint64_t seen = 0;             // which of them, a bit for each, of few bits

        void note(std::uint64_t block) {
            first = std::min(first, block), last = std::max(last, block);
            seen |= std::uint64_t{1} << (block * 0x9e3779b97f4a7c15u >> 58);
        }
        // How many come to it for each that is replayed: all between them at most.
        double others() const { return static_cast<double>(last - first + 1) / std::popcount(seen); }
    };
    std::unordered_map<std::uint64_t, HotLine> hot_lines_;
    double settled_ = 0;
    double hottest_ = 0;  // of the slices: cycles busy
    SwappedWords swapped_;
    MemoryTotals totals_;
};

// Pieces of 32 bytes that a store sends to the L2.
inline std::uint32_t write_pieces(std::uint32_t sectors, bool partial) { return sectors + (partial ? 1 : 0); }

// Of the peak bandwidth: reads and writes that alternate cost turns of the bus.
double dram_efficiency(const gpu::TimingFigures& figures, double read_bytes, double write_bytes);

}  // namespace lockstep::timing
