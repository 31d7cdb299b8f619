// f16, bf16 and their pairs. Arithmetic goes through exec/scalar, lane by lane; the rest is done on their
// bits. LLVM's own types for them appear nowhere: on CPUs without such instructions their operations become
// calls to compiler libraries, and which of those a process has is chance.
#include <fmt/format.h>

#include "exec/jit/emitter.h"
#include "exec/scalar/float-ops.h"

namespace lockstep::exec::jit {

using ptx::Modifier;
using ptx::Opcode;

bool Emitter::is_small_float(Type type) { return type == Type::f16 || type == Type::bf16; }

static std::uint64_t exponent_bits(ptx::Type type) { return type == ptx::Type::f16 ? 0x7c00 : 0x7f80; }

Emitter::Value* Emitter::is_small_nan(Value* bits, Type type) {
    return builder_.CreateICmpUGT(builder_.CreateAnd(bits, constant(bits, 0x7fff)),
                                  constant(bits, exponent_bits(type)));
}

Emitter::Value* Emitter::flush_small(Value* bits, Type type) { return flush_bits(bits, exponent_bits(type)); }

bool Emitter::emit_half(const Inst& inst) {
    Type type = inst.type();
    bool pair = type == Type::f16x2 || type == Type::bf16x2;
    if (!pair && type != Type::f16 && type != Type::bf16) return false;
    const char* suffix = type == Type::f16 || type == Type::f16x2 ? "f16" : "bf16";
    bool scalar = scalar_result(inst);
    const auto& ops = inst.operands;
    std::string name;
    bool relu = inst.has(Modifier::relu), sat = inst.has(Modifier::sat), ftz = inst.has(Modifier::ftz);
    int inputs = 2;
    switch (inst.opcode) {
        case Opcode::add: name = fmt::format("add.rn{}.{}", ftz ? ".ftz" : "", suffix); break;
        case Opcode::sub: name = fmt::format("sub.rn{}.{}", ftz ? ".ftz" : "", suffix); break;
        case Opcode::mul: name = fmt::format("mul.rn{}.{}", ftz ? ".ftz" : "", suffix); break;
        case Opcode::fma:
            name = fmt::format("fma.rn{}.{}", ftz ? ".ftz" : "", suffix);
            inputs = 3;
            break;
        case Opcode::min:
        case Opcode::max:
            name = fmt::format("{}{}{}.{}", inst.opcode == Opcode::min ? "min" : "max",
                               inst.has(Modifier::NaN) ? ".NaN" : "",
                               inst.has(Modifier::xorsign) ? ".xorsign.abs" : "", suffix);
            break;
        case Opcode::ex2:
            name = fmt::format("ex2.approx.{}", suffix);
            inputs = 1;
            break;
        case Opcode::tanh:
            name = fmt::format("tanh.approx.{}", suffix);
            inputs = 1;
            break;
        case Opcode::neg:
        case Opcode::abs: inputs = 1; break;
        default: return false;
    }
    const ScalarFunction* function = name.empty() ? nullptr : find_float_op(name);
    if (!name.empty() && !function) {
        fail(inst, fmt::format("internal error: no scalar function {}", name));
        return true;
    }
    Type element = type == Type::f16x2 ? Type::f16 : type == Type::bf16x2 ? Type::bf16 : type;
    auto one = [&](std::vector<Value*> in) -> Value* {  // i16 values
        if (ftz)
            for (Value*& v : in) v = flush_small(v, element);
        Value* result;
        if (!function) {
            Value* v = in[0];
            result = inst.opcode == Opcode::neg ? builder_.CreateXor(v, constant(v, 0x8000))
                                                : builder_.CreateAnd(v, constant(v, 0x7fff));
            result = canonical_nan(result, element);
        } else {
            std::vector<Value*> args;
            for (Value* v : in) args.push_back(builder_.CreateZExt(v, like(v, int_type(32))));
            result = call_lanes(name, function->address, int_type(32), args, scalar, instruction_mask(inst));
            result = builder_.CreateTrunc(result, like(result, int_type(16)));
        }
        auto apply = [&](const char* operation) {
            const ScalarFunction* f = find_float_op(fmt::format("{}.{}", operation, suffix));
            Value* wide = builder_.CreateZExt(result, like(result, int_type(32)));
            wide = call_lanes(std::string(f->name), f->address, int_type(32), {wide}, scalar,
                              instruction_mask(inst));
            result = builder_.CreateTrunc(wide, like(wide, int_type(16)));
        };
        if (ftz) result = flush_small(result, element);
        if (sat) apply("sat");
        if (relu) apply("relu");
        return result;
    };
    std::vector<Value*> low, high;
    for (int i = 0; i < inputs; ++i) {
        Value* v = read_bits(ops[i + 1], pair ? 32 : 16, scalar);
        low.push_back(pair ? builder_.CreateTrunc(v, like(v, int_type(16))) : v);
        if (pair)
            high.push_back(
                builder_.CreateTrunc(builder_.CreateLShr(v, constant(v, 16)), like(v, int_type(16))));
    }
    Value* result = one(low);
    if (pair) {
        Value* upper = one(high);
        llvm::Type* i32 = like(upper, int_type(32));
        upper = builder_.CreateShl(builder_.CreateZExt(upper, i32), llvm::ConstantInt::get(i32, 16));
        result = builder_.CreateOr(builder_.CreateZExt(result, i32), upper);
    }
    write(inst, ops[0], result);
    return true;
}

}  // namespace lockstep::exec::jit
