// Instrumentation: what compiled code tells observers. Without an observer none of it is emitted.
//
// Whether the buffer has room is asked once for all records of a block: the question is emitted with the
// first record, and the number of bytes that it asks for grows with each that follows.
#include <algorithm>

#include "events/records.h"
#include "exec/jit/emitter.h"
#include "kernel/graph.h"

namespace lockstep::exec::jit {

static_assert(events::RowsAccess::most_rows == most_rows);

using events::Tag;
using events::Wants;

namespace {

constexpr std::size_t most_reserved = 1024;  // less than a warp's buffer

}  // namespace

void Emitter::store_field(Value* record, std::size_t offset, Value* value) {
    Value* field = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), record, offset);
    program_.mark_record(builder_.CreateAlignedStore(value, field, llvm::Align(4)));
}

// Makes sure that `bytes` more fit.
void Emitter::reserve_records(std::size_t bytes) {
    if (reservation_ && reserved_ + bytes > most_reserved) publish_records();
    if (!reservation_) {
        llvm::Type* ptr = builder_.getPtrTy();
        Value* next = context_field(offsetof(WarpContext, events), ptr, "events", false);
        Value* end = context_field(offsetof(WarpContext, events_end), ptr, "events_end");
        builder_.CreateStore(next, next_record_);
        reservation_ = llvm::cast<llvm::GetElementPtrInst>(
            builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), next, most_reserved));
        reserved_ = 0;
        auto* full = llvm::BasicBlock::Create(context_, "drain", target_);
        auto* room = llvm::BasicBlock::Create(context_, "record", target_);
        builder_.CreateCondBr(builder_.CreateICmpULE(reservation_, end), room, full, program_.likely());
        builder_.SetInsertPoint(full);
        drain_records();
        builder_.CreateStore(context_field(offsetof(WarpContext, events), ptr, "events", false),
                             next_record_);
        builder_.CreateBr(room);
        builder_.SetInsertPoint(room);
    }
    reserved_ += bytes;
    reservation_->setOperand(1, builder_.getInt64(reserved_));
}

// Observers are told of all that is published.
void Emitter::drain_records() { builder_.CreateCall(program_.callback(Callback::drain_events), {ctx_}); }

// The records so far are complete. Before anything else may append to the buffer.
void Emitter::publish_records() {
    if (!reservation_) return;
    set_context_field(offsetof(WarpContext, events), builder_.CreateLoad(builder_.getPtrTy(), next_record_));
    reservation_ = nullptr;
}

// The next record, in room that was reserved.
Emitter::Value* Emitter::new_record(std::uint32_t word, std::size_t bytes) {
    Value* record = builder_.CreateLoad(builder_.getPtrTy(), next_record_);
    builder_.CreateStore(builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), record, bytes),
                         next_record_);
    store_field(record, 0, builder_.getInt32(word));
    return record;
}

void Emitter::record_block(kernel::BlockId id, Value* mask) {
    if (!records(Wants::blocks) ||
        program_.kernel.blocks[first_block_ + id].entered_with != first_block_ + id)
        return;
    reserve_records(sizeof(events::BlockRecord));
    Value* record = new_record(events::tagged(Tag::block, first_block_ + id), sizeof(events::BlockRecord));
    store_field(record, offsetof(events::BlockRecord, mask), mask);
}

void Emitter::record_access(Access& a, Value* mask, bool may_be_empty) {
    if (!records(Wants::accesses)) return;
    auto linear = [&] {
        Value* record = new_record(events::tagged(Tag::linear_access, a.site), sizeof(events::LinearAccess));
        store_field(record, offsetof(events::LinearAccess, mask), mask);
        store_field(record, offsetof(events::LinearAccess, first), a.first);
        store_field(record, offsetof(events::LinearAccess, stride),
                    builder_.getInt64(a.uniform ? 0 : a.stride));
    };
    auto scattered = [&] {
        Value* record =
            new_record(events::tagged(Tag::scattered_access, a.site), sizeof(events::ScatteredAccess));
        store_field(record, offsetof(events::ScatteredAccess, mask), mask);
        store_field(record, offsetof(events::ScatteredAccess, addresses), lane_addresses(a));
    };
    auto rows = [&] {
        const auto count = static_cast<std::uint32_t>(warp_rows());
        Value* record =
            new_record(events::tagged(Tag::rows_access, a.site), events::RowsAccess::bytes(count));
        store_field(record, offsetof(events::RowsAccess, mask), mask);
        store_field(record, offsetof(events::RowsAccess, stride),
                    builder_.getInt32(static_cast<std::uint32_t>(a.stride)));
        store_field(record, offsetof(events::RowsAccess, rows), builder_.getInt32(count));
        Value* first = a.rows[0].first;
        store_field(record, offsetof(events::RowsAccess, first), first);
        for (std::uint32_t row = 1; row < count; ++row)
            store_field(
                record, events::RowsAccess::bytes(row),
                a.rows.size() > 1 ? builder_.CreateSub(a.rows[row].first, first) : builder_.getInt64(0));
    };
    const bool has_linear = a.uniform || a.is_linear;
    const bool has_rows = !a.rows.empty() && llvm::isInt<32>(a.stride);
    const bool has_scattered = !(has_linear || has_rows) || a.linear;
    // Asked for before the guard: room must be known to be there on every path.
    static_assert(sizeof(events::RowsAccess) <= sizeof(events::ScatteredAccess));
    reserve_records(has_scattered ? sizeof(events::ScatteredAccess)
                    : has_rows    ? sizeof(events::RowsAccess)
                                  : sizeof(events::LinearAccess));
    const auto in_short = [&] { return has_rows ? rows() : linear(); };
    const auto record = [&] {
        if (!has_scattered) return in_short();
        if (!has_linear && !has_rows) return scattered();
        auto* wrapped = llvm::BasicBlock::Create(context_, "wrapped", target_);
        auto* straight = llvm::BasicBlock::Create(context_, "straight", target_);
        auto* recorded = llvm::BasicBlock::Create(context_, "recorded", target_);
        builder_.CreateCondBr(a.linear, straight, wrapped, program_.likely());
        builder_.SetInsertPoint(wrapped);
        scattered();
        builder_.CreateBr(recorded);
        builder_.SetInsertPoint(straight);
        in_short();
        builder_.CreateBr(recorded);
        builder_.SetInsertPoint(recorded);
    };
    if (may_be_empty)
        when(builder_.CreateICmpNE(mask, constant(mask, 0)), record);
    else
        when_any(*a.inst, mask, record);
}

void Emitter::record_split(kernel::BlockId id, Value* mask, Value* taken) {
    if (!records(Wants::splits)) return;
    reserve_records(sizeof(events::SplitRecord));
    Value* record = new_record(events::tagged(Tag::split, first_block_ + id), sizeof(events::SplitRecord));
    store_field(record, offsetof(events::SplitRecord, mask), mask);
    store_field(record, offsetof(events::SplitRecord, taken), taken);
    publish_records();
}

// Lanes arrive at the barrier that begins `block`. (Where a warp pauses, the scheduler drains its records.)
void Emitter::record_barrier(kernel::BlockId block, Value* mask, Value* barrier, Value* threads) {
    if (!records(Wants::barriers)) return;
    reserve_records(sizeof(events::BarrierRecord));
    Value* record = new_record(events::tagged(Tag::barrier, program_.kernel.first_site(number_, block, 0)),
                               sizeof(events::BarrierRecord));
    store_field(record, offsetof(events::BarrierRecord, mask), mask);
    store_field(record, offsetof(events::BarrierRecord, barrier), barrier);
    store_field(record, offsetof(events::BarrierRecord, threads), threads);
    publish_records();
}

// `same`: for each lane those that have its value.
void Emitter::record_match(const Inst& inst, Value* same, Value* mask) {
    if (!records(Wants::matches)) return;
    Value* below =
        builder_.CreateSub(builder_.CreateShl(constant(same, 1), lane_index(32)), constant(same, 1));
    Value* first = builder_.CreateICmpEQ(builder_.CreateAnd(same, below), constant(same, 0));
    Value* firsts = builder_.CreateAnd(to_bits(first), mask);
    reserve_records(sizeof(events::MatchRecord));
    when_any(inst, mask, [&] {
        Value* record = new_record(events::tagged(Tag::match, own_site()), sizeof(events::MatchRecord));
        store_field(record, offsetof(events::MatchRecord, mask), mask);
        store_field(record, offsetof(events::MatchRecord, values),
                    builder_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, firsts));
    });
}

// Lanes of the warp have met at the instruction that begins `block`. `unanswered`: those that ask a lane
// which is not there; null: none. `gone_on`: their registers are not to be read any more.
void Emitter::record_meeting(kernel::BlockId block, Value* mask, Value* unanswered, bool gone_on) {
    if (!records(Wants::barriers)) return;
    const Op* named = member_operand(function_.blocks[block].instructions[0]);
    Value* nobody = builder_.getInt32(0);
    Value* here = context_field(offsetof(WarpContext, active), int_type(32), "active", false);
    if (!unanswered) unanswered = nobody;
    if (named && !gone_on && !constant_of(*named) && !is_scalar_operand(*named))
        return record_groups(block, mask, unanswered, read_bits(*named, 32, false), here);
    Value* lanes = nobody;
    if (named && constant_of(*named))
        lanes = builder_.getInt32(*constant_of(*named));
    else if (named && !gone_on)
        lanes = read_bits(*named, 32, true);
    record_barrier(block, mask, unanswered, builder_.CreateAnd(lanes, here));
}

// Each lane names a mask of its own: those that name the same one meet, a record for each such group.
void Emitter::record_groups(kernel::BlockId block, Value* mask, Value* unanswered, Value* named,
                            Value* here) {
    publish_records();
    auto* before = builder_.GetInsertBlock();
    auto* group = llvm::BasicBlock::Create(context_, "group", target_);
    auto* done = llvm::BasicBlock::Create(context_, "met", target_);
    Value* nobody = builder_.getInt32(0);
    builder_.CreateCondBr(builder_.CreateICmpEQ(mask, nobody), done, group);
    builder_.SetInsertPoint(group);
    llvm::PHINode* rest = builder_.CreatePHI(mask->getType(), 2);
    rest->addIncoming(mask, before);
    Value* first = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, rest, builder_.getTrue());
    Value* lanes = builder_.CreateExtractElement(named, first);
    Value* same = builder_.CreateAnd(to_bits(builder_.CreateICmpEQ(named, splat(lanes))), rest);
    record_barrier(block, same, builder_.CreateAnd(unanswered, same), builder_.CreateAnd(lanes, here));
    publish_records();
    Value* left = builder_.CreateAnd(rest, builder_.CreateNot(same));
    rest->addIncoming(left, builder_.GetInsertBlock());
    builder_.CreateCondBr(builder_.CreateICmpEQ(left, nobody), done, group);
    builder_.SetInsertPoint(done);
}

void Emitter::record_fence(Value* mask) {
    if (!records(Wants::fences)) return;
    reserve_records(sizeof(events::FenceRecord));
    Value* record = new_record(events::tagged(Tag::fence, own_site()), sizeof(events::FenceRecord));
    store_field(record, offsetof(events::FenceRecord, mask), mask);
    publish_records();
    drain_records();
}

// What tells whether blocks differ by where they are alone.
void Emitter::record_values(const Inst& inst) {
    const auto check =
        std::find_if(step_checks_.begin(), step_checks_.end(), [&](const kernel::StepCheck& one) {
            return one.block == current_ && one.instruction == instruction_;
        });
    if (check == step_checks_.end()) return;
    Value* mask = instruction_mask(inst);
    llvm::SmallVector<Value*, 2> values;
    for (std::uint32_t i = 0; i < check->count(); ++i) {
        Value* value = read(inst.operands[check->operands[i]], check->type, false);
        if (!is_vector(value)) value = splat(value);
        values.push_back(builder_.CreateZExt(value, like(value, int_type(64))));
    }
    reserve_records(sizeof(events::ValuesRecord));
    const auto number = static_cast<std::uint32_t>(check - step_checks_.begin());
    Value* record = new_record(events::tagged(Tag::values, number), sizeof(events::ValuesRecord));
    store_field(record, offsetof(events::ValuesRecord, mask), mask);
    for (std::size_t i = 0; i < values.size(); ++i)
        store_field(record,
                    offsetof(events::ValuesRecord, values) + i * sizeof(events::ValuesRecord::values[0]),
                    values[i]);
}

// A branch by which some lanes may end at once, without their running the block that ends them.
void Emitter::record_leaving(kernel::BlockId from, Value* mask, Value* taken) {
    if (!records(Wants::blocks) && !records(Wants::splits)) return;
    Value* none = builder_.getInt32(0);
    Value* lanes[2] = {builder_.CreateAnd(mask, taken), builder_.CreateAnd(mask, builder_.CreateNot(taken))};
    Value* apart =
        builder_.CreateAnd(builder_.CreateICmpNE(lanes[0], none), builder_.CreateICmpNE(lanes[1], none));
    if (records(Wants::splits)) when(apart, [&] { record_split(from, mask, lanes[0]); });
    for (int side = 0; side < 2; ++side) {
        kernel::BlockId to = function_.blocks[from].terminator.targets[side];
        if (!kernel::is_leaving(function_, to)) continue;
        when(builder_.CreateICmpNE(lanes[side], none), [&] {
            record_block(to, lanes[side]);
            publish_records();
        });
    }
}

}  // namespace lockstep::exec::jit
