#include "counters/estimate.h"

#include <cmath>

namespace lockstep::counters {

RawCounts estimate(const RawCounts& executed, const PartOfGrid& part) {
    if (part.blocks == part.executed || part.executed == 0) return executed;
    const double times = static_cast<double>(part.blocks) / static_cast<double>(part.executed);
    const auto scale = [&](std::uint64_t& count) {
        count = static_cast<std::uint64_t>(std::llround(static_cast<double>(count) * times));
    };
    RawCounts all = executed;
    for (BlockCounts& block : all.blocks)
        for (std::uint64_t* count : {&block.entries, &block.lanes, &block.splits, &block.split_taken})
            scale(*count);
    for (SiteCounts& site : all.sites)
        for (AccessCounts& access : site)
            for (std::uint64_t* count :
                 {&access.requests, &access.lanes, &access.bytes, &access.sectors, &access.ideal_sectors,
                  &access.transactions, &access.wavefronts, &access.conflicts, &access.ideal_wavefronts})
                scale(*count);
    for (Patterns& patterns : all.patterns)
        patterns.each([&](PatternCost& cost) { scale(cost.requests), scale(cost.surplus); });
    for (SlowWayCounts& way : all.slow_ways) {
        for (SlowWayCounts::Part& part : way.parts) scale(part.times), scale(part.lanes);
        scale(way.splits);
    }
    return all;
}

}  // namespace lockstep::counters
