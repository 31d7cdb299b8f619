// Operations whose result C++ leaves undefined, told to whoever wants to know (Wants::arithmetic
// and those behind it). They are looked at before the operation, since it may overwrite its operands.
#include "events/records.h"
#include "exec/jit/emitter.h"
#include "ptx/check-events.h"

namespace lockstep::exec::jit {

using events::ArithmeticRecord;
using events::Wants;
using kernel::Shape;
using ptx::Modifier;
using ptx::Opcode;

// `lanes`: a bit each of those that take part and do so.
void Emitter::record_arithmetic(std::uint32_t kind, Value* lanes) {
    reserve_records(sizeof(ArithmeticRecord));
    when(builder_.CreateICmpNE(lanes, constant(lanes, 0)), [&] {
        Value* record = new_record(events::tagged(events::Tag::arithmetic, first_block_ + current_),
                                   sizeof(ArithmeticRecord));
        store_field(record, offsetof(ArithmeticRecord, mask), lanes);
        store_field(record, offsetof(ArithmeticRecord, instruction), builder_.getInt32(instruction_));
        store_field(record, offsetof(ArithmeticRecord, kind), builder_.getInt32(kind));
    });
}

// A condition for all lanes, or for each of them, as bits of the lanes that take part.
Emitter::Value* Emitter::taking_part(const Inst& inst, Value* condition) {
    Value* mask = instruction_mask(inst);
    if (is_vector(condition)) return builder_.CreateAnd(mask, to_bits(condition));
    return builder_.CreateSelect(condition, mask, constant(mask, 0));
}

// Whether a 32-bit sum or product, read as signed, does not fit.
Emitter::Value* Emitter::overflows(const Inst& inst) {
    const auto& ops = inst.operands;
    bool varies = false, affine = false;
    for (std::size_t i = 1; i < ops.size(); ++i)
        if (ops[i].kind == Op::Kind::reg) {
            const Shape::Kind kind = shape(ops[i]).kind;
            const bool by_ends = kind == Shape::Kind::affine && warp_rows() == 1;
            affine |= by_ends;
            varies |= kind != Shape::Kind::uniform && !by_ends;
        } else if (!is_scalar_operand(ops[i]))
            varies = true;
    llvm::Type* i64 = int_type(64);
    const auto at_lane = [&](std::int64_t lane) {
        const auto in = [&](std::size_t i) {
            Value* value = builder_.CreateSExt(read_bits(ops[i], 32, true), i64);
            if (ops[i].kind == Op::Kind::reg && shape(ops[i]).kind == Shape::Kind::affine)
                value = builder_.CreateAdd(value,
                                           llvm::ConstantInt::getSigned(
                                               i64, lane * static_cast<std::int64_t>(shape(ops[i]).stride)));
            return value;
        };
        Value* result = inst.opcode == Opcode::add   ? builder_.CreateAdd(in(1), in(2))
                        : inst.opcode == Opcode::sub ? builder_.CreateSub(in(1), in(2))
                                                     : builder_.CreateMul(in(1), in(2));
        if (inst.opcode == Opcode::mad) result = builder_.CreateAdd(result, in(3));
        Value* back = builder_.CreateSExt(builder_.CreateTrunc(result, int_type(32)), i64);
        return builder_.CreateICmpNE(result, back);
    };
    if (!varies) {
        Value* first = at_lane(0);
        return affine ? builder_.CreateOr(first, at_lane(warp_lanes - 1)) : first;
    }
    Value* a = read_bits(ops[1], 32, false);
    Value* b = read_bits(ops[2], 32, false);
    // The sign is neither operand's.
    const auto wraps = [&](Value* x, Value* y, Value* sum) {
        Value* both = builder_.CreateAnd(builder_.CreateXor(x, sum), builder_.CreateXor(y, sum));
        return builder_.CreateICmpSLT(both, constant(both, 0));
    };
    if (inst.opcode == Opcode::add) return wraps(a, b, builder_.CreateAdd(a, b));
    if (inst.opcode == Opcode::sub) {
        Value* difference = builder_.CreateSub(a, b);
        Value* both = builder_.CreateAnd(builder_.CreateXor(a, b), builder_.CreateXor(a, difference));
        return builder_.CreateICmpSLT(both, constant(both, 0));
    }
    // CPUs have no vectors of 64-bit products. A float's product is off by a few parts in 2^24.
    llvm::Type* floats = llvm::FixedVectorType::get(builder_.getFloatTy(), warp_lanes);
    Value* product = builder_.CreateFMul(builder_.CreateSIToFP(a, floats), builder_.CreateSIToFP(b, floats));
    constexpr double most = 2147484672.0;  // 2^31, and four parts in 2^23 more
    Value* too_large =
        builder_.CreateOr(builder_.CreateFCmpOGT(product, llvm::ConstantFP::get(floats, most)),
                          builder_.CreateFCmpOLT(product, llvm::ConstantFP::get(floats, -most)));
    if (inst.opcode == Opcode::mul) return too_large;
    Value* c = read_bits(ops[3], 32, false);
    Value* low = builder_.CreateMul(a, b);
    return builder_.CreateOr(too_large, wraps(low, c, builder_.CreateAdd(low, c)));
}

// What code that was compiled for checks tells itself.
void Emitter::check_event(const Inst& inst) {
    const auto is = [&](ptx::CheckEvent event) {
        return inst.has(Modifier::mask) && inst.operands[0].bits == static_cast<std::uint64_t>(event);
    };
    if (records(Wants::indices) && is(ptx::CheckEvent::index))
        record_arithmetic(ArithmeticRecord::index, instruction_mask(inst));
    if (records(Wants::overflow) && is(ptx::CheckEvent::overflow))
        record_arithmetic(ArithmeticRecord::overflow, instruction_mask(inst));
}

// Numbers that are not equal, but so near that rounding may have made the difference.
void Emitter::check_equality(const Inst& inst) {
    const Type type = inst.type();
    const bool twice = type == Type::f64;
    if (!inst.has(Modifier::eq) && !inst.has(Modifier::ne) && !inst.has(Modifier::equ) &&
        !inst.has(Modifier::neu))
        return;
    if (!twice && type != Type::f32) return;
    const int bits = twice ? 64 : 32;
    const bool scalar = is_scalar_operand(inst.operands[1]) && is_scalar_operand(inst.operands[2]);
    // Sign and magnitude as a two's complement number: neighbours differ by 1.
    const auto rank = [&](const Op& operand) {
        Value* number = read_bits(operand, bits, scalar);
        Value* sign = builder_.CreateAShr(number, constant(number, bits - 1));
        Value* magnitude = builder_.CreateAnd(number, constant(number, twice ? ~0ull >> 1 : ~0u >> 1));
        return builder_.CreateSub(builder_.CreateXor(magnitude, sign), sign);
    };
    Value* apart = builder_.CreateSub(rank(inst.operands[1]), rank(inst.operands[2]));
    // What a few operations' roundings may sum up to, in units of the last place.
    const std::uint64_t near = twice ? 64 : 8;
    Value* within =
        builder_.CreateICmpULE(builder_.CreateAdd(apart, constant(apart, near)), constant(apart, 2 * near));
    Value* differ = builder_.CreateICmpNE(apart, constant(apart, 0));
    record_arithmetic(ArithmeticRecord::equality, taking_part(inst, builder_.CreateAnd(within, differ)));
}

void Emitter::check_arithmetic(const Inst& inst) {
    if (inst.opcode == Opcode::pmevent) return check_event(inst);
    if (inst.opcode == Opcode::setp && records(Wants::equality)) return check_equality(inst);
    if (!records(Wants::arithmetic) || inst.operands.size() < 3) return;
    const auto& ops = inst.operands;
    const Type type = inst.type();
    const bool number = ops[2].kind == Op::Kind::integer;
    if ((inst.opcode == Opcode::div || inst.opcode == Opcode::rem) && !ptx::is_float(type)) {
        if (number && ops[2].bits != 0) return;
        Value* divisor = read_bits(ops[2], ptx::type_bits(type), is_scalar_operand(ops[2]));
        record_arithmetic(ArithmeticRecord::division_by_zero,
                          taking_part(inst, builder_.CreateICmpEQ(divisor, constant(divisor, 0))));
    } else if ((inst.opcode == Opcode::shl || inst.opcode == Opcode::shr) && !number) {
        Value* amount = read_bits(ops[2], 32, is_scalar_operand(ops[2]));
        Value* over = builder_.CreateICmpUGE(
            amount, constant(amount, static_cast<std::uint64_t>(ptx::type_bits(type))));
        record_arithmetic(ArithmeticRecord::wide_shift, taking_part(inst, over));
    } else {
        if (index_arithmetic_.empty()) index_arithmetic_ = kernel::index_arithmetic(function_);
        if (index_arithmetic_[current_][instruction_])
            record_arithmetic(ArithmeticRecord::index_overflow, taking_part(inst, overflows(inst)));
    }
}

namespace {

// That may make a NaN of numbers. (min and max drop them; moves make none.)
bool makes_numbers(Opcode opcode) {
    switch (opcode) {
        case Opcode::add:
        case Opcode::sub:
        case Opcode::mul:
        case Opcode::fma:
        case Opcode::mad:
        case Opcode::div:
        case Opcode::rcp:
        case Opcode::sqrt:
        case Opcode::rsqrt:
        case Opcode::lg2:
        case Opcode::sin:
        case Opcode::cos: return true;
        default: return false;
    }
}

}  // namespace

Emitter::Value* Emitter::is_nan(const Op& operand, Type type) {
    const bool twice = type == Type::f64;
    Value* bits = read_bits(operand, twice ? 64 : 32, is_scalar_operand(operand));
    Value* magnitude = builder_.CreateAnd(bits, constant(bits, twice ? ~0ull >> 1 : ~0u >> 1));
    return builder_.CreateICmpUGT(magnitude, constant(bits, twice ? 0x7ffull << 52 : 0x7f800000ull));
}

// The lanes in which no operand is a NaN; null: nobody asks, or it cannot make one.
Emitter::Value* Emitter::lanes_without_nan(const Inst& inst) {
    const Type type = inst.type();
    if (!records(Wants::nans) || !makes_numbers(inst.opcode) || (type != Type::f32 && type != Type::f64))
        return nullptr;
    Value* lanes = instruction_mask(inst);
    for (std::size_t i = 1; i < inst.operands.size(); ++i)
        if (inst.operands[i].kind == Op::Kind::reg)
            lanes = builder_.CreateAnd(lanes,
                                       builder_.CreateNot(taking_part(inst, is_nan(inst.operands[i], type))));
    return lanes;
}

void Emitter::check_nan(const Inst& inst, Value* without) {
    if (!without || inst.operands[0].kind != Op::Kind::reg) return;
    Value* born = taking_part(inst, is_nan(inst.operands[0], inst.type()));
    record_arithmetic(ArithmeticRecord::nan, builder_.CreateAnd(born, without));
}

}  // namespace lockstep::exec::jit
