#include "machine/expand.h"

#include <map>
#include <string>

#include "kernel/operands.h"

namespace lockstep::machine {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

Choice divide(const ptx::Instruction& inst) {
    const bool remainder = inst.opcode == Opcode::rem;
    const bool is_signed = ptx::is_signed(inst.type());
    if (ptx::type_bits(inst.type()) == 64 && !ptx::is_float(inst.type()))
        return {remainder ? "REM.64" : "DIV.64", Pipe::fma, 80, 0};
    if (inst.type() == Type::f64) return {"DIV.F64", Pipe::fp64, 16, 1};
    if (inst.type() == Type::f32) {
        if (inst.has(Modifier::approx)) return {"MUFU.RCP", Pipe::xu, inst.has(Modifier::ftz) ? 2 : 7};
        if (inst.has(Modifier::full)) return {"MUFU.RCP", Pipe::xu, 7};
        return {"DIV.F32", Pipe::fma, 10, 1};
    }
    return {remainder ? "REM" : "DIV", Pipe::fma, remainder ? (is_signed ? 22 : 17) : (is_signed ? 24 : 18)};
}

// Approximate functions keep denormals alive by scaling unless .ftz is given.
Choice approximate(const ptx::Instruction& inst) {
    const bool flush = inst.has(Modifier::ftz);
    const bool exact = !inst.has(Modifier::approx);
    const bool wide = inst.type() == Type::f64;
    switch (inst.opcode) {
        case Opcode::rcp:
            if (wide) return {"RCP.F64", Pipe::fp64, exact ? 11 : 1, exact};
            return exact ? Choice{"RCP.F32", Pipe::fma, 10, 1} : Choice{"MUFU.RCP", Pipe::xu, flush ? 1 : 4};
        case Opcode::sqrt:
            if (wide) return {"SQRT.F64", Pipe::fp64, 18, 1};
            return exact ? Choice{"SQRT.F32", Pipe::fma, 10, 1}
                         : Choice{"MUFU.SQRT", Pipe::xu, flush ? 1 : 5};
        case Opcode::rsqrt:
            if (wide) return {"RSQRT.F64", Pipe::fp64, 13, 1};
            return {"MUFU.RSQ", Pipe::xu, flush ? 1 : 5};
        case Opcode::sin: return {"MUFU.SIN", Pipe::xu, 2};
        case Opcode::cos: return {"MUFU.COS", Pipe::xu, 2};
        case Opcode::lg2: return {"MUFU.LG2", Pipe::xu, flush ? 1 : 5};
        case Opcode::ex2: return {"MUFU.EX2", Pipe::xu, flush ? 1 : 5};
        default: return {"MUFU.TANH", Pipe::xu, 1};
    }
}

// Calls into libdevice, which clang leaves in the PTX: what nvcc's inlined code for them takes. {issues,
// branches}
struct Function {
    int issues = 0, branches = 0;
    Pipe pipe = Pipe::fma;
};
const std::map<std::string, Function>& library() {
    static const std::map<std::string, Function> functions = {
        {"sqrtf", {10, 1}},
        {"rsqrtf", {5, 0}},
        {"sinf", {28, 1}},
        {"cosf", {28, 1}},
        {"tanf", {27, 1}},
        {"sincosf", {42, 1}},
        {"expf", {10, 0}},
        {"exp2f", {5, 0}},
        {"exp10f", {10, 0}},
        {"expm1f", {29, 0}},
        {"logf", {29, 0}},
        {"log2f", {31, 0}},
        {"log10f", {30, 0}},
        {"log1pf", {33, 0}},
        {"powf", {70, 2}},
        {"tanhf", {17, 0}},
        {"atanf", {21, 0}},
        {"atan2f", {45, 2}},
        {"asinf", {25, 0}},
        {"acosf", {26, 0}},
        {"sinhf", {25, 0}},
        {"coshf", {16, 0}},
        {"erff", {30, 0}},
        {"cbrtf", {16, 0}},
        {"fmodf", {20, 1}},
        {"hypotf", {25, 1}},
        {"lgammaf", {90, 3}},
        {"ldexpf", {15, 0}},
        {"fdividef", {7, 0}},
        {"frcp_rn", {10, 1}},
        {"fsqrt_rn", {10, 1}},
        {"fast_sinf", {2, 0}},
        {"fast_cosf", {2, 0}},
        {"fast_expf", {5, 0}},
        {"fast_logf", {6, 0}},
        {"fast_powf", {10, 0}},
        {"fast_fdividef", {7, 0}},
        {"fabsf", {0, 0}},
        {"fminf", {1, 0}},
        {"fmaxf", {1, 0}},
        {"floorf", {1, 0}},
        {"ceilf", {1, 0}},
        {"truncf", {1, 0}},
        {"rintf", {1, 0}},
        {"roundf", {4, 0}},
        {"fmaf", {1, 0}},
        {"fma", {1, 0, Pipe::fp64}},
        {"sqrt", {18, 1, Pipe::fp64}},
        {"rsqrt", {13, 1, Pipe::fp64}},
        {"exp", {62, 1, Pipe::fp64}},
        {"log", {70, 2, Pipe::fp64}},
        {"sin", {50, 2, Pipe::fp64}},
        {"cos", {50, 2, Pipe::fp64}},
        {"pow", {180, 5, Pipe::fp64}},
        {"fabs", {1, 0}},
        {"floor", {1, 0}},
        {"ceil", {1, 0}},
        {"abs", {2, 0}},
        {"min", {1, 0}},
        {"max", {1, 0}},
        {"umin", {1, 0}},
        {"umax", {1, 0}},
        {"mulhi", {1, 0}},
        {"umulhi", {1, 0}},
        {"popc", {1, 0}},
        {"clz", {2, 0}},
        {"ffs", {3, 0}},
        {"brev", {1, 0}},
        {"float2int_rz", {1, 0}},
        {"int2float_rn", {1, 0}},
    };
    return functions;
}

std::optional<Choice> library_call(const ptx::Instruction& inst, const ptx::Module& module) {
    const kernel::CallOperands call = kernel::call_operands(inst);
    if (!call.callee || call.callee->kind != ptx::Operand::Kind::function) return {};
    const ptx::Function& callee = module.functions[call.callee->id];
    if (!callee.declaration || callee.name.rfind("__nv_", 0) != 0) return {};
    const auto found = library().find(callee.name.substr(5));
    if (found == library().end()) return Choice{"CALL", Pipe::fma, 30, 0};
    return Choice{"CALL", found->second.pipe, found->second.issues, found->second.branches};
}

}  // namespace

std::optional<Choice> expand(const ptx::Instruction& inst, const ptx::Module& module) {
    switch (inst.opcode) {
        case Opcode::div:
            if (ptx::type_bits(inst.type()) == 16 && !ptx::is_float(inst.type()))
                return Choice{"DIV", Pipe::fma, 14};
            return divide(inst);
        case Opcode::rem: return divide(inst);
        case Opcode::rcp:
        case Opcode::sqrt:
        case Opcode::rsqrt:
        case Opcode::sin:
        case Opcode::cos:
        case Opcode::lg2:
        case Opcode::ex2:
        case Opcode::tanh: return approximate(inst);
        case Opcode::call: return library_call(inst, module);
        default: return {};
    }
}

}  // namespace lockstep::machine
