// What one instruction of AMD's machine code did to memory.
#pragma once
#include <algorithm>
#include <cstdint>

namespace lockstep::gcn {

struct SiteCounts {
    std::uint64_t lds_accesses = 0, scratch_accesses = 0;  // by wavefronts
    // As VectorMemoryCounts has them; `least_requests`: as few lines as hold the bytes that lanes ask for.
    std::uint64_t requests = 0, least_requests = 0;
    std::uint64_t l1_hits = 0, l2_requests = 0, l2_hits = 0;
    // Requests beyond the least, by how lanes lie: one behind the other but across lines; at one distance
    // from each other, the last such one being `stride`; else.
    std::uint64_t offset_surplus = 0, strided_surplus = 0, other_surplus = 0;
    std::int64_t stride = 0;
    std::uint64_t lds_cycles = 0, lds_conflict_cycles = 0;

    SiteCounts& operator+=(const SiteCounts& other) {
        lds_accesses += other.lds_accesses, scratch_accesses += other.scratch_accesses;
        requests += other.requests, least_requests += other.least_requests;
        l1_hits += other.l1_hits, l2_requests += other.l2_requests, l2_hits += other.l2_hits;
        offset_surplus += other.offset_surplus, strided_surplus += other.strided_surplus;
        other_surplus += other.other_surplus;
        if (other.stride) stride = other.stride;
        lds_cycles += other.lds_cycles, lds_conflict_cycles += other.lds_conflict_cycles;
        return *this;
    }
};

}  // namespace lockstep::gcn
