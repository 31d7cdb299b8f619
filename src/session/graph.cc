#include "session/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "session/checker.h"
#include "session/device-graphs.h"
#include "session/device.h"

namespace lockstep::session {
namespace {

template <class... Cases>
struct Match : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
Match(Cases...) -> Match<Cases...>;

constexpr struct {
    int type;
    const char* name;
} node_types[] = {{0, "kernel"},      {1, "memcpy"},    {2, "memset"},      {3, "host"},
                  {4, "child graph"}, {5, "empty"},     {6, "event wait"},  {7, "event record"},
                  {10, "mem alloc"},  {11, "mem free"}, {13, "conditional"}};
static_assert(std::size(node_types) == std::variant_size_v<NodeWork>, "a row for each kind of node");

void erase_one(std::vector<GraphNode*>& nodes, const GraphNode* node) {
    const auto it = std::find(nodes.begin(), nodes.end(), node);
    if (it != nodes.end()) nodes.erase(it);
}

}  // namespace

int type_of(const NodeWork& work) { return node_types[work.index()].type; }
const char* name_of(const NodeWork& work) { return node_types[work.index()].name; }

GraphMemory::~GraphMemory() {
    Graphs& graphs = device.process().graphs();
    const std::lock_guard lock(graphs.mutex);
    graphs.allocations_.erase(address);
    device.memory().give_back_addresses(address);
}

Condition::~Condition() {
    if (address != 0) device->memory().release(address);
}

Graph::Graph(Graphs& all) : all_(all) { all_.graphs_.insert(this); }

Graph::~Graph() {
    for (const auto& node : nodes_) all_.nodes_.erase(node.get());
    all_.graphs_.erase(this);
    for (const auto& [object, count] : objects) all_.release(*object, count);
}

GraphNode& Graph::add(Device& device, NodeWork work, const std::vector<GraphNode*>& after) {
    GraphNode& node = *nodes_.emplace_back(std::make_unique<GraphNode>());
    node.graph = this;
    node.device = &device;
    node.work = std::move(work);
    if (Checker* const checker = device.process().checker()) node.made = checker->host().site();
    all_.nodes_.insert(&node);
    for (GraphNode* const one : after)
        if (!has_edge(*one, node)) connect(*one, node);
    if (auto* child = std::get_if<ChildNode>(&node.work)) child->graph->inside_of = &node;
    if (auto* conditional = std::get_if<ConditionalNode>(&node.work))
        for (const auto& body : conditional->bodies) body->inside_of = &node;
    if (const auto* allocation = node.as<AllocationNode>())
        all_.allocations_[allocation->memory->address] = allocation->memory.get();
    return node;
}

void GraphNode::set_priority(int priority) {
    constexpr int priority_attribute = 8;  // cudaLaunchAttributePriority
    std::memcpy(attributes[priority_attribute].data(), &priority, sizeof priority);
}

void Graph::remove(GraphNode& node) {
    for (GraphNode* const one : node.after) erase_one(one->before, &node);
    for (GraphNode* const one : node.before) {
        erase_one(one->after, &node);
        one->kinds_after.erase(&node);
    }
    all_.nodes_.erase(&node);
    std::erase_if(nodes_, [&](const auto& one) { return one.get() == &node; });
}

bool Graph::has_edge(const GraphNode& from, const GraphNode& to) const {
    return std::find(to.after.begin(), to.after.end(), &from) != to.after.end();
}

EdgeKind Graph::kind_of(const GraphNode& from, const GraphNode& to) {
    const auto kind = to.kinds_after.find(&from);
    return kind == to.kinds_after.end() ? EdgeKind{} : kind->second;
}

void Graph::connect(GraphNode& from, GraphNode& to, EdgeKind kind) {
    if (!kind.plain()) to.kinds_after[&from] = kind;
    to.after.push_back(&from);
    from.before.push_back(&to);
}

void Graph::disconnect(GraphNode& from, GraphNode& to) {
    to.kinds_after.erase(&from);
    erase_one(to.after, &from);
    erase_one(from.before, &to);
}

std::vector<GraphNode*> Graph::ordered() const {
    std::map<const GraphNode*, std::size_t> place;
    for (std::size_t i = 0; i < nodes_.size(); ++i) place[nodes_[i].get()] = i;
    std::vector<std::size_t> waits(nodes_.size());
    std::set<std::size_t> ready;
    for (std::size_t i = 0; i < nodes_.size(); ++i)
        if ((waits[i] = nodes_[i]->after.size()) == 0) ready.insert(i);
    std::vector<GraphNode*> order;
    while (!ready.empty()) {
        const std::size_t first = *ready.begin();
        ready.erase(ready.begin());
        order.push_back(nodes_[first].get());
        for (const GraphNode* const next : nodes_[first]->before)
            if (--waits[place.at(next)] == 0) ready.insert(place.at(next));
    }
    return order;
}

bool Graph::contains_memory() const {
    return std::any_of(nodes_.begin(), nodes_.end(), [](const auto& node) {
        if (const auto* child = node->template as<ChildNode>()) return child->graph->contains_memory();
        return node->template as<AllocationNode>() || node->template as<Free>();
    });
}

bool Graph::is_changeable() const {
    return std::any_of(nodes_.begin(), nodes_.end(), [](const auto& node) {
        const auto* child = node->template as<ChildNode>();
        return child ? child->graph->is_changeable() : node->changes != nullptr;
    });
}

std::shared_ptr<Graph> Graph::clone(Copies* copies) const {
    Copies own;
    Copies& made = copies ? *copies : own;
    auto copy = all_.create();
    for (const auto& node : nodes_) {
        NodeWork work = node->work;
        if (auto* child = std::get_if<ChildNode>(&work)) child->graph = child->graph->clone(&made);
        if (auto* conditional = std::get_if<ConditionalNode>(&work))
            for (auto& body : conditional->bodies) body = body->clone(&made);
        GraphNode& twin = copy->add(*node->device, std::move(work), {});
        twin.copy_of = node.get();
        twin.enabled = node->enabled;
        twin.made = node->made;
        twin.attributes = node->attributes;
        twin.changes = node->changes;
        made[node.get()] = &twin;
    }
    for (const auto& node : nodes_)
        for (const GraphNode* const before : node->after)
            copy->connect(*made.at(before), *made.at(node.get()), kind_of(*before, *node));
    copy->conditions = conditions;
    copy->objects = objects;
    for (const auto& [object, count] : objects) object->references += count;
    return copy;
}

namespace {

struct Planner {
    GraphPlan& plan;

    std::uint32_t step(GraphPlan::Step step) {
        plan.steps.push_back(std::move(step));
        return static_cast<std::uint32_t>(plan.steps.size() - 1);
    }

    // The steps after which `graph` is done.
    std::vector<std::uint32_t> add(const Graph& graph, const std::vector<std::uint32_t>& entry) {
        plan.conditions.insert(plan.conditions.end(), graph.conditions.begin(), graph.conditions.end());
        std::map<const GraphNode*, std::vector<std::uint32_t>> ends;
        std::vector<std::uint32_t> last;
        for (const GraphNode* const node : graph.ordered()) {
            std::vector<std::uint32_t> after;
            for (const GraphNode* const one : node->after)
                after.insert(after.end(), ends.at(one).begin(), ends.at(one).end());
            if (node->after.empty()) after = entry;
            ends[node] = add(*node, after);
            if (node->before.empty()) last.insert(last.end(), ends[node].begin(), ends[node].end());
        }
        return graph.nodes().empty() ? entry : last;
    }

    std::vector<std::uint32_t> add(const GraphNode& node, const std::vector<std::uint32_t>& after) {
        const auto command = [&](auto work) {
            return std::vector{
                step({Command{node.device, 0, std::move(work)}, after, node.changes, node.made})};
        };
        if (!node.enabled) return {step({{}, after})};
        return std::visit(Match{[&](const EmptyNode&) { return std::vector{step({{}, after})}; },
                                // Where several end, they meet: who waits for the child waits for one step.
                                [&](const ChildNode& child) {
                                    return std::vector{step({{}, add(*child.graph, {step({{}, after})})})};
                                },
                                [&](const ConditionalNode& conditional) {
                                    GraphPlan::Conditional what{conditional.condition, conditional.kind, {}};
                                    for (const auto& body : conditional.bodies) {
                                        auto inner = std::make_shared<GraphPlan>();
                                        Planner planner{*inner};
                                        inner->last = planner.add(*body, {});
                                        plan.calls_host |= inner->calls_host;
                                        what.bodies.push_back(std::move(inner));
                                    }
                                    return std::vector{step({std::move(what), after})};
                                },
                                [&](const AllocationNode& allocation) {
                                    plan.memory.push_back(allocation.memory);
                                    return command(Allocate{allocation.memory});
                                },
                                [&](const Free& free) {
                                    plan.frees.push_back(free.address);
                                    return command(free);
                                },
                                [&](const HostFunction& function) {
                                    plan.calls_host = true;
                                    return command(function);
                                },
                                [&](const EventRecord& record) {
                                    plan.records.push_back(record.event->id);
                                    plan.recorded_events.push_back(record.event);
                                    return command(record);
                                },
                                [&](const EventWait& wait) {
                                    plan.waits_for.push_back(wait.event->id);
                                    return command(wait);
                                },
                                [&](const auto& work) { return command(work); }},
                          node.work);
    }
};

}  // namespace

void GraphExec::make_plan() {
    auto made = std::make_shared<GraphPlan>();
    Planner planner{*made};
    made->last = planner.add(*graph, {});
    for (const GraphPlan::Step& step : made->steps)
        if (step.changes) step.changes->forget();
    if (for_device()) made->for_device = handle();
    plan = std::move(made);
}

void Graphs::took(const GraphMemory& taken) {
    const std::lock_guard lock(mutex);
    Memory& counts = memory[&taken.device];
    counts.used += taken.size;
    counts.most_used = std::max(counts.most_used, counts.used);
    counts.kept = std::max(counts.kept, counts.used);
    counts.most_kept = std::max(counts.most_kept, counts.kept);
}

void Graphs::freed(std::uint64_t address) {
    const std::lock_guard lock(mutex);
    if (const GraphMemory* const gone = allocation(address)) memory[&gone->device].used -= gone->size;
}

GraphMemory* Graphs::allocation(std::uint64_t address) {
    const std::lock_guard lock(mutex);
    const auto it = allocations_.find(address);
    return it == allocations_.end() ? nullptr : it->second;
}

void Graphs::release(UserObject& object, std::uint64_t count) {
    object.references -= std::min(object.references, count);
    if (object.references != 0) return;
    const auto it = objects.find(&object);
    const std::unique_ptr<UserObject> gone = std::move(it->second);
    objects.erase(it);
    gone->destroy(gone->data);
}

namespace {

// Graphs inside of it have circles of their own.
const GraphNode* in_a_circle(const Graph& graph) {
    const std::vector<GraphNode*> order = graph.ordered();
    if (order.size() != graph.nodes().size())
        for (const auto& node : graph.nodes())
            if (std::find(order.begin(), order.end(), node.get()) == order.end()) return node.get();
    for (const auto& node : graph.nodes())
        if (const auto* child = node->as<ChildNode>())
            if (const GraphNode* const inner = in_a_circle(*child->graph)) return inner;
    return nullptr;
}

// Bodies of conditional nodes run without the host.
const GraphNode* not_in_a_body(const Graph& graph, bool body) {
    for (const auto& node : graph.nodes()) {
        if (body && (node->as<HostFunction>() || node->as<EventRecord>() || node->as<EventWait>() ||
                     node->as<AllocationNode>() || node->as<Free>()))
            return node.get();
        if (const auto* child = node->as<ChildNode>())
            if (const GraphNode* const bad = not_in_a_body(*child->graph, body)) return bad;
        if (const auto* conditional = node->as<ConditionalNode>())
            for (const auto& one : conditional->bodies)
                if (const GraphNode* const bad = not_in_a_body(*one, true)) return bad;
    }
    return nullptr;
}

// A graph that kernels launch runs without the host, on one device.
const GraphNode* not_for_device(const Graph& graph) {
    for (const auto& node : graph.nodes()) {
        if (const auto* child = node->as<ChildNode>()) {
            if (const GraphNode* const bad = not_for_device(*child->graph)) return bad;
        } else if (const auto* copy = node->as<Copy>()) {
            const Transfer& transfer = copy->transfer;
            if (transfer.pageable || transfer.to.image || transfer.from.image) return node.get();
        } else if (const auto* kernel = node->as<KernelLaunch>()) {
            if (kernel->function->info().launches_kernels) return node.get();
        } else if (!node->as<Fill>()) {
            return node.get();
        }
    }
    return nullptr;
}

void devices_of(const Graph& graph, std::set<const Device*>& devices) {
    for (const auto& node : graph.nodes()) {
        devices.insert(node->device);
        if (const auto* child = node->as<ChildNode>()) devices_of(*child->graph, devices);
    }
}

// cudaGraphInstantiateResult
enum Problem { error = 1, structure = 2, node_not_supported = 3, several_devices = 4, handle_unused = 5 };

Outcome refuse(InstantiateProblem& problem, Problem result, const GraphNode* node, std::string reason,
               Status status = Status::invalid_value) {
    problem = {result, node};
    return {status, std::move(reason)};
}

Outcome check_for_device(const Graph& graph, unsigned long long flags, InstantiateProblem& problem) {
    if (flags & 1)  // cudaGraphInstantiateFlagAutoFreeOnLaunch
        return refuse(problem, error, nullptr,
                      "a graph that kernels launch allocates no memory that could be freed");
    if (graph.nodes().empty())
        return refuse(problem, error, nullptr, "a graph that kernels launch cannot be empty");
    if (const GraphNode* const node = not_for_device(graph))
        return refuse(
            problem, node_not_supported, node,
            fmt::format("a graph that kernels launch cannot have this node: {}{}", name_of(node->work),
                        node->as<Copy>()           ? " of an array or of memory that is not pinned"
                        : node->as<KernelLaunch>() ? " that launches kernels"
                                                   : ""));
    std::set<const Device*> devices;
    devices_of(graph, devices);
    if (devices.size() > 1)
        return refuse(problem, several_devices, nullptr,
                      "a graph that kernels launch has nodes of several devices");
    return {};
}

}  // namespace

Found<std::shared_ptr<GraphExec>> instantiate(const std::shared_ptr<Graph>& graph, unsigned long long flags,
                                              InstantiateProblem& problem) {
    if (const GraphNode* const node = in_a_circle(*graph))
        return refuse(problem, structure, node,
                      fmt::format("the graph's nodes wait for each other in a circle; one of them: {}",
                                  name_of(node->work)));
    for (const auto& condition : graph->conditions)
        if (!condition->used)
            return refuse(problem, handle_unused, nullptr, "a conditional handle of the graph has no node");
    if (const GraphNode* const node = not_in_a_body(*graph, false))
        return refuse(problem, structure, node,
                      fmt::format("a body of a conditional node cannot have this: {}", name_of(node->work)));
    constexpr unsigned long long device_launch = 4;  // cudaGraphInstantiateFlagDeviceLaunch
    if (flags & device_launch)
        if (Outcome bad = check_for_device(*graph, flags, problem); !bad) return bad;
    // Memory, and nodes that kernels change, are there once.
    const bool memory = graph->contains_memory(), changeable = graph->is_changeable();
    if ((memory || changeable) && !graph->only_user.expired())
        return refuse(problem, structure, nullptr,
                      fmt::format("the graph has nodes that {}, and an executable graph already",
                                  memory ? "allocate or free memory" : "kernels may change"),
                      Status::not_supported);
    auto exec = std::make_shared<GraphExec>();
    exec->graph = graph->clone(&exec->copies);
    exec->flags = flags;
    exec->make_plan();
    if (memory || changeable) graph->only_user = exec;
    return exec;
}

namespace {

// Of the other graph's node: what keeps its parameters from being the executable node's.
GraphUpdate check_update(const GraphNode& now, GraphNode& then) {
    if (now.work.index() != then.work.index())
        return {3, &then,
                fmt::format("a {} node has become a {} node", name_of(now.work), name_of(then.work))};
    if (const auto* fill = then.as<Fill>()) {
        const Fill& old = *now.as<Fill>();
        if ((old.size.height > 1) != (fill->size.height > 1))
            return {5, &then, "a memset of one row and one of several are different nodes"};
    }
    if (const auto* copy = then.as<Copy>()) {
        const Transfer &old = now.as<Copy>()->transfer, &other = copy->transfer;
        if (old.route != other.route) return {5, &then, "the memory of a memcpy node is of another kind"};
    }
    if (const auto* allocation = then.as<AllocationNode>();
        allocation && allocation->memory->address != now.as<AllocationNode>()->memory->address)
        return {6, &then, "a node that allocates memory cannot be changed"};
    if (const auto* free = then.as<Free>(); free && free->address != now.as<Free>()->address)
        return {6, &then, "a node that frees memory cannot be changed"};
    return {};
}

// Nodes of both graphs stand in the order in which they were added.
GraphUpdate compare(const Graph& now, const Graph& then) {
    if (now.nodes().size() != then.nodes().size())
        return {2, nullptr,
                fmt::format("the graph has {} nodes, the executable graph {}", then.nodes().size(),
                            now.nodes().size())};
    std::map<const GraphNode*, std::size_t> place;
    for (std::size_t i = 0; i < now.nodes().size(); ++i)
        place[now.nodes()[i].get()] = place[then.nodes()[i].get()] = i;
    const auto waits = [&](const GraphNode& node) {
        std::set<std::size_t> all;
        for (const GraphNode* const one : node.after) all.insert(place.at(one));
        return all;
    };
    for (std::size_t i = 0; i < now.nodes().size(); ++i) {
        const GraphNode& old = *now.nodes()[i];
        GraphNode& other = *then.nodes()[i];
        if (waits(old) != waits(other))
            return {2, &other, fmt::format("node {} ({}) waits for others", i, name_of(other.work))};
        if (GraphUpdate bad = check_update(old, other); bad.result) return bad;
        if (const auto* child = other.as<ChildNode>())
            if (GraphUpdate bad = compare(*old.as<ChildNode>()->graph, *child->graph); bad.result) return bad;
    }
    return {};
}

void take_over(Graph& now, const Graph& then) {
    for (std::size_t i = 0; i < now.nodes().size(); ++i) {
        GraphNode& node = *now.nodes()[i];
        const GraphNode& other = *then.nodes()[i];
        if (const auto* child = other.as<ChildNode>())
            take_over(*std::get<ChildNode>(node.work).graph, *child->graph);
        else if (!other.as<ConditionalNode>())
            node.work = other.work;
    }
}

}  // namespace

GraphUpdate update(GraphExec& exec, const Graph& with) {
    GraphUpdate result = compare(*exec.graph, with);
    if (result.result == 0) {
        take_over(*exec.graph, with);
        exec.make_plan();
    }
    return result;
}

}  // namespace lockstep::session
