// Graphs: work as a program describes it, node by node or by recording a stream (capture.h), to be submitted
// as one command as often as it likes.
//
// A graph is what the program edits; an executable graph is a copy of one that changes only in its nodes'
// parameters; a plan is what a launch of it does, in an order that its edges allow, and never changes, so
// that a launch that was put off is not touched by an update.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "session/call-site.h"
#include "session/command.h"
#include "session/status.h"

namespace lockstep::session {

class Graph;
class Graphs;
class UpdatableNode;

// Addresses that are a node's as long as anybody knows the node; there is memory while its graph has run and
// nobody has freed it.
struct GraphMemory {
    GraphMemory(Device& device, std::uint64_t address, std::uint64_t size)
        : device(device), address(address), size(size) {}
    ~GraphMemory();
    GraphMemory(const GraphMemory&) = delete;
    GraphMemory& operator=(const GraphMemory&) = delete;
    Device& device;
    const std::uint64_t address, size;
};

// What a conditional node looks at: a word that kernels write (cudaGraphSetConditional). Its address is the
// handle.
struct Condition {
    ~Condition();
    Device* device = nullptr;
    std::uint64_t address = 0;
    std::uint32_t first = 0;  // at each launch, if `resets`
    bool resets = false;
    bool used = false;  // by a node
};

struct EmptyNode {};
struct ChildNode {
    std::shared_ptr<Graph> graph;
};
struct AllocationNode {
    std::shared_ptr<GraphMemory> memory;
};
struct ConditionalNode {
    std::shared_ptr<Condition> condition;
    ConditionalKind kind{};
    std::vector<std::shared_ptr<Graph>> bodies;
};
using NodeWork = std::variant<KernelLaunch, Copy, Fill, HostFunction, ChildNode, EmptyNode, EventWait,
                              EventRecord, AllocationNode, Free, ConditionalNode>;

// As cudaGraphNodeType numbers them.
int type_of(const NodeWork& work);
const char* name_of(const NodeWork& work);

// How an edge leaves a node and arrives at the next, as cudaGraphEdgeData has it. A launch does a node when
// those before it are done, which is one of the orders that every kind of edge allows.
struct EdgeKind {
    std::uint8_t from_port = 0, to_port = 0, type = 0;
    bool operator==(const EdgeKind&) const = default;
    bool plain() const { return *this == EdgeKind{}; }
};
// From where a kernel says that the next may begin, and from where its last block has begun.
// The last is what an event of the kernel's launch gives, which is no programmatic dependency.
inline constexpr EdgeKind programmatic_edge{1, 0, 1}, block_start_edge{2, 0, 1}, launch_edge{2, 0, 0};

struct GraphNode {
    Graph* graph = nullptr;
    Device* device = nullptr;
    NodeWork work;
    std::vector<GraphNode*> after, before;             // what it waits for, and what waits for it
    std::map<const GraphNode*, EdgeKind> kinds_after;  // of edges that are not plain
    bool enabled = true;                               // in an executable graph
    // What was set for a kernel and changes nothing here, by cudaLaunchAttributeID.
    std::map<int, std::array<std::byte, 64>> attributes{};
    std::shared_ptr<UpdatableNode> changes{};  // by kernels; null: they cannot
    const GraphNode* copy_of = nullptr;
    CallSite made{};  // the call that added it, where bugs are looked for
    void set_priority(int priority);
    // For who asks for its parameters: pointers into those of a kernel, into its bodies' handles.
    std::vector<void*> told{};

    template <class Kind>
    const Kind* as() const {
        return std::get_if<Kind>(&work);
    }
};

// An object of the program's that graphs keep alive.
struct UserObject {
    void (*destroy)(void*) = nullptr;
    void* data = nullptr;
    std::uint64_t references = 0;
};

class Graph : public std::enable_shared_from_this<Graph> {
  public:
    explicit Graph(Graphs& all);
    ~Graph();
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    GraphNode& add(Device& device, NodeWork work, const std::vector<GraphNode*>& after);
    void remove(GraphNode& node);
    bool has_edge(const GraphNode& from, const GraphNode& to) const;
    void connect(GraphNode& from, GraphNode& to, EdgeKind kind = {});
    void disconnect(GraphNode& from, GraphNode& to);
    static EdgeKind kind_of(const GraphNode& from, const GraphNode& to);

    // In the order in which they were added.
    const std::vector<std::unique_ptr<GraphNode>>& nodes() const { return nodes_; }
    // So that nodes come after those that they wait for, else in the order of nodes(). Fewer than those: the
    // others wait for each other in a circle.
    std::vector<GraphNode*> ordered() const;
    bool contains_memory() const;  // nodes that allocate or free, in graphs inside of it, too
    bool is_changeable() const;    // … that kernels may change

    using Copies = std::map<const GraphNode*, GraphNode*>;
    std::shared_ptr<Graph> clone(Copies* copies = nullptr) const;

    Graphs& all() const { return all_; }
    GraphNode* inside_of = nullptr;  // the node whose child or body it is
    std::map<UserObject*, std::uint64_t> objects;
    std::vector<std::shared_ptr<Condition>> conditions;
    std::weak_ptr<const void> only_user;  // the executable graph, where there can be one

  private:
    Graphs& all_;
    std::vector<std::unique_ptr<GraphNode>> nodes_;
};

// What a launch does.
struct GraphPlan {
    struct Conditional {
        std::shared_ptr<Condition> condition;
        ConditionalKind kind{};
        std::vector<std::shared_ptr<const GraphPlan>> bodies;
    };
    struct Step {
        std::variant<std::monostate, Command, Conditional> what;  // nothing: where others meet
        std::vector<std::uint32_t> after;                         // earlier steps
        std::shared_ptr<UpdatableNode> changes{};                 // null: kernels cannot change it
        CallSite made{};                                          // GraphNode::made
    };
    std::vector<Step> steps;
    std::vector<std::uint32_t> last;  // steps that none waits for
    std::vector<std::shared_ptr<Condition>> conditions;
    bool calls_host = false;
    std::uint64_t for_device = 0;  // the executable graph's handle, if kernels may launch it
    std::vector<EventId> records, waits_for;
    std::vector<std::shared_ptr<Event>> recorded_events;
    std::vector<std::shared_ptr<GraphMemory>> memory;  // that it allocates
    std::vector<std::uint64_t> frees;
};

struct GraphExec {
    std::shared_ptr<Graph> graph;  // its own
    Graph::Copies copies;          // nodes of the graph that it was made from, and in it
    unsigned long long flags = 0;
    std::shared_ptr<const GraphPlan> plan;
    // Its nodes have changed.
    void make_plan();
    std::uint64_t handle() const { return reinterpret_cast<std::uint64_t>(this); }
    bool for_device() const { return (flags & 4) != 0; }  // cudaGraphInstantiateFlagDeviceLaunch
};

// Why an executable graph could not be changed to another graph's parameters, as cudaGraphExecUpdateResult.
struct GraphUpdate {
    int result = 0;
    GraphNode* node = nullptr;  // of the other graph
    std::string reason{};
};

// All graphs of a process. Its mutex guards all of them: CUDA lets a program use one graph from one thread.
class Graphs {
  public:
    std::recursive_mutex mutex;

    std::shared_ptr<Graph> create() { return std::make_shared<Graph>(*this); }
    // Null: there is no such graph, or node, or it was destroyed.
    Graph* find(const void* graph) const { return graphs_.contains(graph) ? (Graph*)graph : nullptr; }
    GraphNode* find_node(const void* node) const {
        return nodes_.contains(node) ? (GraphNode*)node : nullptr;
    }

    // The program has destroyed it; what it made of the graph may hold on to it, and its nodes are known
    // there.
    void forget(const Graph& graph) { graphs_.erase(&graph); }

    std::map<const void*, std::shared_ptr<Graph>> owned;  // by the program
    std::map<const void*, std::shared_ptr<GraphExec>> executable;
    std::map<const void*, std::unique_ptr<UserObject>> objects;
    std::map<std::uint64_t, std::weak_ptr<Condition>> conditions;  // by handle

    // What graphs have taken of each device's memory, and at most (cudaDeviceGetGraphMemAttribute).
    struct Memory {
        std::uint64_t used = 0, most_used = 0, kept = 0, most_kept = 0;
    };
    std::map<const Device*, Memory> memory;
    void took(const GraphMemory& taken);
    void freed(std::uint64_t address);  // of whatever memory
    // The allocation of a graph's node that begins there, whether it has memory or not.
    GraphMemory* allocation(std::uint64_t address);

    void release(UserObject& object, std::uint64_t count);

  private:
    friend class Graph;
    friend struct GraphMemory;
    std::set<const void*> graphs_, nodes_;
    std::map<std::uint64_t, GraphMemory*> allocations_;
};

// What keeps a graph from being instantiated, as cudaGraphInstantiateParams tells it.
struct InstantiateProblem {
    int result = 0;
    const GraphNode* node = nullptr;
};
// A copy of `graph` that can be launched, or why there is none.
Found<std::shared_ptr<GraphExec>> instantiate(const std::shared_ptr<Graph>& graph, unsigned long long flags,
                                              InstantiateProblem& problem);
GraphUpdate update(GraphExec& exec, const Graph& with);

}  // namespace lockstep::session
