// cvt: between integers, between integers and floats, between floats. Plain cases are vector operations; the
// rest goes lane by lane through exec/scalar, found by its PTX name.
#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "exec/jit/emitter.h"
#include "exec/scalar/float-ops.h"

namespace lockstep::exec::jit {

using ptx::Modifier;
using ptx::Opcode;

namespace {

bool is_number(ptx::Type type) {
    return type == ptx::Type::f32 || type == ptx::Type::f64 || type == ptx::Type::f16 ||
           type == ptx::Type::bf16;
}

std::string rounding_word(const ptx::Instruction& inst) {
    for (auto [modifier, name] : {std::pair{Modifier::rn, "rn"},
                                  {Modifier::rz, "rz"},
                                  {Modifier::rm, "rm"},
                                  {Modifier::rp, "rp"},
                                  {Modifier::rna, "rna"},
                                  {Modifier::rni, "rni"},
                                  {Modifier::rzi, "rzi"},
                                  {Modifier::rmi, "rmi"},
                                  {Modifier::rpi, "rpi"}})
        if (inst.has(modifier)) return name;
    return "";
}

// .rni, .rzi, .rmi, .rpi: the operation that rounds to a whole number.
std::optional<llvm::Intrinsic::ID> to_whole(std::string_view mode) {
    if (mode == "rni") return llvm::Intrinsic::roundeven;
    if (mode == "rzi") return llvm::Intrinsic::trunc;
    if (mode == "rmi") return llvm::Intrinsic::floor;
    if (mode == "rpi") return llvm::Intrinsic::ceil;
    return std::nullopt;
}

}  // namespace

Emitter::Value* Emitter::convert_integer(const Inst& inst, Value* value, Type from, Type to) {
    bool from_signed = ptx::is_signed(from), to_signed = ptx::is_signed(to);
    int to_bits = ptx::type_bits(to), from_bits = ptx::type_bits(from);
    if (inst.has(Modifier::sat)) {
        // Clamp in a type that holds both ranges.
        int bits = std::max(to_bits, from_bits) + 1;
        llvm::Type* wide = like(value, int_type(bits));
        Value* v = from_signed ? builder_.CreateSExt(value, wide) : builder_.CreateZExt(value, wide);
        llvm::APInt low =
            to_signed ? llvm::APInt::getSignedMinValue(to_bits).sext(bits) : llvm::APInt(bits, 0);
        llvm::APInt high = to_signed ? llvm::APInt::getSignedMaxValue(to_bits).sext(bits)
                                     : llvm::APInt::getMaxValue(to_bits).zext(bits);
        Value* lower = llvm::ConstantInt::get(wide, low);
        Value* upper = llvm::ConstantInt::get(wide, high);
        v = builder_.CreateSelect(builder_.CreateICmpSLT(v, lower), lower, v);
        v = builder_.CreateSelect(builder_.CreateICmpSGT(v, upper), upper, v);
        return builder_.CreateTrunc(v, like(v, int_type(to_bits)));
    }
    llvm::Type* type = like(value, int_type(to_bits));
    return from_signed ? builder_.CreateSExtOrTrunc(value, type) : builder_.CreateZExtOrTrunc(value, type);
}

// A float to a whole number: of the same format, or an integer, clamped to its range.
void Emitter::emit_to_whole(const Inst& inst, Type from, Type to, llvm::Intrinsic::ID whole) {
    Value* bits = read(inst.operands[1], from, scalar_result(inst));
    Value* value = is_small_float(from) ? widen_small(bits, from) : as_float(bits, from);
    if (inst.has(Modifier::ftz)) value = flush(value);
    if (to == from) {
        value = builder_.CreateUnaryIntrinsic(whole, value);
        if (is_small_float(from)) {
            Value* result = narrow_small(value, from);
            if (inst.has(Modifier::sat)) result = saturate_small(result, from);
            write(inst, inst.operands[0], inst.has(Modifier::relu) ? relu_small(result, from) : result);
            return;
        }
        if (from == Type::f32) value = as_float(canonical_nan(as_bits(value), from), from);
        write(inst, inst.operands[0], inst.has(Modifier::sat) ? saturate(value) : value);
        return;
    }
    bool is_signed = ptx::is_signed(to);
    int width = ptx::type_bits(to);
    llvm::Type* type = like(value, int_type(width));
    auto id = is_signed ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
    Value* rounded = whole == llvm::Intrinsic::trunc ? value : builder_.CreateUnaryIntrinsic(whole, value);
    Value* result = builder_.CreateIntrinsic(id, {type, value->getType()}, {rounded});
    // NaN gives 0, but the middle of the range where either side has 64 bits.
    if (from == Type::f64 || width == 64)
        result = builder_.CreateSelect(builder_.CreateFCmpUNO(value, value),
                                       llvm::ConstantInt::get(type, llvm::APInt::getSignMask(width)), result);
    write(inst, inst.operands[0], result, is_signed);
}

bool Emitter::emit_convert(const Inst& inst) {
    if (inst.opcode != Opcode::cvt) return false;
    Type to = inst.types[0], from = inst.types[1];
    bool scalar = scalar_result(inst);
    const auto& ops = inst.operands;
    bool to_float = ptx::is_float(to), from_float = ptx::is_float(from);
    bool ftz = inst.has(Modifier::ftz), sat = inst.has(Modifier::sat);
    std::string mode = rounding_word(inst);

    if (inst.has(Modifier::pack)) {  // a above b, saturated; bytes go below the lower half of c
        int bits = ptx::type_bits(to);
        auto part = [&](std::size_t i) {
            Value* v = convert_integer(inst, read(ops[i], from, scalar), from, to);
            return builder_.CreateZExt(v, like(v, int_type(32)));
        };
        Value* high = part(1);
        Value* value = builder_.CreateOr(builder_.CreateShl(high, constant(high, bits)), part(2));
        if (bits == 8) {
            Value* c = read_bits(ops[3], 32, scalar);
            value = builder_.CreateOr(value, builder_.CreateShl(c, constant(c, 16)));
        }
        write(inst, ops[0], value);
        return true;
    }

    if (!to_float && !from_float && ptx::type_class(to) != ptx::TypeClass::packed &&
        ptx::type_class(from) != ptx::TypeClass::packed) {
        Value* value = convert_integer(inst, read(ops[1], from, scalar), from, to);
        write(inst, ops[0], value, ptx::is_signed(to));
        return true;
    }

    // Vector forms of the common conversions.
    if (to_float && !from_float && mode == "rn" && (to == Type::f32 || to == Type::f64)) {
        Value* value = read(ops[1], from, scalar);
        llvm::Type* type = like(value, float_type(to));
        value =
            ptx::is_signed(from) ? builder_.CreateSIToFP(value, type) : builder_.CreateUIToFP(value, type);
        write(inst, ops[0], sat ? saturate(value) : value);
        return true;
    }
    // f32 holds what is finite as an f16; of f64 the second rounding changes nothing where the first is to
    // odd.
    if (is_small_float(to) && !from_float && mode == "rn" && ptx::type_bits(from) <= 32 && !sat) {
        Value* value = read(ops[1], from, scalar);
        const bool brain = to == Type::bf16;
        llvm::Type* type = like(value, brain ? builder_.getDoubleTy() : builder_.getFloatTy());
        value =
            ptx::is_signed(from) ? builder_.CreateSIToFP(value, type) : builder_.CreateUIToFP(value, type);
        write(inst, ops[0], narrow_small(brain ? narrow_to_odd(value) : value, to));
        return true;
    }
    // Both keep a NaN's sign and upper payload, as CPUs do.
    if (from == Type::f32 && to == Type::f64 && mode.empty()) {
        Value* bits = read(ops[1], from, scalar);
        if (ftz) bits = canonical_nan(bits, from);
        Value* value = as_float(bits, from);
        if (ftz) value = flush(value);
        value = builder_.CreateFPExt(value, like(value, builder_.getDoubleTy()));
        if (sat) value = saturate(value);
        write(inst, ops[0], value);
        return true;
    }
    if (from == Type::f64 && to == Type::f32 && mode == "rn") {
        Value* wide = as_float(read(ops[1], from, scalar), from);
        llvm::Type* narrow = like(wide, builder_.getFloatTy());
        Value* value = builder_.CreateFPTrunc(wide, narrow);
        if (ftz) {  // as in emit_floating: the result times 2^64 tells what rounds to a subnormal number
            Value* scaled =
                builder_.CreateFPTrunc(builder_.CreateFMul(wide, constant_float(wide, 0x1p64)), narrow);
            scaled = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, scaled);
            Value* tiny = builder_.CreateFCmpOLT(scaled, constant_float(scaled, 0x1p-62));
            Value* zero =
                builder_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, constant_float(value, 0.0), value);
            value = builder_.CreateSelect(tiny, zero, value);
        }
        if (sat) value = saturate(value);
        write(inst, ops[0], value);
        return true;
    }
    if (is_number(from) && (!to_float || to == from)) {
        if (auto whole = to_whole(mode)) {
            emit_to_whole(inst, from, to, *whole);
            return true;
        }
    }

    bool plain = !inst.has(Modifier::satfinite) && !sat && !inst.has(Modifier::relu);
    if (from == Type::f32 && mode == "rn" && plain) {
        bool brain = to == Type::bf16 || to == Type::bf16x2;
        auto narrow = [&](std::size_t i) {
            Value* value = as_float(read(ops[i], from, scalar), from);
            return narrow_small(ftz && brain ? flush(value) : value, brain ? Type::bf16 : Type::f16);
        };
        if (is_small_float(to)) {
            write(inst, ops[0], narrow(1));
            return true;
        }
        if (to == Type::f16x2 || to == Type::bf16x2) {
            write(inst, ops[0], pair_of(narrow(1), narrow(2)));
            return true;
        }
    }
    if (is_small_float(from) && to == Type::f32 && mode.empty() && plain && !ftz) {
        Value* value = widen_small(read(ops[1], from, scalar), from);
        if (from == Type::f16) value = as_float(canonical_nan(as_bits(value), to), to);
        write(inst, ops[0], value);
        return true;
    }

    // Everything else by name.
    std::string name = "cvt";
    bool packed = ptx::type_class(to) == ptx::TypeClass::packed ||
                  ptx::type_class(from) == ptx::TypeClass::packed || to == Type::f16x2 ||
                  to == Type::bf16x2 || from == Type::f16x2;
    if (is_number(to) && is_number(from)) {
        bool same = to == from;
        bool integral = mode == "rni" || mode == "rzi" || mode == "rmi" || mode == "rpi";
        if (same && !integral && from == Type::f64 && !sat) {
            write(inst, ops[0], read(ops[1], from, scalar));
            return true;
        }
        if (same && !integral && (from != Type::f16 || !sat)) {  // only .ftz, .sat
            Value* bits = read(ops[1], from, scalar);
            if (from == Type::f32 && !ftz && !sat) {  // a copy
                write(inst, ops[0], bits);
                return true;
            }
            bits = canonical_nan(bits, from);
            if (is_small_float(from)) {  // which have neither
                write(inst, ops[0], bits);
                return true;
            }
            Value* value = as_float(bits, from);
            if (ftz) value = flush(value);
            if (sat) value = saturate(value);
            write(inst, ops[0], value);
            return true;
        }
        if (same && !integral) {  // cvt.sat.f16.f16
            write(inst, ops[0], saturate_small(read(ops[1], from, scalar), from));
            return true;
        }
    }
    if (!mode.empty()) name += "." + mode;
    if (ftz && to == Type::f32 && from == Type::f64) name += ".ftz";
    if (inst.has(Modifier::satfinite)) name += ".satfinite";
    bool own_relu = packed || to == Type::tf32;
    if (own_relu && inst.has(Modifier::relu)) name += ".relu";
    name += fmt::format(".{}.{}", ptx::type_name(to), ptx::type_name(from));
    const ScalarFunction* function = find_float_op(name);
    if (!function) {
        fail(inst, fmt::format("cvt{}.{}.{} is not implemented", mode.empty() ? "" : "." + mode,
                               ptx::type_name(to), ptx::type_name(from)));
        return true;
    }
    std::vector<Value*> args;
    for (int i = 0; i < function->arg_count; ++i) {
        ScalarType type = function->args[i];
        Value* arg = read(ops[i + 1], from, scalar);
        switch (type) {
            case ScalarType::f32:
                arg = as_float(arg, Type::f32);
                if (ftz && to != Type::f16) arg = flush(arg);  // there .ftz changes nothing
                break;
            case ScalarType::f64: arg = as_float(arg, Type::f64); break;
            default: {
                llvm::Type* wide = like(arg, type_of(type));
                arg = ptx::is_signed(from) ? builder_.CreateSExtOrTrunc(arg, wide)
                                           : builder_.CreateZExtOrTrunc(arg, wide);
            }
        }
        args.push_back(arg);
    }
    Value* result = call_lanes(*function, args, scalar, instruction_mask(inst));
    if (result->getType()->isFPOrFPVectorTy()) {
        if (ftz) result = flush(result);
        if (ftz && from == Type::bf16) result = as_float(canonical_nan(as_bits(result), to), to);
        if (sat) result = saturate(result);
    }
    result = as_bits(result);
    if (!packed || to == Type::e4m3x2 || to == Type::e5m2x2)
        result = builder_.CreateTrunc(
            result,
            like(result, int_type(std::min(ptx::type_bits(to),
                                           static_cast<int>(result->getType()->getScalarSizeInBits())))));
    if (is_small_float(to)) {
        if (sat) result = saturate_small(result, to);
        if (inst.has(Modifier::relu)) result = relu_small(result, to);
    }
    write(inst, ops[0], result, ptx::is_signed(to));
    return true;
}

}  // namespace lockstep::exec::jit
