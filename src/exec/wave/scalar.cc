// The scalar unit.
#include <functional>
#include <string_view>
#include <unordered_map>

#include "exec/wave/calls.h"
#include "exec/wave/emitter.h"
#include "exec/wave/names.h"

namespace lockstep::exec::wave {
namespace {

using Value = llvm::Value;
using Builder = llvm::IRBuilder<>;
using Inst = gcn::Instruction;

// The result decides the scc bit: whether it is not zero.
void set_with_scc(Emitter& e, const Inst& inst, Value* value, bool wide) {
    wide ? e.set_scalar64(inst.operands.at(0), value) : e.set_scalar32(inst.operands.at(0), value);
    e.set_scc(e.builder().CreateICmpNE(value, llvm::Constant::getNullValue(value->getType())));
}

Value* operand(Emitter& e, const Inst& inst, std::size_t i, bool wide) {
    return wide ? e.scalar64(inst.operands.at(i)) : e.scalar32(inst.operands.at(i));
}

// and, or, xor …; `andn1` on RDNA is and_not0.
Value* logic(Builder& b, std::string_view op, Value* x, Value* y) {
    if (op == "and") return b.CreateAnd(x, y);
    if (op == "or") return b.CreateOr(x, y);
    if (op == "xor") return b.CreateXor(x, y);
    if (op == "andn2" || op == "and_not1") return b.CreateAnd(x, b.CreateNot(y));
    if (op == "orn2" || op == "or_not1") return b.CreateOr(x, b.CreateNot(y));
    if (op == "andn1" || op == "and_not0") return b.CreateAnd(b.CreateNot(x), y);
    if (op == "orn1" || op == "or_not0") return b.CreateOr(b.CreateNot(x), y);
    if (op == "nand") return b.CreateNot(b.CreateAnd(x, y));
    if (op == "nor") return b.CreateNot(b.CreateOr(x, y));
    if (op == "xnor") return b.CreateNot(b.CreateXor(x, y));
    return nullptr;
}

// s_and_saveexec_b64 d, x: d = exec, exec = x op exec.
bool save_exec(Emitter& e, const Inst& inst, std::string_view name, bool wide) {
    if (!takes_suffix(name, "_saveexec")) return false;
    auto& b = e.builder();
    Value* old = e.exec();
    Value* x = operand(e, inst, 1, wide);
    if (!wide) x = b.CreateZExt(x, b.getInt64Ty());
    Value* now = logic(b, name, x, old);
    if (!now) return false;
    if (!wide) now = b.CreateAnd(now, b.getInt64(0xffffffff));
    wide ? e.set_scalar64(inst.operands.at(0), old)
         : e.set_scalar32(inst.operands.at(0), b.CreateTrunc(old, b.getInt32Ty()));
    e.set_exec(now);
    e.set_scc(b.CreateICmpNE(now, b.getInt64(0)));
    return true;
}

bool logic_instruction(Emitter& e, const Inst& inst, std::string_view name) {
    bool wide = false;
    if (takes_suffix(name, "_b64"))
        wide = true;
    else if (!takes_suffix(name, "_b32"))
        return false;
    if (save_exec(e, inst, name, wide)) return true;
    if (inst.operands.size() != 3) return false;
    Value* value = logic(e.builder(), name, operand(e, inst, 1, wide), operand(e, inst, 2, wide));
    if (!value) return false;
    set_with_scc(e, inst, value, wide);
    return true;
}

// s_add_u32 and the others with a carry: scc is the carry of the unsigned ones, the overflow of the signed
// ones.
bool sums(Emitter& e, const Inst& inst, std::string_view name) {
    auto& b = e.builder();
    const bool add = name == "add_u32" || name == "addc_u32" || name == "add_i32";
    const bool subtract = name == "sub_u32" || name == "subb_u32" || name == "sub_i32";
    if (!add && !subtract) return false;
    auto* i64 = b.getInt64Ty();
    Value* x = e.scalar32(inst.operands.at(1));
    Value* y = e.scalar32(inst.operands.at(2));
    if (name.ends_with("_i32")) {
        const auto id = add ? llvm::Intrinsic::sadd_with_overflow : llvm::Intrinsic::ssub_with_overflow;
        Value* both = b.CreateBinaryIntrinsic(id, x, y);
        e.set_scalar32(inst.operands.at(0), b.CreateExtractValue(both, 0));
        e.set_scc(b.CreateExtractValue(both, 1));
        return true;
    }
    Value* wide = add ? b.CreateAdd(b.CreateZExt(x, i64), b.CreateZExt(y, i64))
                      : b.CreateSub(b.CreateZExt(x, i64), b.CreateZExt(y, i64));
    if (name.starts_with("addc")) wide = b.CreateAdd(wide, b.CreateZExt(e.scc(), i64));
    if (name.starts_with("subb")) wide = b.CreateSub(wide, b.CreateZExt(e.scc(), i64));
    e.set_scalar32(inst.operands.at(0), b.CreateTrunc(wide, b.getInt32Ty()));
    e.set_scc(b.CreateTrunc(b.CreateLShr(wide, 32), b.getInt1Ty()));
    return true;
}

bool compares(Emitter& e, const Inst& inst, std::string_view name) {
    auto& b = e.builder();
    const bool constant = name.starts_with("cmpk_");
    if (!constant && !name.starts_with("cmp_")) return false;
    name.remove_prefix(constant ? 5 : 4);
    const bool wide = name.ends_with("64");
    const bool is_signed = name.ends_with("i32");
    const std::string_view op = name.substr(0, name.find('_'));
    using P = llvm::CmpInst::Predicate;
    const P predicate = op == "eq"   ? P::ICMP_EQ
                        : op == "lg" ? P::ICMP_NE
                        : op == "gt" ? (is_signed ? P::ICMP_SGT : P::ICMP_UGT)
                        : op == "ge" ? (is_signed ? P::ICMP_SGE : P::ICMP_UGE)
                        : op == "lt" ? (is_signed ? P::ICMP_SLT : P::ICMP_ULT)
                        : op == "le" ? (is_signed ? P::ICMP_SLE : P::ICMP_ULE)
                                     : P::BAD_ICMP_PREDICATE;
    if (predicate == P::BAD_ICMP_PREDICATE) return false;
    Value* y = operand(e, inst, 1, wide);
    // A short constant is extended by its sign, or not: it is printed as the 16 bits that it has.
    if (constant && inst.operands.at(1).kind == gcn::Operand::Kind::integer) {
        const auto bits = static_cast<std::uint16_t>(inst.operands.at(1).integer);
        y = b.getInt32(
            is_signed || op == "eq" || op == "lg"
                ? static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<std::int16_t>(bits)))
                : bits);
        if (!is_signed && (op == "eq" || op == "lg") && name.ends_with("u32")) y = b.getInt32(bits);
    }
    e.set_scc(b.CreateICmp(predicate, operand(e, inst, 0, wide), y));
    return true;
}

Value* field_mask(Builder& b, Value* width, llvm::Type* type) {
    // Ones below `width`, which may be all of them.
    Value* bits = llvm::ConstantInt::get(type, type->getIntegerBitWidth());
    Value* shifted = b.CreateShl(llvm::ConstantInt::get(type, 1), width);
    Value* some = b.CreateSub(shifted, llvm::ConstantInt::get(type, 1));
    return b.CreateSelect(b.CreateICmpUGE(width, bits), llvm::Constant::getAllOnesValue(type), some);
}

bool fields(Emitter& e, const Inst& inst, std::string_view name) {
    auto& b = e.builder();
    const bool wide = name.ends_with("64");
    llvm::Type* type = wide ? b.getInt64Ty() : b.getInt32Ty();
    if (name == "bfm_b32" || name == "bfm_b64") {
        Value* width =
            b.CreateZExtOrTrunc(b.CreateAnd(e.scalar32(inst.operands.at(1)), wide ? 63 : 31), type);
        Value* shift =
            b.CreateZExtOrTrunc(b.CreateAnd(e.scalar32(inst.operands.at(2)), wide ? 63 : 31), type);
        Value* value = b.CreateShl(field_mask(b, width, type), shift);
        wide ? e.set_scalar64(inst.operands.at(0), value) : e.set_scalar32(inst.operands.at(0), value);
        return true;
    }
    if (!name.starts_with("bfe_")) return false;
    const bool is_signed = name[4] == 'i';
    Value* packed = e.scalar32(inst.operands.at(2));
    Value* shift = b.CreateZExtOrTrunc(b.CreateAnd(packed, wide ? 63 : 31), type);
    Value* width = b.CreateZExtOrTrunc(b.CreateAnd(b.CreateLShr(packed, 16), 127), type);
    Value* value = b.CreateLShr(operand(e, inst, 1, wide), shift);
    value = b.CreateAnd(value, field_mask(b, width, type));
    if (is_signed) {
        Value* size = llvm::ConstantInt::get(type, wide ? 64 : 32);
        Value* unused = b.CreateSub(size, width);
        unused = b.CreateSelect(b.CreateICmpUGE(width, size), llvm::ConstantInt::get(type, 0), unused);
        Value* none = b.CreateICmpEQ(width, llvm::ConstantInt::get(type, 0));
        unused = b.CreateSelect(none, llvm::ConstantInt::get(type, 0), unused);
        value = b.CreateAShr(b.CreateShl(value, unused), unused);
    }
    set_with_scc(e, inst, value, wide);
    return true;
}

bool loads(Emitter& e, const Inst& inst, std::string_view name) {
    auto& b = e.builder();
    const bool buffer = name.starts_with("buffer_load_");
    if (!buffer && !name.starts_with("load_")) return false;
    const std::string_view size = name.substr(name.rfind('_') + 1);
    std::uint32_t words = 0;
    for (const auto& [word, count] : {std::pair{"dword", 1u},
                                      {"b32", 1u},
                                      {"dwordx2", 2u},
                                      {"b64", 2u},
                                      {"dwordx4", 4u},
                                      {"b128", 4u},
                                      {"dwordx8", 8u},
                                      {"b256", 8u},
                                      {"dwordx16", 16u},
                                      {"b512", 16u}})
        if (size == word) words = count;
    if (!words || inst.operands.size() < 3) return false;
    auto* i64 = b.getInt64Ty();
    Value* address = e.scalar64(inst.operands.at(1));
    if (buffer) address = b.CreateAnd(address, b.getInt64((std::uint64_t{1} << 48) - 1));
    const gcn::Operand& offset = inst.operands.at(2);
    if (offset.kind == gcn::Operand::Kind::integer)
        address = b.CreateAdd(address, b.getInt64(static_cast<std::uint64_t>(offset.integer)));
    else if (offset.kind != gcn::Operand::Kind::none)
        address = b.CreateAdd(address, b.CreateZExt(e.scalar32(offset), i64));
    address = b.CreateAdd(address, b.getInt64(static_cast<std::uint64_t>(inst.value("offset"))));
    Value* data = e.array(1);
    e.call("lockstep_wave_scalar_load", reinterpret_cast<void*>(&wave_scalar_load), b.getVoidTy(),
           {e.context(), b.getInt32(e.site(inst, kernel::SiteKind::load, ptx::Space::none, 0)), address,
            b.getInt32(words), data});
    for (std::uint32_t word = 0; word < words; ++word) {
        Value* at = b.CreateConstInBoundsGEP1_64(b.getInt32Ty(), data, word);
        gcn::Operand to = inst.operands.at(0);
        if (to.kind == gcn::Operand::Kind::vcc && words == 2) to.part = static_cast<std::int8_t>(word);
        if (to.kind == gcn::Operand::Kind::scalar) to.first = static_cast<std::uint16_t>(to.first + word);
        e.set_scalar32(to, b.CreateLoad(b.getInt32Ty(), at));
    }
    return true;
}

using Handler = std::function<void(Emitter&, const Inst&)>;

Handler shift(llvm::Instruction::BinaryOps op, bool wide) {
    return [=](Emitter& e, const Inst& inst) {
        auto& b = e.builder();
        Value* x = operand(e, inst, 1, wide);
        Value* by =
            b.CreateZExtOrTrunc(b.CreateAnd(e.scalar32(inst.operands.at(2)), wide ? 63 : 31), x->getType());
        set_with_scc(e, inst, b.CreateBinOp(op, x, by), wide);
    };
}

Handler extreme(llvm::CmpInst::Predicate keeps) {
    return [=](Emitter& e, const Inst& inst) {
        auto& b = e.builder();
        Value *x = e.scalar32(inst.operands.at(1)), *y = e.scalar32(inst.operands.at(2));
        Value* first = b.CreateICmp(keeps, x, y);
        e.set_scalar32(inst.operands.at(0), b.CreateSelect(first, x, y));
        e.set_scc(first);
    };
}

// One operand, no scc.
Handler unary(bool wide, bool from_wide, Value* (*f)(Builder&, Value*)) {
    return [=](Emitter& e, const Inst& inst) {
        Value* value = f(e.builder(), operand(e, inst, 1, from_wide));
        wide ? e.set_scalar64(inst.operands.at(0), value) : e.set_scalar32(inst.operands.at(0), value);
    };
}

Handler unary_scc(bool wide, bool from_wide, Value* (*f)(Builder&, Value*)) {
    return [=](Emitter& e, const Inst& inst) {
        set_with_scc(e, inst, f(e.builder(), operand(e, inst, 1, from_wide)), wide);
    };
}

Value* to32(Builder& b, Value* value) { return b.CreateTrunc(value, b.getInt32Ty()); }
// -1 where there is none.
Value* or_none(Builder& b, Value* x, Value* found) {
    return b.CreateSelect(b.CreateICmpEQ(x, llvm::Constant::getNullValue(x->getType())), b.getInt32(~0u),
                          found);
}
Value* first_one(Builder& b, Value* x) {
    return or_none(
        b, x,
        b.CreateZExtOrTrunc(b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, x, b.getFalse()), b.getInt32Ty()));
}
Value* first_from_top(Builder& b, Value* x) {
    return or_none(
        b, x,
        b.CreateZExtOrTrunc(b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, x, b.getFalse()), b.getInt32Ty()));
}
// The first bit from the top that differs from the sign.
Value* first_unlike_sign(Builder& b, Value* x) {
    Value* sign = b.CreateAShr(x, x->getType()->getIntegerBitWidth() - 1);
    return first_from_top(b, b.CreateXor(x, sign));
}
Value* ones(Builder& b, Value* x) {
    return b.CreateZExtOrTrunc(b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, x), b.getInt32Ty());
}
Value* zeros(Builder& b, Value* x) { return ones(b, b.CreateNot(x)); }
Value* reversed(Builder& b, Value* x) { return b.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, x); }
Value* inverted(Builder& b, Value* x) { return b.CreateNot(x); }
Value* same(Builder&, Value* x) { return x; }
// Whole quads: four neighbours of which one is set.
Value* whole_quads(Builder& b, Value* x) {
    auto* type = x->getType();
    Value* any =
        b.CreateOr(b.CreateOr(x, b.CreateLShr(x, 1)), b.CreateOr(b.CreateLShr(x, 2), b.CreateLShr(x, 3)));
    any = b.CreateAnd(any, llvm::ConstantInt::get(type, 0x1111111111111111ull));
    return b.CreateMul(any, llvm::ConstantInt::get(type, 15));
}
Value* absolute(Builder& b, Value* x) {
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, x, b.getFalse());
}
Value* sign8(Builder& b, Value* x) { return b.CreateSExt(b.CreateTrunc(x, b.getInt8Ty()), b.getInt32Ty()); }
Value* sign16(Builder& b, Value* x) { return b.CreateSExt(b.CreateTrunc(x, b.getInt16Ty()), b.getInt32Ty()); }

// A 16-bit constant, as it is printed.
std::uint32_t short_constant(const gcn::Operand& op) {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<std::int16_t>(op.integer)));
}

const std::unordered_map<std::string_view, Handler>& handlers() {
    using B = llvm::Instruction::BinaryOps;
    using P = llvm::CmpInst::Predicate;
    static const auto* table = new std::unordered_map<std::string_view, Handler>{
        {"mov_b32", unary(false, false, same)},
        {"mov_b64", unary(true, true, same)},
        {"not_b32", unary_scc(false, false, inverted)},
        {"not_b64", unary_scc(true, true, inverted)},
        {"wqm_b32", unary_scc(false, false, whole_quads)},
        {"wqm_b64", unary_scc(true, true, whole_quads)},
        {"brev_b32", unary(false, false, reversed)},
        {"brev_b64", unary(true, true, reversed)},
        {"ff1_i32_b32", unary(false, false, first_one)},
        {"ff1_i32_b64", unary(false, true, first_one)},
        {"ctz_i32_b32", unary(false, false, first_one)},
        {"ctz_i32_b64", unary(false, true, first_one)},
        {"flbit_i32_b32", unary(false, false, first_from_top)},
        {"flbit_i32_b64", unary(false, true, first_from_top)},
        {"clz_i32_u32", unary(false, false, first_from_top)},
        {"clz_i32_u64", unary(false, true, first_from_top)},
        {"flbit_i32", unary(false, false, first_unlike_sign)},
        {"flbit_i32_i64", unary(false, true, first_unlike_sign)},
        {"cls_i32", unary(false, false, first_unlike_sign)},
        {"cls_i32_i64", unary(false, true, first_unlike_sign)},
        {"bcnt1_i32_b32", unary_scc(false, false, ones)},
        {"bcnt1_i32_b64", unary_scc(false, true, ones)},
        {"bcnt0_i32_b32", unary_scc(false, false, zeros)},
        {"bcnt0_i32_b64", unary_scc(false, true, zeros)},
        {"abs_i32", unary_scc(false, false, absolute)},
        {"sext_i32_i8", unary(false, false, sign8)},
        {"sext_i32_i16", unary(false, false, sign16)},
        {"lshl_b32", shift(B::Shl, false)},
        {"lshl_b64", shift(B::Shl, true)},
        {"lshr_b32", shift(B::LShr, false)},
        {"lshr_b64", shift(B::LShr, true)},
        {"ashr_i32", shift(B::AShr, false)},
        {"ashr_i64", shift(B::AShr, true)},
        {"min_i32", extreme(P::ICMP_SLT)},
        {"max_i32", extreme(P::ICMP_SGT)},
        {"min_u32", extreme(P::ICMP_ULT)},
        {"max_u32", extreme(P::ICMP_UGT)},
        {"mul_i32",
         [](Emitter& e, const Inst& inst) {
             e.set_scalar32(inst.operands.at(0), e.builder().CreateMul(e.scalar32(inst.operands.at(1)),
                                                                       e.scalar32(inst.operands.at(2))));
         }},
        {"mul_hi_u32",
         [](Emitter& e, const Inst& inst) {
             auto& b = e.builder();
             auto* i64 = b.getInt64Ty();
             Value* wide = b.CreateMul(b.CreateZExt(e.scalar32(inst.operands.at(1)), i64),
                                       b.CreateZExt(e.scalar32(inst.operands.at(2)), i64));
             e.set_scalar32(inst.operands.at(0), to32(b, b.CreateLShr(wide, 32)));
         }},
        {"mul_hi_i32",
         [](Emitter& e, const Inst& inst) {
             auto& b = e.builder();
             auto* i64 = b.getInt64Ty();
             Value* wide = b.CreateMul(b.CreateSExt(e.scalar32(inst.operands.at(1)), i64),
                                       b.CreateSExt(e.scalar32(inst.operands.at(2)), i64));
             e.set_scalar32(inst.operands.at(0), to32(b, b.CreateLShr(wide, 32)));
         }},
        {"absdiff_i32",
         [](Emitter& e, const Inst& inst) {
             auto& b = e.builder();
             set_with_scc(
                 e, inst,
                 absolute(b, b.CreateSub(e.scalar32(inst.operands.at(1)), e.scalar32(inst.operands.at(2)))),
                 false);
         }},
        {"cselect_b32",
         [](Emitter& e, const Inst& inst) {
             e.set_scalar32(inst.operands.at(0),
                            e.builder().CreateSelect(e.scc(), e.scalar32(inst.operands.at(1)),
                                                     e.scalar32(inst.operands.at(2))));
         }},
        {"cselect_b64",
         [](Emitter& e, const Inst& inst) {
             e.set_scalar64(inst.operands.at(0),
                            e.builder().CreateSelect(e.scc(), e.scalar64(inst.operands.at(1)),
                                                     e.scalar64(inst.operands.at(2))));
         }},
        {"cmov_b32",
         [](Emitter& e, const Inst& inst) {
             e.set_scalar32(inst.operands.at(0),
                            e.builder().CreateSelect(e.scc(), e.scalar32(inst.operands.at(1)),
                                                     e.scalar32(inst.operands.at(0))));
         }},
        {"cmov_b64",
         [](Emitter& e, const Inst& inst) {
             e.set_scalar64(inst.operands.at(0),
                            e.builder().CreateSelect(e.scc(), e.scalar64(inst.operands.at(1)),
                                                     e.scalar64(inst.operands.at(0))));
         }},
        {"movk_i32",
         [](Emitter& e, const Inst& inst) {
             e.set_scalar32(inst.operands.at(0), e.builder().getInt32(short_constant(inst.operands.at(1))));
         }},
        {"cmovk_i32",
         [](Emitter& e, const Inst& inst) {
             e.set_scalar32(
                 inst.operands.at(0),
                 e.builder().CreateSelect(e.scc(), e.builder().getInt32(short_constant(inst.operands.at(1))),
                                          e.scalar32(inst.operands.at(0))));
         }},
        {"addk_i32",
         [](Emitter& e, const Inst& inst) {
             auto& b = e.builder();
             Value* both =
                 b.CreateBinaryIntrinsic(llvm::Intrinsic::sadd_with_overflow, e.scalar32(inst.operands.at(0)),
                                         b.getInt32(short_constant(inst.operands.at(1))));
             e.set_scalar32(inst.operands.at(0), b.CreateExtractValue(both, 0));
             e.set_scc(b.CreateExtractValue(both, 1));
         }},
        {"mulk_i32",
         [](Emitter& e, const Inst& inst) {
             e.set_scalar32(inst.operands.at(0),
                            e.builder().CreateMul(e.scalar32(inst.operands.at(0)),
                                                  e.builder().getInt32(short_constant(inst.operands.at(1)))));
         }},
        {"pack_ll_b32_b16",
         [](Emitter& e, const Inst& inst) {
             auto& b = e.builder();
             e.set_scalar32(inst.operands.at(0),
                            b.CreateOr(b.CreateAnd(e.scalar32(inst.operands.at(1)), 0xffff),
                                       b.CreateShl(e.scalar32(inst.operands.at(2)), 16)));
         }},
        {"pack_lh_b32_b16",
         [](Emitter& e, const Inst& inst) {
             auto& b = e.builder();
             e.set_scalar32(inst.operands.at(0),
                            b.CreateOr(b.CreateAnd(e.scalar32(inst.operands.at(1)), 0xffff),
                                       b.CreateAnd(e.scalar32(inst.operands.at(2)), 0xffff0000)));
         }},
        {"pack_hh_b32_b16",
         [](Emitter& e, const Inst& inst) {
             auto& b = e.builder();
             e.set_scalar32(inst.operands.at(0),
                            b.CreateOr(b.CreateLShr(e.scalar32(inst.operands.at(1)), 16),
                                       b.CreateAnd(e.scalar32(inst.operands.at(2)), 0xffff0000)));
         }},
        {"bitset0_b32",
         [](Emitter& e, const Inst& inst) {
             auto& b = e.builder();
             Value* bit = b.CreateShl(b.getInt32(1), b.CreateAnd(e.scalar32(inst.operands.at(1)), 31));
             e.set_scalar32(inst.operands.at(0),
                            b.CreateAnd(e.scalar32(inst.operands.at(0)), b.CreateNot(bit)));
         }},
        {"bitset1_b32",
         [](Emitter& e, const Inst& inst) {
             auto& b = e.builder();
             Value* bit = b.CreateShl(b.getInt32(1), b.CreateAnd(e.scalar32(inst.operands.at(1)), 31));
             e.set_scalar32(inst.operands.at(0), b.CreateOr(e.scalar32(inst.operands.at(0)), bit));
         }},
        {"memtime",
         [](Emitter& e, const Inst& inst) {
             e.set_scalar64(inst.operands.at(0),
                            e.call("lockstep_wave_clock", reinterpret_cast<void*>(&wave_clock),
                                   e.builder().getInt64Ty(), {e.context(), e.builder().getInt32(0)}));
         }},
        {"memrealtime",
         [](Emitter& e, const Inst& inst) {
             e.set_scalar64(inst.operands.at(0),
                            e.call("lockstep_wave_clock", reinterpret_cast<void*>(&wave_clock),
                                   e.builder().getInt64Ty(), {e.context(), e.builder().getInt32(1)}));
         }},
        // Symbols and labels in what follows are absolute (Emitter::address_of_symbol).
        {"getpc_b64",
         [](Emitter& e, const Inst& inst) { e.set_scalar64(inst.operands.at(0), e.builder().getInt64(0)); }},
    };
    return *table;
}

bool bit_tests(Emitter& e, const Inst& inst, std::string_view name) {
    if (!name.starts_with("bitcmp")) return false;
    auto& b = e.builder();
    const bool wide = name.ends_with("64"), one = name[6] == '1';
    Value* x = operand(e, inst, 0, wide);
    Value* by =
        b.CreateZExtOrTrunc(b.CreateAnd(e.scalar32(inst.operands.at(1)), wide ? 63 : 31), x->getType());
    Value* bit = b.CreateTrunc(b.CreateLShr(x, by), b.getInt1Ty());
    e.set_scc(one ? bit : b.CreateNot(bit));
    return true;
}

// s_lshl2_add_u32: shifted, and added with a carry.
bool shifted_sums(Emitter& e, const Inst& inst, std::string_view name) {
    if (name.size() != 13 || !name.starts_with("lshl") || !name.ends_with("_add_u32")) return false;
    auto& b = e.builder();
    auto* i64 = b.getInt64Ty();
    Value* wide = b.CreateShl(b.CreateZExt(e.scalar32(inst.operands.at(1)), i64),
                              static_cast<std::uint64_t>(name[4] - '0'));
    wide = b.CreateAdd(wide, b.CreateZExt(e.scalar32(inst.operands.at(2)), i64));
    e.set_scalar32(inst.operands.at(0), to32(b, wide));
    e.set_scc(b.CreateICmpUGT(wide, b.getInt64(0xffffffff)));
    return true;
}

}  // namespace

bool emit_scalar(Emitter& e, const gcn::Instruction& inst) {
    std::string_view name = inst.name;
    if (!name.starts_with("s_")) return false;
    name.remove_prefix(2);
    if (const auto found = handlers().find(name); found != handlers().end()) {
        if (inst.operands.empty()) return false;
        found->second(e, inst);
        return true;
    }
    if (inst.operands.size() < 2) return false;
    return compares(e, inst, name) || bit_tests(e, inst, name) ||
           (inst.operands.size() >= 3 && (sums(e, inst, name) || fields(e, inst, name) ||
                                          shifted_sums(e, inst, name) || loads(e, inst, name))) ||
           logic_instruction(e, inst, name);
}

}  // namespace lockstep::exec::wave
