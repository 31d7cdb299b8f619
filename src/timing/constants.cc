#include "timing/constants.h"

#include <algorithm>

namespace lockstep::timing {

Constants::Served Constants::load(const Access& access, const BlockTrace& block, double now) {
    int missing = 0;
    for (std::uint32_t i = 0; i < access.lines; ++i) {
        const std::uint64_t number =
            block.lines[access.first_line + i].address / counters::constant_line_bytes;
        if (cache_.find(number)) continue;
        CacheLine evicted;
        cache_.insert(number, evicted);
        ++missing;
    }
    constexpr int bytes_at_once = 8;
    const int words = std::max<int>(access.wavefronts, 1);
    double cost = words * figures_.word_cycles * (access.lane_bytes > bytes_at_once ? 2 : 1);
    if (missing)
        cost += std::min(figures_.miss_cycles + (missing - 1) * figures_.further_miss_cycles,
                         figures_.most_miss_cycles);
    Served served;
    served.missed = missing > 0;
    served.cost = cost;
    served.begun = server_.take(now, cost);
    served.more = (words - 1) * figures_.word_latency + (missing ? figures_.miss_latency : 0);
    return served;
}

}  // namespace lockstep::timing
