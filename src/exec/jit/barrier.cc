// Barriers and fences. At a block-wide barrier a warp goes back to the scheduler, which does the counting;
// with a stack of its own it calls the scheduler and is left there.
#include <llvm/IR/Intrinsics.h>

#include <algorithm>

#include "exec/jit/emitter.h"

namespace lockstep::exec::jit {

using kernel::BlockId;
using ptx::Modifier;
using ptx::Opcode;

Emitter::BarrierOperands Emitter::barrier_operands(const Inst& inst) {
    const auto& ops = inst.operands;
    if (inst.has(Modifier::cluster))
        return {builder_.getInt32(cluster_barrier), builder_.getInt32(0), builder_.getInt32(0),
                BarrierRequest::sync};
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
    // A number that no barrier has must not be that of the cluster's.
    Value* none = builder_.CreateICmpUGE(barrier.id, builder_.getInt32(cluster_barrier));
    barrier.id = builder_.CreateOr(
        barrier.id, builder_.CreateSelect(none, builder_.getInt32(no_barrier), builder_.getInt32(0)));
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

// Of lanes that are all there are: they wait together.
void Emitter::pause_at_barrier(const Inst& inst) {
    const BarrierOperands barrier = barrier_operands(inst);
    record_barrier(current_, active_mask(), barrier.id, barrier.threads);
    const bool reduces = inst.has(Modifier::red);
    auto is_zero = [](Value* v) {
        const auto* number = llvm::dyn_cast<llvm::ConstantInt>(v);
        return number && number->isZero();
    };
    const bool whole =
        barrier.kind == BarrierRequest::sync && is_zero(barrier.id) && is_zero(barrier.threads);
    if (!whole) {
        auto ask = [&](std::size_t field, Value* value) {
            set_context_field(offsetof(WarpContext, barrier) + field, value);
        };
        ask(offsetof(BarrierRequest, lanes), active_mask());
        ask(offsetof(BarrierRequest, id), barrier.id);
        ask(offsetof(BarrierRequest, threads), barrier.threads);
        ask(offsetof(BarrierRequest, kind), builder_.getInt32(barrier.kind));
        ask(offsetof(BarrierRequest, votes), barrier.votes);
        set_context_field(offsetof(WarpContext, request_site), builder_.getInt32(own_site()));
    }
    kernel::RegisterSet after = needed_[function_.blocks[current_].terminator.targets[0]];
    for (kernel::RegId r : kernel::registers_written(function_, inst))
        if (needed_[current_][r])
            after.set(r);  // lanes that are gone, or whose guard is off, keep the old value
        else
            after.reset(r);
    pause(whole ? Pause::block_barrier : Pause::barrier, after);
    if (reduces)
        write_barrier_result(inst,
                             context_field(offsetof(WarpContext, barrier) + offsetof(BarrierRequest, result),
                                           int_type(32), "result", false));
}

void Emitter::call_barrier(const Inst& inst) {
    const BarrierOperands barrier = barrier_operands(inst);
    record_barrier(current_, active_mask(), barrier.id, barrier.threads);
    Value* site = builder_.getInt32(own_site());
    Value* kind = builder_.getInt32(barrier.kind);
    if (!inst.has(Modifier::red)) {
        builder_.CreateCall(program_.callback(Callback::barrier),
                            {ctx_, barrier.id, barrier.threads, kind, site});
        return;
    }
    write_barrier_result(inst,
                         builder_.CreateCall(program_.callback(Callback::barrier_reduce),
                                             {ctx_, barrier.id, barrier.threads, barrier.votes, kind, site}));
}

std::size_t Emitter::request_field(std::size_t request, std::size_t offset) const {
    return requests_ + request * sizeof(BarrierRequest) + offset;
}

// Some lanes of the warp have reached the barrier that `id` is, others are elsewhere.
void Emitter::wait_at_barrier(BlockId id) {
    const Inst& inst = function_.blocks[id].instructions[0];
    const auto request = static_cast<std::size_t>(
        std::find(barrier_requests_.begin(), barrier_requests_.end(), id) - barrier_requests_.begin());
    const BarrierOperands barrier = barrier_operands(inst);
    record_barrier(id, active_mask(), barrier.id, barrier.threads);
    auto add = [&](std::size_t offset, Value* bits) {
        const std::size_t field = request_field(request, offset);
        store_state(field, builder_.CreateOr(load_state(field), bits));
    };
    add(offsetof(BarrierRequest, lanes), active_mask());
    add(offsetof(BarrierRequest, votes), barrier.votes);
    store_state(request_field(request, offsetof(BarrierRequest, id)), barrier.id);
    store_state(request_field(request, offsetof(BarrierRequest, threads)), barrier.threads);
    store_state(request_field(request, offsetof(BarrierRequest, kind)), builder_.getInt32(barrier.kind));
    wait_for_others(active_mask());
}

// The warp arrives at the barriers where its lanes wait; those of the first that are complete go on.
void Emitter::release_barriers() {
    Value* zero = builder_.getInt32(0);
    auto* release = llvm::BasicBlock::Create(context_, "release", target_);
    auto* none = llvm::BasicBlock::Create(context_, "idle", target_);
    Value* lanes = zero;
    for (std::size_t i = 0; i < barrier_requests_.size(); ++i)
        lanes = builder_.CreateOr(lanes, load_state(request_field(i, offsetof(BarrierRequest, lanes))));
    builder_.CreateCondBr(builder_.CreateICmpEQ(lanes, zero), none, release);
    builder_.SetInsertPoint(release);
    Value* count = builder_.getInt32(static_cast<std::uint32_t>(barrier_requests_.size()));
    Value* site = builder_.getInt32(add_site(function_.blocks[barrier_requests_[0]].instructions[0]));
    if (program_.stacks) {
        builder_.CreateCall(program_.callback(Callback::barriers),
                            {ctx_, state_place(requests_), count, site});
    } else {
        set_context_field(offsetof(WarpContext, requests), state_place(requests_));
        set_context_field(offsetof(WarpContext, request_count), count);
        set_context_field(offsetof(WarpContext, request_site), site);
        pause(Pause::barriers, kernel::RegisterSet(function_.registers.size()));
    }
    for (std::size_t i = 0; i < barrier_requests_.size(); ++i) {
        Value* released = load_state(request_field(i, offsetof(BarrierRequest, released)));
        when(builder_.CreateICmpNE(released, zero), [&] {
            current_ = barrier_requests_[i];
            const Inst& inst = function_.blocks[current_].instructions[0];
            const std::size_t place = request_field(i, offsetof(BarrierRequest, lanes));
            if (inst.has(Modifier::red)) {
                builder_.CreateStore(load_state(place), mask_);
                active_lanes_ = nullptr;
                bits_of_.clear();
                for (kernel::RegId r : kernel::registers_written(function_, inst)) restore_register(r);
                write_barrier_result(inst, load_state(request_field(i, offsetof(BarrierRequest, result))));
                for (kernel::RegId r : kernel::registers_written(function_, inst)) save_register(r);
                active_lanes_ = nullptr;
            }
            wake(current_, place);
            for (std::size_t field : {offsetof(BarrierRequest, votes), offsetof(BarrierRequest, arrived),
                                      offsetof(BarrierRequest, released)})
                store_state(request_field(i, field), zero);
        });
    }
    dispatch();
    builder_.SetInsertPoint(none);
}

bool Emitter::emit_barrier(const Inst& inst) {
    switch (inst.opcode) {
        case Opcode::membar:
        case Opcode::fence:
            builder_.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
            record_fence(instruction_mask(inst));
            return true;
        case Opcode::mbarrier: return emit_memory_barrier(inst);
        case Opcode::bar:
        case Opcode::barrier: {
            // Who waits for the cluster arrives there: that all others have, too, is
            // more than arriving earlier promises.
            if (inst.has(Modifier::cluster) && !inst.has(Modifier::wait)) return true;
            if (inst.has(Modifier::warp)) {  // the block's entry has made the lanes meet
                if (!meets(current_)) check_members(inst);
                record_meeting(current_, active_mask());
                return true;
            }
            program_.stacks ? call_barrier(inst) : pause_at_barrier(inst);
            return true;
        }
        default: return false;
    }
}

}  // namespace lockstep::exec::jit
