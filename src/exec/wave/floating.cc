// The vector unit's floating point. Arithmetic is IEEE's, rounded to nearest even, with denormals. What the
// hardware approximates (reciprocals, roots, sines, powers of two) is computed here as exactly as the C
// library does: its last bits are not published.
#include <cmath>
#include <functional>
#include <string_view>
#include <unordered_map>

#include "exec/wave/approximations.h"
#include "exec/wave/emitter.h"

namespace lockstep::exec::wave {
namespace {

using Value = llvm::Value;
using Inst = gcn::Instruction;
using Handler = std::function<void(Emitter&, const Inst&)>;
using One = Value* (*)(Emitter&, Value*);
using Two = Value* (*)(Emitter&, Value*, Value*);
using Three = Value* (*)(Emitter&, Value*, Value*, Value*);

Handler unary(One f, As as) {
    return [=](Emitter& e, const Inst& inst) { e.set(inst, f(e, e.source(inst, 1, as)), as); };
}
Handler binary(Two f, As as) {
    return [=](Emitter& e, const Inst& inst) {
        Value* x = e.source(inst, 1, as);
        e.set(inst, f(e, x, e.source(inst, 2, as)), as);
    };
}
Handler reversed(Two f, As as) {
    return [=](Emitter& e, const Inst& inst) {
        Value* x = e.source(inst, 1, as);
        e.set(inst, f(e, e.source(inst, 2, as), x), as);
    };
}
Handler ternary(Three f, As as) {
    return [=](Emitter& e, const Inst& inst) {
        Value* x = e.source(inst, 1, as);
        Value* y = e.source(inst, 2, as);
        e.set(inst, f(e, x, y, e.source(inst, 3, as)), as);
    };
}
// The third operand is the result's register.
Handler accumulating(Three f, As as) {
    return [=](Emitter& e, const Inst& inst) {
        Value* x = e.source(inst, 1, as);
        Value* y = e.source(inst, 2, as);
        Inst third;
        third.name = inst.name;
        third.operands = {inst.operands.at(0), inst.operands.at(0)};
        e.set(inst, f(e, x, y, e.source(third, 1, as)), as);
    };
}
// v_madak d, x, y, constant; v_madmk d, x, constant, y.
Handler constant_middle(Three f, As as) {
    return [=](Emitter& e, const Inst& inst) {
        Value* x = e.source(inst, 1, as);
        Value* constant = e.source(inst, 2, as);
        e.set(inst, f(e, x, constant, e.source(inst, 3, as)), as);
    };
}

Value* add(Emitter& e, Value* x, Value* y) { return e.builder().CreateFAdd(x, y); }
Value* subtract(Emitter& e, Value* x, Value* y) { return e.builder().CreateFSub(x, y); }
Value* multiply(Emitter& e, Value* x, Value* y) { return e.builder().CreateFMul(x, y); }
Value* fused(Emitter& e, Value* x, Value* y, Value* z) {
    return e.builder().CreateIntrinsic(llvm::Intrinsic::fma, {x->getType()}, {x, y, z});
}
// Rounded twice.
Value* separate(Emitter& e, Value* x, Value* y, Value* z) { return add(e, multiply(e, x, y), z); }
// -0 is smaller than +0, which neither LLVM nor all CPUs know.
Value* extreme(Emitter& e, llvm::Intrinsic::ID id, llvm::Instruction::BinaryOps zeros, Value* x, Value* y) {
    auto& b = e.builder();
    llvm::Type* const type = x->getType();
    llvm::Type* const bits = type->getWithNewType(b.getIntNTy(type->getScalarSizeInBits()));
    Value* const equal = b.CreateBinOp(zeros, b.CreateBitCast(x, bits), b.CreateBitCast(y, bits));
    return b.CreateSelect(b.CreateFCmpOEQ(x, y), b.CreateBitCast(equal, type),
                          b.CreateBinaryIntrinsic(id, x, y));
}
Value* smaller(Emitter& e, Value* x, Value* y) {
    return extreme(e, llvm::Intrinsic::minnum, llvm::Instruction::Or, x, y);
}
Value* larger(Emitter& e, Value* x, Value* y) {
    return extreme(e, llvm::Intrinsic::maxnum, llvm::Instruction::And, x, y);
}
Value* smallest(Emitter& e, Value* x, Value* y, Value* z) { return smaller(e, smaller(e, x, y), z); }
Value* largest(Emitter& e, Value* x, Value* y, Value* z) { return larger(e, larger(e, x, y), z); }
Value* median(Emitter& e, Value* x, Value* y, Value* z) {
    return larger(e, smaller(e, x, y), smaller(e, larger(e, x, y), z));
}
template <llvm::Intrinsic::IndependentIntrinsics id>
Value* intrinsic(Emitter& e, Value* x) {
    return e.builder().CreateUnaryIntrinsic(id, x);
}
Value* fraction(Emitter& e, Value* x) {
    auto& b = e.builder();
    Value* rest = b.CreateFSub(x, b.CreateUnaryIntrinsic(llvm::Intrinsic::floor, x));
    // Never 1, whatever it was rounded to.
    const double below_one = x->getType()->getScalarType()->isDoubleTy() ? std::nextafter(1.0, 0.0)
                             : x->getType()->getScalarType()->isFloatTy()
                                 ? static_cast<double>(std::nextafterf(1.0f, 0.0f))
                                 : 0.99951171875;
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::minnum, rest,
                                   llvm::ConstantFP::get(x->getType(), below_one));
}
// 0 where one factor is, whatever the other.
Value* legacy_product(Emitter& e, Value* x, Value* y) {
    auto& b = e.builder();
    Value* zero = llvm::Constant::getNullValue(x->getType());
    Value* none = b.CreateOr(b.CreateFCmpOEQ(x, zero), b.CreateFCmpOEQ(y, zero));
    return b.CreateSelect(none, zero, multiply(e, x, y));
}

Value* exact_reciprocal(Emitter& e, Value* x) {
    return e.builder().CreateFDiv(llvm::ConstantFP::get(x->getType(), 1.0), x);
}
Value* reciprocal_root(Emitter& e, Value* x) {
    auto& b = e.builder();
    Value* root = b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x);
    return b.CreateFDiv(llvm::ConstantFP::get(x->getType(), 1.0), root);
}

// By functions of lanes: an array in, an array out.
Handler by_lane(const char* name, void (*function)(const float*, float*, std::uint32_t)) {
    return [=](Emitter& e, const Inst& inst) {
        auto& b = e.builder();
        Value* in = e.stored(e.source(inst, 1, As::f32));
        Value* out = e.array(1);
        e.call(name, reinterpret_cast<void*>(function), b.getVoidTy(),
               {in, out, b.getInt32(static_cast<std::uint32_t>(e.lanes()))});
        e.set(inst, b.CreateAlignedLoad(e.vector_of(b.getFloatTy()), out, llvm::Align(64)), As::f32);
    };
}
void two_over_pi_bits(Emitter& e, const Inst& inst) {
    auto& b = e.builder();
    Value* x = e.stored(e.source(inst, 1, As::f64));
    Value* segment = e.stored(e.source(inst, 2, As::b32));
    Value* out = e.array(2);
    e.call("lockstep_wave_trig_preop", reinterpret_cast<void*>(&wave_trig_preop), b.getVoidTy(),
           {x, segment, out, b.getInt32(static_cast<std::uint32_t>(e.lanes()))});
    e.set(inst, b.CreateAlignedLoad(e.vector_of(b.getDoubleTy()), out, llvm::Align(64)), As::f64);
}
// The same for halves.
Handler half_by_lane(const char* name, void (*function)(const float*, float*, std::uint32_t)) {
    return [=](Emitter& e, const Inst& inst) {
        auto& b = e.builder();
        Value* in = e.stored(b.CreateFPExt(e.source(inst, 1, As::f16), e.vector_of(b.getFloatTy())));
        Value* out = e.array(1);
        e.call(name, reinterpret_cast<void*>(function), b.getVoidTy(),
               {in, out, b.getInt32(static_cast<std::uint32_t>(e.lanes()))});
        Value* result = b.CreateAlignedLoad(e.vector_of(b.getFloatTy()), out, llvm::Align(64));
        e.set(inst, b.CreateFPTrunc(result, e.vector_of(b.getHalfTy())), As::f16);
    };
}

// Bits of a number and what they mean.
struct Format {
    llvm::Type* bits;
    unsigned size, mantissa;
    int bias;
};
Format format_of(Emitter& e, Value* x) {
    auto& b = e.builder();
    if (x->getType()->getScalarType()->isDoubleTy()) return {e.vector_of(b.getInt64Ty()), 64, 52, 1023};
    if (x->getType()->getScalarType()->isHalfTy()) return {e.vector_of(b.getInt16Ty()), 16, 10, 15};
    return {e.vector_of(b.getInt32Ty()), 32, 23, 127};
}
Value* exponent_field(Emitter& e, Value* x, const Format& f) {
    auto& b = e.builder();
    Value* raw = b.CreateBitCast(x, f.bits);
    raw = b.CreateLShr(raw, llvm::ConstantInt::get(f.bits, f.mantissa));
    return b.CreateAnd(raw,
                       llvm::ConstantInt::get(f.bits, (std::uint64_t{1} << (f.size - 1 - f.mantissa)) - 1));
}

// 2 to the n, for n from -1022 to 1023.
Value* power_of_two(Emitter& e, Value* n) {
    auto& b = e.builder();
    Value* field = b.CreateSExt(b.CreateAdd(n, e.number32(1023)), e.vector_of(b.getInt64Ty()));
    return b.CreateBitCast(b.CreateShl(field, e.number64(52)), e.vector_of(b.getDoubleTy()));
}

// x times 2 to the n, rounded once. Singles and halves are scaled as doubles, which have room for all that
// does not become 0 or infinite. Doubles go down in steps that end before denormals, where only the last one
// rounds.
Value* scaled(Emitter& e, Value* x, Value* n) {
    auto& b = e.builder();
    auto* type = x->getType();
    auto* wide = e.vector_of(b.getDoubleTy());
    const auto number = [&](int value) { return e.number32(static_cast<std::uint32_t>(value)); };
    const auto clamped = [&](Value* value, int low, int high) {
        value = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, value, number(low));
        return b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, value, number(high));
    };
    if (type != wide) {
        Value* product = b.CreateFMul(b.CreateFPExt(x, wide), power_of_two(e, clamped(n, -500, 500)));
        return b.CreateFPTrunc(product, type);
    }
    constexpr int up = 1023, down = -969;  // -1022 and the 53 bits of a mantissa
    for (int step = 0; step < 2; ++step) {
        Value* high = b.CreateICmpSGT(n, number(up));
        Value* low = b.CreateICmpSLT(n, number(-1022));
        Value* by = b.CreateSelect(high, number(up), b.CreateSelect(low, number(down), number(0)));
        x = b.CreateFMul(x, power_of_two(e, by));
        n = b.CreateSub(n, by);
    }
    return b.CreateFMul(x, power_of_two(e, clamped(n, -1022, 1023)));
}

// The mantissa in [0.5, 1), and the exponent that belongs to it.
Value* normalised(Emitter& e, Value* x, Value** exponent) {
    auto& b = e.builder();
    const Format f = format_of(e, x);
    Value* field = exponent_field(e, x, f);
    Value* zero = llvm::Constant::getNullValue(f.bits);
    Value* denormal = b.CreateICmpEQ(field, zero);
    Value* larger_x = b.CreateFMul(
        x, llvm::ConstantFP::get(x->getType(), std::ldexp(1.0, static_cast<int>(f.mantissa) + 1)));
    Value* used = b.CreateSelect(denormal, larger_x, x);
    Value* used_field = exponent_field(e, used, f);
    auto* i32 = e.vector_of(b.getInt32Ty());
    Value* power =
        b.CreateSub(b.CreateZExtOrTrunc(used_field, i32), e.number32(static_cast<std::uint32_t>(f.bias - 1)));
    power = b.CreateSub(power, b.CreateSelect(denormal, e.number32(f.mantissa + 1), e.number32(0)));
    const std::uint64_t most = (std::uint64_t{1} << (f.size - 1 - f.mantissa)) - 1;
    Value* special = b.CreateOr(b.CreateICmpEQ(field, llvm::ConstantInt::get(f.bits, most)),
                                b.CreateFCmpOEQ(x, llvm::Constant::getNullValue(x->getType())));
    if (exponent) *exponent = b.CreateSelect(special, e.number32(0), power);
    Value* raw = b.CreateBitCast(used, f.bits);
    raw = b.CreateAnd(raw, llvm::ConstantInt::get(f.bits, ~(most << f.mantissa)));
    raw =
        b.CreateOr(raw, llvm::ConstantInt::get(f.bits, static_cast<std::uint64_t>(f.bias - 1) << f.mantissa));
    return b.CreateSelect(special, x, b.CreateBitCast(raw, x->getType()));
}
Value* mantissa(Emitter& e, Value* x) { return normalised(e, x, nullptr); }

// ---- division, as the manual's steps have it ----

// v_div_scale d, lanes, x, denominator, numerator: x (one of the two) scaled so that the steps that follow
// neither overflow nor lose bits; the lanes get a bit where the quotient must be scaled back.
void divide_scale(Emitter& e, const Inst& inst, As as) {
    auto& b = e.builder();
    Value* x = e.source(inst, 2, as);
    Value* denominator = e.source(inst, 3, as);
    Value* numerator = e.source(inst, 4, as);
    const Format f = format_of(e, x);
    const int most = as == As::f64 ? 768 : 96;  // exponents further apart than this are scaled
    const int scale = as == As::f64 ? 128 : 64;
    const int tiny = as == As::f64 ? 53 : 23;
    auto* i32 = e.vector_of(b.getInt32Ty());
    auto* type = x->getType();
    Value* zero = llvm::Constant::getNullValue(type);
    const auto exponent = [&](Value* value) { return b.CreateZExtOrTrunc(exponent_field(e, value, f), i32); };
    const auto denormal = [&](Value* value) {
        return b.CreateAnd(b.CreateICmpEQ(exponent(value), e.number32(0)), b.CreateFCmpUNE(value, zero));
    };
    Value* up = scaled(e, x, e.number32(static_cast<std::uint32_t>(scale)));
    Value* down = scaled(e, x, e.number32(static_cast<std::uint32_t>(-scale)));
    const auto bits_equal = [&](Value* one, Value* other) {
        return b.CreateICmpEQ(b.CreateBitCast(one, f.bits), b.CreateBitCast(other, f.bits));
    };
    Value* is_denominator = bits_equal(x, denominator);
    Value* is_numerator = bits_equal(x, numerator);
    Value* quotient = b.CreateFDiv(numerator, denominator);
    Value* reciprocal = b.CreateFDiv(llvm::ConstantFP::get(type, 1.0), denominator);
    // In the manual's order; the first that holds decides.
    Value* either_zero = b.CreateOr(b.CreateFCmpOEQ(denominator, zero), b.CreateFCmpOEQ(numerator, zero));
    Value* far_apart = b.CreateICmpSGE(b.CreateSub(exponent(numerator), exponent(denominator)),
                                       e.number32(static_cast<std::uint32_t>(most)));
    Value* small_denominator = denormal(denominator);
    Value* small_reciprocal = denormal(reciprocal);
    Value* small_quotient = denormal(quotient);
    Value* small_numerator =
        b.CreateICmpSLE(exponent(numerator), e.number32(static_cast<std::uint32_t>(tiny)));
    Value* nan = llvm::ConstantFP::getNaN(type->getScalarType());
    Value* no = llvm::Constant::getNullValue(e.vector_of(b.getInt1Ty()));
    Value* yes = llvm::Constant::getAllOnesValue(e.vector_of(b.getInt1Ty()));

    Value* result = b.CreateSelect(small_numerator, up, x);
    Value* flag = no;
    // The quotient is denormal: the numerator is raised, and the quotient lowered behind it.
    result = b.CreateSelect(small_quotient, b.CreateSelect(is_numerator, up, x), result);
    flag = b.CreateSelect(small_quotient, yes, flag);
    result = b.CreateSelect(small_reciprocal, down, result);
    flag = b.CreateSelect(small_reciprocal, no, flag);
    Value* both = b.CreateAnd(small_reciprocal, small_quotient);
    result = b.CreateSelect(both, b.CreateSelect(is_denominator, down, x), result);
    flag = b.CreateSelect(both, yes, flag);
    result = b.CreateSelect(small_denominator, up, result);
    flag = b.CreateSelect(small_denominator, no, flag);
    result = b.CreateSelect(far_apart, b.CreateSelect(is_denominator, up, x), result);
    flag = b.CreateSelect(far_apart, yes, flag);
    result = b.CreateSelect(either_zero, e.splat(nan), result);
    flag = b.CreateSelect(either_zero, no, flag);
    e.set(inst, result, as);
    e.set_lanes(inst.operands.at(1), flag);
}

// v_div_fmas: a fused step, scaled back where vcc says so.
void divide_fused(Emitter& e, const Inst& inst, As as) {
    auto& b = e.builder();
    Value* x = e.source(inst, 1, as);
    Value* y = e.source(inst, 2, as);
    Value* z = e.source(inst, 3, as);
    Value* plain = fused(e, x, y, z);
    // Up or down, by what the addend is.
    const int power = as == As::f64 ? 128 : 64;
    const Format f = format_of(e, z);
    Value* large = b.CreateICmpUGT(exponent_field(e, z, f),
                                   llvm::ConstantInt::get(f.bits, static_cast<std::uint64_t>(f.bias)));
    Value* n = b.CreateSelect(large, e.number32(static_cast<std::uint32_t>(power)),
                              e.number32(static_cast<std::uint32_t>(-power)));
    Value* back = scaled(e, plain, n);
    e.set(inst, b.CreateSelect(e.to_lanes(e.vcc()), back, plain), as);
}

// v_div_fixup d, quotient, denominator, numerator: the special cases, and the sign.
void divide_fixup(Emitter& e, const Inst& inst, As as) {
    auto& b = e.builder();
    Value* quotient = e.source(inst, 1, as);
    Value* denominator = e.source(inst, 2, as);
    Value* numerator = e.source(inst, 3, as);
    auto* type = quotient->getType();
    Value* zero = llvm::Constant::getNullValue(type);
    Value* infinity = llvm::ConstantFP::getInfinity(type);
    const auto magnitude = [&](Value* x) { return b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x); };
    const auto is = [&](Value* x, Value* what) { return b.CreateFCmpOEQ(magnitude(x), what); };
    Value* sign = b.CreateFMul(
        b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, llvm::ConstantFP::get(type, 1.0), denominator),
        b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, llvm::ConstantFP::get(type, 1.0), numerator));
    // Of finite numbers the steps before make a NaN only where the quotient is too large, or too small.
    const Format f = format_of(e, quotient);
    Value* small = b.CreateICmpULT(exponent_field(e, numerator, f), exponent_field(e, denominator, f));
    Value* beyond = b.CreateSelect(small, zero, infinity);
    Value* result = b.CreateSelect(b.CreateFCmpUNO(quotient, quotient), beyond, magnitude(quotient));
    Value* distance = b.CreateSub(exponent_field(e, denominator, f), exponent_field(e, numerator, f));
    const std::uint64_t furthest = f.size == 64 ? 1075 : f.size == 32 ? 150 : 25;
    Value* lost = b.CreateAnd(small, b.CreateICmpUGT(distance, llvm::ConstantInt::get(f.bits, furthest)));
    result = b.CreateSelect(lost, zero, result);
    result = b.CreateSelect(b.CreateOr(is(denominator, infinity), is(numerator, zero)), zero, result);
    result = b.CreateSelect(b.CreateOr(is(denominator, zero), is(numerator, infinity)), infinity, result);
    Value* neither = b.CreateOr(b.CreateAnd(is(denominator, zero), is(numerator, zero)),
                                b.CreateAnd(is(denominator, infinity), is(numerator, infinity)));
    result = b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, result, sign);
    result = b.CreateSelect(neither, llvm::ConstantFP::getNaN(type, true), result);
    result = b.CreateSelect(b.CreateFCmpUNO(denominator, denominator), denominator, result);
    result = b.CreateSelect(b.CreateFCmpUNO(numerator, numerator), numerator, result);
    e.set(inst, result, as);
}

void load_exponent(Emitter& e, const Inst& inst, As as) {
    auto& b = e.builder();
    Value* x = e.source(inst, 1, as);
    Value* n = e.source(inst, 2, as == As::f16 ? As::b16 : As::b32);
    e.set(inst, scaled(e, x, as == As::f16 ? b.CreateSExt(n, e.vector_of(b.getInt32Ty())) : n), as);
}

void take_exponent(Emitter& e, const Inst& inst, As as) {
    auto& b = e.builder();
    Value* exponent = nullptr;
    normalised(e, e.source(inst, 1, as), &exponent);
    if (as == As::f16)
        e.set(inst, b.CreateTrunc(exponent, e.vector_of(b.getInt16Ty())), As::b16);
    else
        e.set(inst, exponent, As::b32);
}

// Packed halves.
Handler packed(int operands, Value* (*f)(Emitter&, Value*, Value*, Value*)) {
    return [=](Emitter& e, const Inst& inst) {
        auto& b = e.builder();
        auto* i16 = e.vector_of(b.getInt16Ty());
        auto* i32 = e.vector_of(b.getInt32Ty());
        auto* f16 = e.vector_of(b.getHalfTy());
        const auto choice = [&](const char* name, std::size_t k, std::int64_t otherwise) {
            const auto found = inst.modifiers.find(name);
            return found != inst.modifiers.end() && k < found->second.size() ? found->second[k] : otherwise;
        };
        Value* result = nullptr;
        for (int half = 0; half < 2; ++half) {
            Value* sources[3] = {};
            for (std::size_t k = 0; k < static_cast<std::size_t>(operands); ++k) {
                const gcn::Operand& op = inst.operands.at(k + 1);
                Value* word = op.kind == gcn::Operand::Kind::floating
                                  ? b.CreateZExt(b.CreateBitCast(e.source(inst, k + 1, As::f16), i16), i32)
                                  : e.vector32(op);
                if (choice(half ? "op_sel_hi" : "op_sel", k, half)) word = b.CreateLShr(word, e.number32(16));
                Value* value = b.CreateBitCast(b.CreateTrunc(word, i16), f16);
                if (choice(half ? "neg_hi" : "neg_lo", k, 0)) value = b.CreateFNeg(value);
                sources[k] = value;
            }
            Value* value = b.CreateZExt(b.CreateBitCast(f(e, sources[0], sources[1], sources[2]), i16), i32);
            result = half ? b.CreateOr(result, b.CreateShl(value, e.number32(16))) : value;
        }
        e.set_vector32(inst.operands.at(0), result);
    };
}
// Packed singles of gfx90a: two registers each.
Handler packed32(int operands, Value* (*f)(Emitter&, Value*, Value*, Value*)) {
    return [=](Emitter& e, const Inst& inst) {
        auto& b = e.builder();
        auto* f32 = e.vector_of(b.getFloatTy());
        auto* i32 = e.vector_of(b.getInt32Ty());
        const auto choice = [&](const char* name, std::size_t k, std::int64_t otherwise) {
            const auto found = inst.modifiers.find(name);
            return found != inst.modifiers.end() && k < found->second.size() ? found->second[k] : otherwise;
        };
        Value* results[2] = {};
        for (int half = 0; half < 2; ++half) {
            Value* sources[3] = {};
            for (std::size_t k = 0; k < static_cast<std::size_t>(operands); ++k) {
                const gcn::Operand& op = inst.operands.at(k + 1);
                const auto part = static_cast<int>(choice(half ? "op_sel_hi" : "op_sel", k, half));
                Value* word = op.is_register() ? e.vector_part(op, part) : e.vector32(op);
                Value* value = b.CreateBitCast(word, f32);
                if (choice(half ? "neg_hi" : "neg_lo", k, 0)) value = b.CreateFNeg(value);
                sources[k] = value;
            }
            results[half] = b.CreateBitCast(f(e, sources[0], sources[1], sources[2]), i32);
        }
        for (int half = 0; half < 2; ++half) e.set_vector_part(inst.operands.at(0), half, results[half]);
    };
}
Value* packed_add(Emitter& e, Value* x, Value* y, Value*) { return add(e, x, y); }
Value* packed_multiply(Emitter& e, Value* x, Value* y, Value*) { return multiply(e, x, y); }
Value* packed_min(Emitter& e, Value* x, Value* y, Value*) { return smaller(e, x, y); }
Value* packed_max(Emitter& e, Value* x, Value* y, Value*) { return larger(e, x, y); }

const std::unordered_map<std::string_view, Handler>& handlers() {
    static const auto* table = [] {
        auto* all = new std::unordered_map<std::string_view, Handler>{
            {"mul_legacy_f32", binary(legacy_product, As::f32)},
            {"mad_f32", ternary(separate, As::f32)},
            {"mac_f32", accumulating(separate, As::f32)},
            {"madak_f32", ternary(separate, As::f32)},
            {"madmk_f32", constant_middle(separate, As::f32)},
            {"fmaak_f32", ternary(fused, As::f32)},
            {"fmamk_f32", constant_middle(fused, As::f32)},
            {"mad_f16", ternary(separate, As::f16)},
            {"mad_legacy_f16", ternary(separate, As::f16)},
            {"mac_f16", accumulating(separate, As::f16)},
            {"fmac_f32", accumulating(fused, As::f32)},
            {"fmac_f64", accumulating(fused, As::f64)},
            {"fmac_f16", accumulating(fused, As::f16)},
            {"rcp_f32", unary(exact_reciprocal, As::f32)},
            {"rcp_iflag_f32", unary(exact_reciprocal, As::f32)},
            {"rcp_f64", unary(exact_reciprocal, As::f64)},
            {"rcp_f16", unary(exact_reciprocal, As::f16)},
            {"rsq_f32", unary(reciprocal_root, As::f32)},
            {"rsq_f64", unary(reciprocal_root, As::f64)},
            {"rsq_f16", unary(reciprocal_root, As::f16)},
            {"sqrt_f32", unary(intrinsic<llvm::Intrinsic::sqrt>, As::f32)},
            {"sqrt_f64", unary(intrinsic<llvm::Intrinsic::sqrt>, As::f64)},
            {"sqrt_f16", unary(intrinsic<llvm::Intrinsic::sqrt>, As::f16)},
            {"exp_f32", by_lane("lockstep_wave_exp2", wave_exp2)},
            {"log_f32", by_lane("lockstep_wave_log2", wave_log2)},
            {"sin_f32", by_lane("lockstep_wave_sin", wave_sin)},
            {"cos_f32", by_lane("lockstep_wave_cos", wave_cos)},
            {"exp_f16", half_by_lane("lockstep_wave_exp2", wave_exp2)},
            {"log_f16", half_by_lane("lockstep_wave_log2", wave_log2)},
            {"sin_f16", half_by_lane("lockstep_wave_sin", wave_sin)},
            {"cos_f16", half_by_lane("lockstep_wave_cos", wave_cos)},
            {"div_scale_f32", [](Emitter& e, const Inst& inst) { divide_scale(e, inst, As::f32); }},
            {"div_scale_f64", [](Emitter& e, const Inst& inst) { divide_scale(e, inst, As::f64); }},
            {"div_fmas_f32", [](Emitter& e, const Inst& inst) { divide_fused(e, inst, As::f32); }},
            {"div_fmas_f64", [](Emitter& e, const Inst& inst) { divide_fused(e, inst, As::f64); }},
            {"div_fixup_f32", [](Emitter& e, const Inst& inst) { divide_fixup(e, inst, As::f32); }},
            {"div_fixup_f64", [](Emitter& e, const Inst& inst) { divide_fixup(e, inst, As::f64); }},
            {"div_fixup_f16", [](Emitter& e, const Inst& inst) { divide_fixup(e, inst, As::f16); }},
            {"trig_preop_f64", two_over_pi_bits},
            {"pk_add_f16", packed(2, packed_add)},
            {"pk_mul_f16", packed(2, packed_multiply)},
            {"pk_min_f16", packed(2, packed_min)},
            {"pk_max_f16", packed(2, packed_max)},
            {"pk_fma_f16", packed(3, fused)},
            {"pk_add_f32", packed32(2, packed_add)},
            {"pk_mul_f32", packed32(2, packed_multiply)},
            {"pk_fma_f32", packed32(3, fused)},
            {"ldexp_f32", [](Emitter& e, const Inst& inst) { load_exponent(e, inst, As::f32); }},
            {"ldexp_f64", [](Emitter& e, const Inst& inst) { load_exponent(e, inst, As::f64); }},
            {"ldexp_f16", [](Emitter& e, const Inst& inst) { load_exponent(e, inst, As::f16); }},
            {"frexp_exp_i32_f32", [](Emitter& e, const Inst& inst) { take_exponent(e, inst, As::f32); }},
            {"frexp_exp_i32_f64", [](Emitter& e, const Inst& inst) { take_exponent(e, inst, As::f64); }},
            {"frexp_exp_i16_f16", [](Emitter& e, const Inst& inst) { take_exponent(e, inst, As::f16); }},
        };
        // What exists for every width.
        for (const auto& [suffix, as] : {std::pair{"f16", As::f16}, {"f32", As::f32}, {"f64", As::f64}}) {
            const auto put = [&](const char* name, Handler handler) {
                all->emplace(*new std::string(std::string(name) + "_" + suffix), std::move(handler));
            };
            put("add", binary(add, as));
            put("sub", binary(subtract, as));
            put("subrev", reversed(subtract, as));
            put("mul", binary(multiply, as));
            put("min", binary(smaller, as));
            put("max", binary(larger, as));
            put("min3", ternary(smallest, as));
            put("max3", ternary(largest, as));
            put("med3", ternary(median, as));
            put("fma", ternary(fused, as));
            put("floor", unary(intrinsic<llvm::Intrinsic::floor>, as));
            put("ceil", unary(intrinsic<llvm::Intrinsic::ceil>, as));
            put("trunc", unary(intrinsic<llvm::Intrinsic::trunc>, as));
            put("rndne", unary(intrinsic<llvm::Intrinsic::roundeven>, as));
            put("fract", unary(fraction, as));
            put("frexp_mant", unary(mantissa, as));
        }
        return all;
    }();
    return *table;
}

}  // namespace

bool emit_floating(Emitter& e, const gcn::Instruction& inst) {
    std::string_view name = inst.name;
    if (!name.starts_with("v_")) return false;
    name.remove_prefix(2);
    const auto found = handlers().find(name);
    if (found == handlers().end()) return false;
    found->second(e, inst);
    return true;
}

}  // namespace lockstep::exec::wave
