#include "ptx/unresolved.h"

namespace lockstep::ptx {
namespace {

struct Used {
    std::vector<bool> functions, variables;

    void note(const Operand& operand) {
        if (operand.kind == Operand::Kind::function) functions[operand.id] = true;
        if (operand.kind == Operand::Kind::variable && !operand.local) variables[operand.id] = true;
        for (const Operand& element : operand.elements) note(element);
    }
    void note(const InitElement& element) {
        if (element.kind == InitElement::Kind::function) functions[element.id] = true;
        if (element.kind == InitElement::Kind::variable) variables[element.id] = true;
    }
};

}  // namespace

std::vector<Unresolved> unresolved(const Module& module,
                                   const std::function<bool(const std::string&)>& supplied) {
    Used used{std::vector<bool>(module.functions.size()), std::vector<bool>(module.variables.size())};
    for (const Variable& variable : module.variables)
        for (const InitElement& element : variable.init) used.note(element);
    for (const Function& function : module.functions)
        for (const Instruction& instruction : function.instructions)
            for (const Operand& operand : instruction.operands) used.note(operand);
    std::vector<Unresolved> found;
    for (std::size_t i = 0; i < module.functions.size(); ++i) {
        const Function& function = module.functions[i];
        if (used.functions[i] && function.declaration && function.alias_of < 0 &&
            function.linkage == Linkage::external && !supplied(function.name))
            found.push_back({function.name, true});
    }
    for (std::size_t i = 0; i < module.variables.size(); ++i) {
        const Variable& variable = module.variables[i];
        if (used.variables[i] && variable.linkage == Linkage::external && variable.space != Space::shared)
            found.push_back({variable.name, false});
    }
    return found;
}

}  // namespace lockstep::ptx
