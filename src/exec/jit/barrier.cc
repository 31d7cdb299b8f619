// Barriers and fences. A block-wide barrier switches to the next warp of the block; the scheduler does the
// counting.
#include <llvm/IR/Intrinsics.h>

#include "exec/jit/emitter.h"

namespace lockstep::exec::jit {

using ptx::Modifier;
using ptx::Opcode;

Emitter::BarrierOperands Emitter::barrier_operands(const Inst& inst) {
    const auto& ops = inst.operands;
    const bool reduces = inst.has(Modifier::red);
    const std::size_t first = reduces ? 1 : 0;
    Value* mask = active_mask();
    auto scalar = [&](const Op& op) -> Value* {
        if (is_scalar_operand(op)) return read_bits(op, 32, true);
        Value* lane = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, mask, builder_.getFalse());
        return builder_.CreateExtractElement(read_bits(op, 32, false), lane);
    };
    BarrierOperands barrier{};
    barrier.id = scalar(ops[first]);
    const bool has_count = ops.size() > first + (reduces ? 2 : 1);
    barrier.threads = has_count ? scalar(ops[first + 1]) : builder_.getInt32(0);
    barrier.votes = builder_.getInt32(0);
    barrier.kind = inst.has(Modifier::arrive) ? BarrierRequest::arrive : BarrierRequest::sync;
    if (!reduces) return barrier;
    const Op& vote = ops.back();
    barrier.votes = builder_.CreateAnd(to_bits(predicate(vote, is_scalar_operand(vote))), mask);
    barrier.kind = inst.has(Modifier::popc)   ? BarrierRequest::count
                   : inst.has(Modifier::and_) ? BarrierRequest::all
                                              : BarrierRequest::any;
    return barrier;
}

void Emitter::write_barrier_result(const Inst& inst, Value* result) {
    if (!inst.has(Modifier::popc)) result = builder_.CreateICmpNE(result, constant(result, 0));
    write(inst, inst.operands[0], result);
}

bool Emitter::emit_barrier(const Inst& inst) {
    llvm::Type* ptr = builder_.getPtrTy();
    llvm::Type* i32 = int_type(32);
    switch (inst.opcode) {
        case Opcode::membar:
        case Opcode::fence: builder_.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent); return true;
        case Opcode::bar:
        case Opcode::barrier: {
            if (inst.has(Modifier::warp)) {  // the block's entry has made the lanes meet
                if (!meets(current_)) check_members(inst);
                return true;
            }
            program_.suspends = true;
            const BarrierOperands barrier = barrier_operands(inst);
            Value* site = builder_.getInt32(add_site(inst));
            Value* kind = builder_.getInt32(barrier.kind);
            if (!inst.has(Modifier::red)) {
                auto callee = program_.external(
                    "lockstep_barrier", program_.callbacks.barrier,
                    llvm::FunctionType::get(builder_.getVoidTy(), {ptr, i32, i32, i32, i32}, false));
                builder_.CreateCall(callee, {ctx_, barrier.id, barrier.threads, kind, site});
                return true;
            }
            auto callee =
                program_.external("lockstep_barrier_reduce", program_.callbacks.barrier_reduce,
                                  llvm::FunctionType::get(i32, {ptr, i32, i32, i32, i32, i32}, false));
            write_barrier_result(inst, builder_.CreateCall(callee, {ctx_, barrier.id, barrier.threads,
                                                                    barrier.votes, kind, site}));
            return true;
        }
        default: return false;
    }
}

}  // namespace lockstep::exec::jit
