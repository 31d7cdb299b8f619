// f16, bf16 and their pairs, held as their bits. Arithmetic is f32's (or f64's) and rounded once; what is
// rare goes through exec/scalar, lane by lane.
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

Emitter::Value* Emitter::widen_small(Value* bits, Type type) {
    if (type == Type::bf16) {
        Value* wide = builder_.CreateZExt(bits, like(bits, int_type(32)));
        return as_float(builder_.CreateShl(wide, constant(wide, 16)), Type::f32);
    }
    Value* half = builder_.CreateBitCast(bits, like(bits, builder_.getHalfTy()));
    return builder_.CreateFPExt(half, like(half, builder_.getFloatTy()));
}

Emitter::Value* Emitter::narrow_small(Value* value, Type type) {
    if (type == Type::f16) {
        Value* half = builder_.CreateFPTrunc(value, like(value, builder_.getHalfTy()));
        return canonical_nan(as_bits(half), type);
    }
    // The upper half of the f32's bits, to the nearest, ties to even; a carry into the exponent is right,
    // too.
    Value* bits = as_bits(value);
    Value* odd = builder_.CreateAnd(builder_.CreateLShr(bits, constant(bits, 16)), constant(bits, 1));
    Value* rounded = builder_.CreateAdd(builder_.CreateAdd(bits, constant(bits, 0x7fff)), odd);
    rounded =
        builder_.CreateSelect(builder_.CreateFCmpUNO(value, value), constant(bits, 0x7fff0000), rounded);
    return builder_.CreateTrunc(builder_.CreateLShr(rounded, constant(bits, 16)), like(bits, int_type(16)));
}

// `nearest`, which lies `error` below the exact value, rounded to odd instead: what is rounded once more, to
// a format with at least two bits less, then becomes what the exact value would.
Emitter::Value* Emitter::to_odd(Value* nearest, Value* error) {
    Value* bits = as_bits(nearest);
    Value* inexact = builder_.CreateFCmpONE(error, constant_float(error, 0.0));  // neither with a NaN
    Value* even = builder_.CreateICmpEQ(builder_.CreateAnd(bits, constant(bits, 1)), constant(bits, 0));
    Value* same_sign = builder_.CreateICmpSGE(
        builder_.CreateXor(bits, builder_.CreateBitCast(error, bits->getType())), constant(bits, 0));
    Value* away =
        builder_.CreateSelect(same_sign, constant(bits, 1), llvm::Constant::getAllOnesValue(bits->getType()));
    Value* changed = builder_.CreateAdd(bits, away);
    Value* odd = builder_.CreateSelect(builder_.CreateAnd(inexact, even), changed, bits);
    return builder_.CreateBitCast(odd, nearest->getType());
}

// The f32 nearest to an f64, to odd.
Emitter::Value* Emitter::narrow_to_odd(Value* value) {
    Value* narrow = builder_.CreateFPTrunc(value, like(value, builder_.getFloatTy()));
    Value* error = builder_.CreateFSub(value, builder_.CreateFPExt(narrow, value->getType()));
    // (Its sign is what counts, and whether it is zero; as an f32 it could become zero.)
    Value* one = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, constant_float(error, 1.0), error);
    error = builder_.CreateSelect(builder_.CreateFCmpONE(error, constant_float(error, 0.0)), one,
                                  constant_float(error, 0.0));
    return to_odd(narrow, builder_.CreateFPTrunc(error, narrow->getType()));
}

// a + b, to odd. What the sum lost is found exactly, by Knuth's two-sum.
Emitter::Value* Emitter::sum_to_odd(Value* a, Value* b) {
    Value* sum = builder_.CreateFAdd(a, b);
    Value* of_b = builder_.CreateFSub(sum, a);
    Value* of_a = builder_.CreateFSub(sum, of_b);
    return to_odd(sum, builder_.CreateFAdd(builder_.CreateFSub(a, of_a), builder_.CreateFSub(b, of_b)));
}

// add, sub, mul and fma of f16 or bf16, to the nearest.
Emitter::Value* Emitter::small_arithmetic(Opcode opcode, Type type, const std::vector<Value*>& in) {
    std::vector<Value*> x;
    for (Value* bits : in) x.push_back(widen_small(bits, type));
    // A sum's second rounding changes nothing: f32 has more than twice the bits.
    if (opcode == Opcode::add) return narrow_small(builder_.CreateFAdd(x[0], x[1]), type);
    if (opcode == Opcode::sub) return narrow_small(builder_.CreateFSub(x[0], x[1]), type);
    // A product of two f16 is exact in f32; one of two bf16 may be too small for it.
    if (type == Type::bf16)
        for (Value*& v : x) v = builder_.CreateFPExt(v, like(v, builder_.getDoubleTy()));
    Value* value = builder_.CreateFMul(x[0], x[1]);
    if (opcode == Opcode::fma) value = sum_to_odd(value, x[2]);
    return narrow_small(type == Type::bf16 ? narrow_to_odd(value) : value, type);
}

// min and max: a NaN loses against a number, unless `nan` says that it wins; -0 is less than +0.
Emitter::Value* Emitter::small_extremum(bool maximum, bool nan, Type type, Value* a, Value* b) {
    auto order = [&](Value* v) {  // the magnitude of negative numbers turned round
        return builder_.CreateXor(
            v, builder_.CreateLShr(builder_.CreateAShr(v, constant(v, 15)), constant(v, 1)));
    };
    Value* less = builder_.CreateICmpSLT(order(a), order(b));
    Value* chosen = maximum ? builder_.CreateSelect(less, b, a) : builder_.CreateSelect(less, a, b);
    Value *a_nan = is_small_nan(a, type), *b_nan = is_small_nan(b, type);
    chosen = builder_.CreateSelect(a_nan, b, builder_.CreateSelect(b_nan, a, chosen));
    Value* none = nan ? builder_.CreateOr(a_nan, b_nan) : builder_.CreateAnd(a_nan, b_nan);
    return builder_.CreateSelect(none, constant(chosen, 0x7fff), chosen);
}

// .sat: to [0, 1], NaN to 0.
Emitter::Value* Emitter::saturate_small(Value* bits, Type type) {
    Value* one = constant(bits, type == Type::f16 ? 0x3c00 : 0x3f80);
    Value* clamped = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, bits, one);
    Value* none =
        builder_.CreateOr(is_small_nan(bits, type), builder_.CreateICmpSLT(bits, constant(bits, 0)));
    return builder_.CreateSelect(none, constant(bits, 0), clamped);
}

// .relu: a negative number becomes +0, a NaN the canonical one.
Emitter::Value* Emitter::relu_small(Value* bits, Type type) {
    Value* positive =
        builder_.CreateSelect(builder_.CreateICmpSLT(bits, constant(bits, 0)), constant(bits, 0), bits);
    return builder_.CreateSelect(is_small_nan(bits, type), constant(bits, 0x7fff), positive);
}

Emitter::Value* Emitter::pair_of(Value* high, Value* low) {
    llvm::Type* word = like(high, int_type(32));
    Value* upper = builder_.CreateShl(builder_.CreateZExt(high, word), llvm::ConstantInt::get(word, 16));
    return builder_.CreateOr(builder_.CreateZExt(low, word), upper);
}

bool Emitter::emit_half(const Inst& inst) {
    Type type = inst.type();
    bool pair = type == Type::f16x2 || type == Type::bf16x2;
    if (!pair && type != Type::f16 && type != Type::bf16) return false;
    const char* suffix = type == Type::f16 || type == Type::f16x2 ? "f16" : "bf16";
    bool scalar = scalar_result(inst);
    const auto& ops = inst.operands;
    bool relu = inst.has(Modifier::relu), sat = inst.has(Modifier::sat), ftz = inst.has(Modifier::ftz);
    Type element = type == Type::f16x2 ? Type::f16 : type == Type::bf16x2 ? Type::bf16 : type;
    int inputs = 2;
    std::string name;  // of the function of exec/scalar, where it is one
    switch (inst.opcode) {
        case Opcode::add:
        case Opcode::sub:
        case Opcode::mul:
        case Opcode::fma:
            if (inst.opcode == Opcode::fma) inputs = 3;
            if (ftz) name = fmt::format("{}.rn.ftz.{}", ptx::opcode_name(inst.opcode), suffix);
            break;
        case Opcode::min:
        case Opcode::max:
            if (inst.has(Modifier::xorsign))
                name = fmt::format("{}{}.xorsign.abs.{}", ptx::opcode_name(inst.opcode),
                                   inst.has(Modifier::NaN) ? ".NaN" : "", suffix);
            break;
        case Opcode::ex2:
        case Opcode::tanh:
            name = fmt::format("{}.approx.{}", ptx::opcode_name(inst.opcode), suffix);
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
    auto compute = [&](const std::vector<Value*>& in) -> Value* {
        switch (inst.opcode) {
            case Opcode::neg:
                return canonical_nan(builder_.CreateXor(in[0], constant(in[0], 0x8000)), element);
            case Opcode::abs:
                return canonical_nan(builder_.CreateAnd(in[0], constant(in[0], 0x7fff)), element);
            case Opcode::min:
            case Opcode::max:
                return small_extremum(inst.opcode == Opcode::max, inst.has(Modifier::NaN), element, in[0],
                                      in[1]);
            default: return small_arithmetic(inst.opcode, element, in);
        }
    };
    auto one = [&](std::vector<Value*> in) -> Value* {  // i16 values
        if (ftz)
            for (Value*& v : in) v = flush_small(v, element);
        Value* result;
        if (function) {
            std::vector<Value*> args;
            for (Value* v : in) args.push_back(builder_.CreateZExt(v, like(v, int_type(32))));
            result = call_lanes(*function, args, scalar, instruction_mask(inst));
            result = builder_.CreateTrunc(result, like(result, int_type(16)));
        } else {
            result = compute(in);
        }
        if (ftz) result = flush_small(result, element);
        if (sat) result = saturate_small(result, element);
        if (relu) result = relu_small(result, element);
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
    write(inst, ops[0], pair ? pair_of(one(high), result) : result);
    return true;
}

}  // namespace lockstep::exec::jit
