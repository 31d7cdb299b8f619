// Control flow of a warp. Blocks are numbered so that running the lowest first makes lanes meet again as
// early as the program allows (kernel/loops.h). Lanes that must wait do so at the beginning of a block
// (waiting.cc); the question on an edge, "does anybody wait at or before the target?", is one comparison, and
// most edges need not ask it (stops.h).
#include <fmt/format.h>
#include <llvm/IR/Intrinsics.h>

#include <algorithm>

#include "exec/jit/emitter.h"
#include "kernel/graph.h"

namespace lockstep::exec::jit {

using kernel::BlockId;
using kernel::Terminator;
using ptx::Modifier;
using ptx::Opcode;

bool Emitter::may_dispatch() const {
    return stops_.any_divergence && (shapes_.in_region[current_] || shapes_.unordered);
}

void Emitter::finish_or_dispatch() {
    if (may_dispatch())
        dispatch();
    else
        builder_.CreateBr(return_block_);
}

void Emitter::leave(Value* mask) {
    Value* active = context_field(offsetof(WarpContext, active), int_type(32), "active");
    set_context_field(offsetof(WarpContext, active), builder_.CreateAnd(active, builder_.CreateNot(mask)));
}

// The instruction that stands for an edge backwards in messages.
const ptx::Instruction& Emitter::loop_instruction(BlockId from, BlockId to) const {
    static const Inst none{};
    const kernel::Block& block = function_.blocks[from];
    if (!block.instructions.empty()) return block.instructions.back();
    for (BlockId b = to; b <= from; ++b)
        if (!function_.blocks[b].instructions.empty()) return function_.blocks[b].instructions.front();
    return none;
}

// Ends the launch if its time is up: on every way backwards.
void Emitter::poll_stop(BlockId from, BlockId to) {
    if (!program_.poll_stop) return;
    llvm::Type* ptr = builder_.getPtrTy();
    Value* flag = context_field(offsetof(WarpContext, stop), ptr, "stop");
    llvm::LoadInst* set = builder_.CreateLoad(int_type(32), flag, true);
    auto* stopped = llvm::BasicBlock::Create(context_, "stopped", target_);
    auto* on = llvm::BasicBlock::Create(context_, "on", target_);
    builder_.CreateCondBr(builder_.CreateICmpNE(set, constant(set, 0)), stopped, on);
    builder_.SetInsertPoint(stopped);
    builder_.CreateCall(program_.callback(Callback::stopped),
                        {ctx_, builder_.getInt32(add_site(loop_instruction(from, to)))});
    builder_.CreateUnreachable();
    builder_.SetInsertPoint(on);
}

void Emitter::back_edge(BlockId from, BlockId to) {
    poll_stop(from, to);
    // A loop that waits for what other lanes, warps or blocks write lets them run now and then.
    const kernel::Waits waits = wait_of(to);
    if (waits == kernel::Waits::no) {
        builder_.CreateBr(blocks_[to]);
        return;
    }
    program_.may_wait = true;
    if (waits != kernel::Waits::idly) {
        // How often compiled code asks is fixed, so that blocks take turns in the same way on every run.
        const std::uint32_t turns = waits == kernel::Waits::surely   ? 32
                                    : waits == kernel::Waits::likely ? 256
                                                                     : 16384;
        Value* count =
            builder_.CreateAdd(builder_.CreateLoad(int_type(32), spin_count_), builder_.getInt32(1));
        builder_.CreateStore(count, spin_count_);
        auto* now = llvm::BasicBlock::Create(context_, "yield", target_);
        Value* due = builder_.CreateICmpEQ(builder_.CreateAnd(count, turns - 1), builder_.getInt32(0));
        builder_.CreateCondBr(due, now, blocks_[to], program_.unlikely());
        builder_.SetInsertPoint(now);
    }
    if (waits < kernel::Waits::surely) {
        slice(needed_[to]);
        builder_.CreateBr(blocks_[to]);
        return;
    }
    if (auto place = deferred_.find(to); place != deferred_.end()) {
        auto* defer = llvm::BasicBlock::Create(context_, "defer", target_);
        auto* alone = llvm::BasicBlock::Create(context_, "alone", target_);
        // Others that were set aside before are asked again only when nobody can go on.
        Value* lowest = builder_.CreateLoad(int_type(32), lowest_);
        Value* others =
            builder_.CreateOr(builder_.CreateICmpNE(lowest, builder_.getInt32(no_stop())),
                              builder_.CreateICmpNE(load_state(deferred_lanes_), builder_.getInt32(0)));
        builder_.CreateCondBr(others, defer, alone);
        builder_.SetInsertPoint(defer);
        save(needed_[to]);
        for (std::size_t field : {place->second, deferred_lanes_})
            store_state(field, builder_.CreateOr(load_state(field), active_mask()));
        dispatch();
        builder_.SetInsertPoint(alone);
    }
    yield(needed_[to]);
    builder_.CreateBr(blocks_[to]);
}

void Emitter::edge(BlockId from, BlockId to) {
    const bool leaves_region = stops_.any_divergence && shapes_.in_region[from] && !shapes_.in_region[to] &&
                               stops_.index[to] >= 0 && !(sync_wait_.empty() && barrier_requests_.empty());
    if (leaves_region) {
        auto* on = llvm::BasicBlock::Create(context_, "all_here", target_);
        auto* others = llvm::BasicBlock::Create(context_, "others_wait", target_);
        builder_.CreateCondBr(builder_.CreateICmpEQ(load_state(meeting_), builder_.getInt32(0)), on, others,
                              program_.likely());
        builder_.SetInsertPoint(others);
        if (to <= from) poll_stop(from, to);
        park(to, active_mask());
        dispatch();
        builder_.SetInsertPoint(on);
    }
    if (to <= from) return back_edge(from, to);
    const bool asks = stops_.any_divergence && shapes_.in_region[from] && stops_.parked[to];
    if (asks && (shapes_.unordered || stops_.any_between(from, to))) {
        auto* meet = llvm::BasicBlock::Create(context_, "meet", target_);
        auto* on = llvm::BasicBlock::Create(context_, "first", target_);
        Value* lowest = builder_.CreateLoad(int_type(32), lowest_);
        const auto index = static_cast<std::uint32_t>(stops_.index[to]);
        builder_.CreateCondBr(builder_.CreateICmpULE(lowest, builder_.getInt32(index)), meet, on);
        builder_.SetInsertPoint(meet);
        park(to, active_mask());
        dispatch();
        builder_.SetInsertPoint(on);
    } else if (asks) {
        join(to);
    }
    builder_.CreateBr(blocks_[to]);
}

// A branch whose lanes may disagree: `taken` has a bit for each lane that goes to `to`.
void Emitter::split(BlockId from, Value* taken, BlockId to, BlockId other) {
    Value* mask = active_mask();
    Value* yes = builder_.CreateAnd(mask, taken);
    Value* no = builder_.CreateAnd(mask, builder_.CreateNot(taken));
    auto* some = llvm::BasicBlock::Create(context_, "some", target_);
    auto* none = llvm::BasicBlock::Create(context_, "none", target_);
    auto* all = llvm::BasicBlock::Create(context_, "all", target_);
    auto* both = llvm::BasicBlock::Create(context_, "both", target_);
    builder_.CreateCondBr(builder_.CreateICmpEQ(yes, builder_.getInt32(0)), none, some);
    builder_.SetInsertPoint(some);
    builder_.CreateCondBr(builder_.CreateICmpEQ(no, builder_.getInt32(0)), all, both);
    builder_.SetInsertPoint(none);
    edge(from, other);
    builder_.SetInsertPoint(all);
    edge(from, to);
    builder_.SetInsertPoint(both);
    record_split(from, mask, yes);
    bool first = to < other;
    BlockId low = first ? to : other, high = first ? other : to;
    park(high, first ? no : yes);
    builder_.CreateStore(first ? yes : no, mask_);
    edge(from, low);
}

// A fault: the lanes of `mask`, of which there is one, branch through a table with an index that it does not
// have.
void Emitter::bad_index(const Terminator& end, Value* index, Value* mask) {
    Value* lane = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, mask, builder_.getFalse());
    if (is_vector(index)) index = builder_.CreateExtractElement(index, lane);
    Inst at;
    at.line = end.line;
    at.source = end.source;
    builder_.CreateCall(program_.callback(Callback::bad_index),
                        {ctx_, builder_.getInt32(add_site(at)), index,
                         builder_.getInt32(static_cast<std::uint32_t>(end.targets.size())), lane});
    builder_.CreateUnreachable();
}

void Emitter::emit_terminator(BlockId id) {
    const Terminator& end = function_.blocks[id].terminator;
    switch (end.kind) {
        case Terminator::Kind::jump: edge(id, end.targets[0]); return;
        case Terminator::Kind::branch: {
            BlockId yes = end.targets[0], no = end.targets[1];
            if (yes == no) return edge(id, yes);
            if (shapes_.registers[end.guard->reg].is_uniform()) {
                Op reg;
                reg.kind = Op::Kind::reg;
                reg.id = end.guard->reg;
                reg.negated = end.guard->negated;
                auto* to_yes = llvm::BasicBlock::Create(context_, "yes", target_);
                auto* to_no = llvm::BasicBlock::Create(context_, "no", target_);
                builder_.CreateCondBr(predicate(reg, true), to_yes, to_no);
                builder_.SetInsertPoint(to_yes);
                edge(id, yes);
                builder_.SetInsertPoint(to_no);
                edge(id, no);
                return;
            }
            Value* taken = guard_bits(*end.guard);
            bool yes_leaves = is_leaving(function_, yes), no_leaves = is_leaving(function_, no);
            if (!yes_leaves && !no_leaves) return split(id, taken, yes, no);
            // Lanes that leave are gone at once; the others go on without them.
            Value* mask = active_mask();
            Value* gone = yes_leaves && no_leaves
                              ? mask
                              : builder_.CreateAnd(mask, yes_leaves ? taken : builder_.CreateNot(taken));
            leave(gone);
            Value* rest = builder_.CreateAnd(mask, builder_.CreateNot(gone));
            record_leaving(id, mask, taken);
            builder_.CreateStore(rest, mask_);
            auto* on = llvm::BasicBlock::Create(context_, "stay", target_);
            auto* out = llvm::BasicBlock::Create(context_, "left", target_);
            builder_.CreateCondBr(builder_.CreateICmpEQ(rest, builder_.getInt32(0)), out, on);
            builder_.SetInsertPoint(out);
            finish_or_dispatch();
            builder_.SetInsertPoint(on);
            if (yes_leaves && no_leaves)
                builder_.CreateUnreachable();
            else
                edge(id, yes_leaves ? no : yes);
            return;
        }
        case Terminator::Kind::table: {
            bool scalar = is_scalar_operand(end.index);
            if (scalar) {
                Value* index = read_bits(end.index, 32, true);
                auto* bad = llvm::BasicBlock::Create(context_, "bad_index", target_);
                llvm::SwitchInst* choose = builder_.CreateSwitch(index, bad);
                for (std::size_t i = 0; i < end.targets.size(); ++i) {
                    auto* block = llvm::BasicBlock::Create(context_, "case", target_);
                    choose->addCase(builder_.getInt32(static_cast<std::uint32_t>(i)), block);
                    builder_.SetInsertPoint(block);
                    edge(id, end.targets[i]);
                }
                builder_.SetInsertPoint(bad);
                bad_index(end, index, active_mask());
                return;
            }
            Value* index = read_bits(end.index, 32, false);
            Value* mask = active_mask();
            std::map<BlockId, Value*> lanes;
            Value* inside = builder_.getInt32(0);
            for (std::size_t i = 0; i < end.targets.size(); ++i) {
                Value* here =
                    builder_.CreateAnd(to_bits(builder_.CreateICmpEQ(index, constant(index, i))), mask);
                Value*& all = lanes[end.targets[i]];
                all = all ? builder_.CreateOr(all, here) : here;
                inside = builder_.CreateOr(inside, here);
            }
            Value* outside = builder_.CreateAnd(mask, builder_.CreateNot(inside));
            auto* bad = llvm::BasicBlock::Create(context_, "bad_index", target_);
            auto* good = llvm::BasicBlock::Create(context_, "good_index", target_);
            builder_.CreateCondBr(builder_.CreateICmpEQ(outside, builder_.getInt32(0)), good, bad,
                                  program_.likely());
            builder_.SetInsertPoint(bad);
            bad_index(end, index, outside);
            builder_.SetInsertPoint(good);
            if (BlockId first = lanes.begin()->first; first <= id) poll_stop(id, first);
            if (records(events::Wants::splits)) {
                Value* apart = builder_.getFalse();
                for (auto [target, here] : lanes)
                    apart = builder_.CreateOr(
                        apart, builder_.CreateAnd(builder_.CreateICmpNE(here, builder_.getInt32(0)),
                                                  builder_.CreateICmpNE(here, mask)));
                when(apart, [&] { record_split(id, mask, lanes.at(end.targets[0])); });
            }
            for (auto [target, here] : lanes) {
                auto* wait = llvm::BasicBlock::Create(context_, "case", target_);
                auto* next = llvm::BasicBlock::Create(context_, "next_case", target_);
                builder_.CreateCondBr(builder_.CreateICmpEQ(here, builder_.getInt32(0)), next, wait);
                builder_.SetInsertPoint(wait);
                park(target, here);
                builder_.CreateBr(next);
                builder_.SetInsertPoint(next);
            }
            dispatch();
            return;
        }
        case Terminator::Kind::ret:
        case Terminator::Kind::exit:
            // Where the whole warp ends, nobody asks any more who is there.
            if (function_.entry && !may_dispatch())
                ;
            else if (function_.entry || end.kind == Terminator::Kind::exit)
                leave(active_mask());
            else if (stops_.any_divergence)
                for (kernel::RegId r : kernel::return_registers(function_)) save_register(r);
            finish_or_dispatch();
            return;
        case Terminator::Kind::unreachable: finish_or_dispatch(); return;
    }
}

void Emitter::emit_return() {
    builder_.SetInsertPoint(return_block_);
    if (!function_.entry) {
        std::vector<const ptx::Variable*> variables;
        for (std::uint32_t v : function_.returns) variables.push_back(&function_.variables[v]);
        std::uint64_t total = 0;
        std::vector<std::uint64_t> offsets = argument_offsets(variables, total);
        Value* mask = target_->getArg(1);
        for (std::size_t i = 0; i < offsets.size(); ++i)
            transfer_variable(function_.returns[i], args_, offsets[i], true, mask);
    }
    if (function_.entry)
        set_context_field(offsetof(WarpContext, pause),
                          builder_.getInt32(static_cast<std::uint32_t>(Pause::finished)));
    builder_.CreateRetVoid();
}

}  // namespace lockstep::exec::jit
