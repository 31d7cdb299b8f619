// Races of one launch: accesses to the same byte, at least one of which writes, that nothing orders.
#pragma once
#include <cstdint>
#include <set>
#include <span>

#include "check/async-accesses.h"
#include "check/byte-set.h"
#include "check/global-races.h"
#include "check/open-copies.h"
#include "check/quiet-rounds.h"
#include "check/race-judge.h"
#include "check/race-log.h"
#include "check/shared-races.h"
#include "events/observer.h"

namespace lockstep::check {

class Races {
  public:
    // `clustered`: blocks may reach each other's shared memory.
    Races(const KernelCode& code, bool clustered, RaceMemory& memory, Order& order, Findings& findings,
          RaceLog::Who who, History history = {})
        : order_(order),
          log_(code, findings, std::move(who), std::move(history)),
          judge_(code, clustered, memory, order, log_),
          global_(judge_),
          shared_(judge_),
          rounds_(judge_) {}

    // What warps of a block do from one of its barriers to the next, before it is told: where nothing of it
    // can race in shared memory, accesses there are passed over until the round has ended.
    void round_begins(std::span<const events::Batch* const> warps) { quiet_ = rounds_.is_quiet(warps); }
    void round_ends() { quiet_ = false; }

    // An access of the warp that the order is at. Lanes outside of the mask have no address.
    void access(std::uint32_t site, Lanes mask, const std::uint64_t* addresses,
                const events::Windows& windows);
    void access(std::uint32_t site, Lanes mask, std::uint64_t first, std::int64_t stride,
                const events::Windows& windows);
    void access(std::uint32_t site, const events::RowsAccess& rows, const events::Windows& windows) {
        const bool copied = !copies_.empty() || !async_.empty();
        if (!quiet_ || judge_.site(site).space != ptx::Space::shared || copied)
            access_rows(site, rows, copied, windows);
    }
    // Texels that the lanes of a texture or surface instruction touch, of so many bytes.
    void texels(std::uint32_t site, Lanes mask, const std::uint64_t* addresses, std::uint32_t bytes,
                const events::Windows& windows) {
        touch_lanes(site, mask, addresses, bytes, windows);
    }
    // Lanes commit a group of copies (cp.async), or wait until no more than so many groups are left.
    void commit_copies() { copies_.commit(warp()); }
    void wait_for_copies(Lanes lanes, std::uint32_t groups_left, const events::Windows& windows);
    // A lane starts a bulk copy: into the block's shared memory, which arrives with a phase of a barrier, or
    // out of it (phase 0), as one of a group; and what it does to global memory.
    void bulk_copy(std::uint32_t site, int lane, std::uint32_t phase, const events::ByteRange& shared,
                   const events::Windows& windows);
    void bulk_global(std::uint32_t site, int lane, const events::ByteRange& range);
    // The warp starts to read shared memory for a product (wgmma), as one of a group.
    void product(std::uint32_t site, const events::ByteRange& read, const events::Windows& windows);
    // Lanes, or the warp for its products, commit a group of these, or wait until no more than so many are
    // left.
    void commit_bulk(Lanes lanes);
    void wait_for_bulk(Lanes lanes, std::uint32_t groups_left);
    void commit_products() { groups_.commit(AsyncGroups::warpgroup(order_.block(), order_.warp())); }
    void wait_for_products(std::uint32_t groups_left);
    void block_ended(std::uint64_t block) {
        copies_.block_ended(block);
        async_.block_ended(block);
        groups_.block_ended(block);
    }
    // The memory is somebody else's from now on.
    void forget(std::uint64_t address, std::uint64_t size) { global_.forget(address, size); }
    // The bytes of global memory that the launch has read and written.
    void touched(ByteSet& read, ByteSet& written, ByteSet& atomics) const {
        global_.touched(read, written, atomics);
    }
    // Sites that race with another.
    std::set<std::uint32_t> racing() const { return log_.racing(); }
    // What was seen becomes findings.
    void finish() { log_.finish(); }

  private:
    using Now = RaceJudge::Now;
    using Site = RaceJudge::Site;

    OpenCopies::Warp warp() const { return {order_.block(), order_.warp()}; }
    void touch_lanes(std::uint32_t site, Lanes mask, const std::uint64_t* addresses, std::uint32_t bytes,
                     const events::Windows& windows);
    // `copied`: some copies are under way.
    void access_rows(std::uint32_t site, const events::RowsAccess& rows, bool copied,
                     const events::Windows& windows);
    bool are_read_by_many(const events::RowsAccess& rows, std::uint32_t bytes) const;
    // Lanes from this one to the end of a run, in what may be global memory: side by side from the address
    // on, or all of them at it.
    void touch_run(Now& now, std::uint32_t site, std::uint64_t address, std::uint32_t bytes, int lane,
                   int end, bool same, const events::Windows& windows);
    // Whether the access meets copies that the lane does not know to have arrived.
    template <class Address>
    void meet_copies(std::uint32_t site, Lanes mask, const Address& address);
    template <class Address>
    void meet_open_copies(std::uint32_t site, Lanes mask, const Address& address);
    // An access that is done by itself begins: whether it may, with all that was done there before.
    void begin_async(const AsyncAccesses::Access& access, const events::Windows& windows);

    Order& order_;
    RaceLog log_;
    RaceJudge judge_;
    GlobalRaces global_;
    SharedRaces shared_;
    OpenCopies copies_;
    AsyncAccesses async_;
    AsyncGroups groups_;
    QuietRounds rounds_;
    bool quiet_ = false;
};

}  // namespace lockstep::check
