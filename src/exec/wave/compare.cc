// Comparisons of the vector unit: a bit for each lane, in scalar registers; v_cmpx makes it the exec mask.
#include <string_view>

#include "exec/wave/emitter.h"

namespace lockstep::exec::wave {
namespace {

using Value = llvm::Value;
using P = llvm::CmpInst::Predicate;

P floating(std::string_view op) {
    if (op == "f") return P::FCMP_FALSE;
    if (op == "lt") return P::FCMP_OLT;
    if (op == "eq") return P::FCMP_OEQ;
    if (op == "le") return P::FCMP_OLE;
    if (op == "gt") return P::FCMP_OGT;
    if (op == "lg") return P::FCMP_ONE;
    if (op == "ge") return P::FCMP_OGE;
    if (op == "o") return P::FCMP_ORD;
    if (op == "u") return P::FCMP_UNO;
    if (op == "nge") return P::FCMP_ULT;
    if (op == "nlg") return P::FCMP_UEQ;
    if (op == "ngt") return P::FCMP_ULE;
    if (op == "nle") return P::FCMP_UGT;
    if (op == "neq") return P::FCMP_UNE;
    if (op == "nlt") return P::FCMP_UGE;
    if (op == "tru" || op == "t") return P::FCMP_TRUE;
    return P::BAD_FCMP_PREDICATE;
}

P integral(std::string_view op, bool is_signed) {
    if (op == "lt") return is_signed ? P::ICMP_SLT : P::ICMP_ULT;
    if (op == "eq") return P::ICMP_EQ;
    if (op == "le") return is_signed ? P::ICMP_SLE : P::ICMP_ULE;
    if (op == "gt") return is_signed ? P::ICMP_SGT : P::ICMP_UGT;
    if (op == "ne") return P::ICMP_NE;
    if (op == "ge") return is_signed ? P::ICMP_SGE : P::ICMP_UGE;
    return P::BAD_ICMP_PREDICATE;
}

// Which of ten classes a number belongs to, and whether the mask has that bit.
Value* classified(Emitter& e, const gcn::Instruction& inst, As as) {
    auto& b = e.builder();
    Value* x = e.source(inst, 1, as);
    Value* mask = e.vector32(inst.operands.at(2));
    const bool wide = as == As::f64, narrow = as == As::f16;
    llvm::Type* element = wide     ? static_cast<llvm::Type*>(b.getInt64Ty())
                          : narrow ? b.getInt16Ty()
                                   : b.getInt32Ty();
    auto* type = e.vector_of(element);
    const unsigned bits = element->getIntegerBitWidth();
    const unsigned mantissa = wide ? 52 : narrow ? 10 : 23;
    const auto number = [&](std::uint64_t value) { return llvm::ConstantInt::get(type, value); };
    Value* raw = b.CreateBitCast(x, type);
    Value* negative = b.CreateICmpSLT(raw, number(0));
    Value* magnitude = b.CreateAnd(raw, number((std::uint64_t{1} << (bits - 1)) - 1));
    const std::uint64_t infinity = ((std::uint64_t{1} << (bits - 1 - mantissa)) - 1) << mantissa;
    Value* is_infinite = b.CreateICmpEQ(magnitude, number(infinity));
    Value* is_nan = b.CreateICmpUGT(magnitude, number(infinity));
    Value* is_zero = b.CreateICmpEQ(magnitude, number(0));
    Value* is_small = b.CreateICmpULT(magnitude, number(std::uint64_t{1} << mantissa));
    Value* quiet = b.CreateICmpUGE(magnitude, number(infinity | std::uint64_t{1} << (mantissa - 1)));
    // Bits: 0 signalling, 1 quiet, 2 -infinity, 3 -normal, 4 -denormal, 5 -0, 6 +0, 7 +denormal, 8 +normal, 9
    // +infinity.
    const auto either = [&](std::uint32_t minus, std::uint32_t plus) {
        return b.CreateSelect(negative, e.number32(1u << minus), e.number32(1u << plus));
    };
    Value* which = either(3, 8);
    which = b.CreateSelect(is_small, either(4, 7), which);
    which = b.CreateSelect(is_zero, either(5, 6), which);
    which = b.CreateSelect(is_infinite, either(2, 9), which);
    which = b.CreateSelect(is_nan, b.CreateSelect(quiet, e.number32(2), e.number32(1)), which);
    return b.CreateICmpNE(b.CreateAnd(which, mask), e.number32(0));
}

}  // namespace

bool emit_compare(Emitter& e, const gcn::Instruction& inst) {
    std::string_view name = inst.name;
    const bool changes_exec = name.starts_with("v_cmpx_");
    if (!changes_exec && !name.starts_with("v_cmp_")) return false;
    name.remove_prefix(changes_exec ? 7 : 6);
    const std::size_t split = name.rfind('_');
    if (split == std::string_view::npos) return false;
    const std::string_view op = name.substr(0, split), type = name.substr(split + 1);
    // Where there is no result but the exec mask, operands begin with the sources.
    gcn::Instruction shifted;
    const gcn::Instruction* used = &inst;
    const bool no_result = changes_exec && inst.operands.at(0).kind != gcn::Operand::Kind::scalar &&
                           inst.operands.at(0).kind != gcn::Operand::Kind::vcc &&
                           inst.operands.at(0).kind != gcn::Operand::Kind::exec;
    const bool implied = inst.operands.size() < 3 || inst.operands.at(2).kind == gcn::Operand::Kind::none;
    if (no_result || implied) {
        shifted = inst;
        gcn::Operand to;
        to.kind = changes_exec ? gcn::Operand::Kind::exec : gcn::Operand::Kind::vcc;
        to.count = 2;
        shifted.operands.insert(shifted.operands.begin(), to);
        used = &shifted;
    }
    auto& b = e.builder();
    Value* result = nullptr;
    const As as = type == "f16"                    ? As::f16
                  : type == "f32"                  ? As::f32
                  : type == "f64"                  ? As::f64
                  : type == "i16" || type == "u16" ? As::b16
                  : type == "i32" || type == "u32" ? As::b32
                                                   : As::b64;
    if (op == "class") {
        result = classified(e, *used, as);
    } else if (type[0] == 'f') {
        const P predicate = floating(op);
        if (predicate == P::BAD_FCMP_PREDICATE) return false;
        Value* x = e.source(*used, 1, as);
        result = b.CreateFCmp(predicate, x, e.source(*used, 2, as));
    } else if (op == "t" || op == "f") {
        result = e.splat(b.getInt1(op == "t"));
    } else {
        const P predicate = integral(op, type[0] == 'i');
        if (predicate == P::BAD_ICMP_PREDICATE) return false;
        Value* x = e.source(*used, 1, as);
        result = b.CreateICmp(predicate, x, e.source(*used, 2, as));
    }
    e.set_lanes(used->operands[0], result);
    if (changes_exec && used->operands[0].kind != gcn::Operand::Kind::exec)
        e.set_exec(b.CreateAnd(e.to_bits(result), e.exec()));
    return true;
}

}  // namespace lockstep::exec::wave
