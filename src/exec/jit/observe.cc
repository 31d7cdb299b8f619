// Instrumentation: what compiled code tells observers. Without an observer none of it is emitted.
#include "events/records.h"
#include "exec/jit/emitter.h"

namespace lockstep::exec::jit {

// Room for one record of `bytes`; the buffer is drained when it may not hold another.
Emitter::Value* Emitter::new_record(std::size_t bytes) {
    llvm::Type* ptr = builder_.getPtrTy();
    Value* next = context_field(offsetof(WarpContext, events), ptr, "events", false);
    Value* end = context_field(offsetof(WarpContext, events_end), ptr, "events_end", false);
    Value* after = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), next, bytes);
    auto* full = llvm::BasicBlock::Create(context_, "drain", target_);
    auto* room = llvm::BasicBlock::Create(context_, "record", target_);
    auto* from = builder_.GetInsertBlock();
    builder_.CreateCondBr(builder_.CreateICmpUGT(after, end), full, room);
    builder_.SetInsertPoint(full);
    auto drain = program_.external("lockstep_drain_events", program_.callbacks.drain_events,
                                   llvm::FunctionType::get(builder_.getVoidTy(), {ptr}, false));
    builder_.CreateCall(drain, {ctx_});
    Value* fresh = context_field(offsetof(WarpContext, events), ptr, "events", false);
    builder_.CreateBr(room);
    builder_.SetInsertPoint(room);
    llvm::PHINode* record = builder_.CreatePHI(ptr, 2);
    record->addIncoming(next, from);
    record->addIncoming(fresh, full);
    set_context_field(offsetof(WarpContext, events),
                      builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), record, bytes));
    return record;
}

void Emitter::count_block(kernel::BlockId id) {
    if (!program_.count) return;
    const kernel::Block& block = function_.blocks[id];
    std::uint32_t instructions =
        static_cast<std::uint32_t>(block.instructions.size()) + block.terminator.has_instruction;
    if (instructions == 0) return;
    program_.observed_blocks.push_back({function_.index, id, instructions});
    auto number = static_cast<std::uint32_t>(program_.observed_blocks.size() - 1);
    Value* record = new_record(sizeof(events::BlockRecord));
    builder_.CreateStore(builder_.getInt32(events::tagged(events::Tag::block, number)), record);
    builder_.CreateStore(active_mask(),
                         builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), record,
                                                             offsetof(events::BlockRecord, mask)));
}

void Emitter::record_access(Access& a, Value* mask) {
    if (!program_.observe_memory) return;
    auto field = [&](Value* record, std::size_t offset) {
        return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), record, offset);
    };
    if ((a.uniform || a.is_linear) && !a.linear) {
        Value* record = new_record(sizeof(events::LinearAccess));
        builder_.CreateStore(builder_.getInt32(events::tagged(events::Tag::linear_access, a.site)), record);
        builder_.CreateStore(mask, field(record, offsetof(events::LinearAccess, mask)));
        builder_.CreateStore(a.first, field(record, offsetof(events::LinearAccess, first)));
        builder_.CreateStore(builder_.getInt64(a.uniform ? 0 : a.stride),
                             field(record, offsetof(events::LinearAccess, stride)));
        return;
    }
    Value* record = new_record(sizeof(events::ScatteredAccess));
    builder_.CreateStore(builder_.getInt32(events::tagged(events::Tag::scattered_access, a.site)), record);
    builder_.CreateStore(mask, field(record, offsetof(events::ScatteredAccess, mask)));
    builder_.CreateAlignedStore(lane_addresses(a),
                                field(record, offsetof(events::ScatteredAccess, addresses)), llvm::Align(8));
}

}  // namespace lockstep::exec::jit
