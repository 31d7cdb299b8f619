#include "exec/jit/stops.h"

#include <algorithm>

#include "kernel/graph.h"
#include "kernel/operands.h"

namespace lockstep::exec::jit {

using kernel::Block;
using kernel::BlockId;
using kernel::Shapes;
using kernel::Terminator;
using ptx::Opcode;

namespace {

// Calls of the device library and the runtime end where they began; calls of device code may do anything.
bool calls_device_code(const kernel::Function& function, const ptx::Instruction& inst) {
    if (inst.opcode != Opcode::call) return false;
    const ptx::Operand& callee = *kernel::call_operands(inst).callee;
    return callee.kind != ptx::Operand::Kind::function || !function.module->functions[callee.id].declaration;
}

bool varies(const Shapes& shapes, const Terminator& end) {
    return end.guard && !shapes.registers[end.guard->reg].is_uniform();
}

// Whether running the block may end with nobody active: lanes leave, or wait inside, while others wait
// elsewhere.
bool may_end_with_nobody(const kernel::Function& function, const Shapes& shapes, BlockId b) {
    const Block& block = function.blocks[b];
    const Terminator& end = block.terminator;
    if (end.kind == Terminator::Kind::table && shapes.divergent[b]) return true;
    if (!shapes.in_region[b]) return false;
    if (end.targets.empty() || meets(function, shapes, b)) return true;
    const auto leaves = [&](BlockId s) { return is_leaving(function, s); };
    if (varies(shapes, end) && std::any_of(end.targets.begin(), end.targets.end(), leaves)) return true;
    const auto calls = [&](const ptx::Instruction& inst) { return calls_device_code(function, inst); };
    return std::any_of(block.instructions.begin(), block.instructions.end(), calls);
}

}  // namespace

bool is_spin_header(const kernel::Function& function, const Shapes& shapes, BlockId block) {
    const int loop = function.blocks[block].loop;
    return shapes.unordered && loop >= 0 && function.loops[static_cast<std::size_t>(loop)].header == block &&
           shapes.waits[static_cast<std::size_t>(loop)] >= kernel::Waits::surely;
}

bool needs_stack(const kernel::Function& function) {
    for (const Block& block : function.blocks)
        for (const ptx::Instruction& inst : block.instructions)
            if (inst.opcode == Opcode::nanosleep || calls_device_code(function, inst)) return true;
    return false;
}

bool Stops::any_between(BlockId from, BlockId to) const {
    auto s = std::upper_bound(blocks.begin(), blocks.end(), from);
    for (; s != blocks.end() && *s < to; ++s)
        if (parked[*s]) return true;
    return false;
}

Stops find_stops(const kernel::Function& function, const Shapes& shapes) {
    Stops out;
    const auto count = static_cast<BlockId>(function.blocks.size());
    out.index.assign(count, -1);
    out.parked.assign(count, false);
    out.dispatched.assign(count, false);
    out.any_divergence =
        std::find(shapes.divergent.begin(), shapes.divergent.end(), true) != shapes.divergent.end();
    if (!out.any_divergence) return out;
    bool anywhere = shapes.unordered;
    for (BlockId b = 0; b < count; ++b) {
        if (shapes.is_stop[b] || is_spin_header(function, shapes, b)) {
            out.index[b] = static_cast<int>(out.blocks.size());
            out.blocks.push_back(b);
        }
        anywhere = anywhere || may_end_with_nobody(function, shapes, b);
    }
    if (anywhere) {
        for (BlockId b : out.blocks) out.parked[b] = out.dispatched[b] = true;
        return out;
    }
    // Of a branch's two sides the first runs on at once.
    for (BlockId b = 0; b < count; ++b) {
        const Terminator& end = function.blocks[b].terminator;
        if (shapes.divergent[b]) out.parked[*std::max_element(end.targets.begin(), end.targets.end())] = true;
    }
    // Lanes that come to a stop while others wait before it wait there in turn.
    bool changed = true;
    auto mark = [&](std::vector<bool>& marks, BlockId b) {
        changed = changed || !marks[b];
        marks[b] = true;
    };
    while (changed) {
        changed = false;
        for (BlockId b = 0; b < count; ++b) {
            if (!shapes.in_region[b]) continue;
            for (BlockId to : function.blocks[b].terminator.targets) {
                if (to <= b || out.index[to] < 0 || !out.any_between(b, to)) continue;
                mark(out.parked, to);
                mark(out.dispatched, to);
                for (BlockId s : out.blocks)
                    if (s > b && s < to && out.parked[s]) mark(out.dispatched, s);
            }
        }
    }
    return out;
}

}  // namespace lockstep::exec::jit
