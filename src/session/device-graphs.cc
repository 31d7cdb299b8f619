#include "session/device-graphs.h"

#include <algorithm>
#include <cstring>

#include "session/modules.h"

namespace lockstep::session {

using exec::GraphStream;
using exec::NestedError;

namespace {

template <class... Cases>
struct Match : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
Match(Cases...) -> Match<Cases...>;

// CUDA Programming Guide, device graph launch.
constexpr unsigned most_fired = 120, most_tails = 255;

}  // namespace

NestedError UpdatableNode::change(const exec::NodeChange& change) {
    const std::lock_guard lock(mutex_);
    return std::visit(Match{[&](const exec::NodeParameter& one) {
                                if (one.offset > param_bytes_ || one.bytes.size() > param_bytes_ - one.offset)
                                    return NestedError::invalid_value;
                                parameters_.push_back(one);
                                return NestedError::none;
                            },
                            [&](const exec::NodeGrid& one) {
                                if (one.grid[0] == 0 || one.grid[1] == 0 || one.grid[2] == 0)
                                    return NestedError::invalid_value;
                                grid_ = exec::Dim3{one.grid[0], one.grid[1], one.grid[2]};
                                return NestedError::none;
                            },
                            [&](const exec::NodeEnabled& one) {
                                enabled_ = one.enabled;
                                return NestedError::none;
                            }},
                      change);
}

std::optional<KernelLaunch> UpdatableNode::changed(const KernelLaunch& node) const {
    const std::lock_guard lock(mutex_);
    if (!enabled_) return std::nullopt;
    KernelLaunch launch = node;
    if (grid_) {
        launch.shape.grid = *grid_;
        launch.asked_threads = launch.shape.threads();
    }
    for (const exec::NodeParameter& one : parameters_)
        std::memcpy(launch.params.data() + one.offset, one.bytes.data(), one.bytes.size());
    return launch;
}

void UpdatableNode::forget() {
    const std::lock_guard lock(mutex_);
    enabled_ = true;
    grid_.reset();
    parameters_.clear();
}

void DeviceGraphs::add(std::uint64_t graph) {
    const std::lock_guard lock(mutex_);
    graphs_[graph] = {};
}

void DeviceGraphs::remove(std::uint64_t graph) {
    const std::lock_guard lock(mutex_);
    graphs_.erase(graph);
}

void DeviceGraphs::upload(std::uint64_t graph, std::shared_ptr<const GraphPlan> plan) {
    const std::lock_guard lock(mutex_);
    if (const auto found = graphs_.find(graph); found != graphs_.end())
        found->second.uploaded = std::move(plan);
}

GraphClaim DeviceGraphs::begin(std::uint64_t graph) {
    const std::lock_guard lock(mutex_);
    const auto found = graphs_.find(graph);
    if (found == graphs_.end()) return nullptr;
    GraphClaim claim = std::make_shared<char>();
    found->second.claim = claim;
    return claim;
}

std::optional<NestedError> DeviceGraphs::launch(const exec::NestedGraph& asked, GraphEnvironment& from,
                                                NestedParent parent) {
    const std::lock_guard lock(mutex_);
    const auto found = graphs_.find(asked.graph);
    if (found == graphs_.end()) return std::nullopt;
    Entry& graph = found->second;
    if (!graph.uploaded) return NestedError::invalid_value;
    const std::lock_guard own(from.mutex);
    const bool tail = asked.stream == GraphStream::tail;
    const bool again = tail && asked.graph == from.graph && !from.again;
    if (!graph.claim.expired() && !again) return NestedError::invalid_value;
    if (tail ? from.tails == most_tails : from.fired == most_fired) return NestedError::invalid_value;
    ++(tail ? from.tails : from.fired);
    from.again |= again;
    GraphClaim claim = graph.claim.lock();
    if (!claim) claim = std::make_shared<char>();
    graph.claim = claim;
    from.pending.push_back({asked.graph, asked.stream, graph.uploaded, std::move(claim), std::move(parent)});
    return NestedError::none;
}

void GraphEnvironment::launch(const exec::NestedGraph& next) {
    const std::lock_guard lock(mutex);
    const auto found = std::find_if(pending.begin(), pending.end(),
                                    [&](const LaunchedGraph& one) { return one.graph == next.graph; });
    launched.push_back(std::move(*found));
    pending.erase(found);
}

std::uint64_t DeviceGraphs::add(const std::shared_ptr<UpdatableNode>& node) {
    const std::lock_guard lock(mutex_);
    const auto handle = reinterpret_cast<std::uint64_t>(node.get());
    nodes_[handle] = node;
    return handle;
}

std::optional<NestedError> DeviceGraphs::change(std::uint64_t handle, const exec::NodeChange& change) {
    const std::lock_guard lock(mutex_);
    const auto found = nodes_.find(handle);
    if (found == nodes_.end()) return std::nullopt;
    const auto node = found->second.lock();
    if (!node) return std::nullopt;
    return node->change(change);
}

}  // namespace lockstep::session
