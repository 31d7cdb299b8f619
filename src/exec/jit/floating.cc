// f32 and f64 arithmetic. What CPUs do natively is a vector operation; other rounding modes and the special functions
// go lane by lane through exec/scalar.
#include <fmt/format.h>
#include <llvm/IR/Intrinsics.h>

#include "exec/jit/emitter.h"
#include "exec/scalar/float-ops.h"
#include "kernel/graph.h"
#include "kernel/operands.h"

namespace lockstep::exec::jit {

using ptx::Modifier;
using ptx::Opcode;

namespace {

bool is_arithmetic(const ptx::Instruction& inst) {
    if (inst.type() != ptx::Type::f32 && inst.type() != ptx::Type::f64) return false;
    switch (inst.opcode) {
        case Opcode::add:
        case Opcode::sub:
        case Opcode::mul:
        case Opcode::mad:
        case Opcode::fma:
        case Opcode::div:
        case Opcode::sqrt: return true;
        default: return false;
    }
}

const char* rounding(const ptx::Instruction& inst) {
    if (inst.has(Modifier::rz)) return "rz";
    if (inst.has(Modifier::rm)) return "rm";
    if (inst.has(Modifier::rp)) return "rp";
    return "rn";
}

}  // namespace

// A GPU's float operations return one NaN; a CPU's keep the operand's. Making every result canonical would double the
// cost of arithmetic, so registers that only ever hold float results are made canonical where their bits are looked at.
void Emitter::find_lazy_nans() {
    lazy_nan_.assign(function_.registers.size(), Type::none);
    std::vector<bool> defined(function_.registers.size()), other(function_.registers.size());
    auto is_move = [](const Inst& inst) {
        return inst.opcode == Opcode::mov && inst.operands[0].kind == Op::Kind::reg &&
               (inst.operands[1].kind == Op::Kind::reg || inst.operands[1].kind == Op::Kind::f32 ||
                inst.operands[1].kind == Op::Kind::f64 || inst.operands[1].kind == Op::Kind::integer);
    };
    for (const kernel::Block& block : function_.blocks)
        for (const Inst& inst : block.instructions)
            for (kernel::RegId r : kernel::registers_written(function_, inst)) {
                if (is_arithmetic(inst)) {
                    if (lazy_nan_[r] != Type::none && lazy_nan_[r] != inst.type()) other[r] = true;
                    lazy_nan_[r] = inst.type();
                } else if (!is_move(inst)) {
                    other[r] = true;
                }
            }
    for (bool changed = true; changed;) {
        changed = false;
        for (const kernel::Block& block : function_.blocks)
            for (const Inst& inst : block.instructions) {
                if (!is_move(inst)) continue;
                kernel::RegId r = inst.operands[0].id;
                const Op& from = inst.operands[1];
                // Copies between such registers keep the property; a constant that is no NaN does too.
                if (from.kind == Op::Kind::reg) {
                    if (other[from.id] && !other[r]) other[r] = changed = true;
                    if (!other[from.id] && lazy_nan_[r] == Type::none && lazy_nan_[from.id] != Type::none) {
                        lazy_nan_[r] = lazy_nan_[from.id];
                        changed = true;
                    }
                }
            }
    }
    for (std::size_t r = 0; r < lazy_nan_.size(); ++r)
        if (other[r]) lazy_nan_[r] = Type::none;
}

Emitter::Value* Emitter::canonical_nan(Value* bits, Type type) {
    Value* number = as_float(bits, type);
    Value* nan = builder_.CreateFCmpUNO(number, number);
    return builder_.CreateSelect(nan, constant(bits, type == Type::f64 ? 0xfff8000000000000 : 0x7fffffff), bits);
}

Emitter::Value* Emitter::read_float(const Op& op, Type type, bool scalar) {
    if (op.kind == Op::Kind::reg && !op.negated && lazy_nan_[op.id] == type)
        return as_float(read_register(op.id, scalar), type);
    return as_float(read(op, type, scalar), type);
}

Emitter::Value* Emitter::flush(Value* value) {
    Value* bits = as_bits(value);
    int width = static_cast<int>(bits->getType()->getScalarSizeInBits());
    std::uint64_t exponent = width == 64 ? 0x7ff0000000000000 : width == 32 ? 0x7f800000 : 0x7c00;
    if (value->getType()->getScalarType()->isBFloatTy()) exponent = 0x7f80;
    Value* denormal = builder_.CreateICmpEQ(builder_.CreateAnd(bits, constant(bits, exponent)), constant(bits, 0));
    Value* sign = builder_.CreateAnd(bits, constant(bits, std::uint64_t{1} << (width - 1)));
    return builder_.CreateBitCast(builder_.CreateSelect(denormal, sign, bits), value->getType());
}

Emitter::Value* Emitter::saturate(Value* value) {
    Value* zero = constant_float(value, 0.0);
    Value* one = constant_float(value, 1.0);
    Value* above = builder_.CreateFCmpOGT(value, zero);  // false for NaN, so that it becomes +0
    value = builder_.CreateSelect(above, value, zero);
    return builder_.CreateSelect(builder_.CreateFCmpOGT(value, one), one, value);
}

bool Emitter::emit_scalar_call(const Inst& inst, const std::string& name, bool flush_to_zero) {
    const ScalarFunction* function = find_float_op(name);
    if (!function) {
        fail(inst, fmt::format("internal error: no scalar function {}", name));
        return true;
    }
    bool scalar = scalar_result(inst);
    auto llvm_type = [&](ScalarType type) -> llvm::Type* {
        switch (type) {
            case ScalarType::f32: return builder_.getFloatTy();
            case ScalarType::f64: return builder_.getDoubleTy();
            case ScalarType::i64: return int_type(64);
            default: return int_type(32);
        }
    };
    std::vector<Value*> args;
    for (int i = 0; i < function->arg_count; ++i) {
        ScalarType type = function->args[i];
        int bits = type == ScalarType::i16 ? 16 : type == ScalarType::f64 || type == ScalarType::i64 ? 64 : 32;
        Value* arg = read_bits(inst.operands[i + 1], bits, scalar);
        if (type == ScalarType::f32) arg = as_float(arg, Type::f32);
        if (type == ScalarType::f64) arg = as_float(arg, Type::f64);
        if (flush_to_zero && type == ScalarType::f32) arg = flush(arg);
        if (type == ScalarType::i16) arg = builder_.CreateZExt(arg, like(arg, int_type(32)));
        args.push_back(arg);
    }
    Value* result = call_lanes(std::string(function->name), function->address, llvm_type(function->result), args, scalar,
                               instruction_mask(inst));
    if (flush_to_zero && function->result == ScalarType::f32) result = flush(result);
    if (inst.has(Modifier::sat) && result->getType()->isFPOrFPVectorTy()) result = saturate(result);
    if (function->result == ScalarType::i16) result = builder_.CreateTrunc(result, like(result, int_type(16)));
    write(inst, inst.operands[0], result);
    return true;
}

bool Emitter::emit_floating(const Inst& inst) {
    Type type = inst.type();
    if (type != Type::f32 && type != Type::f64) return false;
    bool scalar = scalar_result(inst);
    bool ftz = inst.has(Modifier::ftz);
    const auto& ops = inst.operands;
    const char* suffix = type == Type::f64 ? "f64" : "f32";
    const char* mode = rounding(inst);
    bool nearest = std::string_view(mode) == "rn";
    auto in = [&](std::size_t i) {
        Value* value = read_float(ops[i], type, scalar);
        return ftz ? flush(value) : value;
    };
    auto out = [&](Value* value) {
        if (ftz) value = flush(value);
        if (inst.has(Modifier::sat)) value = saturate(value);
        Value* bits = as_bits(value);
        if (ops[0].kind == Op::Kind::reg && lazy_nan_[ops[0].id] == Type::none) bits = canonical_nan(bits, type);
        write(inst, ops[0], bits);
        return true;
    };
    auto unary = [&](llvm::Intrinsic::ID id, Value* a) { return builder_.CreateUnaryIntrinsic(id, a); };
    auto elsewhere = [&](const char* name) {
        return emit_scalar_call(inst, fmt::format("{}.{}.{}", name, mode, suffix), ftz);
    };
    auto approximate = [&](const char* name) {
        return emit_scalar_call(inst, fmt::format("{}.approx.{}", name, suffix), ftz);
    };
    switch (inst.opcode) {
        case Opcode::add: return nearest ? out(builder_.CreateFAdd(in(1), in(2))) : elsewhere("add");
        case Opcode::sub: return nearest ? out(builder_.CreateFSub(in(1), in(2))) : elsewhere("sub");
        case Opcode::mul: return nearest ? out(builder_.CreateFMul(in(1), in(2))) : elsewhere("mul");
        case Opcode::mad:
        case Opcode::fma: {
            if (!nearest) return elsewhere("fma");
            Value* a = in(1);
            Value* b = in(2);
            Value* c = in(3);
            return out(builder_.CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()}, {a, b, c}));
        }
        case Opcode::div:
            if (inst.has(Modifier::approx)) return emit_scalar_call(inst, "div.approx.f32", ftz);
            return nearest ? out(builder_.CreateFDiv(in(1), in(2))) : elsewhere("div");
        case Opcode::sqrt: return nearest ? out(unary(llvm::Intrinsic::sqrt, in(1))) : elsewhere("sqrt");
        case Opcode::rcp: {
            if (inst.has(Modifier::approx) && type == Type::f64) return approximate("rcp");
            if (!nearest) return elsewhere("rcp");
            Value* a = in(1);
            return out(builder_.CreateFDiv(constant_float(a, 1.0), a));
        }
        case Opcode::rsqrt: return approximate("rsqrt");
        case Opcode::sin: return approximate("sin");
        case Opcode::cos: return approximate("cos");
        case Opcode::lg2: return approximate("lg2");
        case Opcode::ex2: return approximate("ex2");
        case Opcode::tanh: return approximate("tanh");
        case Opcode::neg:
        case Opcode::abs: {
            Value* value = as_float(read(ops[1], type, scalar), type);
            if (ftz) value = flush(value);
            Value* bits = as_bits(value);
            std::uint64_t sign = std::uint64_t{1} << (ptx::type_bits(type) - 1);
            bits = inst.opcode == Opcode::neg ? builder_.CreateXor(bits, constant(bits, sign))
                                              : builder_.CreateAnd(bits, constant(bits, ~sign));
            write(inst, ops[0], bits);
            return true;
        }
        case Opcode::copysign: {
            Value* a = read(ops[1], type, scalar);
            Value* b = read(ops[2], type, scalar);
            std::uint64_t sign = std::uint64_t{1} << (ptx::type_bits(type) - 1);
            write(inst, ops[0], builder_.CreateOr(builder_.CreateAnd(a, constant(a, sign)), builder_.CreateAnd(b, constant(b, ~sign))));
            return true;
        }
        case Opcode::min:
        case Opcode::max: {
            // A NaN loses against a number, and -0 is less than +0.
            Value* a = in(1);
            Value* b = in(2);
            if (inst.has(Modifier::xorsign) || ops.size() > 3) {
                std::string name = inst.opcode == Opcode::min ? "min" : "max";
                if (inst.has(Modifier::NaN)) name += ".NaN";
                if (inst.has(Modifier::xorsign)) name += ".xorsign.abs";
                if (ops.size() > 3) {
                    fail(inst, "three-input min/max is not implemented");
                    return true;
                }
                return emit_scalar_call(inst, name + "." + suffix, ftz);
            }
            bool min = inst.opcode == Opcode::min;
            Value* first = min ? builder_.CreateFCmpOLT(a, b) : builder_.CreateFCmpOGT(a, b);
            Value* chosen = builder_.CreateSelect(first, as_bits(a), as_bits(b));
            Value* same = builder_.CreateFCmpOEQ(a, b);
            Value* both = min ? builder_.CreateOr(as_bits(a), as_bits(b)) : builder_.CreateAnd(as_bits(a), as_bits(b));
            chosen = builder_.CreateSelect(same, both, chosen);
            Value* a_nan = builder_.CreateFCmpUNO(a, a);
            Value* b_nan = builder_.CreateFCmpUNO(b, b);
            if (inst.has(Modifier::NaN)) {
                chosen = builder_.CreateSelect(a_nan, as_bits(a), builder_.CreateSelect(b_nan, as_bits(b), chosen));
            } else {
                chosen = builder_.CreateSelect(b_nan, as_bits(a), chosen);
            }
            return out(as_float(chosen, type));
        }
        default: return false;
    }
}

}  // namespace lockstep::exec::jit
