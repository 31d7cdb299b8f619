// One SM in time: warps of resident blocks, schedulers that choose among them, pipes, shared memory, L1
// cache, barriers. In each cycle an active warp issues, could issue, or waits for something that has a name.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "counters/failed-rounds.h"
#include "gpu/model.h"
#include "timing/cache.h"
#include "timing/close-up.h"
#include "timing/code-caches.h"
#include "timing/code.h"
#include "timing/constants.h"
#include "timing/fit.h"
#include "timing/memory.h"
#include "timing/prediction.h"
#include "timing/store-buffer.h"
#include "timing/trace.h"

namespace lockstep::timing {

using Cycle = std::int64_t;

// The first cycle that is not before. (The library's ceil is a call on plain x86-64.)
inline Cycle cycle_of(double time) {
    const auto whole = static_cast<Cycle>(time);
    return whole + (static_cast<double>(whole) < time);
}

struct SmTotals {
    std::array<double, timing::warp_states> states{};  // warp cycles
    double instructions = 0;
    double warp_cycles = 0;    // of active warps
    double active_cycles = 0;  // with at least one warp
    double l1_sectors = 0, l1_hits = 0;
    CachedLoads l1_global, l1_local;
    double l1_busy = 0, shared_busy = 0, constant_busy = 0, texture_busy = 0;  // cycles
    std::array<double, units> pipe_busy{};  // cycles, summed over the schedulers
    counters::FailedRounds failed;          // in shared memory, by blocks that have ended
};

struct EndedBlock {
    const BlockTrace* trace = nullptr;
    std::uint32_t sm = 0;
    Cycle begin = 0, end = 0;
};

class Sm {
  public:
    // `l1_bytes`: what shared memory leaves. `places`: warp cycles by place and state are added there.
    Sm(std::uint32_t number, const gpu::GpuModel& gpu, const Code& code, std::uint64_t l1_bytes,
       MemorySystem& memory, std::vector<std::array<double, timing::warp_states>>& places);

    // What happens on it is told there, too.
    void watch(CloseUp* close_up) { close_up_ = close_up; }
    // The block must stay until it has ended. `begin` must not be before what run_until has reached.
    void start(const BlockTrace& block, Cycle begin);
    // Goes on to `limit`, or to the end of all blocks.
    void run_until(Cycle limit, std::vector<EndedBlock>& ended);
    bool idle() const { return blocks_running_ == 0; }
    Cycle now() const { return now_; }

    const SmTotals& totals() const { return totals_; }

  private:
    using State = timing::WarpState;
    // Of a barrier in shared memory.
    struct Phase {
        std::uint32_t missing = 0;  // arrivals
        double ended = 0;           // the last so far
        std::vector<std::uint32_t> waiting;
    };
    struct Block {
        const BlockTrace* trace = nullptr;
        std::vector<Phase> phases;
        Cycle begin = 0;
        std::uint32_t warps_left = 0, waiting = 0;
        std::vector<std::uint32_t> members;  // warps
        Cycle last_arrival = 0;
        bool at_cluster = false;  // they wait at their cluster's barrier
        SwappedWords swapped;     // of shared memory
    };
    // Work under way that nobody waits for yet: when it will be done.
    struct AsyncGroups {
        double open = 0;                // not committed
        std::vector<double> committed;  // the oldest first
    };
    // What an instruction that has all it needs may still have to wait for. The first ones are the SM's.
    enum class Gate : std::uint8_t { memory, texture, constants, pipe, open };
    static constexpr std::size_t shared_gates = static_cast<std::size_t>(Gate::pipe);
    static constexpr std::uint32_t nobody = ~0u;
    struct Warp {
        const WarpTrace* trace = nullptr;
        const Op* op = nullptr;  // next to issue
        const Op* section_end = nullptr;
        const Access* access = nullptr;  // of a memory instruction that is next; null: no lane takes part
        State reason{};                  // why it waits until it is ready
        State throttle{};                // why it waited longer than that, at
        Gate gate = Gate::open;
        std::uint32_t step = 0, block = 0;
        std::uint32_t scheduler = 0, turn = 0;  // its scheduler, and where it stands in that one's order
        std::uint32_t place = 0;                // of the instruction that it issued last
        std::uint16_t sub = 0;                  // of op's machine instructions, done
        Cycle last = 0;                         // the cycle after its last issue
        Cycle fetched = 0;                      // when the next instruction is known
        State fetch_reason{};
        Cycle code_asked = 0;  // when it could go on but for its code …
        State asked_reason{};  // … and what it waited for until then
        Cycle stall = 0;       // that its last instruction itself says, of the wait for the next
        Cycle begin = 0;
        Cycle constants_due = 0;  // those that its first instructions need, and no register stands for
        double stores_done = 0;
        Cycle gate_seen = 0;   // when its next instruction was known, which has a gate to pass …
        double busy_seen = 0;  // … and how long what it waits for there had been busy until then
        UnderWay under_way;
        double swaps_until = 0;  // a loop that compares and swaps in shared memory
        double retried = 0;      // instructions of rounds that failed, in what it waits for next
        bool at_barrier = false;
        bool at_phase = false;
        std::array<AsyncGroups, async_kinds> async;
        std::vector<std::int64_t> scoreboard;  // by slot: cycle * states + state
    };
    struct Scheduler {
        std::vector<std::uint32_t> warps;  // oldest first
        // Of each of them, what is looked at in every cycle.
        std::vector<Cycle> ready;            // when its next instruction has all that it needs: set_ready
        std::vector<Cycle> throttled_until;  // when its pipe would be free, as it last looked
        std::vector<Unit> unit;              // that executes it
        // By gate that they have to pass: a bit for each of them, of which a model allows so many.
        std::array<std::uint64_t, shared_gates + 1> at{};
        std::uint32_t last = nobody;
        Cycle wake = 0;      // none of its warps can issue before, unless another one lets it go on
        Cycle own_wake = 0;  // without those that wait at gates that all share …
        std::array<bool, shared_gates> waits_at{};       // … at these …
        std::array<Cycle, shared_gates> closed_until{};  // … which were closed so long when it last looked
        double issued = 0;                               // instructions
        std::array<double, units> pipe_free{};
        std::array<double, units> pipe_closed{};       // cycles so far in which they took nothing
        std::array<std::uint32_t, units> pipe_user{};  // the warp that used it last
        Server registers;                              // that wait for what memory gives
        std::uint32_t last_product = nobody;           // the warp that used a tensor core last
        double product_at = -1e9;                      // when that was …
        double rest_owed = 0;                          // … and what is left of the cycles that its rest costs
    };

    static constexpr Cycle never = INT64_MAX / 4;
    // In scoreboards: from here on it is a load of constants of which is not known yet when it will be done.
    static constexpr Cycle unknown = Cycle{1} << 50;
    static constexpr auto states = static_cast<std::int64_t>(timing::warp_states);

    std::uint32_t choose(Scheduler& scheduler);
    bool issue_one(Scheduler& scheduler);
    Cycle next_issue();
    void wake_schedulers();
    double wake_tensor_core(Scheduler& scheduler, Unit used);
    static double words_moved(const Access& access);
    int branch_cycles(const Warp& warp) const;
    double take_lsu(double now, double cost);
    double take_l1(double cost);
    void note_begun(double begun);
    Cycle gate_opens(std::size_t gate) const;
    Cycle look_at(Scheduler& scheduler, std::size_t gate) const;
    void set_gate(Warp& warp, Gate gate);
    void find_gate(Warp& warp);
    static void fetch_ahead(const Warp& warp, const Op& op, const Access& access, const BlockTrace& block);
    Cycle closed_to(const Scheduler& scheduler, const Warp& warp, Cycle ready) const;
    static double busy_at(const Scheduler& scheduler, const Warp& warp);
    Cycle pipe_ready(const Scheduler& scheduler, std::size_t turn) const;
    std::uint32_t number_of(const Warp& warp) const {
        return static_cast<std::uint32_t>(&warp - warps_.data());
    }
    void issue(Scheduler& scheduler, std::uint32_t number);
    void advance(Warp& warp);
    static std::int64_t latest_source(const Warp& warp, const Op& op);  // as the scoreboard has it
    void set_ready(Warp& warp, Cycle ready, State reason);
    void fetch_code(Warp& warp, std::uint32_t region, const Section& section);
    void find_ready(Warp& warp);
    void access_memory(Warp& warp, const Op& op, const Access& access);
    double swap_shared(Warp& warp, const Access& access, double begun, double passes);
    void issue_again(Warp& warp, const Access& access, double rounds);
    void load_constant(Warp& warp, const Op& op);
    void advance_constants();
    // Whether what the warp's next instruction needs is a constant that nobody knows the time of.
    bool is_unknown(const Warp& warp) const {
        const Cycle ready = schedulers_[warp.scheduler].ready[warp.turn];
        return ready >= unknown && ready < never;
    }
    void follow_constant(Warp& warp, const Op& op);
    void multiply_group(Scheduler& scheduler, Warp& warp, const Op& op);
    void follow_async(Warp& warp, const Op& op);
    void store_copied(Warp& warp, const Op& op, double arrives);
    // That so many passes through shared memory take: 32 banks of 4 bytes.
    double shared_cycles(double wavefronts) const {
        constexpr double wavefront_bytes = 128;
        return wavefronts * wavefront_bytes / figures_.shared_bytes_per_cycle;
    }
    double far_shared(const Access& access);
    double l1_cycles(const Access& access, const BlockTrace& block) const;
    double hand_over(const Warp& warp, const Access& access, double from);
    double load_lines(Warp& warp, const Access& access, bool bypass);
    double texture_lines(Warp& warp, const Access& access);
    double through_l1(Warp& warp, const Access& access, bool bypass, double begun, double cost,
                      double latency);
    double fetch_line(const Line& missing, std::uint32_t accessed, std::uint32_t site, double now,
                      UnderWay& under_way);
    double store_lines(const Access& access, const BlockTrace& block);
    std::uint32_t keep_stored(const Line& line);
    double atomic_lines(const Access& access, const BlockTrace& block);
    void copy_bulk(Warp& warp, const Access& access);
    void arrive_at_phase(Block& block, std::uint32_t phase, double when);
    bool wait_for_phase(std::uint32_t number, const Access& access);
    bool leave_phases();
    const Access* access_of(const Warp& warp, const Op& op) const;
    static Unit unit_of(const Warp& warp, const Op& op);
    void arrive(Warp& warp, bool of_cluster);
    void release(Block& block);
    void end_warp(std::uint32_t number);
    void set_targets(Warp& warp, const Op& op, double ready, State state);
    void account(const Scheduler& scheduler, Warp& warp);
    bool is_own_pipe(const Scheduler& scheduler, const Warp& warp) const;
    void show_issue(const Scheduler& scheduler, const Warp& warp) const;

    std::uint32_t number_;
    const gpu::TimingFigures& figures_;
    const Code& code_;
    MemorySystem& memory_;
    std::vector<std::array<double, timing::warp_states>>& places_;
    std::array<double, units> interval_{};  // cycles between issues of one scheduler
    double shuffle_cycles_;                 // that an exchange between a warp's lanes takes the way to memory
    Cache l1_;
    StoreBuffer stores_;
    double translations_ready_ = -1;  // when loads can leave; -1: there was none yet
    Server lsu_;                      // L1 and shared memory take turns
    double l1_free_ = 0;              // when the L1 takes the next access
    // When the last of its instructions were begun, round and round: the next waits to issue while as many
    // wait there.
    std::array<double, fit::memory_queue> lsu_begun_{};
    std::size_t lsu_turn_ = 0;
    Server texture_;  // the texture unit, which filters
    Server bulk_;     // the engine of bulk copies
    Server reply_port_, request_port_, barrier_;
    Server cluster_port_;  // to other SMs' shared memory
    Constants constants_;
    std::uint64_t constant_loads_ = 0;  // that had to wait for lines, so far …
    std::unordered_map<std::uint64_t, std::uint32_t> constant_waiters_;  // … and whose they are
    CodeCaches code_caches_;
    std::uint32_t constant_lines_here_ = 0;  // of the kernel's parameters, and of what else it reads there …
    Cycle constants_here_ = 0;               // … from when the SM has the last of them
    std::vector<Cycle> code_here_;           // by region: from when the SM has it; never: nobody has asked
    bool has_code_ = false;                  // any of it
    std::size_t first_scheduler_ = 0;
    std::vector<Scheduler> schedulers_;
    std::vector<Warp> warps_;
    std::vector<std::uint32_t> free_warps_;
    std::vector<Block> blocks_;
    std::vector<std::uint32_t> free_blocks_;
    std::uint32_t blocks_running_ = 0;
    std::uint32_t next_scheduler_ = 0;
    Cycle now_ = 0;
    std::vector<EndedBlock>* ended_ = nullptr;
    CloseUp* close_up_ = nullptr;
    SmTotals totals_;
};

}  // namespace lockstep::timing
