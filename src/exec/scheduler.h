// Runs a grid: blocks on worker threads, the warps of a block in turn, barriers between them.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "exec/engine.h"
#include "exec/jit/compiler.h"
#include "exec/wave/memory-counter.h"
#include "exec/wave/segment-counter.h"

namespace lockstep::exec {

// Of wavefronts' code: what is counted of all blocks together, when they have ended.
struct WaveCounting {
    wave::SegmentCounts segments;
    std::vector<gcn::SiteCounts> sites;  // as the code numbers them
    gcn::MemoryCounts memory;
    wave::CacheShape caches;
    wave::SharedCache* l2 = nullptr;
};

struct Grid {
    const jit::Code* code = nullptr;       // of blocks that are watched, or all
    const jit::Code* unwatched = nullptr;  // of the others, if there are any
    std::span<const events::BlockRange> watched;
    const ptx::Module* module = nullptr;
    std::string kernel;  // demangled, for messages
    Launch launch;
    std::uint32_t shared_bytes = 0;  // static and dynamic
    // Where shared memory begins that is not the program's, for kernels that read %reserved_smem_offset_1; 0:
    // there is none.
    std::uint32_t reserved_shared = 0;
    static constexpr std::uint32_t reserved_shared_bytes = 512;
    // All that a block can reach.
    std::uint32_t shared_window() const {
        return reserved_shared ? reserved_shared + reserved_shared_bytes : shared_bytes;
    }
    std::uint32_t local_bytes = 0;  // a thread
    // Zeroed memory in which the blocks of a cooperative launch meet, for cooperative_groups.h and nvcc's
    // header of that name; 0: it is none.
    std::uint64_t workspace = 0;
    DeviceMemory* memory = nullptr;
    const gpu::GpuModel* gpu = nullptr;
    int threads = 1;
    double timeout_seconds = 0;
    Warnings* warnings = nullptr;
    std::function<void(const std::string&)> progress;  // LaunchProgress's; empty: nobody waits at a terminal
    events::Wants wants;                               // of all observers together
    WaveCounting* wave_counting = nullptr;             // of AMD's code; null: nobody counts
    // The kernel that a pointer in device code names; null: it names none.
    std::function<const Kernel*(std::uint64_t)> kernel_at;
    bool is_watched(std::uint64_t block) const;
};

// For each worker thread those that watch it, or nobody at all.
std::optional<Fault> run_grid(const Grid& grid, std::span<const events::Observers> observers);

}  // namespace lockstep::exec
