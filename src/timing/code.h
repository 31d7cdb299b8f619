// A kernel as the timing model issues it: for each block of the kernel that issues code, its machine
// instructions in the order in which ptxas would put them, with the registers that they wait for.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "counters/machine-access.h"
#include "gpu/model.h"
#include "machine/view.h"

namespace lockstep::timing {

using machine::Unit;
using machine::units;

// What an operation has to do with work that a warp does not wait for until it says so: copies to shared
// memory (cp.async) and a warpgroup's products (wgmma), in groups.
enum class Async : std::uint8_t { none, begins, commits, waits };
enum class AsyncKind : std::uint8_t { copies, products, bulk };
constexpr std::size_t async_kinds = 3;

struct Op {
    Unit unit = Unit::none;
    bool reads_memory = false;  // a load, or an atomic with a result
    bool only_on_split = false;
    bool ends_step = false;    // the branch that says where the warp goes on
    bool bypasses_l1 = false;  // a load of global memory that the L1 may not serve
    bool further = false;      // a step of what an operation before it began
    bool slow_way = false;     // its access, if there is one, is a routine that some lanes need
    std::uint8_t source_count = 0, target_count = 0;
    std::uint16_t issues = 1;   // machine instructions; each waits for the one before …
    std::uint8_t chains = 1;    // … or where there are several chains of them, the first of as many as these
    std::uint16_t gaps = 0;     // cycles from the first that is not the XU's to the last; 0: each waits
    std::uint8_t branches = 0;  // among them
    std::uint16_t xu_issues = 0;   // of these, the first go to the XU
    std::uint16_t times = 1;       // its unit is busy for so many intervals
    std::uint16_t stall = 1;       // cycles from its last machine instruction to the next one, at least
    std::uint16_t latency = 0;     // cycles until the targets can be used; memory: the access decides
    std::uint16_t wavefronts = 0;  // of shared memory, that a warpgroup's product reads
    Async async = Async::none;
    AsyncKind async_kind{};
    std::uint8_t pending = 0;  // waits: groups that may still be under way
    bool of_cluster = false;   // a barrier of the cluster, not of the block
    // Into Step::accesses.
    static constexpr std::uint16_t no_access = 0xffff;
    std::uint16_t access = no_access;
    std::array<std::uint16_t, 12> sources{};  // scoreboard slots
    static constexpr std::uint16_t no_slot = 0xffff;
    std::uint16_t guard = no_slot;  // of the predicate that decides whether it executes
    std::array<std::uint16_t, 8> targets{};
    std::uint32_t place = 0;  // into Code::places
};

// Goes through the queue that leads to L1 and shared memory.
inline bool is_queued(Unit unit) { return unit == Unit::memory || unit == Unit::shuffle; }

// A value on its way to or from local memory: it is accessed by all lanes, wherever it stands.
struct SpillAccess {
    std::uint16_t access = 0;  // as Op::access
    std::uint16_t slot = 0;    // in words
    std::uint8_t words = 1;
    bool load = false;
};

// Straight code that is issued as a whole.
struct Section {
    std::vector<Op> ops;
    // By Op::access: the memory instruction; for all spills together, one behind the kernel's last.
    std::vector<std::uint32_t> sites;
    std::vector<bool> shared;  // by Op::access: of shared memory
    std::vector<SpillAccess> spills;
    std::uint32_t instructions = 0;  // machine instructions …
    std::uint32_t begin = 0;         // … before them in the kernel's code
    std::uint32_t cycles = 0;        // that they take if nothing holds them up
};

struct Region {
    Section once;
    // Several turns of a loop that ptxas unrolled, issued together; its sites are those of `once`, turn by
    // turn.
    Section unrolled;
    std::uint32_t unroll = 1;
    std::uint32_t next = 0;  // the region that a branch which is not taken leads to
};

struct Place {
    std::uint32_t function = 0, block = 0;
    std::int32_t instruction = -1;  // as counters::InstructionCounts has it
};

struct Code {
    std::vector<Region> regions;                      // by block of the kernel; empty: issued with another
    std::vector<std::uint32_t> issued_with;           // by block: the one whose region has its code
    std::vector<std::vector<std::uint32_t>> follows;  // by block: others that its records stand for too
    std::vector<Place> places;
    std::uint32_t slots = 0;  // of a warp's scoreboard
    std::uint32_t instructions = 0;
    std::uint32_t constant_lines = 0;  // that the kernel begins with: sizes of block and grid, parameters
};

// `views`: one for each of the kernel's functions. `accesses`: of its sites.
Code make_code(const kernel::Kernel& kernel, std::span<const machine::View> views,
               std::span<const counters::MachineAccess> accesses, const gpu::GpuModel& gpu);

std::string print(const Code& code, const kernel::Kernel& kernel);

}  // namespace lockstep::timing
