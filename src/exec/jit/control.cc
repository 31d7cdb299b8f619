// Control flow of a warp. Blocks are numbered so that running the lowest first makes lanes meet again as
// early as the program allows (kernel/loops.h). Lanes that must wait are remembered per block ("stop") in a
// mask, and the stops with waiting lanes in one wide bit set, so that the usual question on an edge, "does
// anybody wait at or before the target?", is a single and-with-constant.
#include <fmt/format.h>
#include <llvm/IR/Intrinsics.h>

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

void Emitter::back_edge(BlockId from, BlockId to) {
    llvm::Type* ptr = builder_.getPtrTy();
    if (program_.poll_stop) {
        Value* flag = context_field(offsetof(WarpContext, stop), ptr, "stop");
        llvm::LoadInst* set = builder_.CreateLoad(int_type(32), flag, true);
        auto* stopped = llvm::BasicBlock::Create(context_, "stopped", target_);
        auto* on = llvm::BasicBlock::Create(context_, "on", target_);
        builder_.CreateCondBr(builder_.CreateICmpNE(set, constant(set, 0)), stopped, on);
        builder_.SetInsertPoint(stopped);
        const kernel::Block& block = function_.blocks[from];
        static const Inst none{};
        const Inst* at = block.instructions.empty() ? &none : &block.instructions.back();
        for (BlockId b = to; b <= from && at == &none; ++b)
            if (!function_.blocks[b].instructions.empty()) at = &function_.blocks[b].instructions.front();
        auto callee =
            program_.external("lockstep_stopped", program_.callbacks.stopped,
                              llvm::FunctionType::get(builder_.getVoidTy(), {ptr, int_type(32)}, false));
        builder_.CreateCall(callee, {ctx_, builder_.getInt32(add_site(*at))});
        builder_.CreateUnreachable();
        builder_.SetInsertPoint(on);
    }
    // A loop that waits for what other lanes, warps or blocks write lets them run now and then.
    int loop = function_.blocks[to].loop;
    bool spins = loop >= 0 && function_.loops[loop].header == to && shapes_.spins[loop];
    if (spins) {
        program_.suspends = true;
        Value* count =
            builder_.CreateAdd(builder_.CreateLoad(int_type(32), spin_count_), builder_.getInt32(1));
        builder_.CreateStore(count, spin_count_);
        auto* now = llvm::BasicBlock::Create(context_, "yield", target_);
        Value* due = builder_.CreateICmpEQ(builder_.CreateAnd(count, 31), builder_.getInt32(0));
        builder_.CreateCondBr(due, now, blocks_[to]);
        builder_.SetInsertPoint(now);
        if (any_divergence_ && deferred_.count(to)) {
            auto* defer = llvm::BasicBlock::Create(context_, "defer", target_);
            auto* alone = llvm::BasicBlock::Create(context_, "alone", target_);
            Value* set = pending_set();
            builder_.CreateCondBr(builder_.CreateICmpNE(set, llvm::ConstantInt::get(set_type_, 0)), defer,
                                  alone);
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
        auto callee = program_.external("lockstep_yield", program_.callbacks.yield,
                                        llvm::FunctionType::get(builder_.getVoidTy(), {ptr}, false));
        builder_.CreateCall(callee, {ctx_});
    }
    builder_.CreateBr(blocks_[to]);
}

void Emitter::edge(BlockId from, BlockId to) {
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
                builder_.CreateUnreachable();  // PTX leaves an index beyond the table undefined
                return;
            }
            Value* index = read_bits(end.index, 32, false);
            Value* mask = active_mask();
            std::map<BlockId, Value*> lanes;
            for (std::size_t i = 0; i < end.targets.size(); ++i) {
                Value* here =
                    builder_.CreateAnd(to_bits(builder_.CreateICmpEQ(index, constant(index, i))), mask);
                Value*& all = lanes[end.targets[i]];
                all = all ? builder_.CreateOr(all, here) : here;
            }
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
        Value* mask = active_mask();
        builder_.CreateCondBr(builder_.CreateICmpEQ(mask, active), go, wait, program_.likely());
        builder_.SetInsertPoint(wait);
        llvm::AllocaInst* place = barrier_wait_.at(id);
        builder_.CreateStore(builder_.CreateOr(builder_.CreateLoad(i32, place), mask), place);
        builder_.CreateStore(builder_.CreateOr(builder_.CreateLoad(i32, barrier_lanes_), mask),
                             barrier_lanes_);
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
void Emitter::wake(BlockId block, llvm::AllocaInst* place) {
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
    llvm::Type* ptr = builder_.getPtrTy();
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
        builder_.CreateCall(program_.external("lockstep_yield", program_.callbacks.yield,
                                              llvm::FunctionType::get(builder_.getVoidTy(), {ptr}, false)),
                            {ctx_});
        dispatch();
        builder_.SetInsertPoint(next);
    }
    if (!barrier_wait_.empty()) {
        auto* release = next_block("release");
        auto* next = next_block("idle");
        Value* lanes = builder_.CreateLoad(i32, barrier_lanes_);
        Value* active = context_field(offsetof(WarpContext, active), i32, "active");
        Value* all = builder_.CreateAnd(builder_.CreateICmpNE(lanes, builder_.getInt32(0)),
                                        builder_.CreateICmpEQ(builder_.CreateAnd(lanes, active), active));
        builder_.CreateCondBr(all, release, next);
        builder_.SetInsertPoint(release);
        BlockId one = barrier_wait_.begin()->first;
        const Inst& inst = function_.blocks[one].instructions[0];
        auto callee = program_.external(
            "lockstep_barrier", program_.callbacks.barrier,
            llvm::FunctionType::get(builder_.getVoidTy(), {ptr, i32, i32, i32, i32}, false));
        Value* zero = builder_.getInt32(0);
        builder_.CreateCall(callee, {ctx_, zero, zero, zero, builder_.getInt32(add_site(inst))});
        for (auto [block, place] : barrier_wait_) wake(block, place);
        builder_.CreateStore(zero, barrier_lanes_);
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
    builder_.CreateBr(return_block_);
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
