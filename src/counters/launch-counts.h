// All that is counted of one launch, with the machine's view of the kernel, the GPU, and the launch's own
// numbers.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "counters/machine-access.h"
#include "counters/raw-counts.h"
#include "events/observer.h"
#include "gpu/model.h"
#include "gpu/occupancy.h"
#include "machine/view.h"

namespace lockstep::counters {

struct LaunchConfig {
    std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    std::uint32_t static_shared_bytes = 0, dynamic_shared_bytes = 0;
    int shared_carveout = -1;         // as gpu::BlockDemand has it
    std::uint64_t added_threads = 0;  // of the grid, beyond those that the program asked for
    std::uint32_t registers = 0;      // a thread, as ptxas says; 0: the machine view's estimate

    std::uint64_t blocks() const { return std::uint64_t{grid[0]} * grid[1] * grid[2]; }
    std::uint32_t threads() const { return block[0] * block[1] * block[2]; }  // of a block
};

// A PTX instruction of the kernel as the machine executed it.
struct InstructionCounts {
    std::uint32_t function = 0, block = 0;  // of kernel::Kernel
    // In the block; their number: the terminator; -1: what the machine added there.
    std::int32_t instruction = -1;
    std::uint64_t executed = 0;       // machine instructions, by warps
    std::uint64_t active = 0;         // threads, summed over them
    std::uint64_t predicated_on = 0;  // those whose predicate held
    std::uint64_t branches = 0, divergent_branches = 0;
    SiteCounts accesses{};
    PatternCost pattern;  // the costliest of its requests of global memory
};

enum class AccessType : std::uint8_t { load, store, atomic, reduction };

struct MemoryTotals {
    std::uint64_t instructions = 0;  // executed, with those of which every lane was predicated off
    AccessCounts accesses;
};

struct LaunchTotals {
    std::uint64_t warps = 0, threads = 0;  // launched
    std::uint64_t executed = 0, active = 0, predicated_on = 0;
    std::uint64_t vector_executed = 0, vector_active = 0;  // of these, arithmetic
    std::uint64_t branches = 0, divergent_branches = 0;
    std::array<std::uint64_t, machine::pipes> by_pipe{};         // executed, by machine::Pipe
    std::array<std::array<MemoryTotals, 4>, memories> memory{};  // by Memory and AccessType

    const MemoryTotals& of(Memory m, AccessType type) const {
        return memory[static_cast<std::size_t>(m)][static_cast<std::size_t>(type)];
    }
};

struct LaunchCounts {
    const kernel::Kernel* kernel = nullptr;
    std::span<const machine::View> views;  // one for each of its functions
    const gpu::GpuModel* gpu = nullptr;
    LaunchConfig config;
    RawCounts raw;

    // What follows from these.
    std::uint32_t registers = 0;  // a thread
    gpu::Occupancy occupancy;
    gpu::SharedConfiguration shared;
    std::vector<InstructionCounts> instructions;  // in the order of functions, blocks and instructions
    LaunchTotals totals;
};

// What a block of the launch takes of an SM. `views`: one for each of the kernel's functions.
gpu::BlockDemand block_demand(const LaunchConfig& config, std::span<const machine::View> views);

// `accesses`: of the kernel's sites. `kernel`, `views` and `gpu` must outlive the result.
LaunchCounts count_launch(const kernel::Kernel& kernel, std::span<const machine::View> views,
                          std::span<const MachineAccess> accesses, const gpu::GpuModel& gpu,
                          const LaunchConfig& config, RawCounts raw);

}  // namespace lockstep::counters
