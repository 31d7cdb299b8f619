// Exchange between the lanes of a warp: shfl vote match redux activemask elect.
#include <fmt/format.h>
#include <llvm/IR/Intrinsics.h>

#include <algorithm>
#include <bit>
#include <functional>

#include "exec/jit/emitter.h"
#include "kernel/constants.h"
#include "kernel/operands.h"

namespace lockstep::exec::jit {

using ptx::Modifier;
using ptx::Opcode;

namespace {

// out[lane]: the lanes that hold the same value.
extern "C" void lockstep_match_any(const std::uint64_t* values, std::uint32_t lanes, std::uint32_t* out) {
    for (std::uint32_t left = lanes; left; left &= left - 1) {
        int lane = std::countr_zero(left);
        std::uint32_t same = 0;
        for (std::uint32_t others = lanes; others; others &= others - 1) {
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

// out[lane]: the values of the lanes in groups[lane], reduced.
template <class T, class Operation>
void reduce_groups(const std::uint32_t* values, const std::uint32_t* groups, std::uint32_t lanes,
                   std::uint32_t* out) {
    for (std::uint32_t left = lanes; left; left &= left - 1) {
        const int lane = std::countr_zero(left);
        std::uint32_t group = groups[lane] & lanes & ~(1u << lane);
        T result = static_cast<T>(values[lane]);
        for (; group; group &= group - 1)
            result = Operation()(result, static_cast<T>(values[std::countr_zero(group)]));
        out[lane] = static_cast<std::uint32_t>(result);
    }
}
struct Least {
    auto operator()(auto a, auto b) const { return std::min(a, b); }
};
struct Most {
    auto operator()(auto a, auto b) const { return std::max(a, b); }
};

struct Reduction {
    const char* name;
    llvm::Intrinsic::ID whole;  // of all lanes
    std::uint32_t identity;
    void (*groups)(const std::uint32_t*, const std::uint32_t*, std::uint32_t, std::uint32_t*);
};

Reduction reduction_of(const ptx::Instruction& inst) {
    using namespace llvm;
    const bool is_signed = ptx::is_signed(inst.type());
    if (inst.has(Modifier::add))
        return {"add", Intrinsic::vector_reduce_add, 0, &reduce_groups<std::uint32_t, std::plus<>>};
    if (inst.has(Modifier::and_))
        return {"and", Intrinsic::vector_reduce_and, ~0u, &reduce_groups<std::uint32_t, std::bit_and<>>};
    if (inst.has(Modifier::or_))
        return {"or", Intrinsic::vector_reduce_or, 0, &reduce_groups<std::uint32_t, std::bit_or<>>};
    if (inst.has(Modifier::xor_))
        return {"xor", Intrinsic::vector_reduce_xor, 0, &reduce_groups<std::uint32_t, std::bit_xor<>>};
    if (inst.has(Modifier::min))
        return is_signed ? Reduction{"smin", Intrinsic::vector_reduce_smin, 0x7fffffff,
                                     &reduce_groups<std::int32_t, Least>}
                         : Reduction{"umin", Intrinsic::vector_reduce_umin, ~0u,
                                     &reduce_groups<std::uint32_t, Least>};
    return is_signed
               ? Reduction{"smax", Intrinsic::vector_reduce_smax, 0x80000000,
                           &reduce_groups<std::int32_t, Most>}
               : Reduction{"umax", Intrinsic::vector_reduce_umax, 0, &reduce_groups<std::uint32_t, Most>};
}

}  // namespace

const Emitter::Op* Emitter::member_operand(const Inst& inst) {
    switch (inst.opcode) {
        case Opcode::shfl: return inst.has(Modifier::sync) ? &inst.operands[4] : nullptr;
        case Opcode::vote:
        case Opcode::match:
        case Opcode::redux: return inst.has(Modifier::sync) ? &inst.operands[2] : nullptr;
        case Opcode::bar:
        case Opcode::barrier: return inst.has(Modifier::warp) ? &inst.operands[0] : nullptr;
        default: return nullptr;
    }
}

std::optional<std::uint32_t> Emitter::constant_of(const Op& op) {
    if (constants_.empty()) constants_ = kernel::constant_registers(function_);
    return kernel::constant_of(op, constants_);
}

// A lane that is missing in its own mask. As recorded on an H200 (docs/behaviour.md): such a lane stops
// the kernel, but with one mask for all where no lane can be elsewhere, since ptxas drops the meeting there.
// Where the lanes are at run time does not matter: ptxas could not know.
void Emitter::check_members(const Inst& inst) {
    const Op* named = member_operand(inst);
    if (!named) return;
    if (constant_of(*named) == ~0u) return;
    const bool apart =
        shapes_.in_region[current_] || (inst.guard && !shapes_.registers[inst.guard->reg].is_uniform());
    if (is_scalar_operand(*named) && !apart) return;
    Value* mask = instruction_mask(inst);
    // Lanes that were let go on from a meeting come to the instruction without passing here.
    if (inst.guard) bits_of_.erase(inst.guard->reg);
    Value* missing;
    Value* shown;
    if (is_scalar_operand(*named)) {
        shown = read_bits(*named, 32, true);
        missing = builder_.CreateAnd(mask, builder_.CreateNot(shown));
    } else {
        shown = read_bits(*named, 32, false);
        Value* own = builder_.CreateAnd(shown, builder_.CreateShl(constant(shown, 1), lane_index(32)));
        missing = builder_.CreateAnd(mask, to_bits(builder_.CreateICmpEQ(own, constant(own, 0))));
    }
    when(builder_.CreateICmpNE(missing, constant(missing, 0)), [&] {
        Value* lane = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, missing, builder_.getTrue());
        Value* of_lane = is_vector(shown) ? builder_.CreateExtractElement(shown, lane) : shown;
        builder_.CreateCall(program_.callback(Callback::not_a_member),
                            {ctx_, builder_.getInt32(add_site(inst)), lane, of_lane});
    });
}

// Where lanes name different masks, each takes part with the lanes of its own; null: all lanes together.
Emitter::Value* Emitter::group_masks(const Inst& inst) {
    const Op* named = member_operand(inst);
    return !named || is_scalar_operand(*named) ? nullptr : read_bits(*named, 32, false);
}

// A lane that does not take part gives 0, as on an H200.
Emitter::Value* Emitter::present_lanes(const Inst& inst, Value* values) {
    Value* mask = instruction_mask(inst);
    auto* whole = builder_.GetInsertBlock();
    auto* part = llvm::BasicBlock::Create(context_, "part", target_);
    auto* done = llvm::BasicBlock::Create(context_, "present", target_);
    builder_.CreateCondBr(builder_.CreateICmpEQ(mask, constant(mask, ~0u)), done, part, program_.likely());
    builder_.SetInsertPoint(part);
    Value* some = builder_.CreateSelect(to_lanes(mask), values, constant(values, 0));
    builder_.CreateBr(done);
    builder_.SetInsertPoint(done);
    llvm::PHINode* result = builder_.CreatePHI(values->getType(), 2);
    result->addIncoming(values, whole);
    result->addIncoming(some, part);
    return result;
}

// `unanswered`: lanes whose source is not there, whether they take part or not.
void Emitter::record_shuffle(const Inst& inst, Value* unanswered) {
    if (!records(events::Wants::barriers) || !inst.has(Modifier::sync)) return;
    record_meeting(current_, active_mask(), builder_.CreateAnd(unanswered, instruction_mask(inst)));
}

bool Emitter::emit_shuffle(const Inst& inst) {
    const auto& ops = inst.operands;
    const Op& dst = ops[0].kind == Op::Kind::pair ? ops[0].elements[0] : ops[0];
    if (kernel::picks_any_lane(inst, constant_of(ops[3])) &&
        is_scalar_operand(ops[2])) {  // one lane's value for all
        Value* from = read_bits(ops[2], 32, true);
        from = builder_.CreateAnd(from, constant(from, 31));
        Value* mask = builder_.CreateLShr(instruction_mask(inst), from);
        Value* present = builder_.CreateTrunc(mask, builder_.getInt1Ty());
        record_shuffle(inst, builder_.CreateSelect(present, builder_.getInt32(0), instruction_mask(inst)));
        Value* value = builder_.CreateExtractElement(read_bits(ops[1], 32, false), from);
        write(inst, dst, builder_.CreateSelect(present, value, constant(value, 0)));
        if (ops[0].kind == Op::Kind::pair) write(inst, ops[0].elements[1], builder_.getTrue());
        return true;
    }
    Value* a = present_lanes(inst, read_bits(ops[1], 32, false));
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
        Value* here = to_lanes(instruction_mask(inst));
        record_shuffle(inst, to_bits(builder_.CreateAnd(
                                 in_range, builder_.CreateNot(builder_.CreateShuffleVector(here, pick)))));
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
        Value* here = builder_.CreateLShr(splat(instruction_mask(inst)), from);
        record_shuffle(inst, to_bits(builder_.CreateICmpEQ(builder_.CreateAnd(here, constant(here, 1)),
                                                           constant(here, 0))));
        Value* out = scratch(a->getType());
        builder_.CreateCall(program_.external("lockstep_permute", &lockstep_permute),
                            {spill(a), spill(from), out});
        result = builder_.CreateLoad(a->getType(), out);
    }
    write(inst, dst, result);
    if (ops[0].kind == Op::Kind::pair) write(inst, ops[0].elements[1], in_range);
    return true;
}

bool Emitter::emit_warp(const Inst& inst) {
    const auto& ops = inst.operands;
    if (!meets(current_)) check_members(inst);
    // What a shuffle asks for is known only there.
    if (kernel::is_sync_point(inst) && inst.syntax().family == ptx::Family::warp &&
        inst.opcode != Opcode::shfl)
        record_meeting(current_, active_mask());
    llvm::Type* words = llvm::FixedVectorType::get(int_type(32), warp_lanes);
    switch (inst.opcode) {
        case Opcode::shfl: return emit_shuffle(inst);
        case Opcode::activemask: write(inst, ops[0], active_mask()); return true;
        case Opcode::vote: {
            Value* lanes = instruction_mask(inst);
            Value* votes = builder_.CreateAnd(to_bits(predicate(ops[1], is_scalar_operand(ops[1]))), lanes);
            if (Value* groups = group_masks(inst)) {
                lanes = builder_.CreateAnd(splat(lanes), groups);
                votes = builder_.CreateAnd(splat(votes), groups);
            }
            Value* all = builder_.CreateICmpEQ(votes, lanes);
            Value* any = builder_.CreateICmpNE(votes, constant(votes, 0));
            write(inst, ops[0],
                  inst.has(Modifier::ballot) ? votes
                  : inst.has(Modifier::all)  ? all
                  : inst.has(Modifier::any)  ? any
                                             : builder_.CreateOr(all, builder_.CreateNot(any)));
            return true;
        }
        case Opcode::match: {
            const Op& dst = ops[0].kind == Op::Kind::pair ? ops[0].elements[0] : ops[0];
            Value* lanes = instruction_mask(inst);
            Value* values = read_bits(ops[1], ptx::type_bits(inst.type()), false);
            Value* groups = group_masks(inst);
            if (inst.has(Modifier::all) && !groups) {
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
            Value* out = scratch(words);
            builder_.CreateStore(llvm::Constant::getNullValue(words), out);
            builder_.CreateCall(program_.external("lockstep_match_any", &lockstep_match_any),
                                {spill(wide), lanes, out});
            Value* same = builder_.CreateLoad(words, out);
            if (groups) same = builder_.CreateAnd(same, groups);
            if (inst.has(Modifier::all)) {
                Value* all = builder_.CreateICmpEQ(same, builder_.CreateAnd(splat(lanes), groups));
                same = builder_.CreateSelect(all, same, constant(same, 0));
                if (ops[0].kind == Op::Kind::pair) write(inst, ops[0].elements[1], all);
            } else {
                record_match(inst, same, lanes);
            }
            write(inst, dst, same);
            return true;
        }
        case Opcode::redux: {
            if (ptx::is_float(inst.type())) {
                fail(inst, "redux.sync on f32 is not implemented");
                return true;
            }
            Value* lanes = instruction_mask(inst);
            Value* values = read_bits(ops[1], 32, false);
            const Reduction reduction = reduction_of(inst);
            if (Value* groups = group_masks(inst)) {
                Value* out = scratch(words);
                builder_.CreateStore(llvm::Constant::getNullValue(words), out);
                auto reduce =
                    program_.external(fmt::format("lockstep_reduce_{}", reduction.name), reduction.groups);
                builder_.CreateCall(reduce, {spill(values), spill(groups), lanes, out});
                write(inst, ops[0], builder_.CreateLoad(words, out));
                return true;
            }
            Value* some =
                builder_.CreateSelect(to_lanes(lanes), values, constant(values, reduction.identity));
            write(inst, ops[0], builder_.CreateUnaryIntrinsic(reduction.whole, some));
            return true;
        }
        case Opcode::elect: {
            Value* lanes = instruction_mask(inst);
            // Each for the lanes that its own mask names: tiles of a warp have a leader each.
            lanes = builder_.CreateAnd(splat(lanes), read_bits(ops[1], 32, false));
            Value* leader = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, lanes, builder_.getFalse());
            const Op& dst = ops[0].kind == Op::Kind::pair ? ops[0].elements[0] : ops[0];
            write(inst, dst, leader);
            Value* is_leader = builder_.CreateICmpEQ(lane_index(32), leader);
            if (ops[0].kind == Op::Kind::pair) write(inst, ops[0].elements[1], is_leader);
            return true;
        }
        default: return false;
    }
}

}  // namespace lockstep::exec::jit
