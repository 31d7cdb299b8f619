#include "check/launch-checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "events/visit.h"

namespace lockstep::check {

using events::Wants;

LaunchChecker::LaunchChecker(const KernelCode& code, const LaunchShape& shape, const Tools& tools,
                             Memory& memory, Findings& findings)
    : code_(code),
      shape_(shape),
      tools_(tools),
      memory_(memory),
      order_((shape.threads() + warp_lanes - 1) / warp_lanes),
      races_(
          code, shape.clustered, memory.races, order_, findings,
          [this](std::uint32_t b, std::uint32_t w, int l) { return who(b, w, l); }, memory.history),
      arithmetic_(code, findings),
      barriers_(code, shape.threads(), findings,
                [this](std::uint32_t b, std::uint32_t w, int l) { return who(b, w, l); }),
      values_(
          code, (shape.threads() + warp_lanes - 1) / warp_lanes, memory.defined, memory.origins, findings,
          [this](std::uint32_t b, std::uint32_t w, int l) { return who(b, w, l); }, memory.history) {
    for (std::uint32_t site = 0; site < code.sites.size(); ++site)
        meetings_.push_back(meeting_of(code, site));
    for (const kernel::NumberedBlock& at : code.kernel->blocks)
        in_loop_.push_back(code.kernel->functions[at.function].blocks[at.block].loop >= 0);
}

LaunchChecker::Meeting LaunchChecker::meeting_of(const KernelCode& code, std::uint32_t site) {
    const kernel::SiteKind kind = code.kernel->sites[site].kind;
    if (kind != kernel::SiteKind::warp_sync && kind != kernel::SiteKind::barrier) return Meeting::none;
    const ptx::Instruction& inst = code.instruction(site);
    const bool barrier = inst.opcode == ptx::Opcode::bar || inst.opcode == ptx::Opcode::barrier;
    if (kind == kernel::SiteKind::warp_sync) return barrier ? Meeting::lanes_memory : Meeting::lanes;
    if (inst.has(ptx::Modifier::cluster)) return Meeting::cluster;
    return inst.has(ptx::Modifier::arrive) ? Meeting::some : Meeting::block;
}

Wants LaunchChecker::wants_of(const Tools& tools) {
    Wants wants;
    if (tools.races)
        wants = wants | Wants::blocks | Wants::accesses | Wants::texels | Wants::barriers | Wants::fences |
                Wants::allocations;
    if (tools.synchronisation) wants = wants | Wants::blocks | Wants::barriers;
    if (tools.follows_values())
        wants = wants | Wants::blocks | Wants::accesses | Wants::texels | Wants::allocations;
    if (tools.arithmetic) wants = wants | Wants::arithmetic;
    if (tools.indices) wants = wants | Wants::indices;
    if (tools.nans) wants = wants | Wants::nans;
    if (tools.overflow) wants = wants | Wants::overflow;
    if (tools.equality) wants = wants | Wants::equality;
    return wants;
}

std::string LaunchChecker::who(std::uint32_t block, std::uint32_t warp, int lane) const {
    const auto place = [](std::uint64_t number, const std::array<std::uint32_t, 3>& extent) {
        return std::array{static_cast<std::uint32_t>(number % extent[0]),
                          static_cast<std::uint32_t>(number / extent[0] % extent[1]),
                          static_cast<std::uint32_t>(number / extent[0] / extent[1])};
    };
    return who(place(block, shape_.grid),
               place(std::uint64_t{warp} * warp_lanes + static_cast<std::uint64_t>(lane), shape_.block));
}

std::string LaunchChecker::who(const std::array<std::uint32_t, 3>& block,
                               const std::array<std::uint32_t, 3>& thread) const {
    return fmt::format("block ({},{},{}), thread ({},{},{})", block[0], block[1], block[2], thread[0],
                       thread[1], thread[2]);
}

// Lanes of the access that were left out are not `done`; where the address is made up, it is no access that
// could be in another's way.
template <class Record>
void LaunchChecker::take_left_out(const events::Batch& batch, std::uint32_t site, const Record& record,
                                  Lanes& done, Lanes& ordered) {
    const Lanes follows = tools_.follows_values() ? values_.with_made_up_address(site, record.mask) : 0;
    ordered &= ~follows;
    const auto address = [&](int lane) {
        if constexpr (std::is_same_v<Record, events::LinearAccess>)
            return record.first + static_cast<std::uint64_t>(record.stride * lane);
        else
            return record.addresses[lane];
    };
    Lanes bad = 0;
    left_out_.take(batch.block, batch.warp, site, record.mask, address, [&](const LeftOutAccess& access) {
        bad |= access.lanes;
        if (const Lanes own = access.lanes & ~follows) access.tell(own);
        // What a misaligned store would have written counts as written.
        const auto bytes = static_cast<std::uint64_t>(code_.kernel->sites[site].bytes);
        if (tools_.follows_values() && code_.sites[site].writes && access.address % bytes)
            memory_.defined.set(access.address, bytes, Byte::defined);
    });
    done &= ~bad, ordered &= ~bad;
    if (bad && tools_.follows_values()) values_.left_out(site, bad);
}

template <class Record>
void LaunchChecker::access(const events::Batch& batch, std::uint32_t site, const Record& record) {
    go_on(batch, record.mask);
    constexpr bool linear = std::is_same_v<Record, events::LinearAccess>;
    Lanes done = record.mask, ordered = record.mask;
    if (leaves_out_) take_left_out(batch, site, record, done, ordered);
    if constexpr (linear) {
        if (tools_.races && ordered) races_.access(site, ordered, record.first, record.stride, batch.windows);
        if (tools_.follows_values() && done)
            values_.access(site, done, record.first, record.stride, batch.windows);
    } else {
        if (tools_.races && ordered) races_.access(site, ordered, record.addresses, batch.windows);
        if (tools_.follows_values() && done) values_.access(site, done, record.addresses, batch.windows);
    }
}

void LaunchChecker::access(const events::Batch& batch, std::uint32_t site, const events::RowsAccess& record) {
    if (leaves_out_) return access(batch, site, record.scattered());
    go_on(batch, record.mask);
    if (tools_.races) races_.access(site, record, batch.windows);
    if (tools_.follows_values()) values_.access(site, record, batch.windows);
}

void LaunchChecker::let_go(const events::Batch& batch, Lanes lanes) {
    if (tools_.races) order_.go_on(lanes);
    if (tools_.synchronisation) barriers_.go_on(batch.warp, lanes);
    look_who_waits(batch.warp);
}

void LaunchChecker::left_out(std::uint64_t block, std::uint32_t warp, LeftOutAccess access) {
    leaves_out_ = true;
    left_out_.add(block, warp, std::move(access));
}

void LaunchChecker::barrier(const events::Batch& batch, std::uint32_t site,
                            const events::BarrierRecord& record) {
    go_on(batch, record.mask);
    switch (const Meeting meeting = meetings_[site]) {
        case Meeting::none: return;
        case Meeting::lanes:
        case Meeting::lanes_memory: {
            const bool orders = meeting == Meeting::lanes_memory;
            if (tools_.races) order_.meet(orders && record.threads ? record.threads : record.mask, orders);
            if (tools_.synchronisation)
                barriers_.meet(batch.warp, site, record.mask, record.threads, record.barrier);
            return;
        }
        case Meeting::block:
            nobody_waits_ = no_block;
            // With a number of threads it may be that some only arrive there.
            if (record.threads != 0) break;
            if (tools_.races) order_.arrive_all(record.mask);
            if (tools_.synchronisation) barriers_.arrive(batch.warp, site, record.mask);
            return;
        case Meeting::some:
        case Meeting::cluster: nobody_waits_ = no_block; break;
    }
    const bool waits = !code_.instruction(site).has(ptx::Modifier::arrive);
    if (waits && tools_.synchronisation) barriers_.wait(batch.warp, site, record.mask);
    if (!tools_.races) return;
    if (meetings_[site] == Meeting::cluster) {
        // A cluster is known by where its first block's shared memory lies.
        constexpr std::uint64_t of_cluster = std::uint64_t{1} << 63;
        return order_.arrive_at_cluster(of_cluster | batch.windows.cluster[0], record.mask);
    }
    const std::uint32_t threads = record.threads ? record.threads : shape_.threads();
    order_.arrive((batch.block + 1) << 8 | record.barrier, record.mask, waits,
                  (threads + warp_lanes - 1) / warp_lanes);
}

void LaunchChecker::fence(const events::Batch& batch, std::uint32_t site, const events::FenceRecord& record) {
    go_on(batch, record.mask);
    if (!tools_.races) return;
    const ptx::Instruction& inst = code_.instruction(site);
    const bool products = inst.opcode == ptx::Opcode::wgmma, copies = inst.opcode == ptx::Opcode::cp;
    if (!products && !copies) return order_.fence(record.mask, inst.has(ptx::Modifier::cta));
    const bool bulk = inst.has(ptx::Modifier::bulk);
    if (inst.has(ptx::Modifier::commit_group))
        return products ? races_.commit_products()
               : bulk   ? races_.commit_bulk(record.mask)
                        : races_.commit_copies();
    const bool all = inst.has(ptx::Modifier::wait_all);
    const std::uint32_t left = all ? 0 : static_cast<std::uint32_t>(inst.operands[0].bits);
    products ? races_.wait_for_products(left)
    : bulk   ? races_.wait_for_bulk(record.mask, left)
             : races_.wait_for_copies(record.mask, left, batch.windows);
}

void LaunchChecker::bulk_access(const events::Batch& batch, std::uint32_t site,
                                const events::BulkAccess& record) {
    const int lane = std::countr_zero(record.mask);
    if (code_.sites[site].product) return races_.product(site, record.shared, batch.windows);
    for (std::uint32_t i = 0; i < record.count; ++i) races_.bulk_global(site, lane, record.ranges[i]);
    // Who waits at the barriers of other blocks is not followed from here.
    const bool told = code_.copies_out(site) || (record.begins && record.phase);
    if (told && record.shared.bytes && batch.windows.in_shared(record.shared.address))
        races_.bulk_copy(site, lane, code_.copies_out(site) ? 0 : record.phase, record.shared, batch.windows);
}

void LaunchChecker::arithmetic(const events::Batch& batch, const Arithmetic::At& at,
                               const events::ArithmeticRecord& record) {
    Lanes lanes = record.mask;
    if (leaves_out_ && tools_.follows_values())
        lanes &= ~values_.with_made_up_operand(at.block, at.instruction, lanes);
    if (!lanes) return;
    const auto someone = [&] {
        return who(static_cast<std::uint32_t>(batch.block), batch.warp, std::countr_zero(lanes));
    };
    // Code may shift too far and not take the result: it is what becomes of it that counts.
    if (record.kind != events::ArithmeticRecord::wide_shift)
        return arithmetic_.add(record.kind, at, lanes, someone);
    const std::string key = fmt::format("{}\0shift {} {}", code_.name, at.block, at.instruction);
    const std::uint32_t origin =
        memory_.origins.add(key, [&] { return arithmetic_.finding(record.kind, at, someone()); });
    values_.undefined_result(at.block, at.instruction, lanes, origin);
}

void LaunchChecker::come_to(const events::Batch& batch) {
    if (batch.block == begun_last_) return;
    begun_last_ = batch.block;
    if (!begun_.insert(batch.block).second) return;
    ++blocks_begun_;
    nobody_waits_ = batch.block;
    if (tools_.initialisation) values_.block_begins(batch.windows);
}

void LaunchChecker::records(const events::Batch& batch) {
    come_to(batch);
    read(batch, batch.records);
}

// Most rounds end with all threads of the block at one barrier: what that means is done once for all warps.
void LaunchChecker::round(std::span<const events::Batch> warps) {
    const auto at_barrier = [](const events::Batch& batch) {
        return *reinterpret_cast<const events::BarrierRecord*>(batch.records.data() + batch.records.size() -
                                                               sizeof(events::BarrierRecord));
    };
    const auto before_barrier = [](const events::Batch& batch) {
        return batch.records.first(batch.records.size() - sizeof(events::BarrierRecord));
    };
    // Where a warp has fenced, what others before it had done was handed over with it.
    const auto is_told = [](const events::Batch& batch) { return batch.records.empty(); };
    if (!warps[0].recorded.has(Wants::barriers) || std::any_of(warps.begin(), warps.end(), is_told))
        return Observer::round(warps);
    const events::BarrierRecord first = at_barrier(warps[0]);
    std::uint32_t threads = 0;
    bool whole = meetings_[events::number_of(first.word)] == Meeting::block;
    busy_.clear();
    for (const events::Batch& batch : warps) {
        const events::BarrierRecord barrier = at_barrier(batch);
        threads += static_cast<std::uint32_t>(std::popcount(barrier.mask));
        whole &= barrier.word == first.word && barrier.threads == 0;
        if (nobody_waits_ != batch.block || !only_passes(before_barrier(batch))) busy_.push_back(&batch);
    }
    if (!whole || threads != shape_.threads()) return Observer::round(warps);
    come_to(warps[0]);
    if (tools_.races) {
        order_.at(warps[0].block, warps[0].warp);
        races_.round_begins(busy_);
    }
    Last entered{.block = static_cast<std::uint32_t>(warps[0].block)};
    auto busy = busy_.begin();
    for (const events::Batch& batch : warps) {
        const auto records = before_barrier(batch);
        if (busy == busy_.end() || *busy != &batch) {
            pass(batch, records, entered);
            continue;
        }
        ++busy;
        read(batch, records);
        go_on(batch, at_barrier(batch).mask);
    }
    if (entered.lanes) enter(entered);
    if (tools_.races) {
        races_.round_ends();
        order_.at(warps[0].block, warps[0].warp);
        order_.all_came();
    }
    nobody_waits_ = warps[0].block;
}

// Whether the warp has gone through code and done nothing else there that would have to be looked at, as most
// of a block do in the late steps of a sum.
bool LaunchChecker::only_passes(std::span<const std::byte> records) {
    using events::BlockRecord;
    const auto* const first = reinterpret_cast<const BlockRecord*>(records.data());
    const auto* const end = first + records.size() / sizeof(BlockRecord);
    return std::all_of(first, end,
                       [](const BlockRecord& at) { return events::tag_of(at.word) == events::Tag::block; });
}

void LaunchChecker::pass(const events::Batch& batch, std::span<const std::byte> records, Last& entered) {
    using events::BlockRecord;
    const auto* const first = reinterpret_cast<const BlockRecord*>(records.data());
    const auto* const end = first + records.size() / sizeof(BlockRecord);
    if (first == end) return;
    entered.number = events::number_of(end[-1].word);
    entered.lanes = end[-1].mask;
    entered.warp = batch.warp;
    if (!tools_.follows_values()) return;
    values_.at(batch.block, batch.warp, batch.windows);
    const BlockRecord* at = values_.holds_nothing() ? end - 1 : first;
    for (; at < end; ++at) values_.enter(events::number_of(at->word), at->mask);
}

void LaunchChecker::enter(const Last& entered) {
    last_ = entered;
    // Warps' records come one warp's after the other's: the last of all may be of one that has ended.
    if (in_loop_[entered.number])
        looping_ = entered;
    else if (looping_.block == entered.block && looping_.warp == entered.warp)
        looping_.lanes = 0;
}

void LaunchChecker::read(const events::Batch& batch, std::span<const std::byte> records) {
    if (tools_.races) order_.at(batch.block, batch.warp);
    if (tools_.synchronisation) barriers_.at(batch.block);
    if (tools_.follows_values()) {
        values_.at(batch.block, batch.warp, batch.windows);
        if (tools_.initialisation) values_.warp_goes_on();
    }
    look_who_waits(batch.warp);
    Last entered{.block = static_cast<std::uint32_t>(batch.block), .warp = batch.warp};
    events::visit_as_recorded(
        records,
        events::Visitor{
            [&](std::uint32_t number, const events::BlockRecord& record) {
                go_on(batch, record.mask);
                entered.number = number, entered.lanes = record.mask;
                if (tools_.follows_values()) values_.enter(number, record.mask);
            },
            [&](std::uint32_t site, const events::LinearAccess& record) { access(batch, site, record); },
            [&](std::uint32_t site, const events::RowsAccess& record) { access(batch, site, record); },
            [&](std::uint32_t site, const events::ScatteredAccess& record) { access(batch, site, record); },
            [&](std::uint32_t site, const events::TexelAccess& record) {
                go_on(batch, record.mask);
                if (tools_.races)
                    races_.texels(site, record.mask, record.addresses, record.bytes, batch.windows);
                if (tools_.follows_values()) values_.texels(site, record);
            },
            [&](std::uint32_t site, const events::BulkAccess& record) {
                go_on(batch, record.mask);
                if (tools_.races) bulk_access(batch, site, record);
                if (!tools_.follows_values() || code_.sites[site].product) return;
                if (!code_.copies_out(site))
                    memory_.defined.set(record.shared.address, record.shared.bytes, Byte::defined);
                for (std::uint32_t i = 0; i < record.count && code_.sites[site].writes; ++i)
                    memory_.defined.set(record.ranges[i].address, record.ranges[i].bytes, Byte::defined);
            },
            [&](std::uint32_t site, const events::PhaseRecord& record) {
                go_on(batch, record.mask);
                if (!tools_.races) return;
                // What was copied has arrived when the barrier is told so.
                if (code_.instruction(site).opcode == ptx::Opcode::cp)
                    races_.wait_for_copies(record.mask, 0, batch.windows);
                record.waits ? order_.wait_phase(record.phase, record.mask)
                             : order_.arrive_phase(record.phase, record.mask);
            },
            [&](std::uint32_t site, const events::BarrierRecord& record) {
                barrier(batch, site, record);
                look_who_waits(batch.warp);
            },
            [&](std::uint32_t site, const events::FenceRecord& record) { fence(batch, site, record); },
            [&](std::uint32_t block, const events::ArithmeticRecord& record) {
                arithmetic(batch, {block, record.instruction}, record);
            },
            [&](std::uint32_t site, const events::AllocationRecord& record) {
                if (!record.address) return;
                memory_.heap[record.address] = {code_.place(site, "allocated",
                                                            who(static_cast<std::uint32_t>(batch.block),
                                                                batch.warp, static_cast<int>(record.lane))),
                                                code_.name, record.bytes};
                if (tools_.races) races_.forget(record.address, record.bytes);
                if (tools_.initialisation) memory_.defined.set(record.address, record.bytes, Byte::unwritten);
            },
        });
    if (!left_out_.empty()) left_out_.settle(batch.block, batch.warp);
    if (entered.lanes) enter(entered);
}

void LaunchChecker::block_ended(std::uint64_t block) {
    if (tools_.synchronisation) barriers_.block_ended(block);
    if (tools_.races) {
        order_.block_ended(block);
        races_.block_ended(block);
    }
    if (tools_.follows_values()) values_.block_ended(block);
    begun_.erase(block);
    begun_last_ = nobody_waits_ = no_block;
}

std::optional<EndlessLoop> LaunchChecker::loop(bool or_last) const {
    const Last& at = looping_.lanes ? looping_ : last_;
    if (!at.lanes || (!or_last && !looping_.lanes)) return std::nullopt;
    EndlessLoop found = endless_loop(code_, at.number);
    found.place.who = who(at.block, at.warp, std::countr_zero(at.lanes));
    const std::uint64_t blocks = std::uint64_t{shape_.grid[0]} * shape_.grid[1] * shape_.grid[2];
    if (!found.waits) return found;
    found.starves = blocks_begun_ < blocks;
    found.why += found.starves ? ", in blocks that have not begun: no more fit on the GPU at once, and none "
                                 "begins before another ends"
                               : ", but no thread comes there any more";
    return found;
}

void LaunchChecker::finish() {
    left_out_.settle_all();
    values_.finish(races_.racing());
    races_.finish();
    arithmetic_.finish();
}

}  // namespace lockstep::check
