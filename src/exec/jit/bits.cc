// Counting and moving bits: popc clz bfind brev bfe bfi bmsk szext fns prmt dp4a dp2a.
#include <fmt/format.h>
#include <llvm/IR/Intrinsics.h>

#include "exec/jit/emitter.h"
#include "exec/scalar/int-ops.h"

namespace lockstep::exec::jit {

using ptx::Modifier;
using ptx::Opcode;

bool Emitter::emit_bits(const Inst& inst) {
    Type type = inst.type();
    bool scalar = scalar_result(inst);
    bool is_signed = ptx::is_signed(type);
    int bits = ptx::type_bits(type);
    const auto& ops = inst.operands;
    auto in = [&](std::size_t i) { return read(ops[i], type, scalar); };
    auto out = [&](Value* value) {
        write(inst, ops[0], value);
        return true;
    };
    auto word = [&](Value* value) { return builder_.CreateZExtOrTrunc(value, like(value, int_type(32))); };
    // Lane by lane, through the function of that PTX name; all operands are read as 32-bit words but where
    // `wide`.
    auto elsewhere = [&](const std::string& name) {
        const ScalarFunction* function = find_int_op(name);
        if (!function) {
            fail(inst, fmt::format("internal error: no scalar function {}", name));
            return true;
        }
        std::vector<Value*> args;
        for (int i = 0; i < function->arg_count; ++i)
            args.push_back(read_bits(ops[i + 1], function->args[i] == ScalarType::i64 ? 64 : 32, scalar));
        return out(call_lanes(*function, args, scalar, instruction_mask(inst)));
    };
    auto byte_of = [&](Value* v, int i, bool sign) {
        if (!sign) return builder_.CreateAnd(builder_.CreateLShr(v, constant(v, 8 * i)), constant(v, 0xff));
        return builder_.CreateAShr(builder_.CreateShl(v, constant(v, 24 - 8 * i)), constant(v, 24));
    };
    // A field that is the same in all turns, and no longer than what there is.
    struct Field {
        int start, length;
    };
    auto constant_field = [&](const Op& start, const Op& length, int width) -> std::optional<Field> {
        const auto from = constant_of(start), count = constant_of(length);
        if (!from || !count || *count == 0 || *from > 64 || *count > 64) return std::nullopt;
        const Field field{static_cast<int>(*from), static_cast<int>(*count)};
        return field.start + field.length <= width ? std::optional(field) : std::nullopt;
    };
    switch (inst.opcode) {
        case Opcode::popc: return out(word(builder_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, in(1))));
        case Opcode::clz:
            return out(
                word(builder_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, in(1), builder_.getFalse())));
        case Opcode::bfind: {
            Value* a = in(1);
            if (is_signed) a = builder_.CreateXor(a, builder_.CreateAShr(a, constant(a, bits - 1)));
            Value* leading =
                word(builder_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, a, builder_.getFalse()));
            Value* none = builder_.CreateICmpEQ(a, constant(a, 0));
            Value* found = inst.has(Modifier::shiftamt)
                               ? leading
                               : builder_.CreateSub(constant(leading, bits - 1), leading);
            return out(builder_.CreateSelect(none, constant(found, 0xffffffff), found));
        }
        case Opcode::brev: return out(builder_.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, in(1)));
        case Opcode::bfe: {
            const auto field = constant_field(ops[2], ops[3], bits);
            if (!field) return elsewhere(fmt::format("bfe.{}", ptx::type_name(type)));
            Value* a = in(1);
            Value* top = builder_.CreateShl(a, constant(a, bits - field->start - field->length));
            Value* down = constant(a, bits - field->length);
            return out(is_signed ? builder_.CreateAShr(top, down) : builder_.CreateLShr(top, down));
        }
        case Opcode::bfi: {
            const auto field = constant_field(ops[3], ops[4], bits);
            if (!field) return elsewhere(fmt::format("bfi.{}", ptx::type_name(type)));
            Value* a = in(1);
            const std::uint64_t mask = (~std::uint64_t{0} >> (64 - field->length)) << field->start;
            Value* inserted =
                builder_.CreateAnd(builder_.CreateShl(a, constant(a, field->start)), constant(a, mask));
            return out(builder_.CreateOr(inserted, builder_.CreateAnd(in(2), constant(a, ~mask))));
        }
        case Opcode::fns: return elsewhere("fns.b32");
        case Opcode::dp4a: {
            Value* sum = read_bits(ops[3], 32, scalar);
            for (int i = 0; i < 4; ++i) {
                Value* a = byte_of(read_bits(ops[1], 32, scalar), i, ptx::is_signed(inst.types[0]));
                Value* b = byte_of(read_bits(ops[2], 32, scalar), i, ptx::is_signed(inst.types[1]));
                sum = builder_.CreateAdd(sum, builder_.CreateMul(a, b));
            }
            return out(sum);
        }
        case Opcode::dp2a:
            return elsewhere(fmt::format("dp2a.{}.{}.{}", inst.has(Modifier::hi) ? "hi" : "lo",
                                         ptx::type_name(inst.types[0]), ptx::type_name(inst.types[1])));
        case Opcode::prmt: {
            for (auto [modifier, name] : {std::pair{Modifier::f4e, "f4e"},
                                          {Modifier::b4e, "b4e"},
                                          {Modifier::rc8, "rc8"},
                                          {Modifier::ecl, "ecl"},
                                          {Modifier::ecr, "ecr"},
                                          {Modifier::rc16, "rc16"}})
                if (inst.has(modifier)) return elsewhere(fmt::format("prmt.{}.b32", name));
            const std::optional<std::uint32_t> selector = constant_of(ops[3]);
            if (!selector) return elsewhere("prmt.b32");
            Value* word = nullptr;
            for (int i = 0; i < 4; ++i) {
                const int pick = static_cast<int>(*selector >> (4 * i) & 15);
                const bool sign_only = pick & 8;
                Value* byte = byte_of(read_bits(ops[pick & 4 ? 2 : 1], 32, scalar), pick & 3, sign_only);
                if (sign_only)
                    byte = builder_.CreateAnd(builder_.CreateAShr(byte, constant(byte, 7)),
                                              constant(byte, 0xff));
                byte = builder_.CreateShl(byte, constant(byte, static_cast<std::uint64_t>(8 * i)));
                word = word ? builder_.CreateOr(word, byte) : byte;
            }
            return out(word);
        }
        case Opcode::bmsk: {
            Value* a = in(1);
            Value* b = in(2);
            if (!inst.has(Modifier::clamp)) {
                a = builder_.CreateAnd(a, constant(a, 31));
                b = builder_.CreateAnd(b, constant(b, 31));
            }
            llvm::Type* wide = like(a, int_type(64));
            auto low_bits = [&](Value* n) {
                n = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, n, constant(n, 32));
                Value* one = llvm::ConstantInt::get(wide, 1);
                return builder_.CreateSub(builder_.CreateShl(one, builder_.CreateZExt(n, wide)), one);
            };
            Value* start = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, a, constant(a, 32));
            Value* mask = builder_.CreateShl(low_bits(b), builder_.CreateZExt(start, wide));
            return out(word(mask));
        }
        case Opcode::szext: {
            Value* a = in(1);
            Value* n = in(2);
            if (!inst.has(Modifier::clamp)) n = builder_.CreateAnd(n, constant(n, 31));
            n = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, n, constant(n, 32));
            llvm::Type* wide = like(a, int_type(64));
            Value* amount = builder_.CreateZExt(builder_.CreateSub(constant(n, 32), n), wide);
            Value* up = builder_.CreateShl(builder_.CreateZExt(a, wide), amount);
            up = builder_.CreateTrunc(up, a->getType());
            // Shifting by 32 (an empty field) leaves nothing.
            Value* back = builder_.CreateZExt(up, wide);
            if (is_signed) back = builder_.CreateSExt(up, wide);
            back = is_signed ? builder_.CreateAShr(back, amount) : builder_.CreateLShr(back, amount);
            return out(word(back));
        }
        default: return false;
    }
}

}  // namespace lockstep::exec::jit
