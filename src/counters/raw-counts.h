// What a launch did, counted: numbers for each block and each memory instruction of the kernel. Their size is
// the kernel's, however long it runs.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "counters/access-pattern.h"

namespace lockstep::counters {

struct BlockCounts {
    std::uint64_t entries = 0;      // by warps
    std::uint64_t lanes = 0;        // active, summed over them
    std::uint64_t splits = 0;       // its branch sent lanes different ways
    std::uint64_t split_taken = 0;  // lanes that went to its first target then

    BlockCounts& operator+=(const BlockCounts& other) {
        entries += other.entries, lanes += other.lanes;
        splits += other.splits, split_taken += other.split_taken;
        return *this;
    }
    bool operator==(const BlockCounts&) const = default;
};

// The memory that an access reached. Bulk: global memory, by bulk and tensor copies, which pass by the L1.
enum class Memory : std::uint8_t { global, shared, local, constant, texture, bulk };
constexpr std::size_t memories = 6;

struct AccessCounts {
    // With at least one lane; of textures those that a warp's are cut into; of bulk copies each thread's.
    std::uint64_t requests = 0;
    std::uint64_t lanes = 0;
    // That lanes asked for. Within a request what several want counts once, but before compute capability 5.0
    // for each of them, as nvprof has it.
    std::uint64_t bytes = 0;
    std::uint64_t sectors = 0, ideal_sectors = 0;  // global and local memory, textures, bulk copies
    std::uint64_t transactions = 0;                // global and local memory: see coalescing.h
    std::uint64_t wavefronts = 0;                  // shared memory, textures
    std::uint64_t conflicts = 0;                   // wavefronts that the banks cost
    std::uint64_t ideal_wavefronts = 0;

    AccessCounts& operator+=(const AccessCounts& other) {
        requests += other.requests, lanes += other.lanes, bytes += other.bytes;
        sectors += other.sectors, ideal_sectors += other.ideal_sectors;
        transactions += other.transactions;
        wavefronts += other.wavefronts, conflicts += other.conflicts;
        ideal_wavefronts += other.ideal_wavefronts;
        return *this;
    }
    AccessCounts operator*(std::uint64_t times) const {
        return {requests * times,   lanes * times,         bytes * times,
                sectors * times,    ideal_sectors * times, transactions * times,
                wavefronts * times, conflicts * times,     ideal_wavefronts * times};
    }
    bool operator==(const AccessCounts&) const = default;
};

// A division or root where its usual code is not good for some lane.
struct SlowWayCounts {
    struct Part {
        std::uint64_t times = 0;  // by warps
        std::uint64_t lanes = 0;  // summed over them
    };
    std::vector<Part> parts;   // as machine::slow_parts; none: it has no slow way
    std::uint64_t splits = 0;  // lanes went different ways, at its check or in the routine

    SlowWayCounts& operator+=(const SlowWayCounts& other) {
        for (std::size_t i = 0; i < parts.size(); ++i) {
            parts[i].times += other.parts[i].times;
            parts[i].lanes += other.parts[i].lanes;
        }
        splits += other.splits;
        return *this;
    }
};

// A generic access may reach one memory now and another later.
using SiteCounts = std::array<AccessCounts, memories>;

// Rounds besides the first of a site that is itself a loop, and those of them in which lanes parted.
struct SpinCounts {
    std::uint64_t rounds = 0, splits = 0;
};

struct RawCounts {
    std::vector<BlockCounts> blocks;       // as kernel::Kernel::blocks
    std::vector<SiteCounts> sites;         // as kernel::Kernel::sites
    std::vector<Patterns> patterns;        // of their requests of global memory
    std::vector<SlowWayCounts> slow_ways;  // as `sites`
    std::vector<SpinCounts> spins;         // as `sites` (failed-rounds.h); empty: none

    const AccessCounts& at(std::size_t site, Memory memory) const {
        return sites[site][static_cast<std::size_t>(memory)];
    }
    void add(const RawCounts& other);
};

}  // namespace lockstep::counters
