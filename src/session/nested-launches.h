// Kernels that kernels launch, and copies and fills of theirs (dynamic parallelism). A kernel's children run
// when it has: their order among each other is that in which the blocks, from the first on, asked for them,
// which is one that every stream and event allows. Those of the tail stream come last. A kernel has ended
// when all its children have.
#pragma once
#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "exec/engine.h"
#include "session/command.h"
#include "timing/nested-kernels.h"

namespace lockstep::session {

class NestedLaunches;
struct GraphEnvironment;

// What a launch by the host and all that it leads to have in common.
class LaunchTree {
  public:
    // Runs one kernel, without its children. Tells its time where that is predicted.
    using RunKernel = std::function<std::optional<exec::Fault>(
        const KernelLaunch&, exec::Nesting&, const NestedParent*, std::optional<timing::Prediction>&)>;

    // `graph`: that the host's launch is a part of; null: none.
    LaunchTree(Device& device, GraphEnvironment* graph, RunKernel run)
        : device_(device), graph_(graph), run_(std::move(run)) {}

    // The whole tree, from the host's launch on. With a clock, `times` tells what ran.
    std::optional<exec::Fault> run(const KernelLaunch& root, std::optional<timing::Prediction>& prediction,
                                   timing::NestedKernels& times);

  private:
    friend class NestedLaunches;
    std::optional<exec::Fault> run(const KernelLaunch& kernel, const NestedLaunches* parent,
                                   const std::string& by, timing::NestedKernels& times);

    Device& device_;
    GraphEnvironment* const graph_;
    RunKernel run_;
    std::mutex mutex_;
    std::set<std::pair<std::string, std::string>> refused_;  // kernels that were not launched, and why
    std::atomic<std::uint64_t> tails_{0};                    // launches in tail streams that have not begun
    std::optional<timing::Prediction> root_prediction_;
};

}  // namespace lockstep::session
