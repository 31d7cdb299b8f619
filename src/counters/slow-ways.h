// Records of slow ways (kernel/slow-ways.h) against the code that they stand for (machine/slow-ways.h).
#pragma once
#include "events/records.h"
#include "machine/slow-ways.h"

namespace lockstep::counters {

// The lanes that executed the part.
inline kernel::LaneMask lanes_in(const machine::SlowPart& part, const events::SlowWayRecord& record) {
    events::WarpBits lanes = 0;
    for (std::uint32_t i = 0; i < record.count; ++i)
        if (part.has(record.lanes[i].path)) lanes |= record.lanes[i].mask;
    return kernel::LaneMask(lanes);
}

}  // namespace lockstep::counters
