#include "kernel/shared-variables.h"

#include "kernel/graph.h"

namespace lockstep::kernel {

using ptx::Opcode;
using ptx::Operand;

namespace {

constexpr int none = -1;     // not an address of a variable …
constexpr int several = -2;  // … or of more than one
constexpr int unknown = -3;  // nothing is known to be written to it yet

// Of a sum: the one that has one.
int of_sum(int a, int b) {
    if (a == unknown || b == unknown) return a == unknown ? b : a;
    if (a == none) return b;
    if (b == none || a == b) return a;
    return several;
}

// Of a choice: the one that both have.
int of_choice(int a, int b) {
    if (a == unknown || b == unknown) return a == unknown ? b : a;
    return a == b ? a : several;
}

}  // namespace

SharedVariables::SharedVariables(const Function& function,
                                 const std::map<std::string, std::uint64_t>& offsets)
    : function_(function) {
    const auto add = [&](const std::vector<ptx::Variable>& declared) {
        for (const ptx::Variable& one : declared) {
            const auto offset = offsets.find(one.name);
            if (one.space != ptx::Space::shared || offset == offsets.end()) continue;
            if (!by_name_.try_emplace(one.name, static_cast<int>(variables_.size())).second) continue;
            variables_.push_back({one.name, offset->second, one.size()});
        }
    };
    add(function.module->variables);
    add(function.variables);
    of_.assign(function.registers.size(), unknown);
    if (variables_.empty()) return;
    for (bool changed = true; changed;) {
        changed = false;
        for (const Block& block : function.blocks)
            for (const ptx::Instruction& inst : block.instructions) changed |= visit(inst);
    }
}

const SharedVariable* SharedVariables::of(const Operand& operand) const {
    const int number = raw(operand);
    return number < 0 ? nullptr : &variables_[static_cast<std::size_t>(number)];
}

int SharedVariables::variable(const Operand& operand) const {
    const ptx::Variable& declared =
        operand.local ? function_.variables[operand.id] : function_.module->variables[operand.id];
    const auto known = by_name_.find(declared.name);
    return known == by_name_.end() || declared.space != ptx::Space::shared ? none : known->second;
}

int SharedVariables::raw(const Operand& operand) const {
    switch (operand.kind) {
        case Operand::Kind::reg: return of_[operand.id];
        case Operand::Kind::address: return raw(operand.elements[0]);
        case Operand::Kind::variable: return variable(operand);
        default: return none;
    }
}

bool SharedVariables::visit(const ptx::Instruction& inst) {
    int result = none;
    const auto& ops = inst.operands;
    switch (inst.opcode) {
        case Opcode::mov:
        case Opcode::cvta:
        case Opcode::cvt: result = raw(ops[1]); break;
        case Opcode::add:
        case Opcode::or_: result = of_sum(raw(ops[1]), raw(ops[2])); break;
        case Opcode::sub: result = raw(ops[1]); break;
        case Opcode::mad: result = raw(ops[3]); break;
        case Opcode::selp: result = of_choice(raw(ops[1]), raw(ops[2])); break;
        default: break;
    }
    bool changed = false;
    // A register may be written in several places: it has one variable if all agree.
    for (const RegId r : registers_written(function_, inst)) {
        const int after = of_choice(of_[r], result);
        changed |= after != of_[r];
        of_[r] = after;
    }
    return changed;
}

}  // namespace lockstep::kernel
