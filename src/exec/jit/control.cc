// Control flow of a warp. Blocks are numbered so that running the lowest first makes lanes meet again as
// early as the program allows (kernel/loops.h). Lanes that must wait are remembered per block ("stop") in a
// mask, and the stops with waiting lanes in one wide bit set, so that the usual question on an edge, "does
// anybody wait at or before the target?", is a single and-with-constant.
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

namespace {

bool is_block_barrier(const ptx::Instruction& inst) {
    return (inst.opcode == Opcode::bar || inst.opcode == Opcode::barrier) && !inst.has(Modifier::warp);
}

}  // namespace

llvm::APInt Emitter::stop_bit(BlockId stop) const {
    return llvm::APInt::getOneBitSet(set_type_->getBitWidth(), stop_index_[stop]);
}

void Emitter::park(BlockId at, Value* mask) {
    llvm::AllocaInst* place = pending_.at(at);
    builder_.CreateStore(builder_.CreateOr(builder_.CreateLoad(int_type(32), place), mask), place);
    builder_.CreateStore(builder_.CreateOr(pending_set(), llvm::ConstantInt::get(set_type_, stop_bit(at))),
                         set_);
}

// Takes the lanes that wait at `stop` and runs them from there.
llvm::BasicBlock* Emitter::enter(BlockId stop) {
    if (auto found = enter_.find(stop); found != enter_.end()) return found->second;
    auto* block = llvm::BasicBlock::Create(context_, fmt::format("enter{}", stop), target_);
    enter_[stop] = block;
    llvm::IRBuilder<>::InsertPointGuard guard(builder_);
    builder_.SetInsertPoint(block);
    if (!shapes_.in_region[stop]) unless_others_wait();
    llvm::AllocaInst* place = pending_.at(stop);
    builder_.CreateStore(builder_.CreateLoad(int_type(32), place), mask_);
    builder_.CreateStore(builder_.getInt32(0), place);
    builder_.CreateStore(
        builder_.CreateAnd(pending_set(), llvm::ConstantInt::get(set_type_, ~stop_bit(stop))), set_);
    builder_.CreateBr(blocks_[stop]);
    return block;
}

void Emitter::dispatch() { builder_.CreateBr(dispatch_block_); }

void Emitter::finish_or_dispatch() {
    if (any_divergence_ && (shapes_.in_region[current_] || shapes_.unordered))
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
    auto callee =
        program_.external("lockstep_stopped", program_.callbacks.stopped,
                          llvm::FunctionType::get(builder_.getVoidTy(), {ptr, int_type(32)}, false));
    builder_.CreateCall(callee, {ctx_, builder_.getInt32(add_site(loop_instruction(from, to)))});
    builder_.CreateUnreachable();
    builder_.SetInsertPoint(on);
}

void Emitter::yield() {
    program_.suspends = true;
    auto callee =
        program_.external("lockstep_yield", program_.callbacks.yield,
                          llvm::FunctionType::get(builder_.getVoidTy(), {builder_.getPtrTy()}, false));
    builder_.CreateCall(callee, {ctx_});
}

void Emitter::back_edge(BlockId from, BlockId to) {
    poll_stop(from, to);
    // A loop that waits for what other lanes, warps or blocks write lets them run now and then.
    int loop = function_.blocks[to].loop;
    kernel::Waits waits =
        loop >= 0 && function_.loops[loop].header == to ? shapes_.waits[loop] : kernel::Waits::no;
    if (waits == kernel::Waits::no) {
        builder_.CreateBr(blocks_[to]);
        return;
    }
    // How often compiled code asks is fixed, so that blocks take turns in the same way on every run.
    const bool surely = waits == kernel::Waits::surely;
    const std::uint32_t turns = surely ? 32 : waits == kernel::Waits::likely ? 256 : 16384;
    Value* count = builder_.CreateAdd(builder_.CreateLoad(int_type(32), spin_count_), builder_.getInt32(1));
    builder_.CreateStore(count, spin_count_);
    auto* now = llvm::BasicBlock::Create(context_, "yield", target_);
    Value* due = builder_.CreateICmpEQ(builder_.CreateAnd(count, turns - 1), builder_.getInt32(0));
    builder_.CreateCondBr(due, now, blocks_[to], program_.unlikely());
    builder_.SetInsertPoint(now);
    if (!surely) {
        program_.suspends = true;
        auto callee =
            program_.external("lockstep_slice", program_.callbacks.slice,
                              llvm::FunctionType::get(builder_.getVoidTy(), {builder_.getPtrTy()}, false));
        builder_.CreateCall(callee, {ctx_});
        builder_.CreateBr(blocks_[to]);
        return;
    }
    if (any_divergence_ && deferred_.count(to)) {
        auto* defer = llvm::BasicBlock::Create(context_, "defer", target_);
        auto* alone = llvm::BasicBlock::Create(context_, "alone", target_);
        Value* set = pending_set();
        builder_.CreateCondBr(builder_.CreateICmpNE(set, llvm::ConstantInt::get(set_type_, 0)), defer, alone);
        builder_.SetInsertPoint(defer);
        llvm::AllocaInst* place = deferred_.at(to);
        builder_.CreateStore(builder_.CreateOr(builder_.CreateLoad(int_type(32), place), active_mask()),
                             place);
        Value* later = builder_.CreateLoad(set_type_, deferred_set_);
        builder_.CreateStore(builder_.CreateOr(later, llvm::ConstantInt::get(set_type_, stop_bit(to))),
                             deferred_set_);
        dispatch();
        builder_.SetInsertPoint(alone);
    }
    yield();
    builder_.CreateBr(blocks_[to]);
}

// The lanes that wait at barriers and *.sync instructions; null where there are none of them.
Emitter::Value* Emitter::lanes_that_meet() {
    Value* all = nullptr;
    auto add = [&](Value* place) {
        Value* lanes = builder_.CreateLoad(int_type(32), place);
        all = all ? builder_.CreateOr(all, lanes) : lanes;
    };
    for (auto [block, place] : sync_wait_) add(place);
    for (std::size_t i = 0; i < barrier_requests_.size(); ++i)
        add(request_field(i, offsetof(BarrierRequest, lanes)));
    return all;
}

// Behind the region of a branch all lanes are together again. So those that wait inside, for each other or at
// a barrier, go on first, without the lanes that have come to the end of it.
void Emitter::unless_others_wait() {
    Value* waiting = lanes_that_meet();
    if (!waiting) return;
    auto* on = llvm::BasicBlock::Create(context_, "all_here", target_);
    builder_.CreateCondBr(builder_.CreateICmpEQ(waiting, builder_.getInt32(0)), on, idle_block_,
                          program_.likely());
    builder_.SetInsertPoint(on);
}

void Emitter::edge(BlockId from, BlockId to) {
    const bool leaves_region =
        any_divergence_ && shapes_.in_region[from] && !shapes_.in_region[to] && stop_index_[to] >= 0;
    if (Value* waiting = leaves_region ? lanes_that_meet() : nullptr) {
        auto* on = llvm::BasicBlock::Create(context_, "all_here", target_);
        auto* others = llvm::BasicBlock::Create(context_, "others_wait", target_);
        builder_.CreateCondBr(builder_.CreateICmpEQ(waiting, builder_.getInt32(0)), on, others,
                              program_.likely());
        builder_.SetInsertPoint(others);
        if (to <= from) poll_stop(from, to);
        park(to, active_mask());
        dispatch();
        builder_.SetInsertPoint(on);
    }
    if (to <= from) return back_edge(from, to);
    if (!any_divergence_ || !shapes_.in_region[from] || stop_index_[to] < 0) {
        builder_.CreateBr(blocks_[to]);
        return;
    }
    // Anybody waiting at `to` or before?
    llvm::APInt before = llvm::APInt::getLowBitsSet(set_type_->getBitWidth(), stop_index_[to] + 1);
    Value* waiting = builder_.CreateAnd(pending_set(), llvm::ConstantInt::get(set_type_, before));
    auto* meet = llvm::BasicBlock::Create(context_, "meet", target_);
    builder_.CreateCondBr(builder_.CreateICmpEQ(waiting, llvm::ConstantInt::get(set_type_, 0)), blocks_[to],
                          meet);
    builder_.SetInsertPoint(meet);
    park(to, active_mask());
    if (shapes_.unordered) return dispatch();
    std::vector<BlockId> candidates;
    for (BlockId s : stops_)
        if (s > from && s <= to) candidates.push_back(s);
    if (candidates.size() == 1) {
        builder_.CreateBr(enter(to));
        return;
    }
    Value* first = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, waiting, builder_.getTrue());
    llvm::SwitchInst* choose = builder_.CreateSwitch(first, enter(to));
    for (BlockId s : candidates)
        if (s != to) choose->addCase(llvm::ConstantInt::get(set_type_, stop_index_[s]), enter(s));
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
    llvm::Type* i32 = int_type(32);
    auto callee = program_.external(
        "lockstep_bad_index", program_.callbacks.bad_index,
        llvm::FunctionType::get(builder_.getVoidTy(), {builder_.getPtrTy(), i32, i32, i32, i32}, false));
    Inst at;
    at.line = end.line;
    at.source = end.source;
    builder_.CreateCall(callee, {ctx_, builder_.getInt32(add_site(at)), index,
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
            if (observes(events::Detail::everything)) {
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
            if (function_.entry || end.kind == Terminator::Kind::exit) leave(active_mask());
            finish_or_dispatch();
            return;
        case Terminator::Kind::unreachable: finish_or_dispatch(); return;
    }
}

// Where lanes of one warp may be apart, they meet before a barrier or a *.sync instruction.
bool Emitter::meets(BlockId id) const {
    const kernel::Block& block = function_.blocks[id];
    return any_divergence_ && shapes_.in_region[id] && !block.instructions.empty() &&
           kernel::is_sync_point(block.instructions[0]);
}

void Emitter::emit_meeting(BlockId id) {
    if (!meets(id)) return;
    const Inst& inst = function_.blocks[id].instructions[0];
    llvm::Type* i32 = int_type(32);
    auto* go = llvm::BasicBlock::Create(context_, "together", target_);
    auto* wait = llvm::BasicBlock::Create(context_, "wait", target_);
    Value* active = context_field(offsetof(WarpContext, active), i32, "active");
    if (is_block_barrier(inst)) {
        builder_.CreateCondBr(builder_.CreateICmpEQ(active_mask(), active), go, wait, program_.likely());
        builder_.SetInsertPoint(wait);
        wait_at_barrier(id);
        dispatch();
    } else {
        check_members(inst);  // before anybody waits
        // Lanes whose partners are all here go on; lanes with another mask may still wait for theirs.
        llvm::AllocaInst* place = sync_wait_.at(id);
        Value* here = builder_.CreateOr(active_mask(), builder_.CreateLoad(i32, place));
        Value* elsewhere = builder_.CreateAnd(active, builder_.CreateNot(here));
        const Op& named = *member_operand(inst);
        Value* ready;
        if (is_scalar_operand(named)) {
            Value* missing = builder_.CreateAnd(read_bits(named, 32, true), elsewhere);
            ready = builder_.CreateSelect(builder_.CreateICmpEQ(missing, builder_.getInt32(0)), here,
                                          builder_.getInt32(0));
        } else {
            Value* missing = builder_.CreateAnd(read_bits(named, 32, false), splat(elsewhere));
            ready = builder_.CreateAnd(to_bits(builder_.CreateICmpEQ(missing, constant(missing, 0))), here);
        }
        builder_.CreateStore(ready, mask_);
        builder_.CreateStore(builder_.CreateAnd(here, builder_.CreateNot(ready)), place);
        builder_.CreateCondBr(builder_.CreateICmpNE(ready, builder_.getInt32(0)), go, wait,
                              program_.likely());
        builder_.SetInsertPoint(wait);
        dispatch();
        forced_[id] = go;
    }
    builder_.SetInsertPoint(go);
    active_lanes_ = nullptr;
}

void Emitter::emit_dispatch() {
    builder_.SetInsertPoint(dispatch_block_);
    Value* set = pending_set();
    auto* choose_block = llvm::BasicBlock::Create(context_, "choose", target_);
    builder_.CreateCondBr(builder_.CreateICmpEQ(set, llvm::ConstantInt::get(set_type_, 0)), idle_block_,
                          choose_block);
    builder_.SetInsertPoint(choose_block);
    Value* first = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, set, builder_.getTrue());
    auto* never = llvm::BasicBlock::Create(context_, "never", target_);
    llvm::SwitchInst* choose = builder_.CreateSwitch(first, never);
    for (BlockId s : stops_) choose->addCase(llvm::ConstantInt::get(set_type_, stop_index_[s]), enter(s));
    builder_.SetInsertPoint(never);
    builder_.CreateUnreachable();
}

bool Emitter::is_warp_barrier(BlockId block) const {
    const Inst& inst = function_.blocks[block].instructions[0];
    return inst.opcode == Opcode::bar && inst.has(Modifier::warp);
}

// Lets the lanes that wait in `place` go on behind the one instruction of `block`.
void Emitter::wake(BlockId block, Value* place) {
    Value* waiting = builder_.CreateLoad(int_type(32), place);
    auto* some = llvm::BasicBlock::Create(context_, "wake", target_);
    auto* on = llvm::BasicBlock::Create(context_, "on", target_);
    builder_.CreateCondBr(builder_.CreateICmpEQ(waiting, builder_.getInt32(0)), on, some);
    builder_.SetInsertPoint(some);
    record_block(block, waiting);
    publish_records();
    park(function_.blocks[block].terminator.targets[0], waiting);
    builder_.CreateStore(builder_.getInt32(0), place);
    builder_.CreateBr(on);
    builder_.SetInsertPoint(on);
}

// Nobody can run: lanes put aside in spin loops, lanes at a barrier, lanes at a *.sync whose partners are
// elsewhere.
void Emitter::emit_idle() {
    builder_.SetInsertPoint(idle_block_);
    llvm::Type* i32 = int_type(32);
    auto next_block = [&](const char* name) { return llvm::BasicBlock::Create(context_, name, target_); };
    if (!deferred_.empty()) {
        auto* again = next_block("again");
        auto* next = next_block("idle");
        Value* later = builder_.CreateLoad(set_type_, deferred_set_);
        builder_.CreateCondBr(builder_.CreateICmpEQ(later, llvm::ConstantInt::get(set_type_, 0)), next,
                              again);
        builder_.SetInsertPoint(again);
        for (auto [block, place] : deferred_) {
            llvm::AllocaInst* pending = pending_.at(block);
            builder_.CreateStore(
                builder_.CreateOr(builder_.CreateLoad(i32, pending), builder_.CreateLoad(i32, place)),
                pending);
            builder_.CreateStore(builder_.getInt32(0), place);
        }
        builder_.CreateStore(builder_.CreateOr(pending_set(), later), set_);
        builder_.CreateStore(llvm::ConstantInt::get(set_type_, 0), deferred_set_);
        yield();
        dispatch();
        builder_.SetInsertPoint(next);
    }
    // Lanes at different bar.warp.sync instructions have met now: all go on together.
    Value* met = builder_.getInt32(0);
    for (auto [block, place] : sync_wait_)
        if (is_warp_barrier(block)) met = builder_.CreateOr(met, builder_.CreateLoad(i32, place));
    if (!llvm::isa<llvm::Constant>(met)) {
        auto* release = next_block("met");
        auto* next = next_block("idle");
        builder_.CreateCondBr(builder_.CreateICmpEQ(met, builder_.getInt32(0)), next, release);
        builder_.SetInsertPoint(release);
        for (auto [block, place] : sync_wait_)
            if (is_warp_barrier(block)) wake(block, place);
        dispatch();
        builder_.SetInsertPoint(next);
    }
    // Partners that have exited or sit at another *.sync will not come: go on with the lanes that are here.
    for (auto [block, place] : sync_wait_) {
        if (!forced_.count(block) || is_warp_barrier(block)) continue;
        auto* go = next_block("go");
        auto* next = next_block("idle");
        Value* waiting = builder_.CreateLoad(i32, place);
        builder_.CreateCondBr(builder_.CreateICmpEQ(waiting, builder_.getInt32(0)), next, go);
        builder_.SetInsertPoint(go);
        builder_.CreateStore(waiting, mask_);
        builder_.CreateStore(builder_.getInt32(0), place);
        builder_.CreateBr(forced_.at(block));
        builder_.SetInsertPoint(next);
    }
    // All lanes that have not left wait at barriers.
    if (!barrier_requests_.empty()) release_barriers();
    builder_.CreateBr(return_block_);
}

Emitter::Value* Emitter::request_field(std::size_t request, std::size_t offset) {
    return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), requests_,
                                               request * sizeof(BarrierRequest) + offset);
}

// Some lanes of the warp have reached the barrier that `id` is, others are elsewhere.
void Emitter::wait_at_barrier(BlockId id) {
    const Inst& inst = function_.blocks[id].instructions[0];
    const auto request = static_cast<std::size_t>(
        std::find(barrier_requests_.begin(), barrier_requests_.end(), id) - barrier_requests_.begin());
    const BarrierOperands barrier = barrier_operands(inst);
    auto add = [&](std::size_t offset, Value* bits) {
        Value* field = request_field(request, offset);
        builder_.CreateStore(builder_.CreateOr(builder_.CreateLoad(int_type(32), field), bits), field);
    };
    add(offsetof(BarrierRequest, lanes), active_mask());
    add(offsetof(BarrierRequest, votes), barrier.votes);
    builder_.CreateStore(barrier.id, request_field(request, offsetof(BarrierRequest, id)));
    builder_.CreateStore(barrier.threads, request_field(request, offsetof(BarrierRequest, threads)));
    builder_.CreateStore(builder_.getInt32(barrier.kind),
                         request_field(request, offsetof(BarrierRequest, kind)));
}

// The warp arrives at the barriers where its lanes wait; those of the first that are complete go on.
void Emitter::release_barriers() {
    program_.suspends = true;
    llvm::Type* i32 = int_type(32);
    Value* zero = builder_.getInt32(0);
    auto* release = llvm::BasicBlock::Create(context_, "release", target_);
    auto* none = llvm::BasicBlock::Create(context_, "idle", target_);
    Value* lanes = zero;
    for (std::size_t i = 0; i < barrier_requests_.size(); ++i)
        lanes = builder_.CreateOr(
            lanes, builder_.CreateLoad(i32, request_field(i, offsetof(BarrierRequest, lanes))));
    builder_.CreateCondBr(builder_.CreateICmpEQ(lanes, zero), none, release);
    builder_.SetInsertPoint(release);
    llvm::Type* ptr = builder_.getPtrTy();
    auto callee =
        program_.external("lockstep_barriers", program_.callbacks.barriers,
                          llvm::FunctionType::get(builder_.getVoidTy(), {ptr, ptr, i32, i32}, false));
    const Inst& any = function_.blocks[barrier_requests_[0]].instructions[0];
    builder_.CreateCall(
        callee, {ctx_, requests_, builder_.getInt32(static_cast<std::uint32_t>(barrier_requests_.size())),
                 builder_.getInt32(add_site(any))});
    for (std::size_t i = 0; i < barrier_requests_.size(); ++i) {
        Value* released = builder_.CreateLoad(i32, request_field(i, offsetof(BarrierRequest, released)));
        when(builder_.CreateICmpNE(released, zero), [&] {
            current_ = barrier_requests_[i];
            const Inst& inst = function_.blocks[current_].instructions[0];
            Value* place = request_field(i, offsetof(BarrierRequest, lanes));
            if (inst.has(Modifier::red)) {
                builder_.CreateStore(builder_.CreateLoad(i32, place), mask_);
                active_lanes_ = nullptr;
                write_barrier_result(
                    inst, builder_.CreateLoad(i32, request_field(i, offsetof(BarrierRequest, result))));
                active_lanes_ = nullptr;
            }
            wake(current_, place);
            for (std::size_t field : {offsetof(BarrierRequest, votes), offsetof(BarrierRequest, arrived),
                                      offsetof(BarrierRequest, released)})
                builder_.CreateStore(zero, request_field(i, field));
        });
    }
    dispatch();
    builder_.SetInsertPoint(none);
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
    builder_.CreateRetVoid();
}

}  // namespace lockstep::exec::jit
