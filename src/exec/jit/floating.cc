// f32 and f64 arithmetic. What CPUs do natively is a vector operation; other rounding modes and the special
// functions go lane by lane through exec/scalar.
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

bool is_float_operation(Opcode opcode) {
    switch (opcode) {
        case Opcode::add:
        case Opcode::sub:
        case Opcode::mul:
        case Opcode::mad:
        case Opcode::fma:
        case Opcode::div:
        case Opcode::sqrt:
        case Opcode::rcp:
        case Opcode::rsqrt:
        case Opcode::neg:
        case Opcode::abs:
        case Opcode::min:
        case Opcode::max: return true;
        default: return false;
    }
}

// Operations of f32 whose result, where it is a NaN, is the canonical one.
bool is_arithmetic(const ptx::Instruction& inst) {
    return inst.type() == ptx::Type::f32 && is_float_operation(inst.opcode);
}

// Reads its float operands as numbers: which NaN one of them is does not show, or only in another f64
// register.
bool reads_numbers(const ptx::Instruction& inst) {
    return is_float_operation(inst.opcode) || inst.opcode == Opcode::set || inst.opcode == Opcode::setp ||
           inst.opcode == Opcode::testp;
}

bool is_subnormal(std::uint64_t f32_bits) {
    return (f32_bits & 0x7f800000) == 0 && (f32_bits & 0x007fffff) != 0;
}

const char* rounding(const ptx::Instruction& inst) {
    if (inst.has(Modifier::rz)) return "rz";
    if (inst.has(Modifier::rm)) return "rm";
    if (inst.has(Modifier::rp)) return "rp";
    return "rn";
}

}  // namespace

// A GPU's f32 operations return one NaN; a CPU's keep the operand's. Making every result canonical would
// double the cost of arithmetic, so registers that only ever hold float results are made canonical where
// their bits are looked at. In the same walk: which registers never hold a subnormal number, because .ftz
// made all that they hold.
void Emitter::find_lazy_nans() {
    std::size_t count = function_.registers.size();
    lazy_nan_.assign(count, Type::none);
    flushed_.assign(count, false);
    std::vector<bool> other(count), subnormal(count);
    auto is_move = [](const Inst& inst) {
        return inst.opcode == Opcode::mov && inst.operands[0].kind == Op::Kind::reg &&
               (inst.operands[1].kind == Op::Kind::reg || inst.operands[1].kind == Op::Kind::f32 ||
                inst.operands[1].kind == Op::Kind::f64 || inst.operands[1].kind == Op::Kind::integer);
    };
    for (const kernel::Block& block : function_.blocks)
        for (const Inst& inst : block.instructions)
            for (kernel::RegId r : kernel::registers_written(function_, inst)) {
                bool move = is_move(inst);
                if (is_arithmetic(inst)) {
                    lazy_nan_[r] = inst.type();
                } else if (!move) {
                    other[r] = true;
                }
                if (move ? inst.operands[1].kind != Op::Kind::reg && is_subnormal(inst.operands[1].bits)
                         : !is_arithmetic(inst) || !inst.has(Modifier::ftz))
                    subnormal[r] = true;
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
                    if (subnormal[from.id] && !subnormal[r]) subnormal[r] = changed = true;
                    if (!other[from.id] && lazy_nan_[r] == Type::none && lazy_nan_[from.id] != Type::none) {
                        lazy_nan_[r] = lazy_nan_[from.id];
                        changed = true;
                    }
                }
            }
    }
    for (std::size_t r = 0; r < count; ++r) {
        flushed_[r] = lazy_nan_[r] == Type::f32 && !subnormal[r];
        if (other[r]) lazy_nan_[r] = Type::none;
    }
    find_exact_nans();
}

// f64 operations hand on an operand's NaN, on the GPU as on the CPU, but the two choose differently between
// several NaNs, and arm64's default NaN has the other sign. Choosing as the GPU does costs more than the
// operation, so that is done only where the result's bits are read in the same block, from its only
// definition: not for a loop's accumulator.
void Emitter::find_exact_nans() {
    std::size_t count = function_.registers.size();
    exact_nan_.assign(count, false);
    std::vector<int> definitions(count);
    for (const kernel::Block& block : function_.blocks)
        for (const Inst& inst : block.instructions)
            for (kernel::RegId r : kernel::registers_written(function_, inst)) ++definitions[r];
    for (const kernel::Block& block : function_.blocks) {
        std::set<kernel::RegId> here;
        for (const Inst& inst : block.instructions) {
            if (!reads_numbers(inst))
                for (kernel::RegId r : kernel::registers_read(function_, inst))
                    if (here.contains(r)) exact_nan_[r] = true;
            if (inst.type() == Type::f64 && reads_numbers(inst))
                for (kernel::RegId r : kernel::registers_written(function_, inst))
                    if (definitions[r] == 1) here.insert(r);
        }
    }
}

// `operands`: in the order in which their NaNs win.
Emitter::Value* Emitter::exact_nan(Value* result, std::initializer_list<Value*> operands) {
    Value* bits = as_bits(result);
    Value* chosen = constant(bits, 0xfff8000000000000);
    for (const Value* const* at = operands.end(); at != operands.begin();) {
        Value* operand = const_cast<Value*>(*--at);
        Value* quiet = builder_.CreateOr(as_bits(operand), constant(bits, 0x0008000000000000));
        chosen = builder_.CreateSelect(builder_.CreateFCmpUNO(operand, operand), quiet, chosen);
    }
    return builder_.CreateSelect(builder_.CreateFCmpUNO(result, result), chosen, bits);
}

Emitter::Value* Emitter::canonical_nan(Value* bits, Type type) {
    if (is_small_float(type))
        return builder_.CreateSelect(is_small_nan(bits, type), constant(bits, 0x7fff), bits);
    Value* number = as_float(bits, type);
    Value* nan = constant(bits, type == Type::f64 ? 0xfff8000000000000 : 0x7fffffff);
    // As a float: of an integer's select the code generator for arm64 makes five instructions, not two.
    return as_bits(
        builder_.CreateSelect(builder_.CreateFCmpORD(number, number), number, as_float(nan, type)));
}

Emitter::Value* Emitter::read_any_nan(const Op& op, Type type, bool scalar) {
    if (op.kind == Op::Kind::reg && !op.negated && lazy_nan_[op.id] == type)
        return read_register(op.id, scalar);
    return read(op, type, scalar);
}

Emitter::Value* Emitter::flush_bits(Value* bits, std::uint64_t exponent) {
    Value* denormal =
        builder_.CreateICmpEQ(builder_.CreateAnd(bits, constant(bits, exponent)), constant(bits, 0));
    Value* sign = builder_.CreateAnd(
        bits, llvm::ConstantInt::get(bits->getType(),
                                     llvm::APInt::getSignMask(bits->getType()->getScalarSizeInBits())));
    return builder_.CreateSelect(denormal, sign, bits);
}

Emitter::Value* Emitter::flush(Value* value) {
    bool is_double = value->getType()->getScalarType()->isDoubleTy();
    Value* flushed = flush_bits(as_bits(value), is_double ? 0x7ff0000000000000 : 0x7f800000);
    return builder_.CreateBitCast(flushed, value->getType());
}

Emitter::Value* Emitter::saturate(Value* value) {
    Value* zero = constant_float(value, 0.0);
    Value* one = constant_float(value, 1.0);
    Value* above = builder_.CreateFCmpOGT(value, zero);  // false for NaN, so that it becomes +0
    value = builder_.CreateSelect(above, value, zero);
    return builder_.CreateSelect(builder_.CreateFCmpOGT(value, one), one, value);
}

// The f64 sum `nearest` + `error`, which lies between `nearest` and its neighbour, as an f32 that is rounded
// by .rz, .rm or .rp. `error` null: there is none.
Emitter::Value* Emitter::directed(std::string_view mode, Value* nearest, Value* error) {
    Value* narrow = builder_.CreateFPTrunc(nearest, like(nearest, builder_.getFloatTy()));
    Value* back = builder_.CreateFPExt(narrow, nearest->getType());
    Value* above = builder_.CreateFCmpOGT(back, nearest);
    Value* below = builder_.CreateFCmpOLT(back, nearest);
    if (error) {
        Value* zero = constant_float(error, 0.0);
        Value* same = builder_.CreateFCmpOEQ(back, nearest);
        above = builder_.CreateOr(above, builder_.CreateAnd(same, builder_.CreateFCmpOLT(error, zero)));
        below = builder_.CreateOr(below, builder_.CreateAnd(same, builder_.CreateFCmpOGT(error, zero)));
    }
    // The neighbours away from zero and towards it are those of the bits.
    Value* bits = as_bits(narrow);
    Value* negative = builder_.CreateICmpSLT(bits, constant(bits, 0));
    Value* larger = builder_.CreateAdd(bits, constant(bits, 1));
    Value* smaller = builder_.CreateSub(bits, constant(bits, 1));
    Value* down = builder_.CreateAnd(above, negative);
    Value* up = builder_.CreateAnd(below, builder_.CreateNot(negative));
    Value* grows = mode == "rm" ? down : mode == "rp" ? up : nullptr;
    Value* shrinks = builder_.CreateOr(
        mode == "rp" ? llvm::Constant::getNullValue(above->getType())
                     : builder_.CreateAnd(above, builder_.CreateNot(negative)),
        mode == "rm" ? llvm::Constant::getNullValue(above->getType()) : builder_.CreateAnd(below, negative));
    Value* result = builder_.CreateSelect(shrinks, smaller, bits);
    if (grows) result = builder_.CreateSelect(grows, larger, result);
    return builder_.CreateBitCast(result, narrow->getType());
}

// a + b, of f64 whose sum is far from overflow, as an f32.
Emitter::Value* Emitter::directed_sum(std::string_view mode, Value* a, Value* b) {
    Value* sum = builder_.CreateFAdd(a, b);
    Value* of_b = builder_.CreateFSub(sum, a);
    Value* of_a = builder_.CreateFSub(sum, of_b);
    Value* error = builder_.CreateFAdd(builder_.CreateFSub(a, of_a), builder_.CreateFSub(b, of_b));
    Value* result = directed(mode, sum, error);
    if (mode != "rm") return result;
    // Only there zeros of both signs make a negative one.
    Value* bits = as_bits(result);
    Value* signs = builder_.CreateAnd(builder_.CreateOr(as_bits(a), as_bits(b)),
                                      constant(as_bits(a), std::uint64_t{1} << 63));
    Value* sign = builder_.CreateTrunc(builder_.CreateLShr(signs, constant(signs, 32)), bits->getType());
    Value* zero = builder_.CreateFCmpOEQ(sum, constant_float(sum, 0.0));
    return builder_.CreateBitCast(builder_.CreateSelect(zero, sign, bits), result->getType());
}

bool Emitter::emit_scalar_call(const Inst& inst, const std::string& name, bool flush_to_zero) {
    const ScalarFunction* function = find_float_op(name);
    if (!function) {
        fail(inst, fmt::format("internal error: no scalar function {}", name));
        return true;
    }
    bool scalar = scalar_result(inst);
    std::vector<Value*> args;
    for (int i = 0; i < function->arg_count; ++i) {
        ScalarType type = function->args[i];
        int bits = type == ScalarType::i16                              ? 16
                   : type == ScalarType::f64 || type == ScalarType::i64 ? 64
                                                                        : 32;
        Value* arg = read_bits(inst.operands[i + 1], bits, scalar);
        if (type == ScalarType::f32) arg = as_float(arg, Type::f32);
        if (type == ScalarType::f64) arg = as_float(arg, Type::f64);
        if (flush_to_zero && type == ScalarType::f32) arg = flush(arg);
        if (type == ScalarType::i16) arg = builder_.CreateZExt(arg, like(arg, int_type(32)));
        args.push_back(arg);
    }
    Value* result = call_lanes(*function, args, scalar, instruction_mask(inst));
    if (flush_to_zero && function->result == ScalarType::f32) result = flush(result);
    if (inst.has(Modifier::sat) && result->getType()->isFPOrFPVectorTy()) result = saturate(result);
    if (function->result == ScalarType::i16)
        result = builder_.CreateTrunc(result, like(result, int_type(16)));
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
        Value* value = as_float(read_any_nan(ops[i], type, scalar), type);
        bool flushed = ops[i].kind == Op::Kind::reg && flushed_[ops[i].id];
        return ftz && !flushed ? flush(value) : value;
    };
    auto finish = [&](Value* value) {
        if (inst.has(Modifier::sat)) value = saturate(value);
        Value* bits = as_bits(value);
        if (type == Type::f32 && ops[0].kind == Op::Kind::reg && lazy_nan_[ops[0].id] == Type::none)
            bits = canonical_nan(bits, type);
        write(inst, ops[0], bits);
        return true;
    };
    auto out = [&](Value* value) { return finish(ftz ? flush(value) : value); };
    // .ftz flushes what is subnormal when rounded with unlimited exponents, so a result just below the
    // smallest normal number must not round up to it first: `scaled` is the same result times 2^64, which has
    // the exponents to tell.
    auto out_flushed = [&](Value* value, llvm::function_ref<Value*(Value * scale)> scaled) {
        if (!ftz) return finish(value);
        Value* magnitude =
            builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, scaled(constant_float(value, 0x1p64)));
        Value* tiny = builder_.CreateFCmpOLT(magnitude, constant_float(value, 0x1p-62));
        Value* bits = as_bits(value);
        Value* sign = builder_.CreateAnd(bits, constant(bits, 0x80000000));
        return finish(as_float(builder_.CreateSelect(tiny, sign, bits), type));
    };
    // f64: `operands` in the order in which their NaNs win.
    auto out_double = [&](Value* value, bool always, std::initializer_list<Value*> operands) {
        bool exact = always || (ops[0].kind == Op::Kind::reg && exact_nan_[ops[0].id]);
        write(inst, ops[0], exact ? exact_nan(value, operands) : value);
        return true;
    };
    auto unary = [&](llvm::Intrinsic::ID id, Value* a) { return builder_.CreateUnaryIntrinsic(id, a); };
    auto fma = [&](Value* a, Value* b, Value* c) {
        return builder_.CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()}, {a, b, c});
    };
    auto elsewhere = [&](const char* name) {
        return emit_scalar_call(inst, fmt::format("{}.{}{}.{}", name, mode, ftz ? ".ftz" : "", suffix));
    };
    auto approximate = [&](const char* name) {
        bool own = ftz && type == Type::f64;
        return emit_scalar_call(inst, fmt::format("{}.approx{}.{}", name, own ? ".ftz" : "", suffix), ftz);
    };
    bool is_double = type == Type::f64;
    // f32 rounded towards a side: in f64, where products are exact and what a sum loses is known.
    const bool directs = !nearest && !is_double && !ftz;
    auto wide = [&](Value* v) { return builder_.CreateFPExt(v, like(v, builder_.getDoubleTy())); };
    switch (inst.opcode) {
        case Opcode::add:
        case Opcode::sub: {
            bool adds = inst.opcode == Opcode::add;
            if (!nearest && !directs) return elsewhere(adds ? "add" : "sub");
            Value* a = in(1);
            Value* b = in(2);
            if (directs) return out(directed_sum(mode, wide(a), wide(adds ? b : builder_.CreateFNeg(b))));
            Value* result = adds ? builder_.CreateFAdd(a, b) : builder_.CreateFSub(a, b);
            return is_double ? out_double(result, false, {b, a}) : out(result);
        }
        case Opcode::mul: {
            if (!nearest && !directs) return elsewhere("mul");
            Value* a = in(1);
            Value* b = in(2);
            if (directs) return out(directed(mode, builder_.CreateFMul(wide(a), wide(b)), nullptr));
            Value* result = builder_.CreateFMul(a, b);
            if (is_double) return out_double(result, false, {b, a});
            return out_flushed(
                result, [&](Value* scale) { return builder_.CreateFMul(builder_.CreateFMul(a, scale), b); });
        }
        case Opcode::mad:
        case Opcode::fma: {
            if (!nearest && !directs) return elsewhere("fma");
            Value* a = in(1);
            Value* b = in(2);
            Value* c = in(3);
            if (directs) return out(directed_sum(mode, builder_.CreateFMul(wide(a), wide(b)), wide(c)));
            Value* result = fma(a, b, c);
            if (is_double) return out_double(result, false, {b, c, a});
            return out_flushed(result, [&](Value* scale) {
                return fma(builder_.CreateFMul(a, scale), b, builder_.CreateFMul(c, scale));
            });
        }
        case Opcode::div: {
            if (!nearest) return elsewhere("div");
            Value* a = in(1);
            Value* b = in(2);
            Value* result = builder_.CreateFDiv(a, b);
            if (inst.has(Modifier::full)) return out(result);
            if (inst.has(
                    Modifier::approx)) {  // a divisor from 2^126 on counts as infinite, but inf / it is NaN
                Value* magnitude = unary(llvm::Intrinsic::fabs, b);
                Value* large = builder_.CreateFCmpOGT(magnitude, constant_float(b, 0x1p126));
                Value* finite =
                    builder_.CreateFCmpONE(magnitude, llvm::ConstantFP::getInfinity(b->getType()));
                Value* zero =
                    builder_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, constant_float(b, 0.0), b);
                return out(builder_.CreateSelect(builder_.CreateAnd(large, finite),
                                                 builder_.CreateFMul(a, zero), result));
            }
            if (is_double) return out_double(result, true, {a, b});
            return out_flushed(
                result, [&](Value* scale) { return builder_.CreateFDiv(builder_.CreateFMul(a, scale), b); });
        }
        case Opcode::sqrt: {
            if (!nearest) return elsewhere("sqrt");
            Value* a = in(1);
            Value* result = unary(llvm::Intrinsic::sqrt, a);
            return is_double ? out_double(result, true, {a}) : out(result);
        }
        case Opcode::rcp: {
            if (inst.has(Modifier::approx) && is_double) return approximate("rcp");
            if (!nearest) return elsewhere("rcp");
            Value* a = in(1);
            Value* result = builder_.CreateFDiv(constant_float(a, 1.0), a);
            if (is_double) return out_double(result, true, {a});
            return out_flushed(result, [&](Value* scale) { return builder_.CreateFDiv(scale, a); });
        }
        case Opcode::rsqrt: {
            if (is_double) return approximate("rsqrt");
            // Through f64: two roundings in f32 would come to the bound that PTX gives.
            Value* a = in(1);
            llvm::Type* wide = like(a, builder_.getDoubleTy());
            Value* root = unary(llvm::Intrinsic::sqrt, builder_.CreateFPExt(a, wide));
            Value* result = builder_.CreateFDiv(llvm::ConstantFP::get(wide, 1.0), root);
            return out(builder_.CreateFPTrunc(result, a->getType()));
        }
        case Opcode::sin: return approximate("sin");
        case Opcode::cos: return approximate("cos");
        case Opcode::lg2: return approximate("lg2");
        case Opcode::ex2: return approximate("ex2");
        case Opcode::tanh: return approximate("tanh");
        case Opcode::neg:
        case Opcode::abs: {
            Value* value = in(1);
            Value* bits = as_bits(value);
            std::uint64_t sign = std::uint64_t{1} << (ptx::type_bits(type) - 1);
            Value* changed = inst.opcode == Opcode::neg ? builder_.CreateXor(bits, constant(bits, sign))
                                                        : builder_.CreateAnd(bits, constant(bits, ~sign));
            if (!is_double) return finish(as_float(changed, type));
            // The sign of an f64 NaN stays.
            Value* quiet = builder_.CreateOr(bits, constant(bits, 0x0008000000000000));
            write(inst, ops[0], builder_.CreateSelect(builder_.CreateFCmpUNO(value, value), quiet, changed));
            return true;
        }
        case Opcode::copysign: {
            Value* a = read(ops[1], type, scalar);
            Value* b = read(ops[2], type, scalar);
            std::uint64_t sign = std::uint64_t{1} << (ptx::type_bits(type) - 1);
            write(inst, ops[0],
                  builder_.CreateOr(builder_.CreateAnd(a, constant(a, sign)),
                                    builder_.CreateAnd(b, constant(b, ~sign))));
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
            Value* both =
                min ? builder_.CreateOr(as_bits(a), as_bits(b)) : builder_.CreateAnd(as_bits(a), as_bits(b));
            chosen = builder_.CreateSelect(same, both, chosen);
            Value* a_nan = builder_.CreateFCmpUNO(a, a);
            Value* b_nan = builder_.CreateFCmpUNO(b, b);
            if (inst.has(Modifier::NaN)) {
                chosen = builder_.CreateSelect(a_nan, as_bits(a),
                                               builder_.CreateSelect(b_nan, as_bits(b), chosen));
            } else if (is_double) {  // of two NaNs the second
                Value* quiet = builder_.CreateOr(as_bits(b), constant(as_bits(b), 0x0008000000000000));
                chosen =
                    builder_.CreateSelect(b_nan, builder_.CreateSelect(a_nan, quiet, as_bits(a)), chosen);
            } else {
                chosen = builder_.CreateSelect(b_nan, as_bits(a), chosen);
            }
            return out(as_float(chosen, type));
        }
        default: return false;
    }
}

}  // namespace lockstep::exec::jit
