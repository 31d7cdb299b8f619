// Conversions of the vector unit.
#include <functional>
#include <string_view>
#include <unordered_map>

#include "exec/wave/emitter.h"

namespace lockstep::exec::wave {
namespace {

using Value = llvm::Value;
using Inst = gcn::Instruction;
using Handler = std::function<void(Emitter&, const Inst&)>;

// Whole numbers saturate, NaN becomes 0.
Handler to_whole(As from, As to, bool is_signed,
                 llvm::Intrinsic::ID rounds = llvm::Intrinsic::not_intrinsic) {
    return [=](Emitter& e, const Inst& inst) {
        auto& b = e.builder();
        Value* x = e.source(inst, 1, from);
        if (rounds != llvm::Intrinsic::not_intrinsic) x = b.CreateUnaryIntrinsic(rounds, x);
        auto* type = e.vector_of(e.type_of(to));
        const auto id = is_signed ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
        e.set(inst, b.CreateIntrinsic(id, {type, x->getType()}, {x}), to);
    };
}
Handler from_whole(As from, As to, bool is_signed) {
    return [=](Emitter& e, const Inst& inst) {
        auto& b = e.builder();
        Value* x = e.source(inst, 1, from);
        auto* type = e.vector_of(e.type_of(to));
        e.set(inst, is_signed ? b.CreateSIToFP(x, type) : b.CreateUIToFP(x, type), to);
    };
}
Handler resized(As from, As to) {
    return [=](Emitter& e, const Inst& inst) {
        auto& b = e.builder();
        Value* x = e.source(inst, 1, from);
        auto* type = e.vector_of(e.type_of(to));
        e.set(inst, b.CreateFPCast(x, type), to);
    };
}
Handler byte_to_float(std::uint32_t byte) {
    return [=](Emitter& e, const Inst& inst) {
        auto& b = e.builder();
        Value* x =
            b.CreateAnd(b.CreateLShr(e.source(inst, 1, As::b32), e.number32(8 * byte)), e.number32(0xff));
        e.set(inst, b.CreateUIToFP(x, e.vector_of(b.getFloatTy())), As::f32);
    };
}
// Two numbers become halves of one register.
void two_halves(Emitter& e, const Inst& inst) {
    auto& b = e.builder();
    auto* i32 = e.vector_of(b.getInt32Ty());
    const auto half = [&](std::size_t operand) {
        // Towards zero: the bits that do not fit are cut off before.
        Value* x = e.source(inst, operand, As::f32);
        Value* raw = b.CreateBitCast(x, i32);
        Value* magnitude = b.CreateAnd(raw, e.number32(0x7fffffff));
        Value* normal = b.CreateICmpUGE(magnitude, e.number32(0x38800000));
        Value* nan = b.CreateICmpUGT(magnitude, e.number32(0x7f800000));
        Value* cut = b.CreateBitCast(b.CreateAnd(raw, e.number32(0xffffe000)), x->getType());
        // A denormal half has fixed steps of 2^-24.
        Value* steps = b.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, b.CreateFMul(x, e.float32(16777216.0)));
        Value* small = b.CreateFMul(steps, e.float32(1.0 / 16777216.0));
        Value* used = b.CreateSelect(normal, cut, small);
        // What is too large becomes the largest, unless it was infinite.
        Value* finite = b.CreateICmpULT(magnitude, e.number32(0x7f800000));
        Value* limit = e.float32(65504.0);
        Value* clamped = b.CreateBinaryIntrinsic(
            llvm::Intrinsic::maxnum, b.CreateBinaryIntrinsic(llvm::Intrinsic::minnum, used, limit),
            b.CreateFNeg(limit));
        used = b.CreateSelect(finite, clamped, used);
        used = b.CreateSelect(nan, x, used);
        Value* narrow = b.CreateFPTrunc(used, e.vector_of(b.getHalfTy()));
        return b.CreateZExt(b.CreateBitCast(narrow, e.vector_of(b.getInt16Ty())), i32);
    };
    Value* low = half(1);
    e.set_vector32(inst.operands.at(0), b.CreateOr(low, b.CreateShl(half(2), e.number32(16))));
}

// v_cvt_pknorm_i16_f32 and the like are rare and missing; these pack whole numbers.
Handler packed_whole(bool is_signed) {
    return [=](Emitter& e, const Inst& inst) {
        auto& b = e.builder();
        const auto part = [&](std::size_t operand) {
            Value* x = e.source(inst, operand, As::b32);
            if (is_signed) {
                x = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, x, e.number32(32767));
                x = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, x,
                                            e.number32(static_cast<std::uint32_t>(-32768)));
            } else {
                x = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, x, e.number32(65535));
            }
            return b.CreateAnd(x, e.number32(0xffff));
        };
        Value* low = part(1);
        e.set_vector32(inst.operands.at(0), b.CreateOr(low, b.CreateShl(part(2), e.number32(16))));
    };
}

const std::unordered_map<std::string_view, Handler>& handlers() {
    using namespace llvm;
    static const auto* table = new std::unordered_map<std::string_view, Handler>{
        {"i32_f32", to_whole(As::f32, As::b32, true)},
        {"u32_f32", to_whole(As::f32, As::b32, false)},
        {"i32_f64", to_whole(As::f64, As::b32, true)},
        {"u32_f64", to_whole(As::f64, As::b32, false)},
        {"i16_f16", to_whole(As::f16, As::b16, true)},
        {"u16_f16", to_whole(As::f16, As::b16, false)},
        {"rpi_i32_f32",
         [](Emitter& e, const Inst& inst) {
             auto& b = e.builder();
             Value* x = b.CreateUnaryIntrinsic(Intrinsic::floor,
                                               b.CreateFAdd(e.source(inst, 1, As::f32), e.float32(0.5)));
             auto* type = e.vector_of(b.getInt32Ty());
             e.set(inst, b.CreateIntrinsic(Intrinsic::fptosi_sat, {type, x->getType()}, {x}), As::b32);
         }},
        {"flr_i32_f32", to_whole(As::f32, As::b32, true, Intrinsic::floor)},
        {"f32_i32", from_whole(As::b32, As::f32, true)},
        {"f32_u32", from_whole(As::b32, As::f32, false)},
        {"f64_i32", from_whole(As::b32, As::f64, true)},
        {"f64_u32", from_whole(As::b32, As::f64, false)},
        {"f16_i16", from_whole(As::b16, As::f16, true)},
        {"f16_u16", from_whole(As::b16, As::f16, false)},
        {"f32_f64", resized(As::f64, As::f32)},
        {"f64_f32", resized(As::f32, As::f64)},
        {"f16_f32", resized(As::f32, As::f16)},
        {"f32_f16", resized(As::f16, As::f32)},
        {"f32_ubyte0", byte_to_float(0)},
        {"f32_ubyte1", byte_to_float(1)},
        {"f32_ubyte2", byte_to_float(2)},
        {"f32_ubyte3", byte_to_float(3)},
        {"pkrtz_f16_f32", two_halves},
        {"pk_i16_i32", packed_whole(true)},
        {"pk_u16_u32", packed_whole(false)},
    };
    return *table;
}

}  // namespace

bool emit_convert(Emitter& e, const gcn::Instruction& inst) {
    std::string_view name = inst.name;
    if (!name.starts_with("v_cvt_")) return false;
    name.remove_prefix(6);
    const auto found = handlers().find(name);
    if (found == handlers().end()) return false;
    found->second(e, inst);
    return true;
}

}  // namespace lockstep::exec::wave
