// What execution tells its observers: the only contract between running a kernel and everything that watches
// it. Records follow each other in a buffer; the first word holds the tag and the number of a block or a site
// of the kernel::Kernel. events/visit.h reads them.
#pragma once
#include <cstddef>
#include <cstdint>

#include "events/wants.h"
#include "kernel/lanes.h"
#include "kernel/limits.h"
#include "kernel/slow-ways.h"

namespace lockstep::events {

enum class Tag : std::uint8_t {
    block,
    linear_access,
    scattered_access,
    rows_access,
    texture_access,
    texel_access,
    bulk_access,
    phase,
    split,
    barrier,
    fence,
    allocation,
    release,
    arithmetic,
    slow_way,
    values,
    match,
};

constexpr std::uint32_t number_bits = 24;
static_assert(kernel::max_numbers <= 1u << number_bits);
constexpr std::uint32_t tagged(Tag tag, std::uint32_t number) {
    return static_cast<std::uint32_t>(tag) << number_bits | number;
}
constexpr Tag tag_of(std::uint32_t word) { return static_cast<Tag>(word >> number_bits); }
constexpr std::uint32_t number_of(std::uint32_t word) { return word & ((1u << number_bits) - 1); }

// Lanes as records have them, a bit each.
using WarpBits = std::uint32_t;
static_assert(8 * sizeof(WarpBits) == kernel::warp_lanes);

// A warp entered a basic block with these lanes active, and those that are entered with it. Lanes that leave
// at a branch straight into a block that only ends them enter that block too.
struct BlockRecord {
    static constexpr Tag tag = Tag::block;
    std::uint32_t word;
    WarpBits mask;
};

// A memory instruction, with the lanes that take part (never none), whose addresses are first + lane *
// stride. Of atomics, too: the site says what it is.
struct LinearAccess {
    static constexpr Tag tag = Tag::linear_access;
    std::uint32_t word;
    WarpBits mask;
    std::uint64_t first;
    std::int64_t stride;
};

struct ScatteredAccess {
    static constexpr Tag tag = Tag::scattered_access;
    std::uint32_t word;
    WarpBits mask;
    std::uint64_t addresses[kernel::warp_lanes];  // those of lanes outside the mask mean nothing
};

// A scattered access in short, of a warp whose lanes are several rows of a block's threads, equally long: a
// lane's address is its row's first one + its place in the row * stride. visit() tells of it as of the other.
struct RowsAccess {
    static constexpr Tag tag = Tag::rows_access;
    static constexpr std::uint32_t most_rows = 4;
    std::uint32_t word;
    WarpBits mask;
    std::int32_t stride;
    std::uint32_t rows;
    std::uint64_t first;                    // of the first row
    std::int64_t distances[most_rows - 1];  // from there to those of the others; only rows - 1 are there

    static constexpr std::size_t bytes(std::uint32_t rows);
    std::size_t size() const { return bytes(rows); }
    int width() const { return kernel::warp_lanes / static_cast<int>(rows); }  // lanes of a row
    std::uint64_t begin(std::uint32_t row) const {
        return first + static_cast<std::uint64_t>(row ? distances[row - 1] : 0);
    }
    ScatteredAccess scattered() const;
    // A row as an access of its own: its lanes of the mask, which may be none.
    LinearAccess row(std::uint32_t number) const;
};
constexpr std::size_t RowsAccess::bytes(std::uint32_t rows) {
    return offsetof(RowsAccess, distances) + (rows - 1) * sizeof distances[0];
}
inline ScatteredAccess RowsAccess::scattered() const {
    ScatteredAccess all;
    all.word = tagged(Tag::scattered_access, number_of(word));
    all.mask = mask;
    for (int lane = 0; lane < kernel::warp_lanes; ++lane)
        all.addresses[lane] = begin(static_cast<std::uint32_t>(lane / width())) +
                              static_cast<std::uint64_t>(std::int64_t{stride} * (lane % width()));
    return all;
}
inline LinearAccess RowsAccess::row(std::uint32_t number) const {
    const int lanes = width(), lane = lanes * static_cast<int>(number);
    const WarpBits own = ~WarpBits{0} >> (kernel::warp_lanes - lanes) << lane;
    return {tagged(Tag::linear_access, number_of(word)), mask & own,
            begin(number) - static_cast<std::uint64_t>(std::int64_t{stride} * lane), stride};
}

// What the lanes of a texture or surface instruction touch, a texel each. Where it takes several of each, to
// filter between them, there are several records.
struct TexelAccess {
    static constexpr Tag tag = Tag::texel_access;
    std::uint32_t word;
    WarpBits mask;
    std::uint32_t bytes;                          // of a texel
    std::uint32_t part;                           // so many records of the instruction came before
    std::uint64_t addresses[kernel::warp_lanes];  // those of lanes outside the mask mean nothing
};

// A texture or surface instruction. The texture unit cuts a warp into groups of lanes, each of which asks for
// its own sectors. So many sectors may take several records; those that follow the first have no requests.
struct TextureAccess {
    static constexpr Tag tag = Tag::texture_access;
    static constexpr std::uint32_t most_sectors = 64;
    std::uint32_t word;
    WarpBits mask;
    std::uint16_t requests;    // groups with lanes
    std::uint16_t wavefronts;  // in which the unit filters them
    std::uint16_t turns;       // in which the L1 finds their lines
    std::uint16_t texel_bytes;
    std::uint16_t count;
    std::uint64_t sectors[most_sectors];  // addresses; only `count` of them are there

    std::size_t size() const { return offsetof(TextureAccess, sectors) + count * sizeof sectors[0]; }
};

struct ByteRange {
    std::uint64_t address;
    std::uint32_t bytes;
    std::uint32_t unused;
};

// A thread's bulk copy: what it reads or writes of global memory, in order. So many ranges may take several
// records, of which the first begins the copy.
struct BulkAccess {
    static constexpr Tag tag = Tag::bulk_access;
    static constexpr std::uint32_t most_ranges = 32;
    std::uint32_t word;
    WarpBits mask;  // one lane
    std::uint32_t begins;
    std::uint32_t count;
    std::uint32_t phase;  // of a barrier in shared memory that it arrives at, as PhaseRecord has it; 0: none
    std::uint32_t unused;
    // With Wants::texels, what it writes of shared memory (the block's own first, others' in records behind)
    // or reads there, if it writes to global memory. A warp's product (wgmma) has records with nothing else.
    ByteRange shared;
    ByteRange ranges[most_ranges];  // only `count` of them are there

    std::size_t size() const { return offsetof(BulkAccess, ranges) + count * sizeof ranges[0]; }
};

// Lanes have arrived at a barrier in shared memory (mbarrier), or their wait there is over. Each phase of
// each barrier of a block has a number.
struct PhaseRecord {
    static constexpr Tag tag = Tag::phase;
    std::uint32_t word;
    WarpBits mask;
    std::uint32_t phase;  // to which the arrival belongs, or which had to end
    std::uint32_t waits;  // 0: they arrive
};

// The branch at the end of a block (whose number the word holds) sent lanes different ways. A branch that
// does not split the warp leaves no record: how often it ran is how often its block did.
struct SplitRecord {
    static constexpr Tag tag = Tag::split;
    std::uint32_t word;
    WarpBits mask;   // lanes at the branch
    WarpBits taken;  // those that go to its first target
    std::uint32_t unused = 0;
};

// Lanes have come to a barrier of the block, and will not go on before it is complete (unless they only
// arrive there); or, at a warp's own (SiteKind::warp_sync), they have met. The site says which.
struct BarrierRecord {
    static constexpr Tag tag = Tag::barrier;
    std::uint32_t word;
    WarpBits mask;
    std::uint32_t barrier;  // of the block: 0 … 15; of a warp: lanes that ask for what an absent lane has
    // That it waits for; 0: all of the block. Of a warp: the lanes that were named and have not exited; 0:
    // not known.
    std::uint32_t threads;
};

struct FenceRecord {
    static constexpr Tag tag = Tag::fence;
    std::uint32_t word;
    WarpBits mask;
};

// A thread has allocated memory (an address of 0: there was none left) or frees it.
struct AllocationRecord {
    static constexpr Tag tag = Tag::allocation;
    std::uint32_t word;
    std::uint32_t lane;
    std::uint64_t address;
    std::uint64_t bytes;
};
struct ReleaseRecord {
    static constexpr Tag tag = Tag::release;
    std::uint32_t word;
    std::uint32_t lane;
    std::uint64_t address;
};

// An operation has done what C++ leaves undefined, or what is fragile; the word holds the number of its
// block.
struct ArithmeticRecord {
    static constexpr Tag tag = Tag::arithmetic;
    enum Kind : std::uint32_t {
        division_by_zero,
        wide_shift,
        index_overflow,
        nan,
        index,
        overflow,
        equality
    };
    std::uint32_t word;
    WarpBits mask;
    std::uint32_t instruction;  // in the block
    std::uint32_t kind;
};

// A division or root whose usual code is not good for some lanes (kernel/slow-ways.h), with those that go
// each path, the usual one too. Where all of them go that, there is no record.
struct SlowWayRecord {
    static constexpr Tag tag = Tag::slow_way;
    struct Lanes {
        std::uint32_t path;  // kernel::SlowPath
        WarpBits mask;
    };
    std::uint32_t word;
    std::uint32_t count;
    Lanes lanes[kernel::slow_paths];  // only `count` of them are there

    std::size_t size() const { return offsetof(SlowWayRecord, lanes) + count * sizeof lanes[0]; }
};

// What an instruction has read, before it has written; the word holds its number among the kernel's
// kernel::block_steps.
struct ValuesRecord {
    static constexpr Tag tag = Tag::values;
    std::uint32_t word;
    WarpBits mask;
    std::uint64_t values[2][kernel::warp_lanes];  // by operand, of the type's bits; only those of the mask
};

// Lanes have looked for others with the same value (match.any).
struct MatchRecord {
    static constexpr Tag tag = Tag::match;
    std::uint32_t word;
    WarpBits mask;
    std::uint32_t values;  // different ones
    std::uint32_t unused;
};

// Of every lane, whether it takes part or not.
inline void lane_addresses(const LinearAccess& access, std::uint64_t (&addresses)[kernel::warp_lanes]) {
    for (int lane = 0; lane < kernel::warp_lanes; ++lane)
        addresses[lane] = access.first + static_cast<std::uint64_t>(access.stride * lane);
}

}  // namespace lockstep::events
