// What was counted of a launch of AMD's machine code. Counters are the hardware's, by what they count; those
// of caches are of our model of them.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "gcn/mix.h"
#include "gcn/module.h"
#include "gcn/site-counts.h"

namespace lockstep::gcn {

inline constexpr std::uint64_t write_line_bytes = 64;  // that are written to the L2 at once

struct InstructionCounts {
    std::uint64_t executed = 0;  // by wavefronts
    std::uint64_t lanes = 0;     // that ran, summed over them
    InstructionCounts& operator+=(const InstructionCounts& other) {
        executed += other.executed, lanes += other.lanes;
        return *this;
    }
};

// Of vector memory.
struct VectorMemoryCounts {
    std::uint64_t requests = 0;  // lines that groups of 16 lanes ask the vector L1 for
    std::uint64_t lookups = 0;   // the same of groups of four: as often its tags are looked at
    std::uint64_t bytes = 0;     // that lanes asked for
    std::uint64_t l1_hits = 0;   // of loads' requests
    std::uint64_t l1_misses =
        0;  // that ask the L2, in the L1's lines; those of stores and atomics in 64 bytes
    std::uint64_t l2_requests = 0, l2_hits = 0;  // of the L2's lines
    VectorMemoryCounts& operator+=(const VectorMemoryCounts& other) {
        requests += other.requests, lookups += other.lookups, bytes += other.bytes;
        l1_hits += other.l1_hits, l1_misses += other.l1_misses;
        l2_requests += other.l2_requests, l2_hits += other.l2_hits;
        return *this;
    }
};

// Of one of the L2's channels.
struct ChannelCounts {
    std::uint64_t reads = 0, writes = 0, atomics = 0;  // requests
    std::uint64_t hits = 0;
    std::uint64_t dram_read_bytes = 0, dram_write_bytes = 0;
    std::uint64_t requests() const { return reads + writes + atomics; }
    ChannelCounts& operator+=(const ChannelCounts& other) {
        reads += other.reads, writes += other.writes, atomics += other.atomics, hits += other.hits;
        dram_read_bytes += other.dram_read_bytes, dram_write_bytes += other.dram_write_bytes;
        return *this;
    }
};

struct MemoryCounts {
    VectorMemoryCounts loads, stores, atomics;
    std::uint64_t scalar_loads = 0, scalar_bytes = 0;
    // Of the LDS: groups of lanes that it serves at once, and cycles that banks add because two lanes want
    // different words of one.
    std::uint64_t lds_cycles = 0, lds_conflict_cycles = 0, lds_bytes = 0;
    std::uint64_t dram_read_bytes = 0, dram_write_bytes = 0;
    std::vector<ChannelCounts> channels;
    MemoryCounts& operator+=(const MemoryCounts& other) {
        loads += other.loads, stores += other.stores, atomics += other.atomics;
        scalar_loads += other.scalar_loads, scalar_bytes += other.scalar_bytes;
        lds_cycles += other.lds_cycles, lds_conflict_cycles += other.lds_conflict_cycles;
        lds_bytes += other.lds_bytes;
        dram_read_bytes += other.dram_read_bytes, dram_write_bytes += other.dram_write_bytes;
        if (channels.size() < other.channels.size()) channels.resize(other.channels.size());
        for (std::size_t i = 0; i < other.channels.size(); ++i) channels[i] += other.channels[i];
        return *this;
    }
};

struct LaunchCounts {
    std::uint64_t waves = 0, threads = 0, blocks = 0;
    std::vector<InstructionCounts> segments;  // each entered so often
    std::vector<std::uint64_t> packed;        // by segment: so often if each block packed its lanes
    std::vector<SiteCounts> sites;            // by instruction
    std::array<InstructionCounts, unit_count> units{};
    MixCounts mix{};
    MixCounts operations{};  // products and sums of matrix instructions, by their kind
    // Quarters of the cycles that vector units are busy, as the counters have them, and lanes in each.
    double vector_cycles = 0, vector_lane_cycles = 0;
    double matrix_cycles = 0;   // that matrix units are busy
    std::uint64_t fetches = 0;  // of instructions (fetches.h)
    MemoryCounts memory;
    // What the hardware gives each lane, wavefront and lane.
    std::uint32_t vgprs = 0, agprs = 0, sgprs = 0, scratch_bytes = 0;

    const InstructionCounts& of(Unit unit) const { return units[static_cast<std::size_t>(unit)]; }
    std::uint64_t of(Mix kind) const { return mix[static_cast<std::size_t>(kind)]; }
    InstructionCounts all() const;
};

// The instructions by unit and kind, from how often segments ran.
void count_units(const Code& code, LaunchCounts& counts);

}  // namespace lockstep::gcn
