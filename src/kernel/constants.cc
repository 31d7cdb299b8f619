#include "kernel/constants.h"

#include "kernel/graph.h"

namespace lockstep::kernel {

using ptx::Operand;

Constants constant_registers(const Function& function) {
    Constants constants(function.registers.size());
    std::vector<bool> written(function.registers.size());
    for (const Block& block : function.blocks)
        for (const ptx::Instruction& inst : block.instructions)
            for (const RegId reg : registers_written(function, inst)) {
                const bool constant = inst.opcode == ptx::Opcode::mov && !inst.guard && !written[reg] &&
                                      inst.operands[1].kind == Operand::Kind::integer;
                constants[reg] = constant ? std::optional(static_cast<std::uint32_t>(inst.operands[1].bits))
                                          : std::nullopt;
                written[reg] = true;
            }
    return constants;
}

std::optional<std::uint32_t> constant_of(const Operand& operand, const Constants& registers) {
    if (operand.kind == Operand::Kind::integer) return static_cast<std::uint32_t>(operand.bits);
    if (operand.kind != Operand::Kind::reg) return {};
    return registers[operand.id];
}

}  // namespace lockstep::kernel
