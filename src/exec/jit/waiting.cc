// Waiting: lanes that stand still while others of their warp run, and warps that stand still while others of
// their block run. Either way what they need is in memory meanwhile, in the warp's state: the masks of the
// lanes that wait at each place, and the registers that are read from there on. So nothing but a number says
// where to go on, and code that goes on does not depend on the ways that led there.
#include <fmt/format.h>
#include <llvm/IR/Intrinsics.h>

#include <algorithm>
#include <bit>

#include "exec/jit/emitter.h"

namespace lockstep::exec::jit {

using kernel::BlockId;
using kernel::RegisterSet;
using kernel::Shape;
using ptx::Modifier;
using ptx::Opcode;

namespace {

// Registers moved to and from memory, over all places where somebody may wait. With more of them registers
// that are needed there stay in memory: code for the moves, and for values that meet from many sides, would
// take longer to compile than it saves.
constexpr std::size_t most_moves = 64;
constexpr std::size_t most_stops = 128;  // … and such places

std::size_t bytes_of(const llvm::Type* type) { return (type->getPrimitiveSizeInBits() + 7) / 8; }

// The lowest stop with lanes; the number of bits where there is none.
extern "C" std::uint32_t lockstep_first_stop(const std::uint64_t* words, std::uint32_t count) {
    std::uint32_t w = 0;
    while (w < count && words[w] == 0) ++w;
    return w == count ? 64 * count : 64 * w + static_cast<std::uint32_t>(std::countr_zero(words[w]));
}

}  // namespace

// ---- the state ----

// What the state holds: places for masks, then homes for the registers that are ever needed where somebody
// goes on.
void Emitter::plan_state() {
    stops_ = find_stops(function_, shapes_);
    std::size_t bytes = 0;
    auto take = [&](std::size_t size) {
        const std::size_t at = bytes;
        bytes += size;
        return at;
    };
    needed_ = kernel::live_registers(function_, &shapes_.blend);
    kept_.resize(function_.registers.size());
    std::size_t moves = 0;
    auto keep = [&](const RegisterSet& registers) {
        kept_ |= registers;
        moves += registers.count();
    };
    state_mask_ = take(4);
    lowest_field_ = take(4);
    spins_ = take(4);
    take(4);
    meeting_ = take(4);
    deferred_lanes_ = take(4);
    words_ = take(8 * ((stops_.blocks.size() + 63) / 64));
    pending_ = take(4 * stops_.blocks.size());
    for (BlockId b = 0; b < function_.blocks.size(); ++b) {
        const kernel::Block& block = function_.blocks[b];
        if (stops_.any_divergence && is_spin_header(function_, shapes_, b)) deferred_[b] = take(4);
        if (stops_.dispatched[b] || meets(b)) keep(needed_[b]);
        if (!program_.stacks && may_pause(b)) {
            kept_ |= needed_[b];
            for (BlockId s : block.terminator.targets) keep(needed_[s]);
        }
        if (!meets(b)) continue;
        if (kernel::is_block_barrier(block.instructions[0]))
            barrier_requests_.push_back(b);
        else
            sync_wait_[b] = take(4);
        for (kernel::RegId r : kernel::registers_written(function_, block.instructions[0])) kept_.set(r);
    }
    if (!function_.entry && stops_.any_divergence)
        for (kernel::RegId r : kernel::return_registers(function_)) kept_.set(r);
    all_at_home_ = stops_.any_divergence && (moves > most_moves || stops_.blocks.size() > most_stops);
    if (all_at_home_)
        for (BlockId s : stops_.blocks) kept_ |= needed_[s];
    program_.at_home = program_.at_home || all_at_home_;
    requests_ = take(barrier_requests_.size() * sizeof(BarrierRequest));
    // A warp that never diverges reads of it only what it has written when it paused.
    state_header_bytes_ = stops_.any_divergence ? bytes : 0;
    set_up_slots();
    homes_.resize(function_.registers.size());
    auto home = [&](llvm::Type* type, int rows) {
        const std::size_t size = bytes_of(type);
        const std::size_t align = std::min<std::size_t>(std::bit_ceil(size), state_alignment);
        bytes = (bytes + align - 1) / align * align;
        return take(size * static_cast<std::size_t>(rows));
    };
    for (auto r = kept_.find_first(); r != RegisterSet::npos; r = kept_.find_next(r)) {
        homes_[r].value = home(home_type(slots_[r].type), slots_[r].rows);
        if (slots_[r].wide) homes_[r].offset = home(int_type(64), slots_[r].rows);
    }
    state_bytes_ = (bytes + state_alignment - 1) / state_alignment * state_alignment;
}

void Emitter::set_up_state() {
    plan_state();
    if (function_.entry && !program_.stacks) {
        state_ = context_field(offsetof(WarpContext, state), builder_.getPtrTy(), "state");
        program_.state_bytes = state_bytes_;
        program_.state_header_bytes = state_header_bytes_;
    } else if (stops_.any_divergence) {
        llvm::AllocaInst* own =
            builder_.CreateAlloca(llvm::ArrayType::get(builder_.getInt8Ty(), state_bytes_), nullptr, "state");
        own->setAlignment(llvm::Align(state_alignment));
        builder_.CreateMemSet(own, builder_.getInt8(0), state_header_bytes_, llvm::Align(state_alignment));
        state_ = own;
    }
    if (stops_.any_divergence) {
        lowest_ = builder_.CreateAlloca(int_type(32), nullptr, "lowest");
        builder_.CreateStore(builder_.getInt32(no_stop()), lowest_);
        dispatch_block_ = llvm::BasicBlock::Create(context_, "dispatch", target_);
        idle_block_ = llvm::BasicBlock::Create(context_, "idle", target_);
    }
}

// Registers that are read before they are written, as far as is known, read as zero.
void Emitter::clear_homes() {
    if (!all_at_home_) return;
    const RegisterSet read = needed_[0] & kept_;
    for (auto r = read.find_first(); r != RegisterSet::npos; r = read.find_next(r))
        for_each_row(slots_[r].rows, [&] {
            store_held(r, llvm::Constant::getNullValue(slots_[r].type));
            if (slots_[r].wide) store_held_offset(r, builder_.getInt64(0));
        });
}

std::uint32_t Emitter::no_stop() const {
    return static_cast<std::uint32_t>((stops_.blocks.size() + 63) / 64 * 64);
}

Emitter::Value* Emitter::state_place(std::size_t offset) {
    return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), state_, offset);
}

Emitter::Value* Emitter::load_state(std::size_t offset, llvm::Type* type) {
    llvm::LoadInst* value = builder_.CreateLoad(type ? type : int_type(32), state_place(offset));
    program_.mark_state(value);
    return value;
}

void Emitter::store_state(std::size_t offset, Value* value) {
    program_.mark_state(builder_.CreateStore(value, state_place(offset)));
}

// Predicates have a byte a lane in memory: bits would have to be packed.
llvm::Type* Emitter::home_type(llvm::Type* held) {
    if (!held->getScalarType()->isIntegerTy(1)) return held;
    llvm::Type* byte = builder_.getInt8Ty();
    return held->isVectorTy() ? llvm::FixedVectorType::get(byte, warp_lanes) : byte;
}

std::size_t Emitter::home_value(std::size_t reg) const {
    return homes_[reg].value + row_of(slots_[reg]) * bytes_of(slots_[reg].type);
}

std::size_t Emitter::home_offset(std::size_t reg) const {
    return homes_[reg].offset + row_of(slots_[reg]) * sizeof(std::uint64_t);
}

Emitter::Value* Emitter::load_home(std::size_t reg) {
    llvm::Type* held = slots_[reg].type;
    return builder_.CreateTrunc(load_state(home_value(reg), home_type(held)), held);
}

void Emitter::store_home(std::size_t reg, Value* value) {
    store_state(home_value(reg), builder_.CreateSExt(value, home_type(value->getType())));
}

void Emitter::save_register(std::size_t reg) {
    const Slot& slot = slots_[reg];
    if (slot.at_home) return;
    for_each_row(slot.rows, [&] {
        store_home(reg, load_held(reg));
        if (slot.wide) store_state(home_offset(reg), load_held_offset(reg));
    });
}

void Emitter::restore_register(std::size_t reg) {
    const Slot& slot = slots_[reg];
    if (slot.at_home) return;
    for_each_row(slot.rows, [&] {
        store_held(reg, load_home(reg));
        if (slot.wide) store_held_offset(reg, load_state(home_offset(reg), int_type(64)));
    });
}

void Emitter::save(const RegisterSet& registers) {
    for (auto r = registers.find_first(); r != RegisterSet::npos; r = registers.find_next(r))
        save_register(r);
}

void Emitter::restore(const RegisterSet& registers) {
    for (auto r = registers.find_first(); r != RegisterSet::npos; r = registers.find_next(r))
        restore_register(r);
    bits_of_.clear();
    active_lanes_ = nullptr;
}

// ---- lanes ----

std::size_t Emitter::pending_field(BlockId stop) const {
    return pending_ + 4 * static_cast<std::size_t>(stops_.index[stop]);
}

void Emitter::mark_stop(BlockId stop, bool waiting) {
    const auto index = static_cast<std::size_t>(stops_.index[stop]);
    const std::size_t word = words_ + index / 64 * 8;
    const std::uint64_t bit = std::uint64_t{1} << index % 64;
    Value* old = load_state(word, int_type(64));
    store_state(word, waiting ? builder_.CreateOr(old, bit) : builder_.CreateAnd(old, ~bit));
}

void Emitter::find_lowest() {
    const std::size_t words = (stops_.blocks.size() + 63) / 64;
    Value* lowest;
    if (words == 1) {
        Value* word = load_state(words_, int_type(64));
        lowest = builder_.CreateTrunc(
            builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, word, builder_.getFalse()), int_type(32));
    } else {
        auto first = program_.external("lockstep_first_stop", &lockstep_first_stop);
        lowest = builder_.CreateCall(
            first, {state_place(words_), builder_.getInt32(static_cast<std::uint32_t>(words))});
    }
    builder_.CreateStore(lowest, lowest_);
}

// Lanes whose registers are in memory already.
void Emitter::park_saved(BlockId at, Value* mask) {
    const std::size_t field = pending_field(at);
    store_state(field, builder_.CreateOr(load_state(field), mask));
    if (!stops_.dispatched[at]) return;
    mark_stop(at, true);
    Value* lowest = builder_.CreateLoad(int_type(32), lowest_);
    builder_.CreateStore(
        builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, lowest,
                                       builder_.getInt32(static_cast<std::uint32_t>(stops_.index[at]))),
        lowest_);
}

void Emitter::park(BlockId at, Value* mask) {
    if (stops_.dispatched[at]) save(needed_[at]);
    park_saved(at, mask);
}

// The lanes that run come to `at` and take along those that wait there. Registers hold what both need.
void Emitter::join(BlockId at) {
    const std::size_t field = pending_field(at);
    Value* waiting = load_state(field);
    Value* all = builder_.CreateOr(active_mask(), waiting);
    if (!stops_.dispatched[at]) {
        builder_.CreateStore(all, mask_);
        store_state(field, builder_.getInt32(0));
        return;
    }
    when(builder_.CreateICmpNE(waiting, builder_.getInt32(0)), [&] {
        builder_.CreateStore(all, mask_);
        store_state(field, builder_.getInt32(0));
        mark_stop(at, false);
        find_lowest();
    });
}

void Emitter::dispatch() { builder_.CreateBr(dispatch_block_); }

// Goes on with the lanes that wait at the lowest stop.
void Emitter::emit_dispatch() {
    builder_.SetInsertPoint(dispatch_block_);
    Value* lowest = builder_.CreateLoad(int_type(32), lowest_);
    auto* choose_block = llvm::BasicBlock::Create(context_, "choose", target_);
    builder_.CreateCondBr(builder_.CreateICmpEQ(lowest, builder_.getInt32(no_stop())), idle_block_,
                          choose_block);
    builder_.SetInsertPoint(choose_block);
    auto* never = llvm::BasicBlock::Create(context_, "never", target_);
    llvm::SwitchInst* choose = builder_.CreateSwitch(lowest, never);
    for (BlockId s : stops_.blocks) {
        if (!stops_.dispatched[s]) continue;
        auto* enter = llvm::BasicBlock::Create(context_, fmt::format("enter{}", s), target_);
        choose->addCase(builder_.getInt32(static_cast<std::uint32_t>(stops_.index[s])), enter);
        builder_.SetInsertPoint(enter);
        if (!shapes_.in_region[s]) unless_others_wait();
        builder_.CreateStore(load_state(pending_field(s)), mask_);
        store_state(pending_field(s), builder_.getInt32(0));
        mark_stop(s, false);
        find_lowest();
        restore(needed_[s]);
        builder_.CreateBr(blocks_[s]);
    }
    builder_.SetInsertPoint(never);
    builder_.CreateUnreachable();
}

// ---- lanes that wait for others of their warp ----

bool Emitter::meets(BlockId id) const {
    return stops_.any_divergence && kernel::meets(function_, shapes_, id);
}

void Emitter::wait_for_others(Value* lanes) {
    store_state(meeting_, builder_.CreateOr(load_state(meeting_), lanes));
}

void Emitter::wait_no_more(Value* lanes) {
    store_state(meeting_, builder_.CreateAnd(load_state(meeting_), builder_.CreateNot(lanes)));
}

// Behind the region of a branch all lanes are together again. So those that wait inside, for each other or at
// a barrier, go on first, without the lanes that have come to the end of it.
void Emitter::unless_others_wait() {
    if (sync_wait_.empty() && barrier_requests_.empty()) return;
    auto* on = llvm::BasicBlock::Create(context_, "all_here", target_);
    builder_.CreateCondBr(builder_.CreateICmpEQ(load_state(meeting_), builder_.getInt32(0)), on, idle_block_,
                          program_.likely());
    builder_.SetInsertPoint(on);
}

void Emitter::emit_meeting(BlockId id) {
    if (!meets(id)) return;
    const Inst& inst = function_.blocks[id].instructions[0];
    llvm::Type* i32 = int_type(32);
    auto* go = llvm::BasicBlock::Create(context_, "together", target_);
    auto* wait = llvm::BasicBlock::Create(context_, "wait", target_);
    Value* active = context_field(offsetof(WarpContext, active), i32, "active");
    if (kernel::is_block_barrier(inst)) {
        builder_.CreateCondBr(builder_.CreateICmpEQ(active_mask(), active), go, wait, program_.likely());
        builder_.SetInsertPoint(wait);
        wait_at_barrier(id);
        save(needed_[id]);
        dispatch();
    } else {
        check_members(inst);  // before anybody waits
        // Lanes whose partners are all here go on; lanes with another mask may still wait for theirs.
        const std::size_t place = sync_wait_.at(id);
        Value* before = load_state(place);
        Value* here = builder_.CreateOr(active_mask(), before);
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
        Value* rest = builder_.CreateAnd(here, builder_.CreateNot(ready));
        builder_.CreateStore(ready, mask_);
        auto* first = llvm::BasicBlock::Create(context_, "first_here", target_);
        Value* nobody = builder_.getInt32(0);
        builder_.CreateCondBr(builder_.CreateICmpEQ(builder_.CreateOr(before, rest), nobody), go, first,
                              program_.likely());
        builder_.SetInsertPoint(first);
        store_state(place, rest);
        wait_no_more(ready);
        wait_for_others(rest);
        save(needed_[id]);
        builder_.CreateCondBr(builder_.CreateICmpNE(ready, nobody), go, wait);
        builder_.SetInsertPoint(wait);
        dispatch();
        forced_[id] = go;
    }
    builder_.SetInsertPoint(go);
    active_lanes_ = nullptr;
}

bool Emitter::is_warp_barrier(BlockId block) const {
    const Inst& inst = function_.blocks[block].instructions[0];
    return inst.opcode == Opcode::bar && inst.has(Modifier::warp);
}

// Lets the lanes that wait in `place` go on behind the one instruction of `block`.
void Emitter::wake(BlockId block, std::size_t place) {
    Value* waiting = load_state(place);
    when(builder_.CreateICmpNE(waiting, builder_.getInt32(0)), [&] {
        record_block(block, waiting);
        if (is_warp_barrier(block)) record_meeting(block, waiting, nullptr, true);
        publish_records();
        park_saved(function_.blocks[block].terminator.targets[0], waiting);
        wait_no_more(waiting);
        store_state(place, builder_.getInt32(0));
    });
}

// Nobody can run: lanes put aside in spin loops, lanes at a barrier, lanes at a *.sync whose partners are
// elsewhere.
void Emitter::emit_idle() {
    builder_.SetInsertPoint(idle_block_);
    Value* nobody = builder_.getInt32(0);
    auto next_block = [&](const char* name) { return llvm::BasicBlock::Create(context_, name, target_); };
    if (!deferred_.empty()) {
        auto* again = next_block("again");
        auto* next = next_block("idle");
        builder_.CreateCondBr(builder_.CreateICmpEQ(load_state(deferred_lanes_), nobody), next, again);
        builder_.SetInsertPoint(again);
        for (auto [block, place] : deferred_) {
            Value* lanes = load_state(place);
            when(builder_.CreateICmpNE(lanes, nobody), [&] { park_saved(block, lanes); });
            store_state(place, nobody);
        }
        store_state(deferred_lanes_, nobody);
        yield(RegisterSet(function_.registers.size()));
        dispatch();
        builder_.SetInsertPoint(next);
    }
    // Lanes at different bar.warp.sync instructions have met now: all go on together.
    Value* met = nobody;
    for (auto [block, place] : sync_wait_)
        if (is_warp_barrier(block)) met = builder_.CreateOr(met, load_state(place));
    if (!llvm::isa<llvm::Constant>(met)) {
        auto* release = next_block("met");
        auto* next = next_block("idle");
        builder_.CreateCondBr(builder_.CreateICmpEQ(met, nobody), next, release);
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
        Value* waiting = load_state(place);
        builder_.CreateCondBr(builder_.CreateICmpEQ(waiting, nobody), next, go);
        builder_.SetInsertPoint(go);
        builder_.CreateStore(waiting, mask_);
        store_state(place, nobody);
        wait_no_more(waiting);
        restore(needed_[block]);
        builder_.CreateBr(forced_.at(block));
        builder_.SetInsertPoint(next);
    }
    // All lanes that have not left wait at barriers.
    if (!barrier_requests_.empty()) release_barriers();
    if (!function_.entry)
        for (kernel::RegId r : kernel::return_registers(function_)) restore_register(r);
    builder_.CreateBr(return_block_);
}

// ---- warps ----

// Whether the warp may have to wait in the block for others of its block, or for other blocks.
bool Emitter::may_pause(BlockId id) const {
    const kernel::Block& block = function_.blocks[id];
    if (!block.instructions.empty() && kernel::is_block_barrier(block.instructions[0])) return true;
    for (BlockId to : block.terminator.targets)
        if (to <= id && wait_of(to) != kernel::Waits::no) return true;
    return false;
}

// How the loop waits that begins with the block.
kernel::Waits Emitter::wait_of(BlockId header) const {
    const int loop = function_.blocks[header].loop;
    if (loop < 0 || function_.loops[static_cast<std::size_t>(loop)].header != header)
        return kernel::Waits::no;
    return shapes_.waits[static_cast<std::size_t>(loop)];
}

// Back to the scheduler; the warp goes on behind this when it is called again. `registers` are those that are
// read from there on.
void Emitter::pause(Pause why, const RegisterSet& registers) {
    publish_records();
    save(registers);
    store_state(state_mask_, active_mask());
    if (lowest_) store_state(lowest_field_, builder_.CreateLoad(int_type(32), lowest_));
    const bool counts = std::any_of(shapes_.waits.begin(), shapes_.waits.end(),
                                    [](kernel::Waits waits) { return waits != kernel::Waits::no; });
    if (counts) store_state(spins_, builder_.CreateLoad(int_type(32), spin_count_));
    const std::uint32_t number = resume_points_->getNumCases() + 1;
    set_context_field(offsetof(WarpContext, resume), builder_.getInt32(number));
    set_context_field(offsetof(WarpContext, pause), builder_.getInt32(static_cast<std::uint32_t>(why)));
    builder_.CreateRetVoid();
    auto* resumed = llvm::BasicBlock::Create(context_, "resumed", target_);
    resume_points_->addCase(builder_.getInt32(number), resumed);
    builder_.SetInsertPoint(resumed);
    builder_.CreateStore(load_state(state_mask_), mask_);
    if (lowest_) builder_.CreateStore(load_state(lowest_field_), lowest_);
    if (counts) builder_.CreateStore(load_state(spins_), spin_count_);
    restore(registers);
}

void Emitter::give_turn(Pause why, Callback callback, const RegisterSet& registers) {
    if (!program_.stacks) return pause(why, registers);
    publish_records();  // what is there is told, and the buffer begins anew
    builder_.CreateCall(program_.callback(callback), {ctx_});
}

void Emitter::yield(const RegisterSet& registers) { give_turn(Pause::yield, Callback::yield, registers); }

void Emitter::slice(const RegisterSet& registers) { give_turn(Pause::slice, Callback::slice, registers); }

bool Emitter::meets_others(const Inst& inst) const {
    for (const kernel::Access& access : kernel::accesses_of(function_, inst))
        if (access.space == ptx::Space::global || access.space == ptx::Space::shared ||
            access.space == ptx::Space::none)
            return true;
    return false;
}

void Emitter::offer_turn() {
    publish_records();
    Value* left = context_field(offsetof(WarpContext, accesses_left), int_type(32), "left", false);
    auto* now = llvm::BasicBlock::Create(context_, "preempt", target_);
    auto* on = llvm::BasicBlock::Create(context_, "on", target_);
    Value* fewer = builder_.CreateSub(left, builder_.getInt32(1));
    set_context_field(offsetof(WarpContext, accesses_left), fewer);
    builder_.CreateCondBr(builder_.CreateICmpEQ(fewer, builder_.getInt32(0)), now, on, program_.unlikely());
    builder_.SetInsertPoint(now);
    builder_.CreateCall(program_.callback(Callback::preempt), {ctx_});
    builder_.CreateBr(on);
    builder_.SetInsertPoint(on);
}

}  // namespace lockstep::exec::jit
