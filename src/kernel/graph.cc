#include "kernel/graph.h"

#include <algorithm>

#include "kernel/operands.h"

namespace lockstep::kernel {
namespace {

// Cooper, Harvey and Kennedy's iteration over a graph given by its predecessors and a reverse post-order.
std::vector<BlockId> immediate_dominators(std::size_t count, const std::vector<BlockId>& order,
                                          const std::vector<std::vector<BlockId>>& predecessors) {
    std::vector<std::uint32_t> position(count, no_block);
    for (std::uint32_t i = 0; i < order.size(); ++i) position[order[i]] = i;
    std::vector<BlockId> idom(count, no_block);
    idom[order[0]] = order[0];
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 1; i < order.size(); ++i) {
            BlockId best = no_block;
            for (BlockId p : predecessors[order[i]]) {
                if (position[p] == no_block || idom[p] == no_block) continue;
                if (best == no_block) {
                    best = p;
                    continue;
                }
                BlockId a = p, b = best;
                while (a != b) {
                    while (position[a] > position[b]) a = idom[a];
                    while (position[b] > position[a]) b = idom[b];
                }
                best = a;
            }
            if (best != idom[order[i]]) {
                idom[order[i]] = best;
                changed = true;
            }
        }
    }
    return idom;
}

std::vector<BlockId> reverse_post_order(BlockId root, const std::vector<std::vector<BlockId>>& next) {
    std::vector<BlockId> order;
    std::vector<bool> seen(next.size());
    std::vector<std::pair<BlockId, std::size_t>> stack{{root, 0}};
    seen[root] = true;
    while (!stack.empty()) {
        auto& [block, i] = stack.back();
        if (i < next[block].size()) {
            BlockId n = next[block][i++];
            if (!seen[n]) {
                seen[n] = true;
                stack.push_back({n, 0});
            }
        } else {
            order.push_back(block);
            stack.pop_back();
        }
    }
    std::reverse(order.begin(), order.end());
    return order;
}

void collect(const ptx::Operand& operand, std::vector<RegId>& out) {
    if (operand.kind == ptx::Operand::Kind::reg) out.push_back(operand.id);
    for (const ptx::Operand& element : operand.elements) collect(element, out);
}

// A call names variables; their values are in the registers of their slots.
void collect_call_list(const Function& function, const ptx::Operand& list, std::vector<RegId>& out) {
    for (const ptx::Operand& element : list.elements) {
        if (element.kind == ptx::Operand::Kind::reg) out.push_back(element.id);
        if (element.kind != ptx::Operand::Kind::variable) continue;
        if (auto found = function.slots.find(element.id); found != function.slots.end())
            for (const ParamSlot& slot : found->second) out.push_back(slot.reg);
    }
}

}  // namespace

std::vector<BlockId> successors(const Block& block) { return block.terminator.targets; }

bool is_leaving(const Function& function, BlockId b) {
    const Block& block = function.blocks[b];
    Terminator::Kind kind = block.terminator.kind;
    return block.instructions.empty() &&
           (kind == Terminator::Kind::exit || (kind == Terminator::Kind::ret && function.entry));
}

std::vector<BlockId> dominators(const Function& function) {
    std::vector<std::vector<BlockId>> next, previous;
    for (const Block& block : function.blocks) {
        next.push_back(successors(block));
        previous.push_back(block.predecessors);
    }
    return immediate_dominators(function.blocks.size(), reverse_post_order(0, next), previous);
}

bool dominates(const std::vector<BlockId>& idom, BlockId a, BlockId b) {
    while (b != a) {
        if (idom[b] == no_block || idom[b] == b) return false;
        b = idom[b];
    }
    return true;
}

BlockId common_dominator(const std::vector<BlockId>& idom, BlockId a, BlockId b) {
    while (!dominates(idom, a, b)) a = idom[a];
    return a;
}

namespace {

// A function's graph turned round, with a virtual end behind its blocks.
struct Reversed {
    explicit Reversed(const Function& function)
        : end(static_cast<BlockId>(function.blocks.size())), next(end + 1), previous(end + 1) {}
    // from -> to in the original graph
    void connect(BlockId from, BlockId to) {
        next[to].push_back(from);
        previous[from].push_back(to);
    }
    std::vector<BlockId> dominators(const std::vector<BlockId>& order) const {
        std::vector<BlockId> ipdom = immediate_dominators(end + 1, order, previous);
        ipdom.resize(end);
        for (BlockId& p : ipdom)
            if (p == end) p = no_block;
        return ipdom;
    }

    BlockId end;
    std::vector<std::vector<BlockId>> next, previous;
};

}  // namespace

std::vector<BlockId> post_dominators(const Function& function) {
    // Every leaving block goes to the end. Blocks in endless loops never reach it: they are tied to it as
    // well, so that everything has a post-dominator.
    Reversed graph(function);
    const BlockId count = graph.end;
    for (BlockId b = 0; b < count; ++b) {
        std::vector<BlockId> targets = successors(function.blocks[b]);
        bool all_leave =
            std::all_of(targets.begin(), targets.end(), [&](BlockId s) { return is_leaving(function, s); });
        for (BlockId s : targets)
            if (all_leave || !is_leaving(function, s)) graph.connect(b, s);
        if (function.blocks[b].terminator.targets.empty()) graph.connect(b, count);
    }
    auto order = reverse_post_order(count, graph.next);
    for (BlockId b = count; b-- > 0;) {
        if (std::find(order.begin(), order.end(), b) != order.end()) continue;
        graph.connect(b, count);
        order = reverse_post_order(count, graph.next);
    }
    return graph.dominators(order);
}

std::vector<BlockId> post_dominators(const Function& function, const Loop& loop) {
    Reversed graph(function);
    for (BlockId b = 0; b < graph.end; ++b)
        if (loop.contains[b])
            for (BlockId s : successors(function.blocks[b]))
                if (loop.contains[s]) graph.connect(b, s == loop.header ? graph.end : s);
    return graph.dominators(reverse_post_order(graph.end, graph.next));
}

std::vector<bool> reachable_until(const Function& function, BlockId from, BlockId stop) {
    std::vector<bool> seen(function.blocks.size());
    if (from == stop) return seen;
    std::vector<BlockId> work{from};
    seen[from] = true;
    while (!work.empty()) {
        BlockId b = work.back();
        work.pop_back();
        for (BlockId s : successors(function.blocks[b])) {
            if (s == stop || seen[s]) continue;
            seen[s] = true;
            work.push_back(s);
        }
    }
    return seen;
}

std::vector<RegId> registers_read(const Function& function, const ptx::Instruction& instruction) {
    std::vector<RegId> out;
    if (instruction.guard) out.push_back(instruction.guard->reg);
    if (instruction.opcode == ptx::Opcode::call) {
        CallOperands call = call_operands(instruction);
        if (call.callee) collect(*call.callee, out);
        if (call.args) collect_call_list(function, *call.args, out);
        return out;
    }
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
        const ptx::Operand& operand = instruction.operands[i];
        // Even a written operand may hold registers that are read: the base of [address].
        if (is_destination(instruction, i) && operand.kind != ptx::Operand::Kind::address) continue;
        collect(operand, out);
    }
    return out;
}

std::vector<RegId> registers_written(const Function& function, const ptx::Instruction& instruction) {
    std::vector<RegId> out;
    if (instruction.opcode == ptx::Opcode::call) {
        CallOperands call = call_operands(instruction);
        if (call.returns) collect_call_list(function, *call.returns, out);
        return out;
    }
    for (std::size_t i = 0; i < instruction.operands.size(); ++i)
        if (is_destination(instruction, i)) collect(instruction.operands[i], out);
    return out;
}

std::vector<RegId> return_registers(const Function& function) {
    std::vector<RegId> out;
    for (std::uint32_t v : function.returns)
        if (auto found = function.slots.find(v); found != function.slots.end())
            for (const ParamSlot& slot : found->second) out.push_back(slot.reg);
    return out;
}

std::vector<RegisterSet> live_registers(const Function& function, const std::vector<RegisterSet>* kept) {
    const std::size_t blocks = function.blocks.size();
    std::vector<RegisterSet> kills(blocks, RegisterSet(function.registers.size())), live = kills;
    for (std::size_t b = 0; b < blocks; ++b) {
        auto read = [&](RegId r) {
            if (!kills[b][r]) live[b].set(r);
        };
        for (const ptx::Instruction& inst : function.blocks[b].instructions) {
            for (RegId r : registers_read(function, inst)) read(r);
            for (RegId r : registers_written(function, inst)) {
                const bool in_part = kept && ((*kept)[b][r] || inst.opcode == ptx::Opcode::call);
                if (inst.guard || in_part)
                    read(r);  // where the guard is off, or in other lanes, the old value stays
                else
                    kills[b].set(r);
            }
        }
        const Terminator& end = function.blocks[b].terminator;
        if (end.guard) read(end.guard->reg);
        if (end.index.kind == ptx::Operand::Kind::reg) read(end.index.id);
        if (end.kind == Terminator::Kind::ret && !function.entry)
            for (RegId r : return_registers(function)) read(r);
    }
    RegisterSet out;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t b = blocks; b-- > 0;) {
            for (BlockId s : successors(function.blocks[b])) {
                out = live[s];
                out -= kills[b];
                if (out.is_subset_of(live[b])) continue;
                live[b] |= out;
                changed = true;
            }
        }
    }
    return live;
}

}  // namespace lockstep::kernel
