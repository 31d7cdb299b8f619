// Logic and shifts: and or xor not cnot lop3 shl shr shf.
#include <llvm/IR/Intrinsics.h>

#include "exec/jit/emitter.h"

namespace lockstep::exec::jit {

using ptx::Modifier;
using ptx::Opcode;

bool Emitter::emit_logic(const Inst& inst) {
    Type type = inst.type();
    bool scalar = scalar_result(inst);
    const auto& ops = inst.operands;
    auto in = [&](std::size_t i) { return read(ops[i], type, scalar); };
    auto out = [&](Value* value) {
        write(inst, ops[0], value, ptx::is_signed(type));
        return true;
    };
    switch (inst.opcode) {
        case Opcode::and_:
        case Opcode::or_:
        case Opcode::xor_: {
            const auto both = [&](Value* a, Value* b) {
                return inst.opcode == Opcode::and_  ? builder_.CreateAnd(a, b)
                       : inst.opcode == Opcode::or_ ? builder_.CreateOr(a, b)
                                                    : builder_.CreateXor(a, b);
            };
            Value* const a = known_bits(ops[1]);
            Value* const b = known_bits(ops[2]);
            out(both(in(1), in(2)));
            if (a && b) know_bits(inst, both(a, b));
            return true;
        }
        case Opcode::not_: {
            Value* const a = known_bits(ops[1]);
            out(builder_.CreateNot(in(1)));
            if (a) know_bits(inst, builder_.CreateNot(a));
            return true;
        }
        case Opcode::cnot: {
            Value* a = in(1);
            return out(builder_.CreateZExt(builder_.CreateICmpEQ(a, constant(a, 0)), a->getType()));
        }
        case Opcode::lop3: {
            Value* a = in(1);
            Value* b = in(2);
            Value* c = in(3);
            std::uint64_t table = ops[4].bits;
            // The sum of the minterms that the table names.
            Value* result = constant(a, 0);
            for (int term = 0; term < 8; ++term) {
                if (!(table >> term & 1)) continue;
                Value* bit = builder_.CreateAnd(term & 4 ? a : builder_.CreateNot(a),
                                                term & 2 ? b : builder_.CreateNot(b));
                result =
                    builder_.CreateOr(result, builder_.CreateAnd(bit, term & 1 ? c : builder_.CreateNot(c)));
            }
            if (ops[0].kind != Op::Kind::pair) return out(result);
            Value* any = builder_.CreateICmpNE(result, constant(result, 0));
            Value* e = predicate(ops[5], scalar);
            write(inst, ops[0].elements[0], result);
            write(inst, ops[0].elements[1],
                  inst.has(Modifier::and_) ? builder_.CreateAnd(any, e) : builder_.CreateOr(any, e));
            return true;
        }
        // Amounts beyond the width shift everything out; LLVM leaves them undefined.
        case Opcode::shl:
        case Opcode::shr: {
            Value* a = in(1);
            int bits = ptx::type_bits(type);
            Value* amount = read_bits(ops[2], 32, scalar);
            Value* over = builder_.CreateICmpUGE(amount, constant(amount, bits));
            bool left = inst.opcode == Opcode::shl, is_signed = ptx::is_signed(type);
            Value* within =
                builder_.CreateSelect(over, constant(amount, left || !is_signed ? 0 : bits - 1), amount);
            within = builder_.CreateZExtOrTrunc(within, a->getType());
            if (is_signed && !left) return out(builder_.CreateAShr(a, within));
            Value* shifted = left ? builder_.CreateShl(a, within) : builder_.CreateLShr(a, within);
            return out(builder_.CreateSelect(over, constant(a, 0), shifted));
        }
        case Opcode::shf: {
            Value* a = in(1);  // the low word
            Value* b = in(2);  // the high word
            Value* c = in(3);
            if (inst.has(Modifier::clamp)) {
                c = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, c, constant(c, 32));
            } else {
                c = builder_.CreateAnd(c, constant(c, 31));
            }
            llvm::Type* wide = like(a, int_type(64));
            Value* both = builder_.CreateOr(
                builder_.CreateShl(builder_.CreateZExt(b, wide), llvm::ConstantInt::get(wide, 32)),
                builder_.CreateZExt(a, wide));
            Value* amount = builder_.CreateZExt(c, wide);
            Value* result;
            if (inst.has(Modifier::l)) {
                result =
                    builder_.CreateLShr(builder_.CreateShl(both, amount), llvm::ConstantInt::get(wide, 32));
            } else {
                result = builder_.CreateLShr(both, amount);
            }
            return out(builder_.CreateTrunc(result, a->getType()));
        }
        default: return false;
    }
}

}  // namespace lockstep::exec::jit
