// Exchange between the lanes of a warp: shfl vote match redux activemask elect.
#include <llvm/IR/Intrinsics.h>

#include <bit>

#include "exec/jit/emitter.h"

namespace lockstep::exec::jit {

using ptx::Modifier;
using ptx::Opcode;

namespace {

extern "C" void lockstep_match_any(const std::uint64_t* values, std::uint32_t mask, std::uint32_t* out) {
    for (std::uint32_t left = mask; left; left &= left - 1) {
        int lane = std::countr_zero(left);
        std::uint32_t same = 0;
        for (std::uint32_t others = mask; others; others &= others - 1) {
            int other = std::countr_zero(others);
            if (values[other] == values[lane]) same |= 1u << other;
        }
        out[lane] = same;
    }
}

// out[lane] = values[index[lane]]
extern "C" void lockstep_permute(const std::uint32_t* values, const std::uint32_t* index,
                                 std::uint32_t* out) {
    for (int lane = 0; lane < warp_lanes; ++lane) out[lane] = values[index[lane] & 31];
}

}  // namespace

bool Emitter::emit_shuffle(const Inst& inst) {
    const auto& ops = inst.operands;
    const Op& dst = ops[0].kind == Op::Kind::pair ? ops[0].elements[0] : ops[0];
    Value* a = read_bits(ops[1], 32, false);
    bool constant_source = ops[2].kind == Op::Kind::integer && ops[3].kind == Op::Kind::integer;
    auto source = [&](std::uint32_t lane, std::uint32_t b, std::uint32_t c, bool& valid) {
        std::uint32_t segment = c >> 8 & 31, clamp = c & 31;
        std::uint32_t last = (lane & segment) | (clamp & ~segment), first = lane & segment;
        b &= 31;
        std::int32_t from;
        if (inst.has(Modifier::up)) {
            from = static_cast<std::int32_t>(lane) - static_cast<std::int32_t>(b);
            valid = from >= static_cast<std::int32_t>(last);
        } else {
            from = static_cast<std::int32_t>(inst.has(Modifier::down)   ? lane + b
                                             : inst.has(Modifier::bfly) ? lane ^ b
                                                                        : first | (b & ~segment));
            valid = from <= static_cast<std::int32_t>(last);
        }
        return valid ? static_cast<std::uint32_t>(from) : lane;
    };
    Value* result;
    Value* in_range;
    if (constant_source) {
        std::vector<int> pick;
        std::vector<llvm::Constant*> valid_lanes;
        for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
            bool valid;
            pick.push_back(static_cast<int>(source(lane, static_cast<std::uint32_t>(ops[2].bits),
                                                   static_cast<std::uint32_t>(ops[3].bits), valid)));
            valid_lanes.push_back(builder_.getInt1(valid));
        }
        result = builder_.CreateShuffleVector(a, pick);
        in_range = llvm::ConstantVector::get(valid_lanes);
    } else {
        Value* b = read_bits(ops[2], 32, false);
        Value* c = read_bits(ops[3], 32, false);
        Value* lane = lane_index(32);
        b = builder_.CreateAnd(b, constant(b, 31));
        Value* segment = builder_.CreateAnd(builder_.CreateLShr(c, constant(c, 8)), constant(c, 31));
        Value* clamp = builder_.CreateAnd(c, constant(c, 31));
        Value* outside = builder_.CreateNot(segment);
        Value* first = builder_.CreateAnd(lane, segment);
        Value* last = builder_.CreateOr(first, builder_.CreateAnd(clamp, outside));
        Value* from = inst.has(Modifier::up)     ? builder_.CreateSub(lane, b)
                      : inst.has(Modifier::down) ? builder_.CreateAdd(lane, b)
                      : inst.has(Modifier::bfly) ? builder_.CreateXor(lane, b)
                                                 : builder_.CreateOr(first, builder_.CreateAnd(b, outside));
        in_range =
            inst.has(Modifier::up) ? builder_.CreateICmpSGE(from, last) : builder_.CreateICmpSLE(from, last);
        from = builder_.CreateSelect(in_range, from, lane);
        Value* out = stack_slot(a->getType());
        llvm::Type* ptr = builder_.getPtrTy();
        auto permute =
            program_.external("lockstep_permute", reinterpret_cast<void*>(&lockstep_permute),
                              llvm::FunctionType::get(builder_.getVoidTy(), {ptr, ptr, ptr}, false));
        builder_.CreateCall(permute, {spill(a), spill(from), out});
        result = builder_.CreateLoad(a->getType(), out);
    }
    write(inst, dst, result);
    if (ops[0].kind == Op::Kind::pair) write(inst, ops[0].elements[1], in_range);
    return true;
}

bool Emitter::emit_warp(const Inst& inst) {
    const auto& ops = inst.operands;
    auto members = [&](std::size_t i) {  // the lanes that take part
        Value* mask = instruction_mask(inst);
        if (ops.size() <= i) return mask;
        Value* named =
            is_scalar_operand(ops[i])
                ? read_bits(ops[i], 32, true)
                : builder_.CreateExtractElement(
                      read_bits(ops[i], 32, false),
                      builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, mask, builder_.getFalse()));
        return builder_.CreateAnd(mask, named);
    };
    switch (inst.opcode) {
        case Opcode::shfl: return emit_shuffle(inst);
        case Opcode::activemask: write(inst, ops[0], active_mask()); return true;
        case Opcode::vote: {
            Value* lanes = members(2);
            bool scalar = is_scalar_operand(ops[1]);
            Value* votes = builder_.CreateAnd(to_bits(predicate(ops[1], scalar)), lanes);
            Value* result;
            if (inst.has(Modifier::ballot))
                result = votes;
            else if (inst.has(Modifier::all))
                result = builder_.CreateICmpEQ(votes, lanes);
            else if (inst.has(Modifier::any))
                result = builder_.CreateICmpNE(votes, constant(votes, 0));
            else
                result = builder_.CreateOr(builder_.CreateICmpEQ(votes, lanes),
                                           builder_.CreateICmpEQ(votes, constant(votes, 0)));
            write(inst, ops[0], result);
            return true;
        }
        case Opcode::match: {
            const Op& dst = ops[0].kind == Op::Kind::pair ? ops[0].elements[0] : ops[0];
            Value* lanes = members(2);
            int bits = ptx::type_bits(inst.type());
            Value* values = read_bits(ops[1], bits, false);
            if (inst.has(Modifier::all)) {
                Value* leader = builder_.CreateExtractElement(
                    values,
                    builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, lanes, builder_.getFalse()));
                Value* same =
                    builder_.CreateAnd(to_bits(builder_.CreateICmpEQ(values, splat(leader))), lanes);
                Value* all = builder_.CreateICmpEQ(same, lanes);
                write(inst, dst, builder_.CreateSelect(all, lanes, constant(lanes, 0)));
                if (ops[0].kind == Op::Kind::pair) write(inst, ops[0].elements[1], all);
                return true;
            }
            Value* wide = builder_.CreateZExt(values, like(values, int_type(64)));
            llvm::Type* words = llvm::FixedVectorType::get(int_type(32), warp_lanes);
            Value* out = stack_slot(words);
            builder_.CreateStore(llvm::Constant::getNullValue(words), out);
            llvm::Type* ptr = builder_.getPtrTy();
            auto match = program_.external(
                "lockstep_match_any", reinterpret_cast<void*>(&lockstep_match_any),
                llvm::FunctionType::get(builder_.getVoidTy(), {ptr, int_type(32), ptr}, false));
            builder_.CreateCall(match, {spill(wide), lanes, out});
            write(inst, dst, builder_.CreateLoad(words, out));
            return true;
        }
        case Opcode::redux: {
            Value* lanes = members(2);
            Value* values = read_bits(ops[1], 32, false);
            bool is_signed = ptx::is_signed(inst.type());
            if (ptx::is_float(inst.type())) {
                fail(inst, "redux.sync on f32 is not implemented");
                return true;
            }
            auto reduce = [&](llvm::Intrinsic::ID id, std::uint32_t identity) {
                Value* some = builder_.CreateSelect(to_lanes(lanes), values, constant(values, identity));
                return builder_.CreateUnaryIntrinsic(id, some);
            };
            using namespace llvm;
            Value* result = inst.has(Modifier::add)    ? reduce(Intrinsic::vector_reduce_add, 0)
                            : inst.has(Modifier::and_) ? reduce(Intrinsic::vector_reduce_and, 0xffffffff)
                            : inst.has(Modifier::or_)  ? reduce(Intrinsic::vector_reduce_or, 0)
                            : inst.has(Modifier::xor_) ? reduce(Intrinsic::vector_reduce_xor, 0)
                            : inst.has(Modifier::min)
                                ? (is_signed ? reduce(Intrinsic::vector_reduce_smin, 0x7fffffff)
                                             : reduce(Intrinsic::vector_reduce_umin, 0xffffffff))
                                : (is_signed ? reduce(Intrinsic::vector_reduce_smax, 0x80000000)
                                             : reduce(Intrinsic::vector_reduce_umax, 0));
            write(inst, ops[0], result);
            return true;
        }
        case Opcode::elect: {
            Value* lanes = members(1);
            Value* leader = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, lanes, builder_.getFalse());
            const Op& dst = ops[0].kind == Op::Kind::pair ? ops[0].elements[0] : ops[0];
            write(inst, dst, leader);
            Value* is_leader = builder_.CreateICmpEQ(lane_index(32), splat(leader));
            if (ops[0].kind == Op::Kind::pair) write(inst, ops[0].elements[1], is_leader);
            return true;
        }
        default: return false;
    }
}

}  // namespace lockstep::exec::jit
