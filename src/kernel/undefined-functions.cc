#include "kernel/undefined-functions.h"

#include <fmt/format.h>

#include "base/demangle.h"

namespace lockstep::kernel {
namespace {

Place place_of(const ptx::Module& module, const ptx::Instruction& instruction) {
    if (instruction.source >= 0) {
        const ptx::SourceLine& line = module.lines[static_cast<std::size_t>(instruction.source)];
        if (line.file > 0 && line.file < static_cast<int>(module.files.size()))
            return {module.files[static_cast<std::size_t>(line.file)], line.line, line.column};
    }
    return {module.name, instruction.line, instruction.column};
}

const ptx::Function* undefined_in(const ptx::Module& module, const std::vector<ptx::Operand>& operands,
                                  const IsKnown& is_known) {
    for (const ptx::Operand& operand : operands) {
        if (operand.kind == ptx::Operand::Kind::function) {
            const ptx::Function& function = module.functions[operand.id];
            if (function.declaration && !is_known(function.name)) return &function;
        }
        if (const ptx::Function* inside = undefined_in(module, operand.elements, is_known)) return inside;
    }
    return nullptr;
}

}  // namespace

std::optional<Error> undefined_use(const ptx::Module& module, const ptx::Instruction& instruction,
                                   const IsKnown& is_known) {
    const ptx::Function* function = undefined_in(module, instruction.operands, is_known);
    if (!function) return std::nullopt;
    return Error{fmt::format("{} of {}, which is defined nowhere",
                             instruction.opcode == ptx::Opcode::call ? "call" : "address",
                             base::demangle(function->name)),
                 place_of(module, instruction)};
}

std::vector<Error> undefined_uses(const ptx::Module& module, const ptx::Function& function,
                                  const IsKnown& is_known) {
    std::vector<Error> errors;
    for (const ptx::Instruction& instruction : function.instructions)
        if (auto error = undefined_use(module, instruction, is_known)) errors.push_back(*std::move(error));
    return errors;
}

}  // namespace lockstep::kernel
