// Barriers and fences. A block-wide barrier switches to the next warp of the block; the scheduler does the
// counting.
#include "exec/jit/emitter.h"

namespace lockstep::exec::jit {

using ptx::Modifier;
using ptx::Opcode;

bool Emitter::emit_barrier(const Inst& inst) {
    const auto& ops = inst.operands;
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
            bool reduces = inst.has(Modifier::red);
            std::size_t first = reduces ? 1 : 0;
            auto scalar = [&](const Op& op) {
                return is_scalar_operand(op)
                           ? read_bits(op, 32, true)
                           : builder_.CreateExtractElement(read_bits(op, 32, false), std::uint64_t{0});
            };
            Value* id = scalar(ops[first]);
            bool has_count = ops.size() > first + (reduces ? 2 : 1);
            Value* count = has_count ? scalar(ops[first + 1]) : builder_.getInt32(0);
            Value* site = builder_.getInt32(add_site(inst));
            if (!reduces) {
                Value* arrive = builder_.getInt32(inst.has(Modifier::arrive));
                auto callee = program_.external(
                    "lockstep_barrier", program_.callbacks.barrier,
                    llvm::FunctionType::get(builder_.getVoidTy(), {ptr, i32, i32, i32, i32}, false));
                builder_.CreateCall(callee, {ctx_, id, count, arrive, site});
                return true;
            }
            const Op& vote = ops.back();
            Value* votes =
                builder_.CreateAnd(to_bits(predicate(vote, is_scalar_operand(vote))), instruction_mask(inst));
            // 0 popc, 1 and, 2 or
            Value* operation = builder_.getInt32(inst.has(Modifier::popc)   ? 0
                                                 : inst.has(Modifier::and_) ? 1
                                                                            : 2);
            auto callee =
                program_.external("lockstep_barrier_reduce", program_.callbacks.barrier_reduce,
                                  llvm::FunctionType::get(i32, {ptr, i32, i32, i32, i32, i32}, false));
            Value* result = builder_.CreateCall(callee, {ctx_, id, count, votes, operation, site});
            if (!inst.has(Modifier::popc)) result = builder_.CreateICmpNE(result, constant(result, 0));
            write(inst, ops[0], result);
            return true;
        }
        default: return false;
    }
}

}  // namespace lockstep::exec::jit
