// What one thread block did, ready for replay: for each warp the regions that it issued, and for each memory
// instruction the lines or wavefronts that it took.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "counters/geometry.h"
#include "counters/machine-access.h"
#include "counters/raw-counts.h"
#include "events/observer.h"
#include "events/records.h"
#include "timing/code.h"

namespace lockstep::timing {

using counters::Line;
using counters::line_bytes;
using counters::sector_bytes;

// That lanes swap one after the other, each when it finds what the last one left.
struct Word {
    std::uint64_t address = 0;
    std::uint8_t lanes = 0;  // that want to change it
};

struct Access {
    std::uint32_t site = 0;
    std::uint32_t first_line = 0;  // into BlockTrace::lines
    std::uint16_t lines = 0;
    std::uint16_t sectors = 0;
    std::uint16_t wavefronts = 0;  // shared memory, textures; loads: of the L1's banks
    std::uint16_t turns = 0;       // of a texture: in which the L1 finds its lines
    std::uint16_t rows = 0;        // of a bulk copy: pieces of memory that follow each other
    std::uint8_t lanes = 0;
    std::uint8_t lane_bytes = 0;
    std::uint8_t texel_bytes = 0;
    std::uint8_t meeting = 1;  // of an atomic of global memory: the most lanes at one address …
    std::uint8_t passes = 1;   // … and how often the L2 takes up a part of a line for it
    counters::Memory memory{};
    kernel::SiteKind kind{};
    bool one_address = false;                    // all lanes meet at one word
    bool partial = false;                        // not all bytes of its sectors
    bool adds_floats = false, compares = false;  // of an atomic
    bool spins = false;                          // until all of its lanes have swapped …
    std::uint8_t spin_instructions = 0;          // … of a round, where they are known …
    std::uint8_t rounds = 1;                     // … of which it takes so many if nobody else does
    bool filtered = false;                       // of a texture: by coordinates, not by index
    bool far = false;                            // of another block's shared memory
    bool waits = false;                          // for the end of `phase`, instead of arriving there
    std::uint8_t branches = 0;                   // of a slow way: more than the usual code has …
    std::uint32_t first_word = 0;                // into BlockTrace::words
    std::uint8_t words = 0;                      // 0: not swapped until it works
    std::uint16_t issues = 0;                    // … and instructions
    std::uint32_t phase = 0;                     // of a barrier in shared memory; 0: none
};

struct Step {
    std::uint32_t region = 0;
    std::uint32_t first_access = 0;  // into WarpTrace::accesses, one for each of the section's sites
    std::uint8_t lanes = 0;          // that entered it
    events::WarpBits mask = 0;       // which
    bool unrolled = false;
    bool split = false;  // its branch sent lanes different ways
};

// The code that the step issues.
inline const Section& section_of(const Code& code, const Step& step) {
    const Region& region = code.regions[step.region];
    return step.unrolled ? region.unrolled : region.once;
}

struct WarpTrace {
    std::vector<Step> steps;
    std::vector<std::uint32_t> accesses;             // into BlockTrace::accesses
    static constexpr std::uint32_t no_access = ~0u;  // no lane took part
};

// Where an access's lanes went: in shared memory, from its begin.
struct LaneAddresses {
    std::size_t access = 0;  // into BlockTrace::accesses
    events::WarpBits mask = 0;
    std::array<std::uint64_t, kernel::warp_lanes> addresses{};
};

struct BlockTrace {
    std::uint64_t block = 0;  // in the grid
    std::vector<WarpTrace> warps;
    std::vector<Access> accesses;
    std::vector<Line> lines;
    std::vector<Word> words;
    std::vector<LaneAddresses> lanes;   // where they are asked for
    std::vector<std::uint32_t> phases;  // by number: arrivals, of warps and of copies, that end it
    std::uint64_t record_bytes = 0;     // whole ones, that the block made, kept or not: how much it did
    double kept = 1;                    // the share of its records that this is
};

inline std::span<const Word> words_of(const Access& access, const BlockTrace& block) {
    return std::span(block.words).subspan(access.first_word, access.words);
}

// Of all warps of the grid.
using WarpNumber = std::uint64_t;
constexpr std::uint64_t most_warps = 64;  // of a block, and more than any has
inline WarpNumber number_of(const WarpTrace& warp, const BlockTrace& block) {
    return block.block * most_warps + static_cast<std::uint64_t>(&warp - block.warps.data());
}
inline std::uint64_t block_of(WarpNumber warp) { return warp / most_warps; }

// The records of one block as they came, warp by warp.
struct RecordedBlock {
    struct Warp {
        std::vector<std::byte> records;
        std::uint64_t whole_bytes = 0;  // of these, as events/visit.h has it
        bool cut = false;               // what came later is not here
        events::Windows windows;
    };
    std::uint64_t block = 0;
    std::vector<Warp> warps;
    std::uint64_t record_bytes = 0;
};

// Makes the traces of a launch's blocks, on one thread.
class TraceMaker {
  public:
    // `most`: instructions of a warp, after which the rest of its records is left out. `each`: accesses that
    // are the same are there for each time, for who changes them. All must outlive it.
    TraceMaker(const Code& code, const kernel::Kernel& kernel,
               std::span<const counters::MachineAccess> accesses, double most = INFINITY, bool each = true);
    ~TraceMaker();
    // `lanes`: with the lanes' addresses.
    BlockTrace trace(const RecordedBlock& recorded, bool lanes = false);

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace lockstep::timing
