// Replays thread blocks on a number of SMs: hands out blocks as the GPU does, and runs the SMs side by side.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "gpu/model.h"
#include "timing/close-up.h"
#include "timing/code.h"
#include "timing/l2-sample.h"
#include "timing/memory.h"
#include "timing/prediction.h"
#include "timing/sm.h"
#include "timing/trace.h"

namespace lockstep::timing {

struct ReplaySetup {
    const gpu::GpuModel* gpu = nullptr;
    const Code* code = nullptr;
    std::uint32_t sms = 1;       // replayed …
    std::uint32_t sms_used = 1;  // … of those that have work at the same time
    std::uint32_t resident = 1;  // blocks an SM holds
    std::uint64_t l1_bytes = 0;
    const L2Outcome* l2 = nullptr;  // null: the L2 is simulated line by line
    std::size_t sites = 0;
    const HostRanges* host = nullptr;  // what is not the device's memory; null: nothing
    std::uint64_t blocks = 0;          // that will come
    CloseUp* close_up = nullptr;       // who looks closely at the first SM, and when blocks ran
};

// What has happened up to some moment.
struct ReplaySums {
    double cycles = 0;
    SmTotals sm;  // summed over the SMs
    MemoryTotals memory;
    double dram_busy = 0, l2_busy = 0, atomics_busy = 0, launch_busy = 0;  // cycles of their servers
    std::vector<std::array<double, timing::warp_states>> places;           // warp cycles, by Code::places
};

struct ReplayResult {
    ReplaySums all;
    // While the SMs were full: from the end of as many blocks as they hold to the end of the last block
    // before the rest no longer fills them. Without a block in between both are the same.
    ReplaySums steady_begin, steady_end;
    std::size_t first_steady = 0, last_steady = 0;  // into `blocks`: those that ended in between
    struct Block {
        std::uint64_t block = 0, record_bytes = 0;
        double kept = 1;
        Cycle begin = 0, end = 0;
    };
    std::vector<Block> blocks;  // in the order of their ends
};

// `next` gives the blocks in their order, null when there are no more; `done` is called when one is not
// needed any more.
ReplayResult replay(const ReplaySetup& setup, const std::function<const BlockTrace*()>& next,
                    const std::function<void(const BlockTrace*)>& done);

}  // namespace lockstep::timing
