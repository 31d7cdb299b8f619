#include "kernel/waits.h"

#include <algorithm>

#include "kernel/derived-values.h"
#include "kernel/graph.h"
#include "kernel/operands.h"

namespace lockstep::kernel {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

bool reads_afresh(const Instruction& inst) {
    if (inst.opcode == Opcode::mbarrier) return inst.has(Modifier::test_wait) || inst.has(Modifier::try_wait);
    return inst.opcode == Opcode::ld && (inst.has(Modifier::volatile_) || inst.has(Modifier::acquire) ||
                                         inst.has(Modifier::relaxed) || inst.has(Modifier::cv));
}

bool looks_at_others(const Instruction& inst) { return inst.opcode == Opcode::atom || reads_afresh(inst); }

// A plain load of what other blocks may write: it sees that only if something in the loop keeps compilers and
// caches from using an older value.
bool is_plain_look(const Instruction& inst) {
    return inst.opcode == Opcode::ld && !inst.has(Modifier::shared) && !inst.has(Modifier::shared_cta) &&
           !inst.has(Modifier::local) && !inst.has(Modifier::param) && !inst.has(Modifier::const_) &&
           !inst.has(Modifier::nc);
}

bool orders_memory(const Instruction& inst) {
    switch (inst.opcode) {
        case Opcode::bar:
        case Opcode::barrier:
        case Opcode::fence:
        case Opcode::membar:
        case Opcode::nanosleep: return true;
        default: return false;
    }
}

bool is_real_call(const Function& function, const Instruction& inst) {
    if (inst.opcode != Opcode::call) return false;
    const Operand* callee = call_operands(inst).callee;
    return !callee || callee->kind != Operand::Kind::function ||
           !function.module->functions[callee->id].declaration;
}

bool is_meeting(const Instruction& inst) {
    switch (inst.opcode) {
        case Opcode::atom:
        case Opcode::red:
        case Opcode::fence:
        case Opcode::membar: return true;
        case Opcode::st:
            return inst.has(Modifier::volatile_) || inst.has(Modifier::release) ||
                   inst.has(Modifier::relaxed);
        default: return reads_afresh(inst);
    }
}

// Of memory that a block has for itself.
bool is_of_block(const Instruction& inst) {
    return inst.has(Modifier::shared) || inst.has(Modifier::shared_cta) || inst.has(Modifier::local);
}

// Whether some way out of the loop is decided so.
bool leaves_by(const Function& function, const Loop& loop, const DerivedValues& derived) {
    for (BlockId b = 0; b < function.blocks.size(); ++b) {
        if (!loop.contains[b] || !derived.decides(b)) continue;
        for (BlockId s : function.blocks[b].terminator.targets)
            if (!loop.contains[s]) return true;
    }
    return false;
}

template <class Test>
bool contains(const Function& function, const Loop& loop, Test test) {
    for (BlockId b = 0; b < function.blocks.size(); ++b)
        if (loop.contains[b] &&
            std::any_of(function.blocks[b].instructions.begin(), function.blocks[b].instructions.end(), test))
            return true;
    return false;
}

// Whether it would be wrong to do the instruction again where the last time was in vain.
bool has_effect(const Instruction& inst) {
    switch (inst.opcode) {
        case Opcode::atom: return !inst.has(Modifier::cas) && !inst.has(Modifier::exch);
        case Opcode::st:
        case Opcode::red:
        case Opcode::call: return true;
        default: return false;
    }
}

// Whether each turn of the loop begins as the last one did.
bool repeats_itself(const Function& function, const Loop& loop, const std::vector<RegisterSet>& live) {
    for (BlockId b = 0; b < function.blocks.size(); ++b) {
        if (!loop.contains[b]) continue;
        for (const Instruction& inst : function.blocks[b].instructions) {
            if (has_effect(inst)) return false;
            for (const RegId written : registers_written(function, inst))
                if (live[loop.header][written]) return false;
        }
    }
    return true;
}

}  // namespace

std::vector<Waits> find_waits(const Function& function) {
    std::vector<Waits> waits(function.loops.size(), Waits::no);
    auto calls = [&](const Instruction& inst) { return is_real_call(function, inst); };
    std::vector<bool> looks(function.loops.size()), may_look(function.loops.size());
    bool any = false;
    for (std::size_t l = 0; l < function.loops.size(); ++l) {
        const Loop& loop = function.loops[l];
        looks[l] = contains(function, loop, looks_at_others);
        may_look[l] = looks[l] || contains(function, loop, calls) ||
                      (contains(function, loop, is_plain_look) && contains(function, loop, orders_memory));
        any |= may_look[l];
    }
    if (!any) return waits;

    const DerivedValues direct(function, looks_at_others, {});
    // A value that was read afresh also decides through branches; atomics are part of much that waits for
    // nobody.
    const DerivedValues by_branch(function, reads_afresh, {.branches = true});
    const DerivedValues somehow(
        function,
        [&](const Instruction& inst) { return looks_at_others(inst) || is_plain_look(inst) || calls(inst); },
        {.branches = true, .memory = DerivedValues::Ways::Memory::all});
    const std::vector<RegisterSet> live = live_registers(function);
    for (std::size_t l = 0; l < function.loops.size(); ++l) {
        const Loop& loop = function.loops[l];
        if (!may_look[l]) continue;
        bool afresh = contains(function, loop, reads_afresh);
        if (looks[l] &&
            (leaves_by(function, loop, direct) || (afresh && leaves_by(function, loop, by_branch))))
            waits[l] = repeats_itself(function, loop, live) ? Waits::idly : Waits::surely;
        else if (leaves_by(function, loop, somehow))
            waits[l] = Waits::likely;
        else if (looks[l])
            waits[l] = Waits::perhaps;
    }
    return waits;
}

bool meets_others(const Function& function) {
    return std::any_of(function.blocks.begin(), function.blocks.end(), [&](const auto& block) {
        return std::any_of(
            block.instructions.begin(), block.instructions.end(),
            [&](const Instruction& inst) { return is_meeting(inst) || is_real_call(function, inst); });
    });
}

bool heeds_other_blocks(const Function& function) {
    if (meets_others(function)) {
        const std::vector<Waits> waits = find_waits(function);
        if (std::any_of(waits.begin(), waits.end(), [](Waits wait) { return wait >= Waits::likely; }))
            return true;
    }
    const DerivedValues of_others(
        function, [](const Instruction& inst) { return looks_at_others(inst) && !is_of_block(inst); },
        {.memory = DerivedValues::Ways::Memory::of_block});
    for (BlockId b = 0; b < function.blocks.size(); ++b)
        if (of_others.decides(b)) return true;
    return false;
}

}  // namespace lockstep::kernel
