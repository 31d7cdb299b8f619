// One PTX instruction by itself: mnemonic, pipe and number of machine instructions. Numbers beyond one were
// read off ptxas's code for Hopper.
#include "kernel/operands.h"
#include "machine/expand.h"
#include "machine/selection.h"

namespace lockstep::machine {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

bool is_wide(Type type) { return ptx::type_bits(type) == 64; }

// Integer arithmetic on 64 bits goes through 32-bit halves.
Choice integer(const ptx::Instruction& inst, const Generation& generation) {
    const bool wide = is_wide(inst.type());
    const int multiply = generation.integer_multiply ? 1 : 3;
    switch (inst.opcode) {
        case Opcode::mul:
        case Opcode::mad:
        case Opcode::madc:
            if (inst.has(Modifier::wide))
                return {"IMAD.WIDE", Pipe::fma, generation.wide_multiply_add ? 1 : 4};
            if (!wide) return {inst.has(Modifier::hi) ? "IMAD.HI" : "IMAD", Pipe::fma, multiply};
            return {"IMAD", Pipe::fma, (inst.has(Modifier::hi) ? 7 : 4) * multiply};
        case Opcode::mul24:
        case Opcode::mad24: return {"IMAD", Pipe::fma, 3};
        case Opcode::min:
        case Opcode::max: return {"VIMNMX", Pipe::alu, wide ? 4 : 1};
        case Opcode::abs: return {"IABS", Pipe::alu, wide ? 4 : 1};
        case Opcode::sad: return {"VABSDIFF", Pipe::alu, wide ? 4 : 1};
        case Opcode::dp4a:
        case Opcode::dp2a: return {"IDP", Pipe::fma, 1};
        default: return {"IADD3", Pipe::alu, wide ? 2 : 1};
    }
}

Choice bits(const ptx::Instruction& inst) {
    const bool wide = is_wide(inst.type());
    switch (inst.opcode) {
        case Opcode::popc: return {"POPC", Pipe::xu, wide ? 3 : 1};
        case Opcode::clz: return {"FLO", Pipe::xu, wide ? 6 : 2};
        case Opcode::bfind: return {"FLO", Pipe::xu, wide ? 4 : 1};
        case Opcode::brev: return {"BREV", Pipe::xu, wide ? 2 : 1};
        case Opcode::bfe: return {"SHF", Pipe::alu, wide ? 4 : 2};
        case Opcode::bfi: return {"LOP3", Pipe::alu, wide ? 6 : 3};
        case Opcode::prmt: return {"PRMT", Pipe::alu, 1};
        case Opcode::lop3: return {"LOP3", Pipe::alu, 1};
        case Opcode::fns: return {"FLO", Pipe::xu, 20};
        default: return {"SHF", Pipe::alu, 1};
    }
}

Choice floating(const ptx::Instruction& inst) {
    const Pipe pipe = is_wide(inst.type()) ? Pipe::fp64 : Pipe::fma;
    const bool wide = pipe == Pipe::fp64;
    switch (inst.opcode) {
        case Opcode::add:
        case Opcode::sub: return {wide ? "DADD" : "FADD", pipe};
        case Opcode::mul: return {wide ? "DMUL" : "FMUL", pipe};
        case Opcode::min:
        case Opcode::max: return {wide ? "DSETP" : "FMNMX", wide ? Pipe::fp64 : Pipe::alu, wide ? 6 : 1};
        case Opcode::neg:
        case Opcode::abs: return {wide ? "DADD" : "FADD", pipe};
        case Opcode::copysign: return {"LOP3", Pipe::alu, 1};
        default: return {wide ? "DFMA" : "FFMA", pipe};
    }
}

Choice logic(const ptx::Instruction& inst) {
    if (inst.type() == Type::pred) return {"PLOP3", Pipe::alu, inst.opcode == Opcode::not_ ? 0 : 1};
    const bool shift = inst.opcode == Opcode::shl || inst.opcode == Opcode::shr;
    if (shift && is_wide(inst.type()) && inst.operands[2].kind == ptx::Operand::Kind::integer &&
        inst.operands[2].bits >= 32)  // one half is taken from the other
        return {"SHF", Pipe::alu, inst.operands[2].bits == 32 && !ptx::is_signed(inst.type()) ? 0 : 1};
    return {shift ? "SHF" : "LOP3", Pipe::alu, is_wide(inst.type()) ? 2 : 1};
}

Choice compare(const ptx::Instruction& inst) {
    const Type type = inst.opcode == Opcode::set && inst.types[1] != Type::none ? inst.types[1] : inst.type();
    const auto is_constant = [](const ptx::Operand& operand) {
        return operand.kind != ptx::Operand::Kind::reg && operand.bits != 0;
    };
    // One of two constants has to be in a register.
    const int constant = is_constant(inst.operands[1]) && is_constant(inst.operands[2]) ? 1 : 0;
    if (inst.opcode == Opcode::selp || inst.opcode == Opcode::slct)
        return {ptx::is_float(type) ? "FSEL" : "SEL", Pipe::alu, (is_wide(type) ? 2 : 1) + constant};
    const int extra = inst.opcode == Opcode::setp ? 0 : 1;  // set needs a select
    if (type == Type::f64) return {"DSETP", Pipe::fp64, 1 + extra};
    if (ptx::is_float(type)) return {ptx::type_bits(type) == 16 ? "HSETP2" : "FSETP", Pipe::alu, 1 + extra};
    return {"ISETP", Pipe::alu, (is_wide(type) ? 2 : 1) + extra};
}

Choice convert(const ptx::Instruction& inst) {
    const Type to = inst.types[0], from = inst.types[1];
    const bool to_float = ptx::is_float(to), from_float = ptx::is_float(from);
    if (to_float && from_float) {
        if (inst.has(Modifier::rni) || inst.has(Modifier::rzi) || inst.has(Modifier::rmi) ||
            inst.has(Modifier::rpi))
            return {"FRND", Pipe::xu};
        if (ptx::type_bits(to) == 16 || ptx::type_bits(from) == 16) return {"HADD2.F32", Pipe::half};
        return {"F2F", to == from ? Pipe::fma : Pipe::xu};
    }
    if (to_float) return {to == Type::f32 && ptx::type_bits(from) <= 32 ? "I2FP" : "I2F", Pipe::xu};
    if (from_float) return {"F2I", Pipe::xu};
    const int to_bits = ptx::type_bits(to), from_bits = ptx::type_bits(from);
    if (inst.has(Modifier::sat)) return {"I2I", Pipe::alu, 2};
    if (to_bits > from_bits) {
        if (to_bits == 64 && !ptx::is_signed(from)) return {"MOV", Pipe::alu, 0};  // the upper half is RZ
        return {from_bits < 32 ? "PRMT" : "SHF", Pipe::alu, 1};
    }
    return {"MOV", Pipe::alu, to_bits < 32 && from_bits == 32 ? 1 : 0};
}

std::string_view memory_mnemonic(const ptx::Instruction& inst) {
    const bool load = inst.opcode != Opcode::st;
    if (inst.has(Modifier::shared) || inst.has(Modifier::shared_cta)) return load ? "LDS" : "STS";
    if (inst.has(Modifier::local)) return load ? "LDL" : "STL";
    if (inst.has(Modifier::const_)) return "LDC";
    if (inst.has(Modifier::global)) return load ? "LDG" : "STG";
    return load ? "LD" : "ST";
}

bool is_param_access(const ptx::Instruction& inst) {
    return inst.has(Modifier::param) || inst.has(Modifier::param_entry) || inst.has(Modifier::param_func);
}

Choice memory(const ptx::Instruction& inst) {
    const int bytes = ptx::type_bytes(inst.type()) * kernel::vector_count(inst);
    switch (inst.opcode) {
        case Opcode::ld:
        case Opcode::ldu:
        case Opcode::st:
            // Entry parameters: load_constants decides. Those of calls are registers.
            if (is_param_access(inst)) return {"LDC", Pipe::constant, 0};
            if (inst.has(Modifier::const_)) return {"LDC", Pipe::constant, 1, 0, bytes};
            return {memory_mnemonic(inst), Pipe::lsu, (bytes + 15) / 16, 0, bytes};
        case Opcode::prefetch:
        case Opcode::prefetchu: return {"CCTL", Pipe::lsu};
        default: return {"LDGSTS", Pipe::lsu};
    }
}

Choice barrier(const ptx::Instruction& inst) {
    switch (inst.opcode) {
        case Opcode::membar:
        case Opcode::fence: return {"MEMBAR", Pipe::lsu, inst.has(Modifier::cta) ? 1 : 3};
        case Opcode::mbarrier: return {"SYNCS", Pipe::lsu, 2};
        default:
            if (inst.has(Modifier::warp)) return {"WARPSYNC", Pipe::branch};
            return {"BAR", Pipe::branch, inst.has(Modifier::red) ? 2 : 1};
    }
}

Choice warp(const ptx::Instruction& inst) {
    switch (inst.opcode) {
        case Opcode::shfl: return {"SHFL", Pipe::lsu};
        case Opcode::match: return {"MATCH", Pipe::lsu, 1};
        case Opcode::redux: return {"REDUX", Pipe::alu, 2};
        default: return {"VOTE", Pipe::alu};
    }
}

Choice control(const ptx::Instruction& inst) {
    if (inst.opcode != Opcode::call) return {"NOP", Pipe::branch, 0};
    const kernel::CallOperands call = kernel::call_operands(inst);
    const int arguments = call.args ? static_cast<int>(call.args->elements.size()) : 0;
    // The return address (two moves), the arguments, and the call.
    return {"CALL", Pipe::branch, 3 + arguments, 1};
}

}  // namespace

Choice plain_choice(const ptx::Instruction& inst, const ptx::Module& module, const Generation& generation) {
    if (auto expanded = expand(inst, module)) return *expanded;
    switch (inst.syntax().family) {
        case ptx::Family::integer: return integer(inst, generation);
        case ptx::Family::bits: return bits(inst);
        case ptx::Family::floating: return floating(inst);
        case ptx::Family::half: return {"HFMA2", Pipe::half};
        case ptx::Family::compare: return compare(inst);
        case ptx::Family::logic: return logic(inst);
        case ptx::Family::move: return {"MOV", Pipe::alu, inst.opcode == Opcode::mov ? 1 : 0};
        case ptx::Family::convert: return convert(inst);
        case ptx::Family::memory: return memory(inst);
        case ptx::Family::atomic: {
            const bool shared = inst.has(Modifier::shared) || inst.has(Modifier::shared_cta);
            const int bytes = ptx::type_bytes(inst.type());
            return {shared ? "ATOMS" : inst.opcode == Opcode::red ? "RED" : "ATOMG", Pipe::lsu, 1, 0, bytes};
        }
        case ptx::Family::barrier: return barrier(inst);
        case ptx::Family::warp: return warp(inst);
        case ptx::Family::control: return control(inst);
        case ptx::Family::texture: return {"TEX", Pipe::texture};
        case ptx::Family::matrix: return {"HMMA", Pipe::tensor, 2};
        case ptx::Family::video: return {"VADD", Pipe::alu, 4};
        case ptx::Family::misc: return {"NOP", Pipe::branch};
    }
    return {};
}

}  // namespace lockstep::machine
