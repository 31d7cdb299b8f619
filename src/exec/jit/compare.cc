// Comparison and selection: setp set selp slct testp.
#include <llvm/IR/Intrinsics.h>

#include "exec/jit/emitter.h"

namespace lockstep::exec::jit {

using kernel::Shape;
using llvm::CmpInst;
using ptx::Modifier;
using ptx::Opcode;

namespace {

struct Comparison {
    Modifier word;
    CmpInst::Predicate is_unsigned, is_signed, floating;
};

// setp's words. lo, ls, hi, hs are the unsigned comparisons by another name.
constexpr Comparison comparisons[] = {
    {Modifier::eq, CmpInst::ICMP_EQ, CmpInst::ICMP_EQ, CmpInst::FCMP_OEQ},
    {Modifier::ne, CmpInst::ICMP_NE, CmpInst::ICMP_NE, CmpInst::FCMP_ONE},
    {Modifier::lt, CmpInst::ICMP_ULT, CmpInst::ICMP_SLT, CmpInst::FCMP_OLT},
    {Modifier::le, CmpInst::ICMP_ULE, CmpInst::ICMP_SLE, CmpInst::FCMP_OLE},
    {Modifier::gt, CmpInst::ICMP_UGT, CmpInst::ICMP_SGT, CmpInst::FCMP_OGT},
    {Modifier::ge, CmpInst::ICMP_UGE, CmpInst::ICMP_SGE, CmpInst::FCMP_OGE},
    {Modifier::lo, CmpInst::ICMP_ULT, CmpInst::ICMP_ULT, CmpInst::FCMP_OLT},
    {Modifier::ls, CmpInst::ICMP_ULE, CmpInst::ICMP_ULE, CmpInst::FCMP_OLE},
    {Modifier::hi, CmpInst::ICMP_UGT, CmpInst::ICMP_UGT, CmpInst::FCMP_OGT},
    {Modifier::hs, CmpInst::ICMP_UGE, CmpInst::ICMP_UGE, CmpInst::FCMP_OGE},
    {Modifier::equ, CmpInst::ICMP_EQ, CmpInst::ICMP_EQ, CmpInst::FCMP_UEQ},
    {Modifier::neu, CmpInst::ICMP_NE, CmpInst::ICMP_NE, CmpInst::FCMP_UNE},
    {Modifier::ltu, CmpInst::ICMP_ULT, CmpInst::ICMP_SLT, CmpInst::FCMP_ULT},
    {Modifier::leu, CmpInst::ICMP_ULE, CmpInst::ICMP_SLE, CmpInst::FCMP_ULE},
    {Modifier::gtu, CmpInst::ICMP_UGT, CmpInst::ICMP_SGT, CmpInst::FCMP_UGT},
    {Modifier::geu, CmpInst::ICMP_UGE, CmpInst::ICMP_SGE, CmpInst::FCMP_UGE},
    {Modifier::num, CmpInst::ICMP_EQ, CmpInst::ICMP_EQ, CmpInst::FCMP_ORD},
    {Modifier::nan, CmpInst::ICMP_EQ, CmpInst::ICMP_EQ, CmpInst::FCMP_UNO},
};

const Comparison& comparison(const ptx::Instruction& inst) {
    for (const Comparison& c : comparisons)
        if (inst.has(c.word)) return c;
    return comparisons[0];
}

}  // namespace

Emitter::Value* Emitter::float_compare(const Inst& inst, Value* a, Value* b, Type type) {
    CmpInst::Predicate predicate = comparison(inst).floating;
    bool ftz = inst.has(Modifier::ftz);
    if (!is_small_float(type)) {
        a = as_float(a, type), b = as_float(b, type);
        return ftz ? builder_.CreateFCmp(predicate, flush(a), flush(b))
                   : builder_.CreateFCmp(predicate, a, b);
    }
    if (ftz) a = flush_small(a, type), b = flush_small(b, type);
    Value* unordered = builder_.CreateOr(is_small_nan(a, type), is_small_nan(b, type));
    if (predicate == CmpInst::FCMP_UNO) return unordered;
    if (predicate == CmpInst::FCMP_ORD) return builder_.CreateNot(unordered);
    // Sign and magnitude as a two's complement number, which orders numbers as they are; both zeros become 0.
    auto rank = [&](Value* bits) {
        Value* sign = builder_.CreateAShr(bits, constant(bits, 15));
        Value* magnitude = builder_.CreateAnd(bits, constant(bits, 0x7fff));
        return builder_.CreateSub(builder_.CreateXor(magnitude, sign), sign);
    };
    Value* holds = builder_.CreateICmp(comparison(inst).is_signed, rank(a), rank(b));
    return CmpInst::isUnordered(predicate) ? builder_.CreateOr(holds, unordered)
                                           : builder_.CreateAnd(holds, builder_.CreateNot(unordered));
}

Emitter::Value* Emitter::integer_compare(const Inst& inst, Value* a, Value* b, bool is_signed) {
    return builder_.CreateICmp(is_signed ? comparison(inst).is_signed : comparison(inst).is_unsigned, a, b);
}

// tid < n and its like: the lanes for which base + lane * stride compares true against a uniform value are a
// prefix (or its complement), so their mask comes from scalar arithmetic. Null where that does not apply.
Emitter::Value* Emitter::linear_compare(const Inst& inst) {
    Type type = inst.type();
    int bits = ptx::type_bits(type);
    if (ptx::is_float(type) || (bits != 32 && bits != 64) || warp_rows() > 1) return nullptr;
    const Op* linear = &inst.operands[1];
    const Op* other = &inst.operands[2];
    CmpInst::Predicate predicate =
        ptx::is_signed(type) ? comparison(inst).is_signed : comparison(inst).is_unsigned;
    auto is_linear = [&](const Op& op) {
        return op.kind == Op::Kind::reg && shape(op).kind == Shape::Kind::affine && shape(op).stride > 0 &&
               shape(op).stride < (1 << 20);
    };
    if (!is_linear(*linear)) {
        std::swap(linear, other);
        predicate = CmpInst::getSwappedPredicate(predicate);
    }
    if (!is_linear(*linear) || !is_scalar_operand(*other)) return nullptr;
    std::int64_t stride = shape(*linear).stride;

    Value* base = read(*linear, type, true);
    Value* bound = read(*other, type, true);
    auto* fast = llvm::BasicBlock::Create(context_, "prefix", target_);
    auto* slow = llvm::BasicBlock::Create(context_, "wraps", target_);
    auto* done = llvm::BasicBlock::Create(context_, "compared", target_);
    llvm::APInt top = llvm::APInt::getSignedMinValue(bits);
    Value* ordered_base = base;
    Value* ordered_bound = bound;
    if (CmpInst::isSigned(predicate)) {  // the same order, unsigned
        ordered_base = builder_.CreateXor(base, llvm::ConstantInt::get(base->getType(), top));
        ordered_bound = builder_.CreateXor(bound, llvm::ConstantInt::get(base->getType(), top));
    }
    llvm::APInt room = llvm::APInt::getMaxValue(bits) - static_cast<std::uint64_t>(stride * (warp_lanes - 1));
    Value* fits = builder_.CreateICmpULE(ordered_base, llvm::ConstantInt::get(base->getType(), room));
    builder_.CreateCondBr(fits, fast, slow);

    builder_.SetInsertPoint(fast);
    Value* distance = builder_.CreateSub(ordered_bound, ordered_base);
    Value* steps = builder_.CreateUDiv(distance, constant(distance, stride));
    Value* exact = builder_.CreateICmpEQ(builder_.CreateMul(steps, constant(steps, stride)), distance);
    auto prefix = [&](Value* count) {  // the lowest `count` lanes
        Value* n = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, count, constant(count, warp_lanes));
        Value* wide = builder_.CreateShl(llvm::ConstantInt::get(int_type(64), 1),
                                         builder_.CreateZExtOrTrunc(n, int_type(64)));
        return builder_.CreateTrunc(builder_.CreateSub(wide, llvm::ConstantInt::get(int_type(64), 1)),
                                    int_type(32));
    };
    Value* zero = llvm::ConstantInt::get(int_type(32), 0);
    Value* mask;
    switch (predicate) {
        case CmpInst::ICMP_EQ:
        case CmpInst::ICMP_NE: {
            Value* within = builder_.CreateICmpULT(steps, constant(steps, warp_lanes));
            Value* lane = builder_.CreateAnd(builder_.CreateZExtOrTrunc(steps, int_type(32)), 31);
            Value* hit = builder_.CreateShl(llvm::ConstantInt::get(int_type(32), 1), lane);
            mask = builder_.CreateSelect(builder_.CreateAnd(within, exact), hit, zero);
            if (predicate == CmpInst::ICMP_NE) mask = builder_.CreateNot(mask);
            break;
        }
        case CmpInst::ICMP_ULT:
        case CmpInst::ICMP_SLT:
        case CmpInst::ICMP_UGE:
        case CmpInst::ICMP_SGE: {
            Value* count =
                builder_.CreateAdd(steps, builder_.CreateZExt(builder_.CreateNot(exact), steps->getType()));
            Value* some = builder_.CreateICmpUGT(ordered_bound, ordered_base);
            mask = builder_.CreateSelect(some, prefix(count), zero);
            if (predicate == CmpInst::ICMP_UGE || predicate == CmpInst::ICMP_SGE)
                mask = builder_.CreateNot(mask);
            break;
        }
        default: {  // <= and its complement >
            Value* low =
                builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, steps, constant(steps, warp_lanes));
            Value* count = builder_.CreateAdd(low, constant(low, 1));
            Value* some = builder_.CreateICmpUGE(ordered_bound, ordered_base);
            mask = builder_.CreateSelect(some, prefix(count), zero);
            if (predicate == CmpInst::ICMP_UGT || predicate == CmpInst::ICMP_SGT)
                mask = builder_.CreateNot(mask);
            break;
        }
    }
    builder_.CreateBr(done);

    builder_.SetInsertPoint(slow);
    Value* lanes = read(*linear, type, false);
    Value* vector_mask = to_bits(builder_.CreateICmp(predicate, lanes, splat(bound)));
    auto* slow_end = builder_.GetInsertBlock();
    builder_.CreateBr(done);

    builder_.SetInsertPoint(done);
    llvm::PHINode* result = builder_.CreatePHI(int_type(32), 2);
    result->addIncoming(mask, fast);
    result->addIncoming(vector_mask, slow_end);
    return result;
}

bool Emitter::emit_compare(const Inst& inst) {
    Type type = inst.type();
    const auto& ops = inst.operands;
    auto compare = [&](Type operand_type, bool scalar) -> Value* {
        if (operand_type == Type::f16x2 || operand_type == Type::bf16x2) return nullptr;
        if (ptx::is_float(operand_type))
            return float_compare(inst, read_any_nan(ops[1], operand_type, scalar),
                                 read_any_nan(ops[2], operand_type, scalar), operand_type);
        return integer_compare(inst, read(ops[1], operand_type, scalar), read(ops[2], operand_type, scalar),
                               ptx::is_signed(operand_type));
    };
    // With a boolean operation and a third source: (a cmp b) op c.
    auto combine = [&](Value* result, std::size_t third, bool scalar) {
        if (ops.size() <= third) return result;
        Value* c = predicate(ops[third], scalar);
        if (inst.has(Modifier::and_)) return builder_.CreateAnd(result, c);
        if (inst.has(Modifier::or_)) return builder_.CreateOr(result, c);
        return builder_.CreateXor(result, c);
    };
    switch (inst.opcode) {
        case Opcode::setp: {
            bool scalar = scalar_result(inst);
            if (type == Type::f16x2 || type == Type::bf16x2) return compare_pair(inst);
            if (ops.size() == 3 && may_know_bits(inst)) {
                if (Value* mask = linear_compare(inst)) {
                    write(inst, ops[0], compare(type, false));  // as lanes, for whoever selects by it
                    know_bits(inst, mask);
                    return true;
                }
            }
            Value* result = compare(type, scalar);
            if (ops[0].kind == Op::Kind::pair) {
                write(inst, ops[0].elements[0], combine(result, 3, scalar));
                write(inst, ops[0].elements[1], combine(builder_.CreateNot(result), 3, scalar));
            } else {
                write(inst, ops[0], combine(result, 3, scalar));
            }
            return true;
        }
        case Opcode::set: {
            bool scalar = scalar_result(inst);
            Type to = inst.types[0], from = inst.types[1];
            if (from == Type::f16x2 || from == Type::bf16x2) return compare_pair(inst);
            Value* result = combine(compare(from, scalar), 3, scalar);
            int bits = ptx::type_bits(to);
            llvm::Type* integer = like(result, int_type(bits));
            std::uint64_t yes = to == Type::f32    ? 0x3f800000
                                : to == Type::f16  ? 0x3c00
                                : to == Type::bf16 ? 0x3f80
                                                   : ~0ull;
            write(inst, ops[0],
                  builder_.CreateSelect(result, llvm::ConstantInt::get(integer, yes),
                                        llvm::ConstantInt::get(integer, 0)));
            return true;
        }
        case Opcode::selp: {
            bool scalar = scalar_result(inst);
            Value* a = read(ops[1], type, scalar);
            Value* b = read(ops[2], type, scalar);
            write(inst, ops[0], builder_.CreateSelect(predicate(ops[3], scalar), a, b), ptx::is_signed(type));
            return true;
        }
        case Opcode::slct: {
            bool scalar = scalar_result(inst);
            Value* a = read(ops[1], type, scalar);
            Value* b = read(ops[2], type, scalar);
            Type by = inst.types[1];
            Value* c = read(ops[3], by, scalar);
            Value* first;
            if (by == Type::f32) {
                Value* number = as_float(c, Type::f32);
                if (inst.has(Modifier::ftz)) number = flush(number);
                first = builder_.CreateFCmpOGE(number, constant_float(number, 0.0));
            } else {
                first = builder_.CreateICmpSGE(c, constant(c, 0));
            }
            write(inst, ops[0], builder_.CreateSelect(first, a, b), ptx::is_signed(type));
            return true;
        }
        case Opcode::testp: {
            bool scalar = scalar_result(inst);
            Value* bits = read(ops[1], type, scalar);
            bool is_double = type == Type::f64;
            Value* magnitude =
                builder_.CreateAnd(bits, constant(bits, is_double ? 0x7fffffffffffffff : 0x7fffffff));
            Value* infinite = constant(bits, is_double ? 0x7ff0000000000000 : 0x7f800000);
            Value* smallest_normal = constant(bits, is_double ? 0x0010000000000000 : 0x00800000);
            Value* result;
            if (inst.has(Modifier::finite))
                result = builder_.CreateICmpULT(magnitude, infinite);
            else if (inst.has(Modifier::infinite))
                result = builder_.CreateICmpEQ(magnitude, infinite);
            else if (inst.has(Modifier::number))
                result = builder_.CreateICmpULE(magnitude, infinite);
            else if (inst.has(Modifier::notanumber))
                result = builder_.CreateICmpUGT(magnitude, infinite);
            else {
                // Zero counts as normal.
                Value* subnormal = builder_.CreateAnd(builder_.CreateICmpULT(magnitude, smallest_normal),
                                                      builder_.CreateICmpNE(magnitude, constant(bits, 0)));
                result = subnormal;
                if (inst.has(Modifier::normal))
                    result = builder_.CreateAnd(builder_.CreateICmpULT(magnitude, infinite),
                                                builder_.CreateNot(subnormal));
            }
            write(inst, ops[0], result);
            return true;
        }
        default: return false;
    }
}

// f16x2 and bf16x2: each half compares by itself; setp writes two predicates, set a pair of results.
bool Emitter::compare_pair(const Inst& inst) {
    const auto& ops = inst.operands;
    bool scalar = scalar_result(inst);
    bool is_set = inst.opcode == Opcode::set;
    Type from = is_set ? inst.types[1] : inst.type();
    Type element = from == Type::f16x2 ? Type::f16 : Type::bf16;
    auto half = [&](std::size_t i, int shift) {
        Value* v = read_bits(ops[i], 32, scalar);
        return builder_.CreateTrunc(builder_.CreateLShr(v, constant(v, shift)), like(v, int_type(16)));
    };
    Value* result[2];
    for (int h = 0; h < 2; ++h) {
        result[h] = float_compare(inst, half(1, 16 * h), half(2, 16 * h), element);
        if (ops.size() > 3) {
            Value* c = predicate(ops[3], scalar);
            result[h] = inst.has(Modifier::and_)  ? builder_.CreateAnd(result[h], c)
                        : inst.has(Modifier::or_) ? builder_.CreateOr(result[h], c)
                                                  : builder_.CreateXor(result[h], c);
        }
    }
    if (!is_set) {
        if (ops[0].kind == Op::Kind::pair) {
            write(inst, ops[0].elements[0], result[0]);
            write(inst, ops[0].elements[1], result[1]);
        } else {
            write(inst, ops[0], result[0]);
        }
        return true;
    }
    Type to = inst.types[0];
    std::uint64_t yes = to == Type::f16x2 ? 0x3c00 : to == Type::bf16x2 ? 0x3f80 : 0xffff;
    llvm::Type* word = like(result[0], int_type(32));
    Value* zero = llvm::ConstantInt::get(word, 0);
    Value* low = builder_.CreateSelect(result[0], llvm::ConstantInt::get(word, yes), zero);
    Value* high = builder_.CreateSelect(result[1], llvm::ConstantInt::get(word, yes << 16), zero);
    write(inst, ops[0], builder_.CreateOr(low, high));
    return true;
}

}  // namespace lockstep::exec::jit
