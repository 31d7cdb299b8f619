#include "session/nested-launches.h"

#include <fmt/format.h>

#include <cstring>

#include "base/demangle.h"
#include "session/device-graphs.h"
#include "session/device.h"
#include "timing/stream-kernel-work.h"

namespace lockstep::session {

using exec::Fault;
using exec::NestedError;
using exec::NestedStream;
using exec::NestedWork;

namespace {

void copy(const exec::NestedCopy& one) {
    for (std::uint64_t row = 0; row < one.height; ++row)
        std::memmove(reinterpret_cast<void*>(one.to + row * one.to_pitch),
                     reinterpret_cast<const void*>(one.from + row * one.from_pitch), one.width);
}

void fill(const exec::NestedFill& one) {
    for (std::uint64_t row = 0; row < one.height; ++row)
        std::memset(reinterpret_cast<void*>(one.to + row * one.pitch), one.value, one.width);
}

// Of grids, the host's among them: CUDA Programming Guide, dynamic parallelism (CDP1), implementation limits.
constexpr int most_levels = 24;

}  // namespace

// One kernel's requests.
class NestedLaunches final : public exec::Nesting {
  public:
    NestedLaunches(LaunchTree& tree, const KernelLaunch& kernel, const NestedLaunches* parent,
                   timing::NestedKernels& times)
        : tree_(tree), kernel_(kernel), times_(times), depth_(parent ? parent->depth_ + 1 : 0) {}

    int depth() const { return depth_; }
    // To what it launches.
    NestedParent as_parent() const {
        const int below = tree_.graph_ && tree_.graph_->parent ? tree_.graph_->parent->depth : 0;
        return {base::kernel_name(kernel_.function->name), below + depth_ + 1};
    }

    NestedError admit(const exec::NestedKernel& asked) override {
        const auto found = device().modules().function(*asked.kernel);
        if (!found) return NestedError::invalid_device_function;
        Function& child = **found;
        // Whatever limit of the GPU it breaks, a kernel is told the same.
        if (const auto obstacle =
                launch_obstacle(device().gpu(), child.info(), child.settings, shape_of(asked)))
            return refuse(child, NestedError::invalid_configuration, obstacle->reason);
        return NestedError::none;
    }

    // Pending are the kernels that this one is nested in, and those in tail streams, which cannot begin
    // before it ends. Others may have ended by now: an H200 does a launch faster than a thread makes the
    // next.
    NestedError pend(const exec::NestedKernel& asked, bool tail) override {
        const bool first = asked.first_runtime || device().gpu().compute_capability() < 50;
        if (first && depth_ + 1 >= most_levels)
            return refuse(**device().modules().function(*asked.kernel),
                          NestedError::launch_max_depth_exceeded,
                          fmt::format("{} levels of grids are the most that CUDA 11's device runtime nests",
                                      most_levels));
        const auto most = device().limits().get(Limit::pending_launches);
        const std::uint64_t pending = tree_.tails_ + static_cast<std::uint64_t>(depth_);
        if (most && pending >= *most)
            return refuse(
                **device().modules().function(*asked.kernel), NestedError::launch_pending_count_exceeded,
                fmt::format(
                    "{} launches are pending, as many as cudaLimitDevRuntimePendingLaunchCount allows",
                    pending));
        if (tail) ++tree_.tails_;
        return NestedError::none;
    }

    std::optional<NestedError> pend(const exec::NestedGraph& asked) override {
        if (!tree_.graph_ || depth_ > 0) return NestedError::not_supported;
        return device().process().device_graphs().launch(asked, *tree_.graph_, as_parent());
    }
    std::optional<NestedError> change(std::uint64_t node, const exec::NodeChange& change) override {
        return device().process().device_graphs().change(node, change);
    }

    NestedError may_wait() override {
        const auto most = device().limits().get(Limit::sync_depth);
        return most && static_cast<std::uint64_t>(depth_) >= *most ? NestedError::sync_depth_exceeded
                                                                   : NestedError::none;
    }

    std::optional<Fault> run(std::vector<NestedWork> work) override {
        const std::lock_guard lock(mutex_);
        times_.waits = true;
        return run_now(std::move(work));
    }

    void leave(std::vector<NestedWork> work) override { left_ = std::move(work); }

    // All that is left, when the kernel itself has ended.
    std::optional<Fault> finish() {
        if (auto fault = run_now(std::move(left_))) return fault;
        for (NestedWork& one : tail_) {
            if (std::holds_alternative<exec::NestedKernel>(one.what)) --tree_.tails_;
            if (auto fault = run_one(one, times_.tail)) return fault;
        }
        return {};
    }

    NestedError attribute(std::int32_t& value, std::uint32_t attribute, std::int32_t number) override {
        return static_cast<NestedError>(api().attribute(&value, static_cast<int>(attribute), number));
    }
    NestedError limit(std::uint64_t& value, std::uint32_t limit) override {
        const auto found = device().limits().get(static_cast<Limit>(limit));
        if (found) value = *found;
        return static_cast<NestedError>(found.outcome.status);
    }
    std::vector<std::byte> function_attributes(const exec::Kernel& kernel) override {
        const auto found = device().modules().function(kernel);
        return found ? api().function_attributes(*found) : std::vector<std::byte>();
    }
    NestedError active_blocks(std::int32_t& blocks, const exec::Kernel& kernel, std::int32_t threads,
                              std::uint64_t shared) override {
        const auto found = device().modules().function(kernel);
        if (!found) return NestedError::invalid_device_function;
        return static_cast<NestedError>(api().active_blocks(&blocks, *found, threads, shared));
    }
    std::int32_t device_number() override { return device().number(); }
    std::int32_t device_count() override {
        return static_cast<std::int32_t>(device().process().device_count());
    }
    std::uint64_t error_text(std::uint32_t error, bool name) override {
        return device().text(name ? api().error_name(static_cast<int>(error))
                                  : api().error_string(static_cast<int>(error)));
    }

  private:
    Device& device() { return tree_.device_; }
    const DeviceApi& api() { return device().process().device_api(); }
    static LaunchShape shape_of(const exec::NestedKernel& asked) {
        return {{asked.grid[0], asked.grid[1], asked.grid[2]},
                {asked.block[0], asked.block[1], asked.block[2]},
                asked.dynamic_shared_bytes};
    }

    NestedError refuse(const Function& child, NestedError error, const std::string& reason) {
        const std::string text =
            fmt::format("kernel '{}' was not launched by kernel '{}': {} (error {} in the kernel)",
                        base::demangle(child.info().name), base::demangle(kernel_.function->info().name),
                        reason, static_cast<int>(error));
        device().process().report(text);
        const std::lock_guard lock(tree_.mutex_);
        tree_.refused_.emplace(child.name, text);
        return error;
    }

    std::optional<Fault> run_now(std::vector<NestedWork> work) {
        for (NestedWork& one : work)
            if (const auto* graph = std::get_if<exec::NestedGraph>(&one.what))
                tree_.graph_->launch(*graph);
            else if (one.stream == NestedStream::tail)
                tail_.push_back(std::move(one));
            else if (auto fault = run_one(one, times_.children))
                return fault;
        return {};
    }

    std::optional<Fault> run_one(const NestedWork& work, std::vector<timing::NestedOperation>& to) {
        timing::NestedOperation& operation = to.emplace_back();
        operation.stream = static_cast<std::uint64_t>(work.stream);
        operation.block = work.block;
        operation.thread = work.thread;
        if (const auto* one = std::get_if<exec::NestedCopy>(&work.what)) {
            operation.bytes = 2 * one->width * one->height;
            copy(*one);
        } else if (const auto* one = std::get_if<exec::NestedFill>(&work.what)) {
            operation.bytes = one->width * one->height;
            fill(*one);
        } else if (const auto* one = std::get_if<exec::NestedRecord>(&work.what)) {
            operation.records = one->event;
        } else if (const auto* one = std::get_if<exec::NestedWait>(&work.what)) {
            operation.waits_for = one->event;
        } else {
            const auto& asked = std::get<exec::NestedKernel>(work.what);
            const auto found = device().modules().function(*asked.kernel);
            if (!found) return Fault{exec::FaultKind::compile_error, found.outcome.reason};
            const LaunchShape shape = shape_of(asked);
            operation.kernel = std::make_unique<timing::NestedKernels>();
            KernelLaunch child{*found, shape, shape.threads(), asked.params};
            child.of_launchers = asked.of_launchers;
            return tree_.run(child, this, work.by, *operation.kernel);
        }
        return {};
    }

    LaunchTree& tree_;
    std::mutex mutex_;  // of blocks that wait one has its turn
    const KernelLaunch& kernel_;
    timing::NestedKernels& times_;
    const int depth_;
    std::vector<NestedWork> left_, tail_;
};

std::optional<Fault> LaunchTree::run(const KernelLaunch& root, std::optional<timing::Prediction>& prediction,
                                     timing::NestedKernels& times) {
    auto fault = run(root, nullptr, "", times);
    prediction = std::move(root_prediction_);
    for (const auto& [kernel, reason] : refused_)
        device_.process().keep_failure(kernel, report::FailureKind::refused, reason);
    return fault;
}

std::optional<Fault> LaunchTree::run(const KernelLaunch& kernel, const NestedLaunches* parent,
                                     const std::string& by, timing::NestedKernels& times) {
    NestedLaunches nested(*this, kernel, parent, times);
    times.name = base::kernel_name(kernel.function->name);
    std::optional<NestedParent> from;
    if (parent)
        from = parent->as_parent();
    else if (graph_)
        from = graph_->parent;
    std::optional<timing::Prediction> prediction;
    auto fault = run_(kernel, nested, from ? &*from : nullptr, prediction);
    if (prediction) times.work = timing::kernel_work(*prediction, kernel.shape.grid.count(), device_.gpu());
    if (!parent) root_prediction_ = std::move(prediction);
    if (fault && parent) {
        fault->message += fmt::format("; launched by kernel {}, {}", from->kernel, by);
        return fault;
    }
    return fault ? fault : nested.finish();
}

}  // namespace lockstep::session
