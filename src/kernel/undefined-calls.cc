#include "kernel/undefined-calls.h"

#include <fmt/format.h>

#include "base/demangle.h"
#include "kernel/operands.h"

namespace lockstep::kernel {

Error undefined_call(const ptx::Module& module, const ptx::Instruction& call, const std::string& callee) {
    Place place{module.name, call.line, call.column};
    if (call.source >= 0) {
        const ptx::SourceLine& line = module.lines[static_cast<std::size_t>(call.source)];
        if (line.file > 0 && line.file < static_cast<int>(module.files.size()))
            place = {module.files[static_cast<std::size_t>(line.file)], line.line, line.column};
    }
    return {fmt::format("call of {}, which is defined nowhere", base::demangle(callee)), place};
}

std::vector<Error> undefined_calls(const ptx::Module& module, const ptx::Function& function,
                                   const std::function<bool(const std::string&)>& is_known) {
    std::vector<Error> errors;
    for (const ptx::Instruction& instruction : function.instructions) {
        if (instruction.opcode != ptx::Opcode::call) continue;
        const ptx::Operand* callee = call_operands(instruction).callee;
        if (!callee || callee->kind != ptx::Operand::Kind::function) continue;
        const ptx::Function& target = module.functions[callee->id];
        if (target.declaration && !is_known(target.name))
            errors.push_back(undefined_call(module, instruction, target.name));
    }
    return errors;
}

}  // namespace lockstep::kernel
