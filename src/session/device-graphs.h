// Graphs that kernels launch, and nodes of graphs that kernels change.
//
// An executable graph that was instantiated for it is launched by a kernel of another, or of itself. What is
// fired and forgotten runs beside the graph that launched it, which has ended when all these have; what is
// launched into the tail comes then, in order. Here it is done behind the kernel that asked for it, or behind
// the graph: one of the orders that CUDA allows.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "exec/nested.h"
#include "session/command.h"

namespace lockstep::session {

// A kernel node as kernels have changed it.
class UpdatableNode {
  public:
    explicit UpdatableNode(std::uint64_t param_bytes) : param_bytes_(param_bytes) {}
    exec::NestedError change(const exec::NodeChange& change);
    // What is launched in its place; nothing: it is disabled.
    std::optional<KernelLaunch> changed(const KernelLaunch& node) const;
    void forget();  // what kernels have changed: the host has set it anew

  private:
    const std::uint64_t param_bytes_;
    mutable std::mutex mutex_;
    bool enabled_ = true;
    std::optional<exec::Dim3> grid_;
    std::vector<exec::NodeParameter> parameters_;
};

// While somebody has it, the graph waits for its turn or runs.
using GraphClaim = std::shared_ptr<const void>;

struct LaunchedGraph {
    std::uint64_t graph = 0;
    exec::GraphStream stream{};
    std::shared_ptr<const GraphPlan> plan;
    GraphClaim claim;
    NestedParent parent;  // the kernel that launched it
};

// A graph that runs, as its kernels see it.
struct GraphEnvironment {
    std::uint64_t graph = 0;  // its handle, if kernels may launch it
    GraphClaim claim{};
    std::optional<NestedParent> parent{};  // of its kernels; nothing: the host has launched it
    std::mutex mutex{};
    unsigned fired = 0, tails = 0;          // launches so far
    bool again = false;                     // it is in its own tail
    std::vector<LaunchedGraph> pending{};   // asked for by a kernel that runs
    std::vector<LaunchedGraph> launched{};  // by the kernel that has run, in the order of its blocks
    // The kernel has run, and this is the next that its blocks asked for.
    void launch(const exec::NestedGraph& next);
};

class DeviceGraphs {
  public:
    void add(std::uint64_t graph);
    void remove(std::uint64_t graph);
    // Kernels launch what was uploaded last.
    void upload(std::uint64_t graph, std::shared_ptr<const GraphPlan> plan);
    // The host launches it, or one that kernels cannot launch.
    GraphClaim begin(std::uint64_t graph);

    // A kernel of `from` launches one. Nothing: there is no such graph.
    std::optional<exec::NestedError> launch(const exec::NestedGraph& asked, GraphEnvironment& from,
                                            NestedParent parent);

    // Handles of nodes.
    std::uint64_t add(const std::shared_ptr<UpdatableNode>& node);
    std::optional<exec::NestedError> change(std::uint64_t node, const exec::NodeChange& change);

  private:
    struct Entry {
        std::shared_ptr<const GraphPlan> uploaded;
        std::weak_ptr<const void> claim;
    };
    std::mutex mutex_;
    std::map<std::uint64_t, Entry> graphs_;
    std::map<std::uint64_t, std::weak_ptr<UpdatableNode>> nodes_;
};

}  // namespace lockstep::session
