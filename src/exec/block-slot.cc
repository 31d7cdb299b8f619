#include "exec/block-slot.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <thread>

#include "events/records.h"
#include "exec/fault-message.h"
#include "exec/run-state.h"

namespace lockstep::exec {
namespace {

constexpr std::size_t stack_bytes = 1 << 20;  // reserved, not committed; the frames of the code come on top
constexpr std::size_t stack_reserve = 64 << 10;  // kept free for the functions that compiled code calls
// A warp's. Not a power of two: the beginnings of 32 buffers, all that short kernels use of them, would share
// a few sets of the cache.
constexpr std::size_t event_buffer_bytes = (8 << 10) + 7 * 64;

#if defined(__clang__)
#define LOCKSTEP_CALLS_COMPILED_CODE __attribute__((no_sanitize("function")))
#else
#define LOCKSTEP_CALLS_COMPILED_CODE
#endif

// The sanitizer of calls looks for a mark before a function's first byte. Compiled code has none, and may
// begin where its memory does.
LOCKSTEP_CALLS_COMPILED_CODE std::uint32_t call_compiled(WarpFunction function, WarpContext* warps,
                                                         std::uint32_t count, bool together) {
    return function(warps, count, together);
}

constexpr std::uint32_t slice_weight = 4;  // took longer than a yield: one each is enough

std::byte* aligned(std::byte* memory) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    return memory + ((address + state_alignment - 1) / state_alignment * state_alignment - address);
}

}  // namespace

BlockSlot::BlockSlot(RunState& run, int worker, bool watched)
    : run(run),
      watched(watched),
      code(watched ? *run.grid.code : *run.grid.unwatched),
      worker_(static_cast<std::uint32_t>(worker)) {
    const Grid& grid = run.grid;
    std::uint32_t count = run.warps_per_block;
    warps.resize(count);
    shared_.resize(grid.shared_window() + state_alignment);
    sites_.resize(code.sites.size());
    if (WaveCounting* counting = grid.wave_counting) {
        segment_counter_.emplace(counting->segments.packed.size(), count,
                                 static_cast<std::uint32_t>(code.lanes));
        memory_counter_.emplace(counting->caches, *counting->l2, code.sites.size());
    }
    const auto lanes = static_cast<std::uint32_t>(code.lanes);
    local_bytes_ = std::size_t{grid.local_bytes} * lanes * count;
    if (local_bytes_ > 0) {
        std::size_t bytes = local_bytes_;
        void* memory =
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) throw std::bad_alloc();
        local_ = static_cast<std::byte*>(memory);
        local_owner_ = std::shared_ptr<void>(memory, [bytes](void* p) { munmap(p, bytes); });
    }
    std::uint32_t fibers = code.stacks ? count : 1;
    entries_.resize(fibers);
    // A call checks, when it has its frame, that there is room for another one and for what that may call. So
    // the deepest frame ends inside the stack, however large frames are.
    const std::size_t frame = code.frame_bytes;
    // In large steps: stacks lie one behind the other with a page between them, and that their tops fall into
    // different sets of the cache is half the speed of a switch.
    constexpr std::size_t step = 64 << 10;
    const std::size_t stack = stack_bytes + (3 * frame + step - 1) / step * step;
    for (std::uint32_t w = 0; w < fibers; ++w) {
        entries_[w] = {this, w};
        fibers_.push_back(std::make_unique<Fiber>(stack, code.stacks ? &warp_body : &block_body,
                                                  code.stacks ? static_cast<void*>(&entries_[w]) : this));
    }
    const bool observed = watched && !run.observers.empty();
    if (observed) events_.resize(event_buffer_bytes * count);  // warps take turns: a part for each
    states_.resize(code.state_bytes * count + state_alignment);
    std::byte* const states = aligned(states_.data());

    const std::uint64_t threads = grid.launch.block.count();
    for (std::uint32_t w = 0; w < count; ++w) {
        WarpContext& ctx = warps[w];
        ctx.warp = w;
        ctx.warps = count;
        ctx.wave_lanes = lanes;
        const std::uint64_t left = std::min<std::uint64_t>(threads - std::uint64_t{w} * lanes, lanes);
        ctx.lanes = kernel::LaneMask::range(0, static_cast<int>(left)).bits();
        ctx.wave_counts = segment_counter_ ? segment_counter_->of(w) : nullptr;
        ctx.wave_memory = memory_counter_ ? &*memory_counter_ : nullptr;
        const Dim3& block = grid.launch.block;
        const Dim3& extent = grid.launch.grid;
        ctx.block_extent[0] = block.x, ctx.block_extent[1] = block.y, ctx.block_extent[2] = block.z;
        ctx.grid_extent[0] = extent.x, ctx.grid_extent[1] = extent.y, ctx.grid_extent[2] = extent.z;
        const Dim3& cluster = grid.launch.cluster;
        ctx.cluster_extent[0] = cluster.x, ctx.cluster_extent[1] = cluster.y,
        ctx.cluster_extent[2] = cluster.z;
        for (int axis = 0; axis < 3; ++axis)
            ctx.cluster_grid[axis] = ctx.grid_extent[axis] / ctx.cluster_extent[axis];
        ctx.cluster_size = static_cast<std::uint32_t>(cluster.count());
        ctx.clustered = grid.launch.clustered;
        ctx.cluster_shared = cluster_shared_.data();
        ctx.shared_bytes = grid.shared_window();
        ctx.reserved_shared = grid.reserved_shared;
        ctx.dynamic_shared_bytes = grid.launch.dynamic_shared_bytes;
        ctx.local_bytes = grid.local_bytes;
        ctx.workspace = grid.workspace;
        ctx.graph = grid.launch.graph;
        ctx.launch_threads = extent.count() * threads;
        for (int axis = 0; axis < 3; ++axis) {
            ctx.thread[axis] = run.thread_tables[axis].data() + w * lanes;
            ctx.first_thread[axis] = ctx.thread[axis][0];
        }
        ctx.params = run.params.data();
        ctx.shared = aligned(shared_.data());
        ctx.state = states + code.state_bytes * w;
        ctx.local = local_ ? local_ + std::size_t{grid.local_bytes} * lanes * w : nullptr;
        ctx.sites = sites_.data();
        ctx.stop = &run.stop;
        ctx.events = observed ? events_.data() + w * event_buffer_bytes : nullptr;
        ctx.events_end = observed ? ctx.events + event_buffer_bytes : nullptr;
        ctx.stack_limit = fibers_[std::min(w, fibers - 1)]->stack_begin() + stack_reserve + 2 * frame;
        ctx.slot = this;
        if (!observed) continue;
        const auto address = [](const std::byte* p) { return reinterpret_cast<std::uint64_t>(p); };
        batches_.push_back(
            {.records = {},
             .recorded = grid.wants,
             .warp = w,
             .windows = {.shared = {address(ctx.shared), ctx.shared_bytes},
                         .local = {address(ctx.local), std::uint64_t{ctx.local_bytes} * warp_lanes},
                         .local_bytes = ctx.local_bytes,
                         .params = {address(ctx.params), run.params.size()},
                         .cluster = {}}});
    }
    const std::lock_guard lock(run.mutex);
    run.slots.push_back(this);
}

std::span<events::Observer* const> BlockSlot::observers() const {
    return watched ? run.observers_of(worker_) : std::span<events::Observer* const>();
}

bool BlockSlot::ordered() const { return watched && run.grid.wants.ordered(); }

BlockSlot::~BlockSlot() {
    const std::lock_guard lock(run.mutex);
    if (WaveCounting* counting = run.grid.wave_counting) {
        segment_counter_->end_block();  // one that has not ended
        counting->segments += segment_counter_->counts();
        counting->memory += memory_counter_->counts();
        for (std::size_t i = 0; i < counting->sites.size(); ++i)
            counting->sites[i] += memory_counter_->sites()[i];
    }
    std::erase(run.slots, this);
}

void RunState::forget(std::uint64_t begin, std::uint64_t end) {
    const std::lock_guard lock(mutex);
    for (BlockSlot* slot : slots) slot->forget(begin, end);
}

void BlockSlot::forget(std::uint64_t begin, std::uint64_t end) {
    for (SiteRange& range : sites_)
        if (range.begin < end && range.begin + range.limit >= begin) range = {};
}

void BlockSlot::start(std::uint64_t block, const std::shared_ptr<Cluster>& cluster, std::uint32_t rank) {
    const Grid& grid = run.grid;
    const Dim3& extent = grid.launch.grid;
    // Short blocks take little longer than this: what most of them do not need is behind it, divisions, too.
    const std::uint64_t row = block / extent.x;
    const auto x = static_cast<std::uint32_t>(block - row * extent.x);
    const auto z = row < extent.y ? 0 : static_cast<std::uint32_t>(row / extent.y);
    const auto y = static_cast<std::uint32_t>(row - std::uint64_t{z} * extent.y);
    cluster_ = cluster;
    phases.clear();
    if (cluster) {
        cluster->blocks[rank] = this;
        cluster->shared[rank + 1] = warps[0].shared;
    }
    const auto sm = static_cast<std::uint32_t>(block % static_cast<std::uint64_t>(grid.gpu->sms));
    for (WarpContext& ctx : warps) {
        ctx.active = static_cast<std::uint32_t>(ctx.lanes);
        ctx.resume = 0;
        ctx.pause = Pause::finished;
        ctx.block[0] = x, ctx.block[1] = y, ctx.block[2] = z;
        ctx.sm = sm;
        ctx.cluster[0] = x, ctx.cluster[1] = y, ctx.cluster[2] = z;
        ctx.cluster_rank = rank;
    }
    if (cluster)
        for (WarpContext& ctx : warps) {
            for (int axis = 0; axis < 3; ++axis) {
                ctx.cluster_block[axis] = ctx.block[axis] % ctx.cluster_extent[axis];
                ctx.cluster[axis] = ctx.block[axis] / ctx.cluster_extent[axis];
            }
        }
    if (run.chance)
        for (WarpContext& ctx : warps) ctx.accesses_left = run.chance->stretch();
    if (code.state_header_bytes)
        for (WarpContext& ctx : warps) std::memset(ctx.state, 0, code.state_header_bytes);
    if (grid.shared_window()) std::memset(warps[0].shared, 0, grid.shared_window());
    if (used_barriers_) barriers_ = {};
    used_barriers_ = 0;
    live_ = static_cast<std::uint32_t>(warps.size());
    ready_ = ~WarpSet{0} >> (64 - live_);
    at_several_ = 0;
    yields_ = 0;
    block_ = block;
    together_ = false;
    for (events::Batch& batch : batches_) batch.block = block;
    if (requests_) requests_->begin_block();
    if (memory_counter_) memory_counter_->begin_block(block);
}

BlockSlot::Outcome BlockSlot::resume() {
    if (cluster_) {
        cluster_shared_ = cluster_->shared;
        for (events::Batch& batch : batches_)
            for (std::size_t rank = 0; rank < std::min(cluster_->blocks.size(), batch.windows.cluster.size());
                 ++rank)
                batch.windows.cluster[rank] = reinterpret_cast<std::uint64_t>(cluster_shared_[rank + 1]);
    }
    cluster_shared_[0] = warps[0].shared;
    if (!cluster_) cluster_shared_[1] = warps[0].shared;
    const std::size_t fiber = code.stacks ? std::size_t{first_ready()} : std::size_t{0};
    fibers_[fiber]->resume(worker_context_);
    if (outcome_ == Outcome::fault)
        for (auto& fiber : fibers_) fiber->reset();
    if (outcome_ != Outcome::spinning && outcome_ != Outcome::sliced && outcome_ != Outcome::preempted &&
        !events_.empty())
        for (WarpContext& warp : warps) drain(warp);
    if (outcome_ == Outcome::finished && cluster_) {
        live_ = 0;  // warps that ran together have not told
        complete_cluster();
    }
    if (outcome_ == Outcome::finished && requests_) {
        std::vector<NestedWork> left = requests_->take();
        const std::lock_guard lock(run.mutex);
        std::move(left.begin(), left.end(), std::back_inserter(run.nested));
    }
    if (outcome_ == Outcome::finished && segment_counter_) segment_counter_->end_block();
    if (outcome_ == Outcome::finished)
        for (events::Observer* observer : observers()) observer->block_ended(block_);
    return outcome_;
}

void BlockSlot::block_body(void* argument) {
    auto* slot = static_cast<BlockSlot*>(argument);
    for (;;) {
        slot->run_warps();
        slot->outcome_ = Outcome::finished;
        slot->fibers_[0]->suspend(slot->worker_context_);
    }
}

// Most blocks' warps go from barrier to barrier together, in the loop that compiled code has for it. Once
// they do different things, each is called by itself.
void BlockSlot::run_warps() {
    const auto count = static_cast<std::uint32_t>(warps.size());
    std::uint32_t last = 0;  // of those that have run
    if (!run.chance) {
        together_ = true;
        last = call_compiled(code.function, warps.data(), count, true);
        together_ = false;
        if (last == count) return;
        for (std::uint32_t w = 0; w <= last; ++w) after_pause(warps[w]);
    }
    for (std::uint32_t w = last; live_ > 0;) {
        while (!ready_) leave_for_cluster(0);
        w = next_ready(w);
        if (const WarpSet self = WarpSet{1} << w; at_several_ & self) {
            at_several_ &= ~self;
            take_released(warps[w], {warps[w].requests, warps[w].request_count});
        }
        call_compiled(code.function, &warps[w], 1, false);
        after_pause(warps[w]);
    }
}

void BlockSlot::after_pause(WarpContext& warp) {
    drain_in_order(warp);
    const WarpSet self = WarpSet{1} << warp.warp;
    switch (warp.pause) {
        case Pause::finished: warp_finished(warp.warp); return;
        case Pause::block_barrier:
            warp.barrier = {.lanes = warp.active};
            arrive(warp);
            return;
        case Pause::barrier: arrive(warp); return;
        case Pause::barriers: {
            const std::span requests(warp.requests, warp.request_count);
            arrive_at(warp, requests, warp.request_site);
            if (take_released(warp, requests)) return;
            ready_ &= ~self;
            at_several_ |= self;
            return;
        }
        case Pause::yield:
        case Pause::slice: {
            const bool slice = warp.pause == Pause::slice;
            if (!turns_are_up(slice ? slice_weight : 1)) return;
            outcome_ = slice ? Outcome::sliced : Outcome::spinning;
            fibers_[0]->suspend(worker_context_);
            return;
        }
    }
}

void BlockSlot::arrive(WarpContext& warp) {
    BarrierRequest& request = warp.barrier;
    BarrierState& barrier = barrier_state(warp, request.id, warp.request_site);
    barrier.votes += static_cast<std::uint32_t>(std::popcount(request.votes));
    barrier.voters += static_cast<std::uint32_t>(std::popcount(warp.active));
    ++barrier.arrived;
    barrier.expected = request.threads;
    if (request.kind != BarrierRequest::arrive) {
        barrier.waiting |= WarpSet{1} << warp.warp;
        ready_ &= ~(WarpSet{1} << warp.warp);
    }
    complete(barrier);
}

void BlockSlot::warp_body(void* argument) {
    auto* entry = static_cast<Entry*>(argument);
    BlockSlot* slot = entry->slot;
    for (;;) {
        call_compiled(slot->code.function, &slot->warps[entry->warp], 1, false);
        slot->drain_in_order(slot->warps[entry->warp]);
        slot->warp_finished(entry->warp);
        if (slot->live_ > 0) {
            slot->switch_from(entry->warp);
            continue;
        }
        slot->outcome_ = Outcome::finished;
        slot->fibers_[entry->warp]->suspend(slot->worker_context_);
    }
}

void BlockSlot::warp_finished(std::uint32_t warp) {
    ready_ &= ~(WarpSet{1} << warp);
    --live_;
    yields_ = 0;
    // The others may have waited only for this warp.
    if (cluster_) complete_cluster();
    for (std::uint32_t used = used_barriers_; used && live_ > 0; used &= used - 1)
        complete(barriers_[static_cast<std::size_t>(std::countr_zero(used))]);
}

// The next in line behind this one, so that all get their turn; itself where it is the only one.
std::uint32_t BlockSlot::next_ready(std::uint32_t warp) {
    if (run.chance) return run.chance->warp(ready_, warp);
    const WarpSet behind = ready_ & (~WarpSet{1} << warp);
    return static_cast<std::uint32_t>(std::countr_zero(behind ? behind : ready_));
}

std::uint32_t BlockSlot::first_ready() {
    if (run.chance) return run.chance->warp(ready_, 0);
    return static_cast<std::uint32_t>(std::countr_zero(ready_));
}

void BlockSlot::switch_from(std::uint32_t warp) {
    if (!ready_) return leave_for_cluster(warp);
    const std::uint32_t next = next_ready(warp);
    if (next != warp) fibers_[warp]->switch_to(*fibers_[next]);
}

// The waiting warps wait for arrivals that cannot come.
Fault BlockSlot::deadlock_message() const {
    std::string who;
    for (std::size_t id = 0; id < barriers_.size(); ++id) {
        std::string at;
        for (WarpSet left = barriers_[id].waiting; left; left &= left - 1)
            at += fmt::format("{}{}", at.empty() ? "" : ", ", std::countr_zero(left));
        if (!at.empty())
            who += fmt::format(
                "{}warps {} wait at {}", who.empty() ? "" : "; ", at,
                id == cluster_barrier ? "their cluster's barrier" : fmt::format("barrier {}", id));
    }
    return {FaultKind::barrier_deadlock,
            fmt::format("kernel {}, block ({},{},{}): {}, which the other warps never reach", run.grid.kernel,
                        warps[0].block[0], warps[0].block[1], warps[0].block[2], who)};
}

// Nobody can run. (The message is made in a statement of its own: this stack is abandoned with all that is on
// it.)
void BlockSlot::deadlock() {
    Fault message = deadlock_message();
    fault(std::move(message));
}

void BlockSlot::leave_for_cluster(std::uint32_t fiber) {
    if (!cluster_ || !barriers_[cluster_barrier].waiting) deadlock();
    outcome_ = Outcome::clustered;
    fibers_[fiber]->suspend(worker_context_);
}

// When all that can run have had their turns, only other blocks can help.
bool BlockSlot::turns_are_up(std::uint32_t weight) {
    constexpr std::uint32_t turns = 4;
    yields_ += weight;
    if (yields_ <= turns * static_cast<std::uint32_t>(std::popcount(ready_))) return false;
    yields_ = 0;
    return true;
}

void BlockSlot::give_turn(WarpContext& warp, std::uint32_t weight, Outcome outcome) {
    drain_in_order(warp);
    if (!turns_are_up(weight)) return switch_from(warp.warp);
    outcome_ = outcome;
    fibers_[warp.warp]->suspend(worker_context_);
}

void BlockSlot::yield(WarpContext& warp) { give_turn(warp, 1, Outcome::spinning); }

void BlockSlot::slice(WarpContext& warp) { give_turn(warp, slice_weight, Outcome::sliced); }

void BlockSlot::preempt(WarpContext& warp) {
    if (!events_.empty()) drain(warp);
    warp.accesses_left = run.chance->stretch();
    if (!run.chance->one_in(8)) return switch_from(warp.warp);
    outcome_ = Outcome::preempted;
    fibers_[warp.warp]->suspend(worker_context_);
}

// The cluster's barrier waits for all its warps that have not ended.
bool BlockSlot::complete_cluster() {
    std::uint64_t arrived = 0, expected = 0;
    for (const BlockSlot* block : cluster_->blocks) {
        arrived += block->barriers_[cluster_barrier].arrived;
        expected += block->live_;
    }
    if (arrived == 0 || arrived < expected) return false;
    for (BlockSlot* block : cluster_->blocks) block->release(block->barriers_[cluster_barrier]);
    return true;
}

bool BlockSlot::complete(BarrierState& barrier) {
    if (cluster_ && &barrier == &barriers_[cluster_barrier]) return complete_cluster();
    const std::uint64_t threads = barrier.expected;
    const std::uint64_t expected =
        threads ? (threads + warps[0].wave_lanes - 1) / warps[0].wave_lanes : live_;
    if (barrier.arrived == 0 || barrier.arrived < expected) return false;
    release(barrier);
    return true;
}

void BlockSlot::release(BarrierState& barrier) {
    barrier.result_votes = barrier.votes;
    barrier.result_voters = barrier.voters;
    barrier.arrived = barrier.votes = barrier.voters = 0;
    for (WarpSet left = barrier.waiting; left; left &= left - 1) {
        BarrierRequest& request = warps[static_cast<std::size_t>(std::countr_zero(left))].barrier;
        request.result = outcome(barrier, static_cast<BarrierRequest::Kind>(request.kind));
    }
    ready_ |= barrier.waiting;
    barrier.waiting = 0;
}

Fault BlockSlot::no_barrier_message(const WarpContext& warp, std::uint32_t id, std::uint32_t site) const {
    return {FaultKind::barrier_deadlock,
            fault_message(run.grid, warp, site, std::countr_zero(warp.active | 1u << 31),
                          fmt::format("barrier {} does not exist (0 to 15 do)", id & ~no_barrier))};
}

BarrierState& BlockSlot::barrier_state(WarpContext& warp, std::uint32_t id, std::uint32_t site) {
    if (id >= barriers_.size()) {
        Fault message = no_barrier_message(warp, id, site);
        fault(std::move(message));
    }
    used_barriers_ |= 1u << id;
    return barriers_[id];
}

std::uint32_t BlockSlot::outcome(const BarrierState& barrier, BarrierRequest::Kind kind) {
    switch (kind) {
        case BarrierRequest::count: return barrier.result_votes;
        case BarrierRequest::all: return barrier.result_votes == barrier.result_voters;
        default: return barrier.result_votes != 0;
    }
}

void BlockSlot::barrier(WarpContext& warp, std::uint32_t id, std::uint32_t threads, BarrierRequest::Kind kind,
                        std::uint32_t site) {
    reduce(warp, id, threads, 0, kind, site);
}

std::uint32_t BlockSlot::reduce(WarpContext& warp, std::uint32_t id, std::uint32_t threads,
                                std::uint32_t votes, BarrierRequest::Kind kind, std::uint32_t site) {
    drain_in_order(warp);
    warp.barrier = {.lanes = warp.active, .id = id, .threads = threads, .kind = kind, .votes = votes};
    warp.request_site = site;
    arrive(warp);
    if (!(ready_ & WarpSet{1} << warp.warp)) switch_from(warp.warp);
    return warp.barrier.result;
}

void BlockSlot::arrive_at(WarpContext& warp, std::span<BarrierRequest> requests, std::uint32_t site) {
    const WarpSet self = WarpSet{1} << warp.warp;
    for (BarrierRequest& request : requests) {
        if (request.lanes == 0 || request.arrived) continue;
        request.arrived = 1;
        BarrierState& barrier = barrier_state(warp, request.id, site);
        barrier.votes += static_cast<std::uint32_t>(std::popcount(request.votes));
        barrier.voters += static_cast<std::uint32_t>(std::popcount(request.lanes));
        // A warp arrives as a whole: once, wherever its lanes are.
        if (barrier.waiting & self) continue;
        ++barrier.arrived;
        barrier.expected = request.threads;
        if (request.kind != BarrierRequest::arrive) barrier.waiting |= self;
    }
    for (const BarrierRequest& request : requests)
        if (request.lanes) complete(barriers_[request.id]);
}

bool BlockSlot::take_released(const WarpContext& warp, std::span<BarrierRequest> requests) {
    const WarpSet self = WarpSet{1} << warp.warp;
    bool any = false;
    for (BarrierRequest& request : requests) {
        if (request.lanes == 0) continue;
        const bool waits =
            request.kind != BarrierRequest::arrive && (barriers_[request.id].waiting & self) != 0;
        if (waits) continue;
        any = true;
        request.released = 1;
        request.result = outcome(barriers_[request.id], static_cast<BarrierRequest::Kind>(request.kind));
    }
    return any;
}

void BlockSlot::barriers(WarpContext& warp, std::span<BarrierRequest> requests, std::uint32_t site) {
    drain_in_order(warp);
    arrive_at(warp, requests, site);
    while (!take_released(warp, requests)) {
        ready_ &= ~(WarpSet{1} << warp.warp);
        switch_from(warp.warp);
    }
}

// Warps that run together have run one after the other since their last barrier.
void BlockSlot::drain(WarpContext& warp) {
    const auto observing = observers();
    if (!together_ || !ordered()) return hand_over(warp, observing);
    for (WarpContext& each : warps) hand_over(each, observing);
}

std::byte* BlockSlot::records_of(const WarpContext& warp) {
    return events_.data() + warp.warp * event_buffer_bytes;
}

void BlockSlot::hand_over(WarpContext& warp, std::span<events::Observer* const> to) {
    std::byte* const begin = records_of(warp);
    if (warp.events == begin) return;
    events::Batch& batch = batches_[warp.warp];
    batch.records = {begin, warp.events};
    for (events::Observer* observer : to) observer->records(batch);
    warp.events = begin;
}

void BlockSlot::end_round() {
    for (WarpContext& warp : warps) {
        std::byte* const begin = records_of(warp);
        batches_[warp.warp].records = {begin, warp.events};
        warp.events = begin;
    }
    for (events::Observer* observer : observers()) observer->round(batches_);
}

// Before other warps may act on what this one did.
void BlockSlot::drain_in_order(WarpContext& warp) {
    if (ordered()) drain(warp);
}

void BlockSlot::append(WarpContext& warp, std::span<const std::byte> record) {
    if (static_cast<std::size_t>(warp.events_end - warp.events) < record.size()) drain(warp);
    warp.events = std::copy(record.begin(), record.end(), warp.events);
}

BlockRequests& BlockSlot::requests() {
    if (!requests_) requests_ = std::make_unique<BlockRequests>(*this);
    return *requests_;
}

void BlockSlot::wait_for(WarpContext& warp, std::vector<NestedWork> work) {
    drain_in_order(warp);
    awaited_ = std::move(work);
    outcome_ = Outcome::waiting;
    fibers_[code.stacks ? warp.warp : 0]->suspend(worker_context_);
}

void BlockSlot::fault(Fault f) {
    run.report(std::move(f));
    outcome_ = Outcome::fault;
    // The stack that this runs on is abandoned.
    Fiber::leave(worker_context_);
    __builtin_unreachable();
}

void BlockSlot::fault_and_go_on(WarpContext& warp, Fault f, std::uint32_t lanes) {
    BadAccesses* const told = run.grid.launch.bad_accesses;
    if (!told) fault(std::move(f));
    told->bad_access(block_, warp.warp, lanes, f);
}

std::uint64_t BlockSlot::in_place_of(std::uint32_t site, std::uint64_t address) {
    const auto bytes = static_cast<std::uint64_t>(run.grid.code->sites[site].bytes);
    elsewhere_.fill(std::byte{});
    const std::uint64_t offset = address - reinterpret_cast<std::uint64_t>(shared_.data());
    const bool misaligned = bytes && address % bytes;
    if (misaligned && ((offset < shared_.size() && bytes <= shared_.size() - offset) ||
                       run.grid.memory->find(address, bytes)))
        std::memcpy(elsewhere_.data(), reinterpret_cast<const void*>(address), bytes);
    return reinterpret_cast<std::uint64_t>(elsewhere_.data());
}

}  // namespace lockstep::exec
