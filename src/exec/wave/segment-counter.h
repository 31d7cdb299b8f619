// Counts how often the segments of AMD's machine code run, and with how many lanes, and how often they would
// if a block's lanes were packed into as few wavefronts as hold them.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep::exec::wave {

struct SegmentCounts {
    std::vector<std::uint64_t> runs;    // two numbers a segment: how often it ran, and with how many lanes
    std::vector<std::uint64_t> packed;  // by segment

    void resize(std::size_t segments) { runs.resize(2 * segments), packed.resize(segments); }
    SegmentCounts& operator+=(const SegmentCounts& other) {
        for (std::size_t i = 0; i < runs.size(); ++i) runs[i] += other.runs[i];
        for (std::size_t i = 0; i < packed.size(); ++i) packed[i] += other.packed[i];
        return *this;
    }
};

// Of one block at a time.
class SegmentCounter {
  public:
    SegmentCounter(std::size_t segments, std::size_t waves, std::uint32_t lanes)
        : lanes_(lanes), waves_(waves), of_waves_(2 * segments * waves) {
        sums_.resize(segments);
    }
    // Where compiled code counts for a wavefront.
    std::uint64_t* of(std::size_t wave) { return of_waves_.data() + wave * sums_.runs.size(); }

    // A wavefront's turns come one after the other: however well lanes are packed, a segment runs at least as
    // often as in the wavefront that runs it most.
    void end_block() {
        for (std::size_t s = 0; s < sums_.packed.size(); ++s) {
            std::uint64_t runs = 0, lanes = 0, most = 0;
            for (std::size_t w = 0; w < waves_; ++w) {
                const std::uint64_t* const at = of(w) + 2 * s;
                runs += at[0], lanes += at[1];
                most = std::max(most, at[0]);
            }
            sums_.runs[2 * s] += runs, sums_.runs[2 * s + 1] += lanes;
            sums_.packed[s] += std::max(most, (lanes + lanes_ - 1) / lanes_);
        }
        std::ranges::fill(of_waves_, 0);
    }
    const SegmentCounts& counts() const { return sums_; }

  private:
    std::uint32_t lanes_;
    std::size_t waves_;
    std::vector<std::uint64_t> of_waves_;  // by wavefront
    SegmentCounts sums_;
};

}  // namespace lockstep::exec::wave
