// Integer arithmetic: add sub mul mad mul24 div rem abs neg min max sad, carry chains, dot products.
#include <llvm/IR/Intrinsics.h>

#include "exec/jit/emitter.h"
#include "exec/scalar/int-ops.h"

namespace lockstep::exec::jit {

using ptx::Modifier;
using ptx::Opcode;

Emitter::Value* Emitter::multiply_high(Value* a, Value* b, bool is_signed) {
    int bits = static_cast<int>(a->getType()->getScalarSizeInBits());
    llvm::Type* wide = like(a, int_type(bits * 2));
    auto extend = [&](Value* v) {
        return is_signed ? builder_.CreateSExt(v, wide) : builder_.CreateZExt(v, wide);
    };
    Value* product = builder_.CreateMul(extend(a), extend(b));
    return builder_.CreateTrunc(builder_.CreateLShr(product, constant(product, bits)), a->getType());
}

// Division as the GPU does it: never traps; by zero all bits of quotient and remainder are set; the most
// negative number over -1 wraps.
Emitter::Value* Emitter::divide(Value* a, Value* b, bool is_signed, bool remainder, const Op& divisor) {
    Value* zero = builder_.CreateICmpEQ(b, constant(b, 0));
    Value* safe = builder_.CreateSelect(zero, constant(b, 1), b);
    if (is_signed) {
        int bits = static_cast<int>(a->getType()->getScalarSizeInBits());
        Value* lowest = builder_.CreateICmpEQ(
            a, llvm::ConstantInt::get(a->getType(), llvm::APInt::getSignedMinValue(bits)));
        Value* minus_one =
            builder_.CreateICmpEQ(b, llvm::ConstantInt::get(b->getType(), llvm::APInt::getAllOnes(bits)));
        // lowest / 1 = lowest and lowest % 1 = 0: what wrapping gives for -1.
        safe = builder_.CreateSelect(builder_.CreateAnd(lowest, minus_one), constant(b, 1), safe);
        Value* result = remainder ? builder_.CreateSRem(a, safe) : builder_.CreateSDiv(a, safe);
        return builder_.CreateSelect(zero, llvm::Constant::getAllOnesValue(a->getType()), result);
    }
    auto general = [&] {
        Value* result = remainder ? builder_.CreateURem(a, safe) : builder_.CreateUDiv(a, safe);
        return builder_.CreateSelect(zero, llvm::Constant::getAllOnesValue(a->getType()), result);
    };
    if (!is_vector(a) || !is_scalar_operand(divisor) || divisor.kind == Op::Kind::integer) return general();
    // One divisor for the warp, and CPUs have no vector division: a power of two, the usual case, is worth a
    // test.
    Value* one = builder_.CreateExtractElement(b, std::uint64_t{0});
    Value* population = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, one);
    Value* power = builder_.CreateICmpEQ(population, constant(one, 1));
    auto* fast = llvm::BasicBlock::Create(context_, "pow2", target_);
    auto* slow = llvm::BasicBlock::Create(context_, "divide", target_);
    auto* done = llvm::BasicBlock::Create(context_, "divided", target_);
    builder_.CreateCondBr(power, fast, slow);
    builder_.SetInsertPoint(fast);
    Value* quick;
    if (remainder) {
        quick = builder_.CreateAnd(a, splat(builder_.CreateSub(one, constant(one, 1))));
    } else {
        Value* shift = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, one, builder_.getTrue());
        quick = builder_.CreateLShr(a, splat(shift));
    }
    builder_.CreateBr(done);
    builder_.SetInsertPoint(slow);
    Value* exact = general();
    auto* slow_end = builder_.GetInsertBlock();
    builder_.CreateBr(done);
    builder_.SetInsertPoint(done);
    llvm::PHINode* result = builder_.CreatePHI(a->getType(), 2);
    result->addIncoming(quick, fast);
    result->addIncoming(exact, slow_end);
    return result;
}

bool Emitter::emit_integer(const Inst& inst) {
    Type type = inst.type();
    auto cls = ptx::type_class(type);
    bool packed = type == Type::u16x2 || type == Type::s16x2;
    bool integer = cls == ptx::TypeClass::unsigned_int || cls == ptx::TypeClass::signed_int ||
                   cls == ptx::TypeClass::bits || packed;
    if (!integer) return false;
    bool is_signed = ptx::is_signed(type) || type == Type::s16x2;
    bool scalar = scalar_result(inst);
    const auto& ops = inst.operands;
    auto in = [&](std::size_t i) { return read(ops[i], type, scalar); };
    auto out = [&](Value* value) {
        write(inst, ops[0], value, is_signed);
        return true;
    };
    auto binary = [&](llvm::Intrinsic::ID id, Value* a, Value* b) {
        return builder_.CreateBinaryIntrinsic(id, a, b);
    };
    // Two 16-bit values in a word: the operation on <64 x i16> would do, but the shape is simplest as two
    // halves.
    auto halves = [&](auto&& operation) {
        Value* a = in(1);
        Value* b = in(2);
        llvm::Type* i16 = like(a, int_type(16));
        auto part = [&](Value* v, int shift) {
            return builder_.CreateTrunc(builder_.CreateLShr(v, constant(v, shift)), i16);
        };
        Value* low = builder_.CreateZExt(operation(part(a, 0), part(b, 0)), a->getType());
        Value* high = builder_.CreateZExt(operation(part(a, 16), part(b, 16)), a->getType());
        return builder_.CreateOr(low, builder_.CreateShl(high, constant(high, 16)));
    };
    auto with_carry = [&](Value* sum_of_three, bool sets, int bits) {
        // sum_of_three is one bit wider than the result.
        Value* low = builder_.CreateTrunc(sum_of_three, like(sum_of_three, int_type(bits)));
        if (sets) {
            Value* high = builder_.CreateLShr(sum_of_three, constant(sum_of_three, bits));
            Value* flag = builder_.CreateTrunc(high, like(high, builder_.getInt1Ty()));
            builder_.CreateStore(splat(flag), carry_);
        }
        return low;
    };
    auto carry_in = [&](Value* shape) {
        Value* flag = carry();
        return builder_.CreateZExt(
            is_vector(shape) ? flag : builder_.CreateExtractElement(flag, std::uint64_t{0}),
            shape->getType());
    };
    auto extended = [&](std::size_t i, int bits) {
        Value* v = in(i);
        return builder_.CreateZExt(v, like(v, int_type(bits)));
    };

    switch (inst.opcode) {
        case Opcode::add: {
            if (packed) return out(halves([&](Value* a, Value* b) { return builder_.CreateAdd(a, b); }));
            if (inst.has(Modifier::cc)) {
                int bits = ptx::type_bits(type);
                return out(
                    with_carry(builder_.CreateAdd(extended(1, bits + 1), extended(2, bits + 1)), true, bits));
            }
            Value* a = in(1);
            Value* b = in(2);
            if (inst.has(Modifier::sat)) return out(binary(llvm::Intrinsic::sadd_sat, a, b));
            return out(builder_.CreateAdd(a, b));
        }
        case Opcode::addc: {
            int bits = ptx::type_bits(type);
            Value* sum = builder_.CreateAdd(extended(1, bits + 1), extended(2, bits + 1));
            return out(with_carry(builder_.CreateAdd(sum, carry_in(sum)), inst.has(Modifier::cc), bits));
        }
        case Opcode::sub: {
            if (inst.has(Modifier::cc)) {  // the flag holds the borrow
                int bits = ptx::type_bits(type);
                return out(
                    with_carry(builder_.CreateSub(extended(1, bits + 1), extended(2, bits + 1)), true, bits));
            }
            Value* a = in(1);
            Value* b = in(2);
            if (inst.has(Modifier::sat)) return out(binary(llvm::Intrinsic::ssub_sat, a, b));
            return out(builder_.CreateSub(a, b));
        }
        case Opcode::subc: {
            int bits = ptx::type_bits(type);
            Value* difference = builder_.CreateSub(extended(1, bits + 1), extended(2, bits + 1));
            return out(with_carry(builder_.CreateSub(difference, carry_in(difference)),
                                  inst.has(Modifier::cc), bits));
        }
        case Opcode::mul:
        case Opcode::mad: {
            Value* a = in(1);
            Value* b = in(2);
            bool adds = inst.opcode == Opcode::mad;
            int bits = ptx::type_bits(type);
            if (inst.has(Modifier::wide)) {
                llvm::Type* wide = like(a, int_type(bits * 2));
                auto extend = [&](Value* v) {
                    return is_signed ? builder_.CreateSExt(v, wide) : builder_.CreateZExt(v, wide);
                };
                Value* product = builder_.CreateMul(extend(a), extend(b));
                if (adds) product = builder_.CreateAdd(product, read_bits(ops[3], bits * 2, scalar));
                return out(product);
            }
            Value* product =
                inst.has(Modifier::hi) ? multiply_high(a, b, is_signed) : builder_.CreateMul(a, b);
            if (!adds) return out(product);
            if (inst.has(Modifier::cc)) {
                llvm::Type* wider = like(product, int_type(bits + 1));
                Value* sum = builder_.CreateAdd(builder_.CreateZExt(product, wider), extended(3, bits + 1));
                return out(with_carry(sum, true, bits));
            }
            Value* c = in(3);
            if (inst.has(Modifier::sat)) return out(binary(llvm::Intrinsic::sadd_sat, product, c));
            return out(builder_.CreateAdd(product, c));
        }
        case Opcode::madc: {
            int bits = ptx::type_bits(type);
            Value* a = in(1);
            Value* b = in(2);
            Value* product =
                inst.has(Modifier::hi) ? multiply_high(a, b, is_signed) : builder_.CreateMul(a, b);
            Value* sum = builder_.CreateAdd(builder_.CreateZExt(product, like(product, int_type(bits + 1))),
                                            extended(3, bits + 1));
            return out(with_carry(builder_.CreateAdd(sum, carry_in(sum)), inst.has(Modifier::cc), bits));
        }
        case Opcode::mul24:
        case Opcode::mad24: {
            auto low24 = [&](Value* v) {
                Value* up = builder_.CreateShl(v, constant(v, 8));
                return is_signed ? builder_.CreateAShr(up, constant(up, 8))
                                 : builder_.CreateLShr(up, constant(up, 8));
            };
            Value* a = low24(in(1));
            Value* b = low24(in(2));
            Value* product;
            if (inst.has(Modifier::hi)) {  // bits 47 to 16 of the 48-bit product
                llvm::Type* wide = like(a, int_type(64));
                auto extend = [&](Value* v) {
                    return is_signed ? builder_.CreateSExt(v, wide) : builder_.CreateZExt(v, wide);
                };
                Value* full = builder_.CreateMul(extend(a), extend(b));
                product = builder_.CreateTrunc(builder_.CreateLShr(full, constant(full, 16)), a->getType());
            } else {
                product = builder_.CreateMul(a, b);
            }
            if (inst.opcode == Opcode::mul24) return out(product);
            Value* c = in(3);
            return out(inst.has(Modifier::sat) ? binary(llvm::Intrinsic::sadd_sat, product, c)
                                               : builder_.CreateAdd(product, c));
        }
        case Opcode::div: return out(divide(in(1), in(2), is_signed, false, ops[2]));
        case Opcode::rem: return out(divide(in(1), in(2), is_signed, true, ops[2]));
        case Opcode::abs: {
            Value* a = in(1);
            return out(builder_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, a, builder_.getFalse()));
        }
        case Opcode::neg: return out(builder_.CreateNeg(in(1)));
        case Opcode::min:
        case Opcode::max: {
            bool min = inst.opcode == Opcode::min;
            auto id = is_signed ? (min ? llvm::Intrinsic::smin : llvm::Intrinsic::smax)
                                : (min ? llvm::Intrinsic::umin : llvm::Intrinsic::umax);
            Value* result = packed ? halves([&](Value* a, Value* b) { return binary(id, a, b); })
                                   : binary(id, in(1), in(2));
            if (inst.has(Modifier::relu)) {
                if (packed) {
                    llvm::Type* i16 = like(result, int_type(16));
                    auto relu = [&](int shift) {
                        Value* part =
                            builder_.CreateTrunc(builder_.CreateLShr(result, constant(result, shift)), i16);
                        part = binary(llvm::Intrinsic::smax, part, constant(part, 0));
                        return builder_.CreateShl(builder_.CreateZExt(part, result->getType()),
                                                  constant(result, shift));
                    };
                    result = builder_.CreateOr(relu(0), relu(16));
                } else {
                    result = binary(llvm::Intrinsic::smax, result, constant(result, 0));
                }
            }
            return out(result);
        }
        case Opcode::sad: {
            Value* a = in(1);
            Value* b = in(2);
            Value* less = is_signed ? builder_.CreateICmpSLT(a, b) : builder_.CreateICmpULT(a, b);
            Value* difference =
                builder_.CreateSelect(less, builder_.CreateSub(b, a), builder_.CreateSub(a, b));
            return out(builder_.CreateAdd(difference, in(3)));
        }
        default: return false;
    }
}

}  // namespace lockstep::exec::jit
