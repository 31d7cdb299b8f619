#include "machine/expand.h"

#include <map>
#include <string>

#include "kernel/operands.h"

namespace lockstep::machine {
namespace {

using ptx::Modifier;
using ptx::Type;

Choice divide(const ptx::Instruction& inst) {
    const bool remainder = inst.opcode == ptx::Opcode::rem;
    const bool is_signed = ptx::is_signed(inst.type());
    if (ptx::type_bits(inst.type()) == 64 && !ptx::is_float(inst.type()))
        return {remainder ? Opcode::rem_64 : Opcode::div_64, 80, 0};
    if (inst.type() == Type::f64) return {Opcode::div_f64, 16, 1};
    if (inst.type() == Type::f32) {
        if (inst.has(Modifier::approx)) return {Opcode::mufu_rcp, inst.has(Modifier::ftz) ? 2 : 7};
        if (inst.has(Modifier::full)) return {Opcode::mufu_rcp, 7};
        return {Opcode::div_f32, 10, 1};
    }
    return {remainder ? Opcode::rem : Opcode::div, remainder ? (is_signed ? 22 : 17) : (is_signed ? 24 : 18)};
}

// Approximate functions keep denormals alive by scaling unless .ftz is given.
Choice approximate(const ptx::Instruction& inst) {
    const bool flush = inst.has(Modifier::ftz);
    const bool exact = !inst.has(Modifier::approx);
    const bool wide = inst.type() == Type::f64;
    switch (inst.opcode) {
        case ptx::Opcode::rcp:
            if (wide) return {Opcode::rcp_f64, exact ? 11 : 1, exact};
            return exact ? Choice{Opcode::rcp_f32, 10, 1} : Choice{Opcode::mufu_rcp, flush ? 1 : 4};
        case ptx::Opcode::sqrt:
            if (wide) return {Opcode::sqrt_f64, 18, 1};
            return exact ? Choice{Opcode::sqrt_f32, 10, 1} : Choice{Opcode::mufu_sqrt, flush ? 1 : 5};
        case ptx::Opcode::rsqrt:
            if (wide) return {Opcode::rsqrt_f64, 13, 1};
            return {Opcode::mufu_rsq, flush ? 1 : 5};
        case ptx::Opcode::sin: return {Opcode::mufu_sin, 2};
        case ptx::Opcode::cos: return {Opcode::mufu_cos, 2};
        case ptx::Opcode::lg2: return {Opcode::mufu_lg2, flush ? 1 : 5};
        case ptx::Opcode::ex2: return {Opcode::mufu_ex2, flush ? 1 : 5};
        default: return {Opcode::mufu_tanh, 1};
    }
}

// Calls into libdevice, which clang leaves in the PTX: what nvcc's inlined code for them takes. {issues,
// branches}
struct Function {
    int issues = 0, branches = 0;
    Opcode opcode = Opcode::call_f32;
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
        {"fma", {1, 0, Opcode::call_f64}},
        {"sqrt", {18, 1, Opcode::call_f64}},
        {"rsqrt", {13, 1, Opcode::call_f64}},
        {"exp", {62, 1, Opcode::call_f64}},
        {"log", {70, 2, Opcode::call_f64}},
        {"sin", {50, 2, Opcode::call_f64}},
        {"cos", {50, 2, Opcode::call_f64}},
        {"pow", {180, 5, Opcode::call_f64}},
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
    if (found == library().end()) return Choice{Opcode::call_f32, 30, 0};
    return Choice{found->second.opcode, found->second.issues, found->second.branches};
}

}  // namespace

std::optional<Choice> expand(const ptx::Instruction& inst, const ptx::Module& module) {
    switch (inst.opcode) {
        case ptx::Opcode::div:
            if (ptx::type_bits(inst.type()) == 16 && !ptx::is_float(inst.type()))
                return Choice{Opcode::div, 14};
            return divide(inst);
        case ptx::Opcode::rem: return divide(inst);
        case ptx::Opcode::rcp:
        case ptx::Opcode::sqrt:
        case ptx::Opcode::rsqrt:
        case ptx::Opcode::sin:
        case ptx::Opcode::cos:
        case ptx::Opcode::lg2:
        case ptx::Opcode::ex2:
        case ptx::Opcode::tanh: return approximate(inst);
        case ptx::Opcode::call: return library_call(inst, module);
        default: return {};
    }
}

}  // namespace lockstep::machine
