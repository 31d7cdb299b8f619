// Undefined values through functions that were not inlined: what a call passes goes to the callee's
// registers, and what that gives back to the caller's. A call shows by the callee's first block, a return by
// its blocks that return, or by what the caller does next.
#include <algorithm>

#include "check/undefined-values.h"
#include "kernel/operands.h"

namespace lockstep::check {
namespace {

using ptx::Operand;

bool calls_code(const kernel::Function& function, const ptx::Instruction& inst) {
    if (inst.opcode != ptx::Opcode::call) return false;
    const Operand& callee = *kernel::call_operands(inst).callee;
    return callee.kind != Operand::Kind::function || !function.module->functions[callee.id].declaration;
}

bool is_indirect(const ptx::Instruction& call) {
    return kernel::call_operands(call).callee->kind != Operand::Kind::function;
}

// The variables of a list of operands.
std::vector<std::uint32_t> variables_of(const Operand* list) {
    std::vector<std::uint32_t> variables;
    if (list)
        for (const Operand& element : list->elements) variables.push_back(element.id);
    return variables;
}

}  // namespace

bool UndefinedValues::has_calls(const kernel::Kernel& kernel) {
    for (const kernel::Function& function : kernel.functions)
        for (const kernel::Block& block : function.blocks)
            for (const ptx::Instruction& inst : block.instructions)
                if (calls_code(function, inst)) return true;
    return false;
}

// Variables that pass values have registers for parts of them: those at the same place have the same value.
UndefinedValues::Values UndefinedValues::passed(const kernel::Function& from, const Values& values,
                                                const std::vector<std::uint32_t>& given,
                                                const kernel::Function& to,
                                                const std::vector<std::uint32_t>& taken, Lanes lanes) {
    Values result;
    for (std::size_t i = 0; i < std::min(given.size(), taken.size()); ++i) {
        const auto ours = from.slots.find(given[i]), theirs = to.slots.find(taken[i]);
        if (ours == from.slots.end() || theirs == to.slots.end()) continue;
        for (const kernel::ParamSlot& slot : ours->second) {
            const auto value = values.find(slot.reg);
            if (value == values.end()) continue;
            for (const kernel::ParamSlot& other : theirs->second) {
                if (other.offset != slot.offset) continue;
                Value part = value->second;
                for (int lane = 0; lane < warp_lanes; ++lane)
                    if (!(lanes >> lane & 1)) part.bytes[static_cast<std::size_t>(lane)] = 0;
                part.derived &= lanes;
                part.made_up &= lanes;
                if (!part.none()) result[other.reg] = part;
            }
        }
    }
    return result;
}

const kernel::Block& UndefinedValues::block_at(std::uint32_t numbered_block) const {
    const kernel::NumberedBlock& at = code_.kernel->blocks[numbered_block];
    return code_.kernel->functions[at.function].blocks[at.block];
}

// The next call from where the warp is on, in what it has entered: it is there then. False: there is none.
bool UndefinedValues::come_to_call(Lanes lanes) {
    std::uint32_t number = warp_->block, next = warp_->next;
    for (;;) {
        const kernel::Block& block = block_at(number);
        for (; next < block.instructions.size(); ++next) {
            const ptx::Instruction& inst = block.instructions[next];
            if (!calls_code(function(), inst)) continue;
            // Lanes that call one function after the other by a pointer are still at the same call.
            const bool same = number == warp_->block && next == warp_->next;
            if (same && (!is_indirect(inst) || (warp_->called & lanes)) && warp_->called) continue;
            follow(number, next);
            warp_->block = number;
            warp_->next = next;
            if (!same) warp_->called = 0;
            return true;
        }
        if (block.terminator.kind != kernel::Terminator::Kind::jump) return false;
        const std::uint32_t behind =
            number - code_.kernel->blocks[number].block + block.terminator.targets[0];
        if (code_.kernel->blocks[behind].entered_with != code_.kernel->blocks[number].entered_with)
            return false;
        number = behind;
        next = 0;
    }
}

void UndefinedValues::enter_function(std::uint32_t numbered_block, Lanes lanes) {
    while (!come_to_call(lanes))
        if (!leave_function()) return forget_calls();
    const kernel::Function& caller = function();
    const kernel::Function& callee = code_.kernel->functions[code_.kernel->blocks[numbered_block].function];
    const kernel::CallOperands call = kernel::call_operands(block_at(warp_->block).instructions[warp_->next]);
    Values given = passed(caller, warp_->values, variables_of(call.args), callee, callee.params, lanes);
    warp_->frames.push_back(
        {warp_->block, warp_->next, warp_->lanes, warp_->called, lanes, lanes, std::move(warp_->values)});
    warp_->values = std::move(given);
    warp_->called = 0;
}

// What the warp has entered comes to its end: whether a function returns by that.
bool UndefinedValues::leave_function() {
    if (warp_->frames.empty()) return false;
    finish_block();
    const auto kind = block_at(warp_->block).terminator.kind;
    if (kind != kernel::Terminator::Kind::ret && kind != kernel::Terminator::Kind::exit) return false;
    Frame& frame = warp_->frames.back();
    frame.inside &= ~warp_->lanes;
    if (frame.inside) return false;
    const kernel::Function& callee = function();
    const Values values = std::move(warp_->values);
    warp_->block = frame.block;
    warp_->next = frame.next;
    warp_->lanes = frame.lanes;
    warp_->called = frame.called | frame.entered;
    warp_->values = std::move(frame.values);
    const kernel::Function& caller = function();
    const ptx::Instruction& inst = block_at(frame.block).instructions[frame.next];
    const std::vector<std::uint32_t> taken = variables_of(kernel::call_operands(inst).returns);
    const Values back = passed(callee, values, callee.returns, caller, taken, frame.entered);
    ptx::Instruction unguarded = inst;
    unguarded.guard.reset();
    for (const std::uint32_t variable : taken)
        if (const auto slots = caller.slots.find(variable); slots != caller.slots.end())
            for (const kernel::ParamSlot& slot : slots->second) {
                Operand reg;
                reg.kind = Operand::Kind::reg;
                reg.id = slot.reg;
                const auto value = back.find(slot.reg);
                put(unguarded, reg, value == back.end() ? Value{} : value->second, frame.entered);
            }
    warp_->frames.pop_back();
    return true;
}

void UndefinedValues::forget_calls() {
    warp_->frames.clear();
    warp_->values.clear();
    warp_->called = 0;
}

// The warp does something in this block: the functions that it has called before have returned.
void UndefinedValues::come_back_to(std::uint32_t numbered_block) {
    const auto& blocks = code_.kernel->blocks;
    while (!warp_->frames.empty() &&
           (blocks[warp_->block].function != blocks[numbered_block].function ||
            blocks[warp_->block].entered_with != blocks[numbered_block].entered_with))
        if (!leave_function()) return forget_calls();
}

void UndefinedValues::enter_nested(std::uint32_t numbered_block, Lanes lanes) {
    const kernel::NumberedBlock& at = code_.kernel->blocks[numbered_block];
    if (at.function != 0 && at.block == 0 && block_at(numbered_block).predecessors.empty())
        enter_function(numbered_block, lanes);
    else
        leave_block(numbered_block);
    warp_->block = numbered_block;
    warp_->lanes = lanes;
    warp_->next = 0;
    warp_->called = 0;
}

// Before another block is entered, the one that the warp was in ends, and with it perhaps a function, and the
// caller's block behind the call.
void UndefinedValues::leave_block(std::uint32_t next) {
    while (leave_function()) {
    }
    if (warp_->frames.empty()) finish_block();
    if (code_.kernel->blocks[warp_->block].function != code_.kernel->blocks[next].function) forget_calls();
}

}  // namespace lockstep::check
