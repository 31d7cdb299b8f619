#include "kernel/loops.h"

#include <algorithm>
#include <functional>

#include "kernel/graph.h"

namespace lockstep::kernel {
namespace {

void set_predecessors(Function& function) {
    for (Block& block : function.blocks) block.predecessors.clear();
    for (BlockId b = 0; b < function.blocks.size(); ++b)
        for (BlockId s : successors(function.blocks[b])) function.blocks[s].predecessors.push_back(b);
}

// Renumbers: order[i] is the old number of the block that becomes i. Blocks that are not in `order`
// disappear.
void renumber(Function& function, const std::vector<BlockId>& order) {
    std::vector<BlockId> number(function.blocks.size(), no_block);
    for (BlockId i = 0; i < order.size(); ++i) number[order[i]] = i;
    std::vector<Block> blocks;
    for (BlockId old : order) {
        blocks.push_back(std::move(function.blocks[old]));
        for (BlockId& target : blocks.back().terminator.targets) target = number[target];
    }
    function.blocks = std::move(blocks);
    for (Loop& loop : function.loops) {
        std::vector<bool> contains(order.size());
        for (BlockId i = 0; i < order.size(); ++i)
            contains[i] = order[i] < loop.contains.size() && loop.contains[order[i]];
        loop.contains = std::move(contains);
        loop.header = number[loop.header];
    }
    set_predecessors(function);
}

void drop_unreachable(Function& function) {
    std::vector<bool> seen = reachable_until(function, 0, no_block);
    std::vector<BlockId> order;
    for (BlockId b = 0; b < function.blocks.size(); ++b)
        if (seen[b]) order.push_back(b);
    renumber(function, order);
}

void find_loops(Function& function) {
    function.loops.clear();
    std::vector<BlockId> idom = dominators(function);
    auto count = static_cast<BlockId>(function.blocks.size());
    for (BlockId header = 0; header < count; ++header) {
        std::vector<BlockId> work;
        for (BlockId p : function.blocks[header].predecessors)
            if (dominates(idom, header, p)) work.push_back(p);
        if (work.empty()) continue;
        Loop loop;
        loop.header = header;
        loop.contains.assign(count, false);
        loop.contains[header] = true;
        while (!work.empty()) {
            BlockId b = work.back();
            work.pop_back();
            if (loop.contains[b]) continue;
            loop.contains[b] = true;
            for (BlockId p : function.blocks[b].predecessors) work.push_back(p);
        }
        function.loops.push_back(std::move(loop));
    }
    auto size_of = [&](const Loop& loop) {
        return std::count(loop.contains.begin(), loop.contains.end(), true);
    };
    std::stable_sort(function.loops.begin(), function.loops.end(),
                     [&](const Loop& a, const Loop& b) { return size_of(a) > size_of(b); });
    for (Block& block : function.blocks) block.loop = -1;
    for (int l = 0; l < static_cast<int>(function.loops.size()); ++l) {
        Loop& loop = function.loops[l];
        loop.parent = function.blocks[loop.header].loop;
        for (BlockId b = 0; b < count; ++b)
            if (loop.contains[b]) function.blocks[b].loop = l;  // larger loops come first: the innermost wins
    }
}

// All back edges of a loop go through one block, so that the lanes of an iteration meet before the next.
void add_latches(Function& function) {
    bool added = false;
    for (const Loop& loop : std::vector<Loop>(function.loops)) {
        std::vector<BlockId> sources;
        for (BlockId p : function.blocks[loop.header].predecessors)
            if (loop.contains[p]) sources.push_back(p);
        std::sort(sources.begin(), sources.end());
        sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
        if (sources.size() == 1) continue;
        auto latch = static_cast<BlockId>(function.blocks.size());
        for (BlockId s : sources)
            for (BlockId& target : function.blocks[s].terminator.targets)
                if (target == loop.header) target = latch;
        Block block;
        block.is_latch = true;
        block.terminator.kind = Terminator::Kind::jump;
        block.terminator.targets = {loop.header};
        function.blocks.push_back(std::move(block));
        added = true;
    }
    if (!added) return;
    set_predecessors(function);
    find_loops(function);
}

// Topological order of one loop's body (or of the whole function, loop -1), inner loops kept together.
class Orderer {
  public:
    explicit Orderer(const Function& function) : function_(function) {}

    // With stacks of its own: a path can be as long as the function has blocks.
    std::vector<BlockId> run() const {
        struct Level {
            int loop;
            std::vector<BlockId> nodes;  // still to be placed, the next one last
        };
        std::vector<BlockId> order;
        std::vector<Level> levels;
        levels.push_back({-1, finished(-1, 0)});
        while (!levels.empty()) {
            Level& level = levels.back();
            if (level.nodes.empty()) {
                levels.pop_back();
                continue;
            }
            const BlockId node = level.nodes.back();
            level.nodes.pop_back();
            const int child = child_of(level.loop, node);
            if (child < 0)
                order.push_back(node);
            else
                levels.push_back({child, finished(child, node)});
        }
        return order;
    }

  private:
    // The loop directly inside `outer` that holds `block`, or -1 if block belongs to `outer` itself.
    int child_of(int outer, BlockId block) const {
        int loop = function_.blocks[block].loop;
        if (loop == outer) return -1;
        while (function_.loops[loop].parent != outer) loop = function_.loops[loop].parent;
        return loop;
    }
    bool inside(int loop, BlockId block) const { return loop < 0 || function_.loops[loop].contains[block]; }

    // Where a node of `loop`'s level leads on that level, the textually later one first: it then comes later
    // in the order too. Nodes are blocks of the level, and child loops by their headers.
    std::vector<BlockId> next_nodes(int loop, BlockId header, BlockId node) const {
        std::vector<BlockId> next;
        int child = child_of(loop, node);
        if (child < 0) {
            next = successors(function_.blocks[node]);
        } else {
            for (BlockId b = 0; b < function_.blocks.size(); ++b) {
                if (!function_.loops[child].contains[b]) continue;
                for (BlockId s : successors(function_.blocks[b]))
                    if (!function_.loops[child].contains[s]) next.push_back(s);
            }
        }
        std::sort(next.begin(), next.end(), std::greater<>());
        std::vector<BlockId> nodes;
        for (BlockId s : next) {
            if (!inside(loop, s) || (loop >= 0 && s == header)) continue;
            int inner = child_of(loop, s);
            nodes.push_back(inner < 0 ? s : function_.loops[inner].header);
        }
        return nodes;
    }

    // The nodes of a level, in the order in which a depth-first walk leaves them.
    std::vector<BlockId> finished(int loop, BlockId header) const {
        struct Step {
            BlockId node;
            std::vector<BlockId> next;
            std::size_t at = 0;
        };
        std::vector<bool> seen(function_.blocks.size());
        std::vector<BlockId> done;
        std::vector<Step> path;
        auto visit = [&](BlockId node) {
            seen[node] = true;
            path.push_back({node, next_nodes(loop, header, node)});
        };
        visit(header);
        while (!path.empty()) {
            Step& step = path.back();
            if (step.at == step.next.size()) {
                done.push_back(step.node);
                path.pop_back();
            } else if (BlockId next = step.next[step.at++]; !seen[next]) {
                visit(next);
            }
        }
        return done;
    }

    const Function& function_;
};

}  // namespace

void order_blocks(Function& function) {
    set_predecessors(function);
    drop_unreachable(function);
    find_loops(function);
    add_latches(function);
    std::vector<BlockId> order = Orderer(function).run();
    // Irreducible flow can leave blocks of a collapsed loop unvisited; they go last.
    std::vector<bool> placed(function.blocks.size());
    for (BlockId b : order) placed[b] = true;
    for (BlockId b = 0; b < function.blocks.size(); ++b)
        if (!placed[b]) order.push_back(b);
    renumber(function, order);
    find_loops(function);
}

bool is_reducible(const Function& function) {
    std::vector<BlockId> idom = dominators(function);
    for (BlockId b = 0; b < function.blocks.size(); ++b)
        for (BlockId s : successors(function.blocks[b]))
            if (s <= b && !dominates(idom, s, b)) return false;
    return true;
}

}  // namespace lockstep::kernel
