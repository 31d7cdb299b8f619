// What the timing model says of a launch: filled by src/timing, read by the metrics. Everything here is
// predicted.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "counters/failed-rounds.h"
#include "timing/changes.h"

namespace lockstep::timing {

// What a warp does in a cycle. The names are those of ncu's warp states.
enum class WarpState : std::uint8_t {
    selected,      // it issues an instruction
    not_selected,  // it could, and the scheduler chose another
    long_scoreboard,
    short_scoreboard,
    barrier,
    wait,
    math_pipe_throttle,
    lg_throttle,
    mio_throttle,
    branch_resolving,
    no_instruction,
    drain,
    membar,
    imc_miss,  // a constant that is not in the cache
};
constexpr std::size_t warp_states = 14;

// "long_scoreboard": as files and ncu's metrics have it.
std::string_view state_name(WarpState state);
std::optional<WarpState> find_state(std::string_view name);

// What bounds the launch's time.
enum class Bound : std::uint8_t {
    launch_overhead,  // too little work: starting it takes longer
    block_rate,       // blocks are started more slowly than they finish
    dram_bandwidth,
    l2_bandwidth,
    l1_bandwidth,      // sectors and lines of global accesses
    shared_bandwidth,  // with its bank conflicts
    constant_memory,   // different words of a warp, one after the other
    texture_units,
    issue_slots,
    arithmetic,          // one pipe
    memory_latency,      // too few accesses in flight
    arithmetic_latency,  // dependent instructions, too few warps
    barriers,
    atomics,
    tail,  // few SMs have work
};

// "dram_bandwidth": as files hold it.
std::string_view bound_name(Bound bound);
std::optional<Bound> find_bound(std::string_view name);

// Sectors that loads asked a cache for, and that it had.
struct CachedLoads {
    double sectors = 0, hits = 0;
    CachedLoads& operator+=(const CachedLoads& other) {
        sectors += other.sectors, hits += other.hits;
        return *this;
    }
    CachedLoads operator*(double times) const { return {sectors * times, hits * times}; }
    bool operator==(const CachedLoads&) const = default;
};

class CloseUp;

struct Prediction {
    double nanoseconds = 0;     // of the launch, as gpu__time_duration counts it
    double cycles = 0;          // from the first block's start to the last one's end, of the SM clock
    double active_cycles = 0;   // of an SM in which it had a warp, average over all SMs
    double warps_active = 0;    // of an SM, in its active cycles
    double instructions = 0;    // issued by one SM, average over all SMs
    double warps_eligible = 0;  // of one scheduler in a cycle in which it has warps
    std::array<double, warp_states> states{};  // share of the warps' active cycles; they sum up to 1

    double l1_sectors = 0, l1_hits = 0;  // of the whole launch, loads and stores
    CachedLoads l1_global, l1_local;     // … loads of which memory, without those that bypass the L1
    double l2_read_sectors = 0, l2_write_sectors = 0, l2_hits = 0;
    double dram_read_bytes = 0, dram_write_bytes = 0;

    counters::FailedRounds failed;  // of the whole launch

    Bound bound{};
    std::uint32_t resident_blocks = 0;  // of an SM at once
    double blocks_replayed = 0;         // of the grid
    double instructions_replayed = 0;   // warp instructions

    // Warp cycles by place and state: where the time goes. Indices as counters::InstructionCounts has them.
    struct Place {
        std::uint32_t function = 0, block = 0;
        std::int32_t instruction = -1;
        std::array<double, warp_states> states{};
    };
    std::vector<Place> places;

    // Nanoseconds, by Change: what the launch would take without that; as long as it does where it has
    // nothing of the kind. Nothing: nobody asked.
    std::array<std::optional<double>, changes> without;

    std::shared_ptr<const CloseUp> close_up;  // where it was asked for

    double state(WarpState s) const { return states[static_cast<std::size_t>(s)]; }
};

}  // namespace lockstep::timing
