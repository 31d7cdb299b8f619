// Watches one launch for all that is looked for in it.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>

#include "check/arithmetic.h"
#include "check/barriers.h"
#include "check/code.h"
#include "check/definedness.h"
#include "check/endless-loop.h"
#include "check/findings.h"
#include "check/left-out.h"
#include "check/order.h"
#include "check/races.h"
#include "check/undefined-values.h"
#include "events/observer.h"
#include "events/records.h"

namespace lockstep::check {

struct Tools {
    bool races = true, synchronisation = true, initialisation = true, arithmetic = true;
    bool indices = true;                                    // memcheck
    bool nans = false, overflow = false, equality = false;  // on request
    // Whether undefined values are followed through registers and memory.
    bool follows_values() const { return initialisation || arithmetic; }
};

// What a thread of a kernel has allocated.
struct HeapObject {
    Place place;
    std::string kernel;
    std::uint64_t bytes = 0;
};

// What outlives a launch.
struct Memory {
    RaceMemory races;
    Definedness defined;
    Origins origins;
    History history;
    std::map<std::uint64_t, HeapObject> heap;  // by address
};

struct LaunchShape {
    std::array<std::uint32_t, 3> grid{}, block{};
    bool clustered = false;
    std::uint32_t threads() const { return block[0] * block[1] * block[2]; }
};

class LaunchChecker : public events::Observer {
  public:
    LaunchChecker(const KernelCode& code, const LaunchShape& shape, const Tools& tools, Memory& memory,
                  Findings& findings);

    events::Wants wants() const override { return wants_of(tools_); }
    static events::Wants wants_of(const Tools& tools);
    void records(const events::Batch& batch) override;
    void round(std::span<const events::Batch> warps) override;
    void block_ended(std::uint64_t block) override;

    // Execution has left out an access of this warp, since it may not be.
    void left_out(std::uint64_t block, std::uint32_t warp, LeftOutAccess access);

    // All has been told.
    void finish();
    std::string who(std::uint32_t block, std::uint32_t warp, int lane) const;
    std::string who(const std::array<std::uint32_t, 3>& block,
                    const std::array<std::uint32_t, 3>& thread) const;
    // The loop that a warp was in last; `or_last`: where none is known, what was entered last.
    std::optional<EndlessLoop> loop(bool or_last) const;
    const Barriers& barriers() const { return barriers_; }
    const Races& races() const { return races_; }

  private:
    // What a site is, where lanes wait for each other.
    enum class Meeting : std::uint8_t {
        none,
        lanes,         // of a warp
        lanes_memory,  // and what they did before is seen
        block,         // all threads of the block
        some,          // of the block, or some of them only arrive
        cluster,
    };
    // Where a warp is.
    struct Last {
        std::uint32_t number = 0;  // of the basic block
        std::uint32_t block = 0, warp = 0;
        Lanes lanes = 0;
    };
    void come_to(const events::Batch& batch);
    // What the batch's warp has done: these of its records.
    void read(const events::Batch& batch, std::span<const std::byte> records);
    static bool only_passes(std::span<const std::byte> records);
    void pass(const events::Batch& batch, std::span<const std::byte> records, Last& entered);
    void enter(const Last& entered);
    static Meeting meeting_of(const KernelCode& code, std::uint32_t site);
    void arithmetic(const events::Batch& batch, const Arithmetic::At& at,
                    const events::ArithmeticRecord& record);
    void fence(const events::Batch& batch, std::uint32_t site, const events::FenceRecord& record);
    void bulk_access(const events::Batch& batch, std::uint32_t site, const events::BulkAccess& record);
    void barrier(const events::Batch& batch, std::uint32_t site, const events::BarrierRecord& record);
    // Lanes of the batch's warp do something: those that waited have been let go. `waiting_` are those that
    // do, so that most records need one look.
    void go_on(const events::Batch& batch, Lanes lanes) {
        if (lanes & waiting_) let_go(batch, lanes);
    }
    void let_go(const events::Batch& batch, Lanes lanes);
    void look_who_waits(std::uint32_t warp) {
        waiting_ =
            (tools_.races ? order_.waiting() : 0) | (tools_.synchronisation ? barriers_.waiting(warp) : 0);
    }
    template <class Record>
    void access(const events::Batch& batch, std::uint32_t site, const Record& record);
    void access(const events::Batch& batch, std::uint32_t site, const events::RowsAccess& record);
    template <class Record>
    void take_left_out(const events::Batch& batch, std::uint32_t site, const Record& record, Lanes& done,
                       Lanes& ordered);

    const KernelCode& code_;
    LaunchShape shape_;
    Tools tools_;
    Memory& memory_;
    Order order_;
    Races races_;
    Arithmetic arithmetic_;
    Barriers barriers_;
    UndefinedValues values_;
    LeftOut left_out_;
    bool leaves_out_ = false;  // whether there was any
    Last last_;                // that was entered
    Last looping_;             // the same, of a warp whose last block is in a loop
    Lanes waiting_ = 0;
    std::vector<const events::Batch*> busy_;   // of a round: warps that did more than pass
    std::vector<Meeting> meetings_;            // by site
    std::vector<std::uint8_t> in_loop_;        // by number of a basic block
    std::unordered_set<std::uint64_t> begun_;  // blocks that run
    static constexpr std::uint64_t no_block = ~std::uint64_t{0};
    std::uint64_t begun_last_ = no_block;
    std::uint64_t nobody_waits_ = no_block;  // in this block, for others of it
    std::uint64_t blocks_begun_ = 0;         // and that have ended
};

}  // namespace lockstep::check
