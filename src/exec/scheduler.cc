#include "exec/scheduler.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <thread>

#include "exec/block-slot.h"
#include "exec/run-state.h"

namespace lockstep::exec {
namespace {

// Blocks that one worker may hold at once when they wait for each other: a grid-wide barrier made of atomics
// works as long as the grid would fit on the GPU.
std::size_t resident_blocks(const Grid& grid) {
    std::uint64_t warps = (grid.launch.block.count() + warp_lanes - 1) / warp_lanes;
    std::uint64_t per_sm = std::max<std::uint64_t>(
        1, std::min<std::uint64_t>(grid.gpu->max_blocks_per_sm,
                                   grid.gpu->max_threads_per_sm / warp_lanes / warps));
    return per_sm * static_cast<std::uint64_t>(grid.gpu->sms);
}

// Blocks that a worker takes at once: short blocks would otherwise wait for the counter that all share.
std::uint64_t blocks_a_turn(std::uint64_t blocks, int workers) {
    return std::clamp<std::uint64_t>(blocks / (static_cast<std::uint64_t>(workers) * 64), 1, 16);
}

void run_blocks(RunState& run, int worker, std::uint64_t turn) {
    std::deque<std::unique_ptr<BlockSlot>> active, idle;
    std::size_t most = resident_blocks(run.grid);
    std::uint64_t block = 0, turn_end = 0;
    auto take = [&] {
        if (block == turn_end) {
            block = run.next_block.fetch_add(turn, std::memory_order_relaxed);
            turn_end = block + turn;
        }
        if (block >= run.blocks) return false;
        if (idle.empty()) idle.push_back(std::make_unique<BlockSlot>(run, worker));
        idle.back()->start(block++);
        active.push_front(std::move(idle.back()));
        idle.pop_back();
        return true;
    };
    while (!run.failed) {
        if (active.empty() && !take()) break;
        switch (active.front()->resume()) {
            case BlockSlot::Outcome::finished:
                idle.push_back(std::move(active.front()));
                active.pop_front();
                break;
            case BlockSlot::Outcome::spinning:
                // It waits for another block: give the others a turn, and start one more if there is one.
                active.push_back(std::move(active.front()));
                active.pop_front();
                if (active.size() >= most || !take()) std::this_thread::yield();
                break;
            case BlockSlot::Outcome::fault: return;
        }
    }
}

void work(RunState& run, int worker, std::uint64_t turn) {
    run_blocks(run, worker, turn);
    if (run.failed && !run.observers.empty())
        run.observers[static_cast<std::size_t>(worker)]->launch_failed();
}

// Sets the stop flag when the time is up.
class Watchdog {
  public:
    Watchdog(RunState& run, double seconds) {
        if (seconds <= 0) return;
        thread_ = std::thread([this, &run, seconds] {
            std::unique_lock lock(mutex_);
            if (!done_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return finished_; }))
                __atomic_store_n(&run.stop, 1u, __ATOMIC_RELAXED);
        });
    }
    ~Watchdog() {
        if (!thread_.joinable()) return;
        {
            std::lock_guard lock(mutex_);
            finished_ = true;
        }
        done_.notify_all();
        thread_.join();
    }

  private:
    std::mutex mutex_;
    std::condition_variable done_;
    bool finished_ = false;
    std::thread thread_;
};

}  // namespace

std::optional<Fault> run_grid(const Grid& grid, const std::vector<events::Observer*>& observers) {
    RunState run{.grid = grid, .observers = observers};
    run.blocks = grid.launch.grid.count();
    std::uint64_t threads = grid.launch.block.count();
    run.warps_per_block = static_cast<std::uint32_t>((threads + warp_lanes - 1) / warp_lanes);
    run.params.assign(grid.launch.params.begin(), grid.launch.params.end());
    const Dim3& block = grid.launch.block;
    for (auto& table : run.thread_tables) table.resize(std::size_t{run.warps_per_block} * warp_lanes);
    for (std::uint32_t t = 0; t < run.thread_tables[0].size(); ++t) {
        run.thread_tables[0][t] = t % block.x;
        run.thread_tables[1][t] = t / block.x % block.y;
        run.thread_tables[2][t] = t / block.x / block.y;
    }

    auto workers = static_cast<int>(
        std::min<std::uint64_t>(static_cast<std::uint64_t>(std::max(grid.threads, 1)), run.blocks));
    if (grid.code->order_matters) workers = 1;
    const std::uint64_t turn = blocks_a_turn(run.blocks, workers);
    Watchdog watchdog(run, grid.timeout_seconds);
    std::vector<std::thread> others;
    for (int w = 1; w < workers; ++w) others.emplace_back([&run, w, turn] { work(run, w, turn); });
    work(run, 0, turn);
    for (std::thread& thread : others) thread.join();
    return std::move(run.fault);
}

}  // namespace lockstep::exec
