#include "timing/constants.h"

#include <algorithm>

namespace lockstep::timing {

Constants::Served Constants::load(const Access& access, const BlockTrace& block, double now,
                                  MemorySystem& memory) {
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
    Served served;
    served.cost = words * figures_.word_cycles * (access.lane_bytes > bytes_at_once ? 2 : 1);
    served.begun = server_.take(now, served.cost);
    served.more = (words - 1) * figures_.word_latency;
    if (missing) {
        // The warp waits for one line before it asks for the next; other warps ask for theirs meanwhile.
        const double busy = missing * figures_.miss_cycles;
        const double sent =
            std::max(missing_.take(served.begun, busy) + busy, memory.send_constants(missing, served.begun));
        served.cost = std::max(served.cost, busy);
        served.more += std::max(missing * figures_.miss_latency, sent - served.begun);
    }
    return served;
}

}  // namespace lockstep::timing
