// Rounds of loops that compare and swap which fail because another warp was faster. The engine runs warps one
// after the other, so that only lanes of one warp make each other fail: what a GPU counts besides depends on
// time, and is the timing model's.
#pragma once
#include <cstdint>
#include <map>
#include <span>

namespace lockstep::kernel {
struct Kernel;
}

namespace lockstep::counters {

struct MachineAccess;
struct RawCounts;

struct Rounds {
    double warps = 0, lanes = 0;  // that tried, summed over the rounds
    double splits = 0;            // rounds in which other lanes of the warp were through

    Rounds& operator+=(const Rounds& more) {
        warps += more.warps, lanes += more.lanes, splits += more.splits;
        return *this;
    }
    Rounds operator*(double times) const { return {warps * times, lanes * times, splits * times}; }
};
using FailedRounds = std::map<std::uint32_t, Rounds>;  // by site

inline void add(FailedRounds& sum, const FailedRounds& more) {
    for (const auto& [site, rounds] : more) sum[site] += rounds;
}

// Adds what they execute: the blocks and accesses that every turn of the loop has, or rounds of the loop that
// the access itself is.
void add_failed_rounds(RawCounts& counts, const FailedRounds& failed, const kernel::Kernel& kernel,
                       std::span<const MachineAccess> accesses);

}  // namespace lockstep::counters
