#include "kernel/data-independence.h"

#include <algorithm>

#include "kernel/accesses.h"
#include "kernel/derived-values.h"
#include "kernel/graph.h"
#include "kernel/operands.h"

namespace lockstep::kernel {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::SpecialRegister;

// What is known of an instruction's results.
enum class Gives : std::uint8_t {
    same,      // the same for the same operands, in every launch
    anything,  // a value of which nothing is known; what it does besides follows from its operands
    unknown,   // nobody has thought about it here
};

// Without special registers but those that the launch's shape decides.
bool is_of_shape(const Operand& operand) {
    if (operand.kind != Operand::Kind::special)
        return std::all_of(operand.elements.begin(), operand.elements.end(), is_of_shape);
    const auto reg = static_cast<SpecialRegister>(operand.id);
    switch (reg) {
        case SpecialRegister::laneid:
        case SpecialRegister::lanemask_eq:
        case SpecialRegister::lanemask_le:
        case SpecialRegister::lanemask_lt:
        case SpecialRegister::lanemask_ge:
        case SpecialRegister::lanemask_gt:
        case SpecialRegister::dynamic_smem_size:
        case SpecialRegister::total_smem_size:
        case SpecialRegister::warp_size: return true;
        default: return reg >= SpecialRegister::tid_x && reg <= SpecialRegister::nctaid_z;
    }
}

// Of the math library: it reads nothing but its arguments, and what it does is in no record.
bool calls_library(const Function& function, const Instruction& inst) {
    const Operand* callee = call_operands(inst).callee;
    if (!callee || callee->kind != Operand::Kind::function) return false;
    const ptx::Function& called = function.module->functions[callee->id];
    return called.declaration && called.name.starts_with("__nv_");
}

Gives gives(const Function& function, const Instruction& inst) {
    switch (inst.opcode) {
        case Opcode::add:
        case Opcode::sub:
        case Opcode::mul:
        case Opcode::mul24:
        case Opcode::mad:
        case Opcode::mad24:
        case Opcode::fma:
        case Opcode::div:
        case Opcode::rem:
        case Opcode::sad:
        case Opcode::abs:
        case Opcode::neg:
        case Opcode::min:
        case Opcode::max:
        case Opcode::popc:
        case Opcode::clz:
        case Opcode::bfind:
        case Opcode::brev:
        case Opcode::bfe:
        case Opcode::bfi:
        case Opcode::bmsk:
        case Opcode::szext:
        case Opcode::prmt:
        case Opcode::lop3:
        case Opcode::shf:
        case Opcode::set:
        case Opcode::setp:
        case Opcode::selp:
        case Opcode::slct:
        case Opcode::and_:
        case Opcode::or_:
        case Opcode::xor_:
        case Opcode::not_:
        case Opcode::cnot:
        case Opcode::shl:
        case Opcode::shr:
        case Opcode::mov:
        case Opcode::cvta:
        case Opcode::cvt:
            return std::all_of(inst.operands.begin(), inst.operands.end(), is_of_shape) ? Gives::same
                                                                                        : Gives::anything;
        // By a carry, which is in no register.
        case Opcode::addc:
        case Opcode::subc:
        case Opcode::madc:
        // Of floats, which addresses are not made of.
        case Opcode::copysign:
        case Opcode::rcp:
        case Opcode::sqrt:
        case Opcode::rsqrt:
        case Opcode::sin:
        case Opcode::cos:
        case Opcode::lg2:
        case Opcode::ex2:
        case Opcode::tanh:
        case Opcode::testp:
        case Opcode::mma:
        // By lanes that are at the same place.
        case Opcode::shfl:
        case Opcode::vote:
        case Opcode::redux:
        case Opcode::activemask: return Gives::anything;
        case Opcode::ld:
        case Opcode::ldu:
            if (is_plain_parameter_load(function, inst)) return Gives::same;
            return space_of(inst) == ptx::Space::param ? Gives::unknown : Gives::anything;
        case Opcode::st: return space_of(inst) == ptx::Space::param ? Gives::unknown : Gives::anything;
        case Opcode::atom:
        case Opcode::red:
        case Opcode::membar:
        case Opcode::fence: return Gives::anything;
        case Opcode::bar:
        case Opcode::barrier: return inst.has(Modifier::red) ? Gives::unknown : Gives::anything;
        case Opcode::call: return calls_library(function, inst) ? Gives::anything : Gives::unknown;
        default: return Gives::unknown;
    }
}

void add_registers(const Operand& operand, std::vector<RegId>& registers) {
    if (operand.kind == Operand::Kind::reg) registers.push_back(operand.id);
    for (const Operand& part : operand.elements)
        if (part.kind == Operand::Kind::reg) registers.push_back(part.id);
}

}  // namespace

bool follows_from_operands(const Function& function, const Instruction& inst) {
    return gives(function, inst) == Gives::same;
}

std::vector<RegId> address_registers(const Function& function, const Instruction& inst) {
    std::vector<RegId> registers;
    for (const Access& access : accesses_of(function, inst))
        add_registers(inst.operands[access.operand], registers);
    return registers;
}

std::vector<RegId> deciding_registers(const Instruction& inst) {
    std::vector<RegId> registers;
    if (inst.guard) registers.push_back(inst.guard->reg);
    // Whether a routine is called.
    if (slow_way(inst) != SlowWay::none)
        for (std::size_t i = 1; i < inst.operands.size(); ++i) add_registers(inst.operands[i], registers);
    // How many values a warp has, each of which takes its time.
    if (inst.opcode == Opcode::match) add_registers(inst.operands[1], registers);
    // Which lanes meet, and at which barrier.
    if (is_block_barrier(inst))
        for (const Operand& operand : inst.operands) add_registers(operand, registers);
    else if (is_sync_point(inst) && !inst.operands.empty())
        add_registers(inst.operands.back(), registers);
    return registers;
}

bool is_data_independent(const Kernel& kernel) {
    if (kernel.functions.size() != 1) return false;
    const Function& function = kernel.functions.front();
    for (const Block& block : function.blocks)
        for (const Instruction& inst : block.instructions)
            if (gives(function, inst) == Gives::unknown) return false;
    const DerivedValues of_data(
        function, [&](const Instruction& inst) { return gives(function, inst) == Gives::anything; }, {});
    for (BlockId b = 0; b < function.blocks.size(); ++b) {
        if (of_data.decides(b)) return false;
        for (const Instruction& inst : function.blocks[b].instructions)
            for (const auto& registers : {address_registers(function, inst), deciding_registers(inst)})
                for (const RegId reg : registers)
                    if (of_data.has(reg)) return false;
    }
    return true;
}

}  // namespace lockstep::kernel
