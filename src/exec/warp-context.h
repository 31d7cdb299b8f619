// What compiled code knows of the warp that it runs: the one structure shared between the JIT and the
// scheduler. Compiled code reads it by offsetof, so it is plain data.
#pragma once
#include <cstddef>
#include <cstdint>

#include "kernel/lanes.h"

namespace lockstep::exec {

using kernel::warp_lanes;

// The allocation that a memory instruction touched last: an address a is inside it if a - begin <= limit.
struct SiteRange {
    std::uint64_t begin = 1;
    std::uint64_t limit = 0;  // size of the allocation less the size of an access
};

// What a warp asks of a barrier, for some of its lanes. Those that reach barriers at different places of the
// code have one each, and the warp waits for all of them at once.
struct BarrierRequest {
    enum Kind : std::uint32_t { sync, arrive, count, all, any };  // the last three reduce votes
    std::uint32_t lanes = 0;                                      // 0: none asks
    std::uint32_t id = 0, threads = 0;                            // threads 0: all of the block
    std::uint32_t kind = sync;
    std::uint32_t votes = 0;
    std::uint32_t arrived = 0, released = 0;  // the scheduler's answers
    std::uint32_t result = 0;                 // of the votes
};

constexpr std::uint32_t cluster_barrier = 16;      // behind those that a block's threads name
constexpr std::uint32_t cluster_shift = 24;        // of that byte
constexpr std::uint32_t no_barrier = 0x8000'0000;  // a bit in numbers that name none

// Why compiled code has come back to the scheduler. It is called again to go on.
enum class Pause : std::uint32_t {
    finished,
    block_barrier,  // at barrier 0, which waits for all threads of the block
    barrier,        // at the one that WarpContext::barrier asks for
    barriers,       // its lanes are at several: WarpContext::requests
    yield,          // it waits for what others write
    slice,          // it has run a good while in a loop that may wait for others
};

constexpr std::size_t state_alignment = 64;  // of what a warp keeps (WarpContext::state): a line of the cache

struct BlockSlot;
namespace wave {
class MemoryCounter;
}

struct WarpContext {
    // What is written at each block's beginning lies together, here and from `block` on: short blocks take
    // little longer than that.
    std::uint32_t active = 0;  // lanes that have not exited
    // Where a warp goes on that has stopped half-way (jit::Code::stacks false), and what it keeps meanwhile.
    std::uint32_t resume = 0;  // 0: from the beginning
    Pause pause = Pause::finished;
    std::uint32_t warp = 0;                // in its block
    std::uint32_t first_thread[3] = {};    // lane 0's threadIdx
    const std::uint32_t* thread[3] = {};   // a lane's threadIdx, for the lanes of this warp
    std::uint64_t lanes = 0;               // which have a thread
    std::uint64_t* wave_counts = nullptr;  // by segment of its code: how often it ran, and lanes
    std::byte* local = nullptr;            // lane 0's; the next lane's follows after local_bytes
    std::byte* events = nullptr;           // where the next event record goes
    std::byte* events_end = nullptr;
    std::byte* stack_limit = nullptr;  // calls must not grow the stack below this
    std::byte* state = nullptr;
    BarrierRequest barrier;
    BarrierRequest* requests = nullptr;
    std::uint32_t request_count = 0;
    std::uint32_t request_site = 0;
    // Accesses until code that can be left there (jit::Request::preempts) asks whether it has to; 0: never.
    std::uint32_t accesses_left = 0;

    // From here on the same for all warps of a block (same_in_block).
    std::uint32_t block[3] = {};
    std::uint32_t sm = 0;
    std::uint32_t cluster[3] = {};   // the cluster's place in the grid
    std::uint32_t cluster_rank = 0;  // x first
    std::uint32_t block_extent[3] = {};
    std::uint32_t grid_extent[3] = {};
    std::uint32_t cluster_block[3] = {};   // the block's place in its cluster
    std::uint32_t cluster_extent[3] = {};  // blocks
    std::uint32_t cluster_size = 0;
    std::uint32_t cluster_grid[3] = {};  // clusters
    std::uint32_t clustered = 0;
    std::uint32_t shared_bytes = 0;
    std::uint32_t dynamic_shared_bytes = 0;
    std::uint32_t local_bytes = 0;               // a lane's local memory
    std::uint32_t warps = 0;                     // in the block
    std::uint32_t reserved_shared = 0;           // Grid::reserved_shared
    std::uint32_t wave_lanes = 0;                // of a wavefront
    wave::MemoryCounter* wave_memory = nullptr;  // null: nobody counts
    std::uint64_t workspace = 0;                 // Grid::workspace
    std::uint64_t graph = 0;                     // Launch::graph
    std::uint64_t launch_threads = 0;            // of all blocks
    const std::byte* params = nullptr;
    std::byte* shared = nullptr;
    // The shared memory of the cluster's blocks, by an address's first byte: 0
    // stands for the own, 1 and more for ranks. As many as fit in a byte: those
    // that there are none of are null.
    const std::byte* const* cluster_shared = nullptr;
    SiteRange* sites = nullptr;
    const std::uint32_t* stop = nullptr;  // set by the watchdog
    BlockSlot* slot = nullptr;            // the scheduler's own
};

// Whether all warps of a block have the same in the field at this offset.
constexpr bool same_in_block(std::size_t offset) { return offset >= offsetof(WarpContext, block); }

// Runs `count` warps, one after the other, each until it pauses. With `together` they are a block's, and they
// go on from barrier to barrier for as long as all do the same: the answer is the first that did not, or
// `count` when all have finished. Else the answer is of no use.
using WarpFunction = std::uint32_t (*)(WarpContext*, std::uint32_t count, bool together);

}  // namespace lockstep::exec
