#include "kernel/parameters.h"

namespace lockstep::kernel {

bool is_parameter_load(const ptx::Instruction& instruction) {
    return instruction.opcode == ptx::Opcode::ld &&
           (instruction.has(ptx::Modifier::param) || instruction.has(ptx::Modifier::param_entry));
}

std::uint64_t parameter_offset(const Function& entry, const ptx::Instruction& load) {
    std::uint64_t offset = 0;
    if (load.operands[1].elements.empty()) return offset;
    for (const std::uint32_t p : entry.params) {
        const ptx::Variable& param = entry.variables[p];
        offset = (offset + param.align() - 1) / param.align() * param.align();
        if (p == load.operands[1].elements[0].id) break;
        offset += param.size();
    }
    return offset + static_cast<std::uint64_t>(load.operands[1].offset);
}

}  // namespace lockstep::kernel
