// The vector unit's integers and bits.
#include <functional>
#include <string_view>
#include <unordered_map>

#include "exec/wave/emitter.h"

namespace lockstep::exec::wave {
namespace {

using Value = llvm::Value;
using Builder = llvm::IRBuilder<>;
using Inst = gcn::Instruction;
using Handler = std::function<void(Emitter&, const Inst&)>;
using I = llvm::Intrinsic::IndependentIntrinsics;

using One = Value* (*)(Emitter&, Value*);
using Two = Value* (*)(Emitter&, Value*, Value*);
using Three = Value* (*)(Emitter&, Value*, Value*, Value*);

Handler unary(One f, As to = As::b32, As from = As::b32) {
    return [=](Emitter& e, const Inst& inst) { e.set(inst, f(e, e.source(inst, 1, from)), to); };
}
Handler binary(Two f, As as = As::b32) {
    return [=](Emitter& e, const Inst& inst) {
        Value* x = e.source(inst, 1, as);
        e.set(inst, f(e, x, e.source(inst, 2, as)), as);
    };
}
// The operands the other way round.
Handler reversed(Two f, As as = As::b32) {
    return [=](Emitter& e, const Inst& inst) {
        Value* x = e.source(inst, 1, as);
        e.set(inst, f(e, e.source(inst, 2, as), x), as);
    };
}
Handler ternary(Three f, As as = As::b32) {
    return [=](Emitter& e, const Inst& inst) {
        Value* x = e.source(inst, 1, as);
        Value* y = e.source(inst, 2, as);
        e.set(inst, f(e, x, y, e.source(inst, 3, as)), as);
    };
}

Value* constant_like(Value* like, std::uint64_t value) {
    return llvm::ConstantInt::get(like->getType(), value);
}

// Shift counts: as many bits of them as matter.
Value* count_for(Emitter& e, Value* count, Value* like) {
    auto& b = e.builder();
    const unsigned bits = like->getType()->getScalarSizeInBits();
    return b.CreateAnd(b.CreateZExtOrTrunc(count, like->getType()), constant_like(like, bits - 1));
}

Value* add(Emitter& e, Value* x, Value* y) { return e.builder().CreateAdd(x, y); }
Value* subtract(Emitter& e, Value* x, Value* y) { return e.builder().CreateSub(x, y); }
Value* multiply(Emitter& e, Value* x, Value* y) { return e.builder().CreateMul(x, y); }
Value* bit_and(Emitter& e, Value* x, Value* y) { return e.builder().CreateAnd(x, y); }
Value* bit_or(Emitter& e, Value* x, Value* y) { return e.builder().CreateOr(x, y); }
Value* bit_xor(Emitter& e, Value* x, Value* y) { return e.builder().CreateXor(x, y); }
Value* bit_xnor(Emitter& e, Value* x, Value* y) { return e.builder().CreateNot(e.builder().CreateXor(x, y)); }
Value* shl(Emitter& e, Value* x, Value* y) { return e.builder().CreateShl(x, count_for(e, y, x)); }
Value* lshr(Emitter& e, Value* x, Value* y) { return e.builder().CreateLShr(x, count_for(e, y, x)); }
Value* ashr(Emitter& e, Value* x, Value* y) { return e.builder().CreateAShr(x, count_for(e, y, x)); }
template <I id>
Value* intrinsic(Emitter& e, Value* x, Value* y) {
    return e.builder().CreateBinaryIntrinsic(id, x, y);
}

// Low halves of products.
template <bool is_signed>
Value* low24(Emitter& e, Value* x) {
    auto& b = e.builder();
    if (!is_signed) return b.CreateAnd(x, e.number32(0xffffff));
    return b.CreateAShr(b.CreateShl(x, e.number32(8)), e.number32(8));
}
template <bool is_signed>
Value* product24(Emitter& e, Value* x, Value* y) {
    return e.builder().CreateMul(low24<is_signed>(e, x), low24<is_signed>(e, y));
}
template <bool is_signed>
Value* wide_product(Emitter& e, Value* x, Value* y) {
    auto& b = e.builder();
    auto* i64 = e.vector_of(b.getInt64Ty());
    return is_signed ? b.CreateMul(b.CreateSExt(x, i64), b.CreateSExt(y, i64))
                     : b.CreateMul(b.CreateZExt(x, i64), b.CreateZExt(y, i64));
}
template <bool is_signed>
Value* high_product(Emitter& e, Value* x, Value* y) {
    auto& b = e.builder();
    return b.CreateTrunc(b.CreateLShr(wide_product<is_signed>(e, x, y), e.number64(32)),
                         e.vector_of(b.getInt32Ty()));
}
template <bool is_signed>
Value* high_product24(Emitter& e, Value* x, Value* y) {
    return high_product<is_signed>(e, low24<is_signed>(e, x), low24<is_signed>(e, y));
}

template <llvm::CmpInst::Predicate keeps>
Value* extreme3(Emitter& e, Value* x, Value* y, Value* z) {
    auto& b = e.builder();
    Value* two = b.CreateSelect(b.CreateICmp(keeps, x, y), x, y);
    return b.CreateSelect(b.CreateICmp(keeps, two, z), two, z);
}
template <bool is_signed>
Value* median3(Emitter& e, Value* x, Value* y, Value* z) {
    auto& b = e.builder();
    const auto low = is_signed ? llvm::Intrinsic::smin : llvm::Intrinsic::umin;
    const auto high = is_signed ? llvm::Intrinsic::smax : llvm::Intrinsic::umax;
    Value* smaller = b.CreateBinaryIntrinsic(low, x, y);
    Value* larger = b.CreateBinaryIntrinsic(high, x, y);
    return b.CreateBinaryIntrinsic(high, smaller, b.CreateBinaryIntrinsic(low, larger, z));
}

// A field of bits: `width` of them from `first`.
template <bool is_signed>
Value* field(Emitter& e, Value* x, Value* first, Value* width) {
    auto& b = e.builder();
    first = b.CreateAnd(first, e.number32(31));
    width = b.CreateAnd(width, e.number32(31));
    Value* none = b.CreateICmpEQ(width, e.number32(0));
    Value* unused = b.CreateAnd(b.CreateSub(e.number32(32), width), e.number32(31));
    // What lies above bit 31 is zeros, or copies of the sign.
    Value* value = is_signed ? b.CreateAShr(x, first) : b.CreateLShr(x, first);
    value = b.CreateShl(value, unused);
    value = is_signed ? b.CreateAShr(value, unused) : b.CreateLShr(value, unused);
    return b.CreateSelect(none, e.number32(0), value);
}
Value* insert_field(Emitter& e, Value* mask, Value* x, Value* y) {
    auto& b = e.builder();
    return b.CreateOr(b.CreateAnd(mask, x), b.CreateAnd(b.CreateNot(mask), y));
}
Value* pair_of(Emitter& e, Value* high, Value* low) {
    auto& b = e.builder();
    auto* i64 = e.vector_of(b.getInt64Ty());
    return b.CreateOr(b.CreateShl(b.CreateZExt(high, i64), e.number64(32)), b.CreateZExt(low, i64));
}
Value* align_bits(Emitter& e, Value* high, Value* low, Value* count) {
    auto& b = e.builder();
    Value* by = b.CreateZExt(b.CreateAnd(count, e.number32(31)), e.vector_of(b.getInt64Ty()));
    return b.CreateTrunc(b.CreateLShr(pair_of(e, high, low), by), e.vector_of(b.getInt32Ty()));
}
Value* align_bytes(Emitter& e, Value* high, Value* low, Value* count) {
    auto& b = e.builder();
    return align_bits(e, high, low, b.CreateShl(b.CreateAnd(count, e.number32(3)), e.number32(3)));
}

// v_perm_b32: each byte of the selector names one of eight bytes, or a constant.
Value* permuted_bytes(Emitter& e, Value* high, Value* low, Value* selector) {
    auto& b = e.builder();
    auto* i64 = e.vector_of(b.getInt64Ty());
    auto* i32 = e.vector_of(b.getInt32Ty());
    Value* all = pair_of(e, high, low);
    Value* result = e.number32(0);
    for (std::uint32_t byte = 0; byte < 4; ++byte) {
        Value* which = b.CreateAnd(b.CreateLShr(selector, e.number32(8 * byte)), e.number32(0xff));
        Value* shift = b.CreateZExt(b.CreateShl(b.CreateAnd(which, e.number32(7)), e.number32(3)), i64);
        Value* value = b.CreateAnd(b.CreateTrunc(b.CreateLShr(all, shift), i32), e.number32(0xff));
        // 8 to 11: the sign of a half, repeated.
        Value* half = b.CreateAnd(which, e.number32(3));
        Value* sign_shift = b.CreateZExt(b.CreateAdd(b.CreateShl(half, e.number32(4)), e.number32(15)), i64);
        Value* sign = b.CreateAnd(b.CreateTrunc(b.CreateLShr(all, sign_shift), i32), e.number32(1));
        Value* signs = b.CreateMul(sign, e.number32(0xff));
        value = b.CreateSelect(b.CreateICmpULT(which, e.number32(8)), value, signs);
        value = b.CreateSelect(b.CreateICmpEQ(which, e.number32(12)), e.number32(0), value);
        value = b.CreateSelect(b.CreateICmpUGE(which, e.number32(13)), e.number32(0xff), value);
        result = b.CreateOr(result, b.CreateShl(value, e.number32(8 * byte)));
    }
    return result;
}

Value* or_minus_one(Emitter& e, Value* x, Value* found) {
    auto& b = e.builder();
    return b.CreateSelect(b.CreateICmpEQ(x, e.number32(0)), e.number32(~0u), found);
}
Value* first_one(Emitter& e, Value* x) {
    return or_minus_one(e, x,
                        e.builder().CreateBinaryIntrinsic(llvm::Intrinsic::cttz, x, e.builder().getFalse()));
}
Value* first_from_top(Emitter& e, Value* x) {
    return or_minus_one(e, x,
                        e.builder().CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, x, e.builder().getFalse()));
}
Value* first_unlike_sign(Emitter& e, Value* x) {
    return first_from_top(e, e.builder().CreateXor(x, e.builder().CreateAShr(x, e.number32(31))));
}
Value* reverse_bits(Emitter& e, Value* x) {
    return e.builder().CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, x);
}
Value* inverted(Emitter& e, Value* x) { return e.builder().CreateNot(x); }
Value* same(Emitter&, Value* x) { return x; }
Value* count_and_add(Emitter& e, Value* x, Value* y) {
    return e.builder().CreateAdd(e.builder().CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, x), y);
}
Value* field_of_ones(Emitter& e, Value* width, Value* first) {
    auto& b = e.builder();
    Value* ones = b.CreateSub(b.CreateShl(e.number32(1), b.CreateAnd(width, e.number32(31))), e.number32(1));
    return b.CreateShl(ones, b.CreateAnd(first, e.number32(31)));
}

// A sum of absolute differences.
Value* sad_u32(Emitter& e, Value* x, Value* y, Value* z) {
    auto& b = e.builder();
    Value* difference = b.CreateSelect(b.CreateICmpUGT(x, y), b.CreateSub(x, y), b.CreateSub(y, x));
    return b.CreateAdd(difference, z);
}
template <std::uint32_t bits>
Value* sad_parts(Emitter& e, Value* x, Value* y, Value* z) {
    auto& b = e.builder();
    for (std::uint32_t at = 0; at < 32; at += bits) {
        Value* mask = e.number32((1u << bits) - 1);
        Value* one = b.CreateAnd(b.CreateLShr(x, e.number32(at)), mask);
        Value* other = b.CreateAnd(b.CreateLShr(y, e.number32(at)), mask);
        z = sad_u32(e, one, other, z);
    }
    return z;
}

// Only where the second operand has a byte that is not 0.
Value* masked_sad(Emitter& e, Value* x, Value* y, Value* z) {
    auto& b = e.builder();
    for (std::uint32_t at = 0; at < 32; at += 8) {
        Value* one = b.CreateAnd(b.CreateLShr(x, e.number32(at)), e.number32(0xff));
        Value* other = b.CreateAnd(b.CreateLShr(y, e.number32(at)), e.number32(0xff));
        z = b.CreateSelect(b.CreateICmpEQ(other, e.number32(0)), z, sad_u32(e, one, other, z));
    }
    return z;
}
// Means of bytes; the third operand's lowest bits say which are rounded up.
Value* lerp(Emitter& e, Value* x, Value* y, Value* z) {
    auto& b = e.builder();
    Value* means = e.number32(0);
    for (std::uint32_t at = 0; at < 32; at += 8) {
        const auto byte = [&](Value* word, std::uint32_t mask) {
            return b.CreateAnd(b.CreateLShr(word, e.number32(at)), e.number32(mask));
        };
        Value* sum = b.CreateAdd(b.CreateAdd(byte(x, 0xff), byte(y, 0xff)), byte(z, 1));
        means = b.CreateOr(means, b.CreateShl(b.CreateLShr(sum, e.number32(1)), e.number32(at)));
    }
    return means;
}

// Sums with a carry: operand 1 is where the carries go; addc and subb take them from the last.
struct Carry {
    bool subtract = false, reverse = false, takes = false;
};
Handler carried(Carry how) {
    return [=](Emitter& e, const Inst& inst) {
        auto& b = e.builder();
        Value* x = e.source(inst, 2, As::b32);
        Value* y = e.source(inst, 3, As::b32);
        if (how.reverse) std::swap(x, y);
        auto* i32 = e.vector_of(b.getInt32Ty());
        Value* in = how.takes ? e.lanes_of(inst.operands.at(4)) : nullptr;
        Value *sum = nullptr, *out = nullptr;
        if (!how.subtract) {
            sum = b.CreateAdd(x, y);
            out = b.CreateICmpULT(sum, x);
            if (in) {
                Value* all = b.CreateAdd(sum, b.CreateZExt(in, i32));
                out = b.CreateOr(out, b.CreateICmpULT(all, sum));
                sum = all;
            }
        } else {
            sum = b.CreateSub(x, y);
            out = b.CreateICmpULT(x, y);
            if (in) {
                Value* all = b.CreateSub(sum, b.CreateZExt(in, i32));
                out = b.CreateOr(out, b.CreateICmpULT(sum, all));
                sum = all;
            }
        }
        e.set(inst, sum, As::b32);
        e.set_lanes(inst.operands.at(1), out);
    };
}

template <bool is_signed>
void multiply_add_64(Emitter& e, const Inst& inst) {
    auto& b = e.builder();
    Value* product = wide_product<is_signed>(e, e.source(inst, 2, As::b32), e.source(inst, 3, As::b32));
    Value* z = e.source(inst, 4, As::b64);
    Value* sum = b.CreateAdd(product, z);
    // The carry out of 64 bits, which code rarely reads.
    e.set_lanes(inst.operands.at(1), b.CreateICmpULT(sum, z));
    e.set_vector64(inst.operands.at(0), sum);
}

void shift_wide(Emitter& e, const Inst& inst, Two f) {
    Value* count = e.source(inst, 1, As::b32);
    e.set(inst, f(e, e.source(inst, 2, As::b64), count), As::b64);
}

void select_lanes(Emitter& e, const Inst& inst) {
    auto& b = e.builder();
    // Modifiers of these sources are floating point's.
    const bool floating = inst.operands.at(1).negative || inst.operands.at(1).absolute ||
                          inst.operands.at(2).negative || inst.operands.at(2).absolute;
    const As as = floating ? As::f32 : As::b32;
    Value* no = e.source(inst, 1, as);
    Value* yes = e.source(inst, 2, as);
    const gcn::Operand vcc{.kind = gcn::Operand::Kind::vcc, .count = 2};
    const bool named = inst.operands.size() > 3 && inst.operands.at(3).kind != gcn::Operand::Kind::none;
    Value* value = b.CreateSelect(e.lanes_of(named ? inst.operands.at(3) : vcc), yes, no);
    e.set(inst, value, as);
}

Handler sum16(bool multiply, bool add_third, bool is_signed = false) {
    (void)is_signed;
    return [=](Emitter& e, const Inst& inst) {
        auto& b = e.builder();
        Value* x = e.source(inst, 1, As::b16);
        Value* y = e.source(inst, 2, As::b16);
        Value* value = multiply ? b.CreateMul(x, y) : b.CreateAdd(x, y);
        if (add_third) value = b.CreateAdd(value, e.source(inst, 3, As::b16));
        e.set(inst, value, As::b16);
    };
}

// Packed halves: f of each half by itself; op_sel and op_sel_hi say which half of the operands goes where.
Handler packed(int operands, std::function<Value*(Emitter&, Value*, Value*, Value*)> f) {
    return [=](Emitter& e, const Inst& inst) {
        auto& b = e.builder();
        auto* i16 = e.vector_of(b.getInt16Ty());
        auto* i32 = e.vector_of(b.getInt32Ty());
        Value* result = nullptr;
        for (int half = 0; half < 2; ++half) {
            Value* sources[3] = {};
            for (int k = 0; k < operands; ++k) {
                const auto index = static_cast<std::size_t>(k);
                const auto choice = inst.modifiers.find(half ? "op_sel_hi" : "op_sel");
                const std::int64_t upper = choice != inst.modifiers.end() && index < choice->second.size()
                                               ? choice->second[index]
                                               : half;
                Value* word = e.vector32(inst.operands.at(index + 1));
                // An inline constant stands in the lower half.
                if (upper) word = b.CreateLShr(word, e.number32(16));
                sources[k] = b.CreateTrunc(word, i16);
            }
            Value* value = b.CreateZExt(f(e, sources[0], sources[1], sources[2]), i32);
            result = half ? b.CreateOr(result, b.CreateShl(value, e.number32(16))) : value;
        }
        e.set_vector32(inst.operands.at(0), result);
    };
}
std::function<Value*(Emitter&, Value*, Value*, Value*)> of_two(Two f) {
    return [f](Emitter& e, Value* x, Value* y, Value*) { return f(e, x, y); };
}
Value* swapped_shl(Emitter& e, Value* x, Value* y) { return shl(e, y, x); }
Value* swapped_lshr(Emitter& e, Value* x, Value* y) { return lshr(e, y, x); }
Value* swapped_ashr(Emitter& e, Value* x, Value* y) { return ashr(e, y, x); }

// Dot products of packed integers, 8 or 4 bits each, added to the third operand.
Handler dot(std::uint32_t bits, bool is_signed) {
    return [=](Emitter& e, const Inst& inst) {
        auto& b = e.builder();
        Value* x = e.source(inst, 1, As::b32);
        Value* y = e.source(inst, 2, As::b32);
        // v_dot4c: the result's register is what the products are added to.
        Value* sum = inst.operands.size() > 3 ? e.source(inst, 3, As::b32) : e.vector32(inst.operands.at(0));
        for (std::uint32_t at = 0; at < 32; at += bits) {
            const auto part = [&](Value* word) {
                Value* up = b.CreateShl(word, e.number32(32 - bits - at));
                return is_signed ? b.CreateAShr(up, e.number32(32 - bits))
                                 : b.CreateLShr(up, e.number32(32 - bits));
            };
            sum = b.CreateAdd(sum, b.CreateMul(part(x), part(y)));
        }
        e.set(inst, sum, As::b32);
    };
}

const std::unordered_map<std::string_view, Handler>& handlers() {
    using P = llvm::CmpInst::Predicate;
    static const auto* table = new std::unordered_map<std::string_view, Handler>{
        {"mov_b32", unary(same)},
        {"mov_b64", unary(same, As::b64, As::b64)},
        {"pk_mov_b32",
         [](Emitter& e, const Inst& inst) {
             // Two words, each chosen from a pair.
             const auto chosen = [&](const char* which, std::size_t k) {
                 const auto found = inst.modifiers.find(which);
                 const bool high = which[6] == '_';
                 return found != inst.modifiers.end() && k < found->second.size() ? static_cast<int>(found->second[k])
                                                                                  : static_cast<int>(high);
             };
             Value* low = e.vector_part(inst.operands.at(1), chosen("op_sel", 0));
             Value* high = e.vector_part(inst.operands.at(2), chosen("op_sel", 1));
             e.set_vector_part(inst.operands.at(0), 0, low);
             e.set_vector_part(inst.operands.at(0), 1, high);
         }},
        {"not_b32", unary(inverted)},
        {"bfrev_b32", unary(reverse_bits)},
        {"ffbh_u32", unary(first_from_top)},
        {"clz_i32_u32", unary(first_from_top)},
        {"ffbl_b32", unary(first_one)},
        {"ctz_i32_b32", unary(first_one)},
        {"ffbh_i32", unary(first_unlike_sign)},
        {"cls_i32", unary(first_unlike_sign)},
        {"add_u32", binary(add)},
        {"add_nc_u32", binary(add)},
        {"add_i32", binary(add)},
        {"sub_u32", binary(subtract)},
        {"sub_nc_u32", binary(subtract)},
        {"sub_i32", binary(subtract)},
        {"subrev_u32", reversed(subtract)},
        {"subrev_nc_u32", reversed(subtract)},
        {"mul_lo_u32", binary(multiply)},
        {"mul_lo_i32", binary(multiply)},
        {"mul_hi_u32", binary(high_product<false>)},
        {"mul_hi_i32", binary(high_product<true>)},
        {"mul_u32_u24", binary(product24<false>)},
        {"mul_i32_i24", binary(product24<true>)},
        {"mul_hi_u32_u24", binary(high_product24<false>)},
        {"mul_hi_i32_i24", binary(high_product24<true>)},
        {"mad_u32_u24", ternary([](Emitter& e, Value* x, Value* y, Value* z) { return add(e, product24<false>(e, x, y), z); })},
        {"mad_i32_i24", ternary([](Emitter& e, Value* x, Value* y, Value* z) { return add(e, product24<true>(e, x, y), z); })},
        {"mad_u64_u32", multiply_add_64<false>},
        {"mad_i64_i32", multiply_add_64<true>},
        {"and_b32", binary(bit_and)},
        {"or_b32", binary(bit_or)},
        {"xor_b32", binary(bit_xor)},
        {"xnor_b32", binary(bit_xnor)},
        {"lshlrev_b32", reversed(shl)},
        {"lshrrev_b32", reversed(lshr)},
        {"ashrrev_i32", reversed(ashr)},
        {"lshlrev_b64", [](Emitter& e, const Inst& inst) { shift_wide(e, inst, shl); }},
        {"lshrrev_b64", [](Emitter& e, const Inst& inst) { shift_wide(e, inst, lshr); }},
        {"ashrrev_i64", [](Emitter& e, const Inst& inst) { shift_wide(e, inst, ashr); }},
        {"lshl_add_u64",
         [](Emitter& e, const Inst& inst) {
             Value* x = shl(e, e.source(inst, 1, As::b64), e.source(inst, 2, As::b32));
             e.set(inst, add(e, x, e.source(inst, 3, As::b64)), As::b64);
         }},
        {"min_i32", binary(intrinsic<llvm::Intrinsic::smin>)},
        {"max_i32", binary(intrinsic<llvm::Intrinsic::smax>)},
        {"min_u32", binary(intrinsic<llvm::Intrinsic::umin>)},
        {"max_u32", binary(intrinsic<llvm::Intrinsic::umax>)},
        {"min3_i32", ternary(extreme3<P::ICMP_SLT>)},
        {"max3_i32", ternary(extreme3<P::ICMP_SGT>)},
        {"min3_u32", ternary(extreme3<P::ICMP_ULT>)},
        {"max3_u32", ternary(extreme3<P::ICMP_UGT>)},
        {"med3_i32", ternary(median3<true>)},
        {"med3_u32", ternary(median3<false>)},
        {"bfe_u32", ternary(field<false>)},
        {"bfe_i32", ternary(field<true>)},
        {"bfi_b32", ternary(insert_field)},
        {"bfm_b32", binary(field_of_ones)},
        {"alignbit_b32", ternary(align_bits)},
        {"alignbyte_b32", ternary(align_bytes)},
        {"perm_b32", ternary(permuted_bytes)},
        {"bcnt_u32_b32", binary(count_and_add)},
        {"sad_u32", ternary(sad_u32)},
        {"sad_u8", ternary(sad_parts<8>)},
        {"sad_u16", ternary(sad_parts<16>)},
        {"sad_hi_u8",
         ternary([](Emitter& e, Value* x, Value* y, Value* z) {
             return add(e, shl(e, sad_parts<8>(e, x, y, e.number32(0)), e.number32(16)), z);
         })},
        {"msad_u8", ternary(masked_sad)},
        {"lerp_u8", ternary(lerp)},
        {"lshl_add_u32", ternary([](Emitter& e, Value* x, Value* y, Value* z) { return add(e, shl(e, x, y), z); })},
        {"add_lshl_u32", ternary([](Emitter& e, Value* x, Value* y, Value* z) { return shl(e, add(e, x, y), z); })},
        {"xad_u32", ternary([](Emitter& e, Value* x, Value* y, Value* z) { return add(e, bit_xor(e, x, y), z); })},
        {"add3_u32", ternary([](Emitter& e, Value* x, Value* y, Value* z) { return add(e, add(e, x, y), z); })},
        {"lshl_or_b32", ternary([](Emitter& e, Value* x, Value* y, Value* z) { return bit_or(e, shl(e, x, y), z); })},
        {"and_or_b32", ternary([](Emitter& e, Value* x, Value* y, Value* z) { return bit_or(e, bit_and(e, x, y), z); })},
        {"or3_b32", ternary([](Emitter& e, Value* x, Value* y, Value* z) { return bit_or(e, bit_or(e, x, y), z); })},
        {"xor3_b32", ternary([](Emitter& e, Value* x, Value* y, Value* z) { return bit_xor(e, bit_xor(e, x, y), z); })},
        {"add_co_u32", carried({})},
        {"addc_co_u32", carried({.takes = true})},
        {"add_co_ci_u32", carried({.takes = true})},
        {"sub_co_u32", carried({.subtract = true})},
        {"subb_co_u32", carried({.subtract = true, .takes = true})},
        {"sub_co_ci_u32", carried({.subtract = true, .takes = true})},
        {"subrev_co_u32", carried({.subtract = true, .reverse = true})},
        {"subbrev_co_u32", carried({.subtract = true, .reverse = true, .takes = true})},
        {"subrev_co_ci_u32", carried({.subtract = true, .reverse = true, .takes = true})},
        {"cndmask_b32", select_lanes},
        {"add_u16", binary(add, As::b16)},
        {"add_nc_u16", binary(add, As::b16)},
        {"sub_u16", binary(subtract, As::b16)},
        {"sub_nc_u16", binary(subtract, As::b16)},
        {"subrev_u16", reversed(subtract, As::b16)},
        {"mul_lo_u16", binary(multiply, As::b16)},
        {"lshlrev_b16", reversed(shl, As::b16)},
        {"lshrrev_b16", reversed(lshr, As::b16)},
        {"ashrrev_i16", reversed(ashr, As::b16)},
        {"min_i16", binary(intrinsic<llvm::Intrinsic::smin>, As::b16)},
        {"max_i16", binary(intrinsic<llvm::Intrinsic::smax>, As::b16)},
        {"min_u16", binary(intrinsic<llvm::Intrinsic::umin>, As::b16)},
        {"max_u16", binary(intrinsic<llvm::Intrinsic::umax>, As::b16)},
        {"mad_u16", sum16(true, true)},
        {"mad_legacy_u16", sum16(true, true)},
        {"mad_i16", sum16(true, true)},
        {"pk_add_u16", packed(2, of_two(add))},
        {"pk_add_i16", packed(2, of_two(add))},
        {"pk_sub_u16", packed(2, of_two(subtract))},
        {"pk_sub_i16", packed(2, of_two(subtract))},
        {"pk_mul_lo_u16", packed(2, of_two(multiply))},
        {"pk_lshlrev_b16", packed(2, of_two(swapped_shl))},
        {"pk_lshrrev_b16", packed(2, of_two(swapped_lshr))},
        {"pk_ashrrev_i16", packed(2, of_two(swapped_ashr))},
        {"pk_min_i16", packed(2, of_two(intrinsic<llvm::Intrinsic::smin>))},
        {"pk_max_i16", packed(2, of_two(intrinsic<llvm::Intrinsic::smax>))},
        {"pk_min_u16", packed(2, of_two(intrinsic<llvm::Intrinsic::umin>))},
        {"pk_max_u16", packed(2, of_two(intrinsic<llvm::Intrinsic::umax>))},
        {"pk_mad_u16", packed(3, [](Emitter& e, Value* x, Value* y, Value* z) { return add(e, multiply(e, x, y), z); })},
        {"pk_mad_i16", packed(3, [](Emitter& e, Value* x, Value* y, Value* z) { return add(e, multiply(e, x, y), z); })},
        {"dot4_i32_i8", dot(8, true)},
        {"dot4_u32_u8", dot(8, false)},
        {"dot8_i32_i4", dot(4, true)},
        {"dot8_u32_u4", dot(4, false)},
        {"dot2_i32_i16", dot(16, true)},
        {"dot2_u32_u16", dot(16, false)},
        {"dot2c_i32_i16", dot(16, true)},
        {"dot4c_i32_i8", dot(8, true)},
        {"dot8c_i32_i4", dot(4, true)},
        {"accvgpr_write_b32", unary(same)},
        {"accvgpr_read_b32", unary(same)},
        {"accvgpr_write", unary(same)},
        {"accvgpr_read", unary(same)},
        {"accvgpr_mov_b32", unary(same)},
        {"pack_b32_f16",
         [](Emitter& e, const Inst& inst) {
             auto& b = e.builder();
             auto* i32 = e.vector_of(b.getInt32Ty());
             Value* low = b.CreateZExt(b.CreateBitCast(e.source(inst, 1, As::f16), e.vector_of(b.getInt16Ty())), i32);
             Value* high = b.CreateZExt(b.CreateBitCast(e.source(inst, 2, As::f16), e.vector_of(b.getInt16Ty())), i32);
             e.set_vector32(inst.operands.at(0), b.CreateOr(low, b.CreateShl(high, e.number32(16))));
         }},
    };
    return *table;
}

}  // namespace

bool emit_integer(Emitter& e, const gcn::Instruction& inst) {
    std::string_view name = inst.name;
    if (!name.starts_with("v_")) return false;
    name.remove_prefix(2);
    const auto found = handlers().find(name);
    if (found == handlers().end()) return false;
    found->second(e, inst);
    return true;
}

}  // namespace lockstep::exec::wave
