#include "session/graph-run.h"

#include <fmt/format.h>

#include <cstring>
#include <iterator>
#include <utility>

#include "session/checker.h"
#include "session/device-graphs.h"
#include "session/device.h"
#include "session/execute.h"
#include "session/graph.h"

namespace lockstep::session {
namespace {

using Indices = std::vector<std::uint32_t>;

// A graph that runs, among those that kernels have launched meanwhile.
struct Environment : GraphEnvironment {
    Environment* above = nullptr;  // whose kernel has fired it; null: the host launched it
    Indices fired_ends;            // of what its kernels have fired
    std::vector<LaunchedGraph> in_tail;
};

struct Run {
    Done& all;
    HostChecks* checks = nullptr;  // null: nobody looks for bugs
    Environment* current = nullptr;

    std::uint32_t add(const Command* command, std::shared_ptr<const Done> done, Indices after,
                      const CallSite& made = {}) {
        if (checks) checks->graph_step(command, made, after);
        all.steps.push_back({command, std::move(done), std::move(after),
                             current->parent ? current->parent->kernel : std::string()});
        return static_cast<std::uint32_t>(all.steps.size() - 1);
    }

    // A graph with all that its kernels launch. The tail of a graph of the tail comes before the rest of it.
    Indices run(LaunchedGraph first, bool by_host, Indices after) {
        std::vector<LaunchedGraph> left;
        left.push_back(std::move(first));
        while (!left.empty() && all.complete) {
            LaunchedGraph next = std::move(left.back());
            left.pop_back();
            Environment own;
            own.graph = next.graph;
            own.claim = std::move(next.claim);
            if (!by_host) own.parent = std::move(next.parent);
            own.above = current;
            Environment* const above = std::exchange(current, &own);
            all.keeps.push_back(next.plan);
            reset_conditions(*next.plan);
            after = run(*next.plan, after);
            after.insert(after.end(), own.fired_ends.begin(), own.fired_ends.end());
            current = above;
            std::move(own.in_tail.rbegin(), own.in_tail.rend(), std::back_inserter(left));
            by_host = false;
        }
        return after;
    }

    static void reset_conditions(const GraphPlan& plan) {
        for (const auto& condition : plan.conditions)
            if (condition->resets)
                std::memcpy(reinterpret_cast<void*>(condition->address), &condition->first,
                            sizeof condition->first);
    }

    // What a kernel of the graph that runs has launched.
    void run_launched(std::uint32_t kernel) {
        for (LaunchedGraph& one : std::exchange(current->launched, {})) {
            if (one.stream == exec::GraphStream::tail) {
                current->in_tail.push_back(std::move(one));
                continue;
            }
            Environment& whose =
                one.stream == exec::GraphStream::sibling && current->above ? *current->above : *current;
            const Indices ends = run(std::move(one), false, {kernel});
            whose.fired_ends.insert(whose.fired_ends.end(), ends.begin(), ends.end());
        }
    }

    // The steps after which it is done.
    Indices run(const GraphPlan& plan, const Indices& entry) {
        Indices ends(plan.steps.size());
        for (std::size_t i = 0; i < plan.steps.size() && all.complete; ++i) {
            Indices after;
            for (const std::uint32_t other : plan.steps[i].after) after.push_back(ends[other]);
            if (after.empty()) after = entry;
            ends[i] = run(plan.steps[i], std::move(after));
        }
        if (plan.steps.empty()) return entry;
        Indices last;
        for (const std::uint32_t step : plan.last) last.push_back(ends[step]);
        return last;
    }

    std::uint32_t run(const GraphPlan::Step& step, Indices after) {
        if (const auto* command = std::get_if<Command>(&step.what)) {
            if (!step.changes) return run(*command, std::move(after), step.made);
            auto changed = step.changes->changed(*command->as<KernelLaunch>());
            if (!changed) return add(nullptr, nullptr, std::move(after));
            auto own = std::make_shared<Command>(*command);
            own->work = std::move(*changed);
            all.keeps.push_back(own);
            return run(*own, std::move(after), step.made);
        }
        if (const auto* conditional = std::get_if<GraphPlan::Conditional>(&step.what))
            after = run(*conditional, std::move(after));
        return add(nullptr, nullptr, std::move(after));
    }

    // What was right when the node was made may be wrong now: its memory may have been freed.
    static Outcome check(const Command& command) {
        const exec::AddressMap& memory = command.device->process().addresses();
        if (const auto* copy = command.as<Copy>()) {
            const Transfer& t = copy->transfer;
            return check_copy(memory, t.to, t.from, t.size, Direction::by_address).outcome;
        }
        if (const auto* fill = command.as<Fill>())
            return check_fill(memory, fill->to, fill->size, fill->value_bytes);
        return {};
    }

    std::uint32_t run(const Command& command, Indices after, const CallSite& made) {
        Device& device = *command.device;
        if (const Outcome bad = check(command); !bad && !device.errors().faulted()) {
            device.process().report(fmt::format("a node of a graph: {}", bad.reason));
            device.errors().fault(Status::illegal_address);
        }
        Done done = execute(command, current);
        for (const LaunchedGraph& one : current->launched)
            ++(one.stream == exec::GraphStream::tail ? done.graphs_in_tail : done.graphs_fired);
        all.complete &= done.complete && !device.errors().faulted();
        if (!done.outcome) {
            all.outcome = done.outcome;
            all.complete = false;
        }
        const std::uint32_t step =
            add(&command, std::make_shared<const Done>(std::move(done)), std::move(after), made);
        if (all.complete) run_launched(step);
        return step;
    }

    static std::uint32_t value_of(const Condition& condition) {
        std::uint32_t value = 0;
        std::memcpy(&value, reinterpret_cast<const void*>(condition.address), sizeof value);
        return value;
    }

    Indices run(const GraphPlan::Conditional& conditional, Indices after) {
        const auto body = [&](std::size_t number) {
            if (number < conditional.bodies.size()) after = run(*conditional.bodies[number], after);
        };
        switch (conditional.kind) {
            case ConditionalKind::if_: body(value_of(*conditional.condition) ? 0 : 1); break;
            case ConditionalKind::switch_: body(value_of(*conditional.condition)); break;
            case ConditionalKind::while_:
                while (all.complete && value_of(*conditional.condition)) body(0);
        }
        return after;
    }
};

}  // namespace

Done run_graph(Device& device, const std::shared_ptr<const GraphPlan>& plan) {
    Done all;
    if (device.errors().faulted()) {
        all.complete = false;
        return all;
    }
    Checker* const checker = device.process().checker();
    if (checker) checker->host().begin_graph();
    DeviceGraphs& graphs = device.process().device_graphs();
    Run{all, checker ? &checker->host() : nullptr}.run(
        {plan->for_device, {}, plan, graphs.begin(plan->for_device), {}}, true, {});
    return all;
}

}  // namespace lockstep::session
