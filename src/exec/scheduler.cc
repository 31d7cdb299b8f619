#include "exec/scheduler.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <system_error>
#include <thread>

#include "base/alarm.h"
#include "base/own-work.h"
#include "exec/block-slot.h"
#include "exec/run-state.h"
#include "gpu/occupancy.h"

namespace lockstep::exec {
namespace {

// Blocks that are in execution at once when they wait for each other: as many as the GPU would hold, so that
// a grid-wide barrier made of atomics works where it works on the GPU.
std::uint64_t resident_blocks(const Grid& grid) {
    const gpu::Occupancy fits =
        gpu::occupancy(*grid.gpu, {static_cast<int>(grid.launch.block.count()), 0, grid.shared_bytes});
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(fits.blocks_per_sm)) *
           static_cast<std::uint64_t>(grid.gpu->sms);
}

// Blocks that a worker takes at once: short blocks would otherwise wait for the counter that all share.
std::uint64_t blocks_a_turn(std::uint64_t blocks, int workers) {
    return std::clamp<std::uint64_t>(blocks / (static_cast<std::uint64_t>(workers) * 64), 1, 16);
}

// The blocks of a cluster, by rank.
std::vector<std::uint64_t> blocks_of_cluster(const Launch& launch, std::uint64_t number) {
    const Dim3 &grid = launch.grid, &size = launch.cluster;
    const std::uint64_t wide = grid.x / size.x, high = grid.y / size.y;
    const std::uint64_t x = number % wide * size.x, y = number / wide % high * size.y,
                        z = number / wide / high * size.z;
    std::vector<std::uint64_t> blocks;
    for (std::uint64_t k = z; k < z + size.z; ++k)
        for (std::uint64_t j = y; j < y + size.y; ++j)
            for (std::uint64_t i = x; i < x + size.x; ++i) blocks.push_back((k * grid.y + j) * grid.x + i);
    return blocks;
}

// Stores past the caches (exec/jit/memory.cc) are in no order with others, not even with those that tell
// other threads that the launch has ended.
void publish_streamed_stores() {
#if defined(__x86_64__)
    __builtin_ia32_sfence();
#endif
}

// What one thread does: runs blocks, one after the other where they do not wait
// for each other.
class Worker {
  public:
    Worker(RunState& run, int number, std::uint64_t turn) : run_(run), number_(number), turn_(turn) {}

    // No exception leaves a thread: what the host cannot give is a fault of the launch.
    void work() {
        try {
            loop();
        } catch (const std::bad_alloc&) {
            run_.report({FaultKind::host_exhausted, out_of_memory()});
        }
        publish_streamed_stores();
        if (run_.failed)
            for (events::Observer* observer : run_.observers_of(static_cast<std::size_t>(number_)))
                observer->launch_failed();
    }

  private:
    void loop() {
        while (!run_.failed) {
            if (__atomic_load_n(&run_.stop, __ATOMIC_RELAXED))
                return run_.report({FaultKind::timeout, late()});
            if (active_.empty() && !take()) break;
            if (!next_can_run()) return run_.report(active_.front()->deadlock_message());
            switch (active_.front()->resume()) {
                case BlockSlot::Outcome::finished:
                    if (!follow_up()) finish();
                    if (number_ == 0) run_.progress.tick([this] { return run_.begun(); });
                    break;
                case BlockSlot::Outcome::clustered: rotate(); break;
                case BlockSlot::Outcome::preempted: mix(); break;
                case BlockSlot::Outcome::spinning:
                    // It waits for another block: give the others a turn, and start one more if there is one.
                    rotate();
                    if (!take_another()) std::this_thread::yield();
                    break;
                case BlockSlot::Outcome::sliced:
                    // It may wait for another block. Most loops end by themselves, and open blocks take
                    // memory: one more is started when all have had two slices and none has ended.
                    rotate();
                    if (++slices_ < 2 * active_.size()) break;
                    slices_ = 0;
                    if (!take_another()) std::this_thread::yield();
                    break;
                case BlockSlot::Outcome::waiting:
                    if (auto fault = run_.grid.launch.nesting->run(active_.front()->take_awaited()))
                        return run_.report(std::move(*fault));
                    break;
                case BlockSlot::Outcome::fault: return;
            }
        }
    }

    // The next block in line that can run comes to the front. False: all wait for
    // their clusters.
    bool next_can_run() {
        for (std::size_t tries = active_.size(); tries > 0; --tries) {
            if (active_.front()->can_run()) return true;
            rotate();
        }
        return false;
    }

    // Most blocks end before another one begins, and the next one takes their slot where it is.
    bool follow_up() {
        BlockSlot& ended = *active_.front();
        if (active_.size() > 1 || ended.cluster() || run_.failed || !has_next()) return false;
        const std::uint64_t block = next();
        if (run_.grid.is_watched(block) != ended.watched) {
            finish();
            begin(block, nullptr, 0);
        } else {
            slices_ = 0;
            ended.start(block, nullptr, 0);
        }
        return true;
    }

    // The block in front has ended; its slot is free when its whole cluster has.
    void finish() {
        std::unique_ptr<BlockSlot> ended = std::move(active_.front());
        active_.pop_front();
        slices_ = 0;
        if (const std::shared_ptr<Cluster> cluster = ended->cluster()) {
            cluster->finished.push_back(std::move(ended));
            if (cluster->finished.size() < cluster->blocks.size()) return;
            for (auto& slot : cluster->finished) idle_[slot->watched].push_back(std::move(slot));
            cluster->finished.clear();
        } else {
            idle_[ended->watched].push_back(std::move(ended));
        }
        if (!active_.empty()) run_.more_blocks.fetch_sub(1, std::memory_order_relaxed);
    }

    void rotate() {
        active_.push_back(std::move(active_.front()));
        active_.pop_front();
    }

    // Some block goes on, or one more begins.
    void mix() {
        if (active_.size() < Chance::open_blocks && run_.chance->one_in(4) && take_another()) return;
        for (std::uint64_t turns = run_.chance->below(active_.size()); turns > 0; --turns) rotate();
    }

    // Whether there is one that nobody has begun.
    bool has_next() {
        if (block_ == turn_end_) {
            block_ = run_.next_block.fetch_add(turn_, std::memory_order_relaxed);
            turn_end_ = block_ + turn_;
        }
        return block_ < run_.clusters;
    }

    bool take() {
        if (!has_next()) return false;
        if (run_.blocks == run_.clusters) {
            begin(next(), nullptr, 0);
            return true;
        }
        const std::vector<std::uint64_t> blocks = blocks_of_cluster(run_.grid.launch, next());
        const auto cluster = std::make_shared<Cluster>(blocks.size());
        for (std::size_t rank = blocks.size(); rank-- > 0;)
            begin(blocks[rank], cluster, static_cast<std::uint32_t>(rank));
        return true;
    }

    std::uint64_t next() {
        const std::uint64_t place = block_++;
        return run_.chance          ? run_.chance->block(place)
               : run_.watched_first ? run_.watched_first->block(place)
                                    : place;
    }

    void begin(std::uint64_t block, const std::shared_ptr<Cluster>& cluster, std::uint32_t rank) {
        const bool watched = run_.grid.is_watched(block);
        Slots& idle = idle_[watched];
        if (idle.empty()) idle.push_back(std::make_unique<BlockSlot>(run_, number_, watched));
        idle.back()->start(block, cluster, rank);
        // At the front; a deque in which one comes and goes there would take and give back memory each time.
        if (active_.empty())
            active_.push_back(std::move(idle.back()));
        else
            active_.push_front(std::move(idle.back()));
        idle.pop_back();
    }

    // One more beside those that are in execution, where the GPU and the host's
    // memory have room for it.
    bool take_another() {
        if (full_ || run_.more_blocks.load(std::memory_order_relaxed) >= run_.most_more_blocks) return false;
        try {
            if (!take()) return false;
        } catch (const std::bad_alloc&) {
            full_ = true;
            return false;
        }
        run_.more_blocks.fetch_add(1, std::memory_order_relaxed);
        return true;
    }

    // Of blocks that end soon, but are many.
    std::string late() const {
        return fmt::format(
            "kernel {}: still running after {} seconds (--timeout), with {} of its {} blocks begun",
            run_.grid.kernel, run_.grid.timeout_seconds, run_.begun(), run_.blocks);
    }

    std::string out_of_memory() const {
        const Grid& grid = run_.grid;
        return fmt::format(
            "kernel {}: this machine has no memory left to run a block of {} threads with {} bytes of shared "
            "memory and "
            "{} of local memory a thread",
            grid.kernel, grid.launch.block.count(), grid.shared_bytes, grid.local_bytes);
    }

    RunState& run_;
    int number_;
    std::uint64_t turn_;
    std::uint64_t block_ = 0, turn_end_ = 0;  // clusters, as all that is taken
    std::size_t slices_ = 0;                  // that blocks have used since one has ended or begun
    bool full_ = false;                       // the host has no memory for one more block
    using Slots = std::deque<std::unique_ptr<BlockSlot>>;
    Slots active_, idle_[2];  // those for blocks that nobody watches, and for watched ones
};

}  // namespace

bool Grid::is_watched(std::uint64_t block) const {
    if (!unwatched) return true;
    const auto behind = std::upper_bound(
        watched.begin(), watched.end(), block,
        [](std::uint64_t number, const events::BlockRange& range) { return number < range.begin; });
    return behind != watched.begin() && block < std::prev(behind)->end;
}

std::optional<Fault> run_grid(const Grid& grid, std::span<const events::Observers> observers) {
    RunState run{.grid = grid, .blocks = grid.launch.executed_blocks(), .observers = observers};
    run.clusters = run.blocks / grid.launch.cluster.count();
    std::uint64_t threads = grid.launch.block.count();
    const auto lanes = static_cast<std::uint32_t>(grid.code->lanes);
    run.warps_per_block = static_cast<std::uint32_t>((threads + lanes - 1) / lanes);
    run.params.assign(grid.launch.params.begin(), grid.launch.params.end());
    const Dim3& block = grid.launch.block;
    for (auto& table : run.thread_tables) table.resize(std::size_t{run.warps_per_block} * lanes);
    for (std::uint32_t t = 0; t < run.thread_tables[0].size(); ++t) {
        run.thread_tables[0][t] = t % block.x;
        run.thread_tables[1][t] = t / block.x % block.y;
        run.thread_tables[2][t] = t / block.x / block.y;
    }

    auto workers = static_cast<int>(
        std::min<std::uint64_t>(static_cast<std::uint64_t>(std::max(grid.threads, 1)), run.clusters));
    if (grid.code->order_matters) workers = 1;
    if (grid.launch.schedule) {
        run.chance.emplace(*grid.launch.schedule, run.clusters);
        workers = 1;
    }
    // Where the order is anybody's, who watches can begin with what it has seen while the others run.
    if (!grid.launch.only.empty())
        run.watched_first.emplace(grid.launch.only);
    else if (grid.unwatched && workers > 1 && run.clusters == run.blocks && !grid.code->may_wait)
        run.watched_first.emplace(grid.watched);
    const std::uint64_t resident =
        std::max<std::uint64_t>(1, resident_blocks(grid) / grid.launch.cluster.count());
    run.most_more_blocks = resident - std::min(resident, static_cast<std::uint64_t>(workers));
    const std::uint64_t turn = blocks_a_turn(run.clusters, workers);
    const base::Alarm watchdog(grid.timeout_seconds,
                               [&run] { __atomic_store_n(&run.stop, 1u, __ATOMIC_RELAXED); });
    std::vector<std::thread> others;
    try {
        for (int w = 1; w < workers; ++w)
            others.emplace_back([&run, w, turn] {
                const base::OwnWork own;
                Worker(run, w, turn).work();
            });
    } catch (const std::system_error&) {
        // The system has no more threads: those that there are do it.
    }
    Worker(run, 0, turn).work();
    for (std::thread& thread : others) thread.join();
    if (!run.fault && !run.nested.empty()) {
        std::stable_sort(
            run.nested.begin(), run.nested.end(),
            [](const NestedWork& one, const NestedWork& other) { return one.block < other.block; });
        grid.launch.nesting->leave(std::move(run.nested));
    }
    return std::move(run.fault);
}

}  // namespace lockstep::exec
