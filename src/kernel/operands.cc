#include "kernel/operands.h"

namespace lockstep::kernel {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

CallOperands call_operands(const Instruction& call) {
    CallOperands parts;
    for (const Operand& operand : call.operands) {
        if (operand.kind == Operand::Kind::list)
            (parts.callee ? parts.args : parts.returns) = &operand;
        else if (!parts.callee)
            parts.callee = &operand;
    }
    return parts;
}

bool is_destination(const Instruction& instruction, std::size_t index) {
    if (index != 0) return false;
    switch (instruction.opcode) {
        case Opcode::st:
        case Opcode::red:
        case Opcode::barrier:
        case Opcode::bar:
            // bar.red writes its first operand; the other forms write nothing.
            return (instruction.opcode == Opcode::bar || instruction.opcode == Opcode::barrier) &&
                   instruction.has(Modifier::red);
        case Opcode::membar:
        case Opcode::fence:
        case Opcode::bra:
        case Opcode::brx:
        case Opcode::call:
        case Opcode::ret:
        case Opcode::exit:
        case Opcode::trap:
        case Opcode::brkpt:
        case Opcode::prefetch:
        case Opcode::prefetchu:
        case Opcode::applypriority:
        case Opcode::discard:
        case Opcode::nanosleep:
        case Opcode::pmevent:
        case Opcode::cp:
        case Opcode::stmatrix: return false;
        case Opcode::wmma: return !instruction.has(Modifier::store);
        case Opcode::wgmma: return instruction.has(Modifier::mma_async);
        default: break;
    }
    const Operand& operand = instruction.operands[0];
    return operand.kind == Operand::Kind::reg || operand.kind == Operand::Kind::vector ||
           operand.kind == Operand::Kind::pair;
}

int vector_count(const Instruction& instruction) {
    if (instruction.has(Modifier::v2)) return 2;
    if (instruction.has(Modifier::v4)) return 4;
    if (instruction.has(Modifier::v8)) return 8;
    return 1;
}

bool picks_any_lane(const Instruction& shuffle, std::optional<std::uint32_t> bounds) {
    // The last lane, and above it which bits of a lane's number part the warp.
    return shuffle.has(Modifier::idx) && bounds && (*bounds & 0x1f1f) == 0x1f;
}

}  // namespace lockstep::kernel
