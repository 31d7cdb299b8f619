// Halves and singles in one instruction: v_fma_mix*, each of whose operands may be either, and dot products
// of halves that are summed as singles.
#include "exec/wave/emitter.h"

namespace lockstep::exec::wave {
namespace {

using Value = llvm::Value;
using Inst = gcn::Instruction;

bool chosen(const Inst& inst, const char* modifier, std::size_t number, bool otherwise) {
    const auto found = inst.modifiers.find(modifier);
    return found != inst.modifiers.end() && number < found->second.size() ? found->second[number] != 0
                                                                          : otherwise;
}

Value* fused(Emitter& e, Value* x, Value* y, Value* z) {
    return e.builder().CreateIntrinsic(llvm::Intrinsic::fma, {x->getType()}, {x, y, z});
}

// op_sel_hi: the operand is a half, and op_sel says which of its register.
void mix(Emitter& e, const Inst& inst) {
    auto& b = e.builder();
    Value* sources[3];
    for (std::size_t k = 0; k < 3; ++k)
        sources[k] = chosen(inst, "op_sel_hi", k, false)
                         ? b.CreateFPExt(e.source(inst, k + 1, As::f16), e.vector_of(b.getFloatTy()))
                         : e.source(inst, k + 1, As::f32);
    Value* sum = fused(e, sources[0], sources[1], sources[2]);
    if (inst.name.ends_with("_f32")) return e.set(inst, sum, As::f32);
    if (inst.has("clamp")) {
        auto* type = sum->getType();
        sum = b.CreateMinNum(b.CreateMaxNum(sum, llvm::ConstantFP::get(type, 0)),
                             llvm::ConstantFP::get(type, 1));
    }
    // Into one half of the register; the other stays.
    Value* half = b.CreateZExt(
        b.CreateBitCast(b.CreateFPTrunc(sum, e.vector_of(b.getHalfTy())), e.vector_of(b.getInt16Ty())),
        e.vector_of(b.getInt32Ty()));
    const bool upper = inst.name.find("mixhi") != std::string::npos;
    Value* kept = b.CreateAnd(e.vector32(inst.operands.at(0)), e.number32(upper ? 0xffff : 0xffff0000));
    if (upper) half = b.CreateShl(half, e.number32(16));
    e.set_vector32(inst.operands.at(0), b.CreateOr(kept, half));
}

// Two products of halves, and what they are added to: a third operand, or the result's register.
void dot2(Emitter& e, const Inst& inst) {
    auto& b = e.builder();
    auto* single = e.vector_of(b.getFloatTy());
    const bool apart = inst.operands.size() > 3;
    Value* sum =
        apart ? e.source(inst, 3, As::f32) : b.CreateBitCast(e.vector32(inst.operands.at(0)), single);
    for (const int half : {0, 1}) {
        Value* factors[2];
        for (std::size_t k = 0; k < 2; ++k) {
            Value* word = e.source(inst, k + 1, As::b32);
            if (chosen(inst, half ? "op_sel_hi" : "op_sel", k, half != 0))
                word = b.CreateLShr(word, e.number32(16));
            Value* number =
                b.CreateBitCast(b.CreateTrunc(word, e.vector_of(b.getInt16Ty())), e.vector_of(b.getHalfTy()));
            if (chosen(inst, half ? "neg_hi" : "neg_lo", k, false)) number = b.CreateFNeg(number);
            factors[k] = b.CreateFPExt(number, single);
        }
        sum = fused(e, factors[0], factors[1], sum);
    }
    e.set(inst, sum, As::f32);
}

}  // namespace

bool emit_mixed(Emitter& e, const gcn::Instruction& inst) {
    const std::string_view name = inst.name;
    if (name == "v_fma_mix_f32" || name == "v_fma_mixlo_f16" || name == "v_fma_mixhi_f16")
        mix(e, inst);
    else if (name == "v_dot2_f32_f16" || name == "v_dot2c_f32_f16" || name == "v_dot2acc_f32_f16")
        dot2(e, inst);
    else
        return false;
    return true;
}

}  // namespace lockstep::exec::wave
