#include "timing/schedule.h"

#include <algorithm>
#include <map>
#include <optional>
#include <queue>
#include <utility>

#include "machine/ptxas.h"

namespace lockstep::timing {
namespace {

namespace ptxas = machine::ptxas;

// As ptxas reckons, which does not know caches.
std::uint32_t expected_latency(const Item& item) {
    if (item.op.unit == Unit::none) return 0;
    const std::uint32_t more = (item.op.issues - 1u) * ptxas::expected_step;
    if (item.op.unit == Unit::memory) {
        if (!item.op.reads_memory) return ptxas::expected_store;
        return item.memory ? ptxas::expected_near_load : ptxas::expected_load;
    }
    return more + std::max<std::uint32_t>(item.op.latency, 1);
}

bool may_overlap(const Item& a, const Item& b) {
    if (a.memory != b.memory) return false;
    return a.base < 0 || a.base != b.base || (a.first < b.last && b.first < a.last);
}

class Scheduler {
  public:
    Scheduler(const std::vector<Item>& items, const Registers& registers)
        : items_(items), pressure_(ops_of(items), registers), next_(items.size()), waits_(items.size()) {}

    std::vector<Op> run() {
        find_register_edges();
        find_memory_edges();
        find_matrix_edges();
        find_block_edges();
        find_heights();
        return choose();
    }

  private:
    struct Edge {
        std::uint32_t to = 0, latency = 0;
    };
    void edge(std::size_t from, std::size_t to, std::uint32_t latency) {
        next_[from].push_back({static_cast<std::uint32_t>(to), latency});
        ++waits_[to];
    }

    void find_register_edges() {
        std::map<std::uint16_t, std::size_t> writer;
        std::map<std::uint16_t, std::vector<std::size_t>> readers;
        for (std::size_t i = 0; i < items_.size(); ++i) {
            const Op& op = items_[i].op;
            const auto read = [&](std::uint16_t slot, std::uint32_t more) {
                const auto written = writer.find(slot);
                if (written != writer.end())
                    edge(written->second, i, expected_latency(items_[written->second]) + more);
                readers[slot].push_back(i);
            };
            for (std::size_t s = 0; s < op.source_count; ++s) read(op.sources[s], 0);
            if (op.guard != Op::no_slot) read(op.guard, ptxas::expected_guard);
            for (std::size_t t = 0; t < op.target_count; ++t) {
                auto& before = readers[op.targets[t]];
                for (std::size_t r : before)
                    if (r != i) edge(r, i, 0);
                before.clear();
                const auto written = writer.find(op.targets[t]);
                if (written != writer.end() && written->second != i) edge(written->second, i, 1);
                writer[op.targets[t]] = i;
            }
        }
    }

    // A window keeps long blocks from costing the square of their length. Barriers hold however far away.
    void find_memory_edges() {
        std::vector<std::size_t> touching;  // from the last barrier or wall on
        std::vector<std::size_t> free;      // from the last wall on: loads of memory that nobody writes
        std::optional<std::size_t> wall;
        for (std::size_t i = 0; i < items_.size(); ++i) {
            const Item& item = items_[i];
            switch (item.order) {
                case MemoryOrder::none: continue;
                case MemoryOrder::free_load:
                    if (wall) edge(*wall, i, 1);
                    free.push_back(i);
                    continue;
                case MemoryOrder::wall:
                    for (std::size_t before : free) edge(before, i, 1);
                    free.clear();
                    wall = i;
                    [[fallthrough]];
                case MemoryOrder::barrier:
                    for (std::size_t before : touching) edge(before, i, 1);
                    touching.assign(1, i);
                    continue;
                case MemoryOrder::load:
                case MemoryOrder::store: break;
            }
            if (!touching.empty() && !is_access(touching[0])) edge(touching[0], i, 1);
            const std::size_t oldest =
                touching.size() > ptxas::order_window ? touching.size() - ptxas::order_window : 0;
            for (std::size_t k = touching.size(); k-- > oldest;) {
                const Item& before = items_[touching[k]];
                if (!is_access(touching[k])) break;
                const bool written = item.order == MemoryOrder::store || before.order == MemoryOrder::store;
                if (written && may_overlap(before, item)) edge(touching[k], i, 1);
            }
            touching.push_back(i);
        }
    }
    bool is_access(std::size_t i) const {
        return items_[i].order == MemoryOrder::load || items_[i].order == MemoryOrder::store;
    }

    // ptxas brings no fragment of wmma before the products that stand before its load: of an unrolled loop
    // each step waits for its own.
    void find_matrix_edges() {
        std::vector<std::size_t> before, products;  // of the steps before a load, and since the last one
        for (std::size_t i = 0; i < items_.size(); ++i) {
            if (items_[i].matrix == MatrixOrder::product) products.push_back(i);
            if (items_[i].matrix != MatrixOrder::load) continue;
            if (!products.empty()) before = std::exchange(products, {});
            for (std::size_t product : before) edge(product, i, 1);
        }
    }

    void find_block_edges() {
        std::size_t first = 0;
        std::optional<std::size_t> branch;
        for (std::size_t i = 0; i < items_.size(); ++i) {
            if (branch) edge(*branch, i, 0);
            if (!items_[i].ends_block) continue;
            for (std::size_t before = first; before < i; ++before) edge(before, i, 0);
            first = i + 1;
            branch = i;
        }
    }

    void find_heights() {
        height_.resize(items_.size());
        for (std::size_t i = items_.size(); i-- > 0;) {
            std::uint32_t most = expected_latency(items_[i]);
            for (const Edge& e : next_[i]) most = std::max(most, e.latency + height_[e.to]);
            height_[i] = most;
        }
    }

    std::vector<Op> choose() {
        const auto higher_first = [this](std::size_t a, std::size_t b) {
            return height_[a] != height_[b] ? height_[a] < height_[b] : a > b;
        };
        std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(higher_first)> ready(
            higher_first);
        using Later = std::pair<std::uint64_t, std::size_t>;
        std::priority_queue<Later, std::vector<Later>, std::greater<>> later;
        std::vector<std::uint64_t> earliest(items_.size());
        for (std::size_t i = 0; i < items_.size(); ++i)
            if (!waits_[i]) later.push({0, i});
        std::vector<Op> order;
        std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>>
            loads;  // when they end
        std::vector<std::size_t> held;
        std::uint64_t now = 0;
        while (!ready.empty() || !later.empty()) {
            while (!later.empty() && later.top().first <= now) {
                ready.push(later.top().second);
                later.pop();
            }
            while (!loads.empty() && loads.top() <= now) loads.pop();
            // A load for which there is no register waits until others have been read.
            held.clear();
            while (!ready.empty() && is_load(ready.top()) && loads.size() >= ptxas::least_outstanding &&
                   !pressure_.fits(ready.top())) {
                held.push_back(ready.top());
                ready.pop();
            }
            if (ready.empty() && !later.empty()) {
                for (const std::size_t item : held) ready.push(item);
                now = std::max(now, later.top().first);
                continue;
            }
            const std::size_t chosen = ready.empty() ? held.front() : ready.top();
            if (!ready.empty()) ready.pop();
            for (const std::size_t item : held)
                if (item != chosen) ready.push(item);
            pressure_.issue(chosen);
            const Item& item = items_[chosen];
            order.push_back(item.op);
            if (is_load(chosen))
                for (std::size_t t = 0; t < item.op.target_count; ++t)
                    loads.push(now + expected_latency(item));
            for (const Edge& e : next_[chosen]) {
                earliest[e.to] = std::max(earliest[e.to], now + e.latency);
                if (--waits_[e.to] == 0) later.push({earliest[e.to], e.to});
            }
            if (item.op.unit != Unit::none) now += item.op.issues;
        }
        return order;
    }
    static std::vector<const Op*> ops_of(const std::vector<Item>& items) {
        std::vector<const Op*> ops;
        for (const Item& item : items) ops.push_back(&item.op);
        return ops;
    }
    bool is_load(std::size_t i) const {
        return items_[i].op.unit == Unit::memory && items_[i].op.reads_memory;
    }

    const std::vector<Item>& items_;
    RegisterPressure pressure_;
    std::vector<std::vector<Edge>> next_;
    std::vector<std::uint32_t> waits_;
    std::vector<std::uint32_t> height_;
};

}  // namespace

std::vector<Op> schedule(const std::vector<Item>& items, const Registers& registers) {
    return Scheduler(items, registers).run();
}

}  // namespace lockstep::timing
