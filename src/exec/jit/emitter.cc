// Sets up a function, walks its blocks, and hands each instruction to its family.
#include "exec/jit/emitter.h"

#include <fmt/format.h>

#include "kernel/graph.h"

namespace lockstep::exec::jit {

using kernel::BlockId;
using kernel::Shape;
using ptx::Modifier;
using ptx::Opcode;

Emitter::Emitter(Program& program, std::uint32_t number)
    : program_(program),
      function_(program.kernel.functions[number]),
      shapes_(program.kernel.shapes[number]),
      target_(program.device_function(function_.index)),
      context_(program.context),
      builder_(program.context),
      number_(number),
      first_block_(program.kernel.first_block(number)) {
    find_lazy_nans();
    if (records(events::Wants::values))
        if (auto checks = kernel::block_steps(program.kernel)) step_checks_ = std::move(*checks);
}

void Emitter::set_up() {
    auto* entry = llvm::BasicBlock::Create(context_, "entry", target_);
    builder_.SetInsertPoint(entry);
    ctx_ = target_->getArg(0);
    frame_ = target_->getArg(2);
    args_ = target_->getArg(3);
    block_ = target_->getArg(4);
    mask_ = builder_.CreateAlloca(int_type(32), nullptr, "mask");
    builder_.CreateStore(target_->getArg(1), mask_);
    llvm::Type* flags = llvm::FixedVectorType::get(builder_.getInt1Ty(), warp_lanes);
    carry_ = builder_.CreateAlloca(flags);
    builder_.CreateStore(llvm::Constant::getNullValue(flags), carry_);
    next_record_ = builder_.CreateAlloca(builder_.getPtrTy(), nullptr, "next_record");
    spin_count_ = builder_.CreateAlloca(int_type(32));
    builder_.CreateStore(builder_.getInt32(0), spin_count_);

    set_up_state();
    for (BlockId b = 0; b < function_.blocks.size(); ++b)
        blocks_.push_back(llvm::BasicBlock::Create(context_, fmt::format("bb{}", b), target_));
    return_block_ = llvm::BasicBlock::Create(context_, "return", target_);
}

// A register never written reads as zero.
void Emitter::set_up_slots() {
    auto new_slot = [&](llvm::Type* type) {
        llvm::AllocaInst* slot = builder_.CreateAlloca(type);
        builder_.CreateStore(llvm::Constant::getNullValue(type), slot);
        return slot;
    };
    slots_.resize(function_.registers.size());
    for (std::size_t r = 0; r < slots_.size(); ++r) {
        const ptx::Type type = function_.registers[r].type;
        llvm::Type* scalar = int_type(type == ptx::Type::pred ? 1 : ptx::type_bits(type));
        Slot& slot = slots_[r];
        slot.wide = shapes_.registers[r].kind == Shape::Kind::wide;
        slot.type = slot.wide                           ? int_type(32)
                    : shapes_.registers[r].is_varying() ? llvm::FixedVectorType::get(scalar, warp_lanes)
                                                        : scalar;
        slot.rows = shapes_.registers[r].by_row ? warp_rows() : 1;
        slot.at_home = all_at_home_ && kept_[r];
        if (slot.at_home) continue;
        for (int row = 0; row < slot.rows; ++row) {
            slot.value.push_back(new_slot(slot.type));
            if (slot.wide) slot.offset.push_back(new_slot(int_type(64)));
        }
    }
}

// A called function checks that there is room for its local memory and for its own stack frame, then takes
// its parameters from the caller's buffer.
void Emitter::emit_prologue() {
    if (function_.entry) return;
    llvm::Type* i64 = int_type(64);
    Value* need = builder_.CreateAdd(frame_, builder_.getInt32(function_.local_bytes));
    Value* have = context_field(offsetof(WarpContext, local_bytes), int_type(32), "");
    Value* here =
        builder_.CreatePtrToInt(builder_.CreateIntrinsic(llvm::Intrinsic::frameaddress, {builder_.getPtrTy()},
                                                         {builder_.getInt32(0)}),
                                i64);
    Value* limit = builder_.CreatePtrToInt(
        context_field(offsetof(WarpContext, stack_limit), builder_.getPtrTy(), ""), i64);
    Value* over = builder_.CreateOr(builder_.CreateICmpUGT(need, have), builder_.CreateICmpULT(here, limit));
    auto* bad = llvm::BasicBlock::Create(context_, "overflow", target_);
    auto* good = llvm::BasicBlock::Create(context_, "room", target_);
    builder_.CreateCondBr(over, bad, good);
    builder_.SetInsertPoint(bad);
    static const Inst nothing{};
    const Inst& at = function_.blocks[0].instructions.empty() ? nothing : function_.blocks[0].instructions[0];
    builder_.CreateCall(program_.callback(Callback::stack_overflow), {ctx_, builder_.getInt32(add_site(at))});
    builder_.CreateUnreachable();
    builder_.SetInsertPoint(good);
    poll_stop(0, 0);  // recursion is a loop too

    std::vector<const ptx::Variable*> variables;
    for (std::uint32_t v : function_.returns) variables.push_back(&function_.variables[v]);
    for (std::uint32_t v : function_.params) variables.push_back(&function_.variables[v]);
    std::uint64_t total = 0;
    std::vector<std::uint64_t> offsets = argument_offsets(variables, total);
    for (std::size_t i = 0; i < function_.params.size(); ++i)
        transfer_variable(function_.params[i], args_, offsets[function_.returns.size() + i], false,
                          target_->getArg(1));
}

Result<void> Emitter::run() {
    set_up();
    if (function_.entry && !program_.stacks) {
        Value* point = context_field(offsetof(WarpContext, resume), int_type(32), "resume", false);
        auto* start = llvm::BasicBlock::Create(context_, "start", target_);
        resume_points_ = builder_.CreateSwitch(point, start);
        builder_.SetInsertPoint(start);
    }
    clear_homes();
    emit_prologue();
    builder_.CreateBr(blocks_[0]);
    for (BlockId b = 0; b < function_.blocks.size() && !error_; ++b) {
        current_ = b;
        builder_.SetInsertPoint(blocks_[b]);
        bits_of_.clear();
        active_lanes_ = nullptr;
        emit_meeting(b);
        record_block(b, active_mask());
        instruction_ = 0;
        for (const Inst& inst : function_.blocks[b].instructions) {
            if (program_.preempts && meets_others(inst)) offer_turn();
            emit(inst);
            ++instruction_;
        }
        publish_records();
        emit_terminator(b);
    }
    if (error_) return *error_;
    if (stops_.any_divergence) {
        emit_dispatch();
        emit_idle();
    }
    emit_return();
    if (error_) return *error_;
    return {};
}

std::uint32_t Emitter::own_site(std::uint32_t ordinal) const {
    return program_.kernel.first_site(number_, current_, instruction_) + ordinal;
}

std::uint32_t Emitter::add_site(const Inst& inst, int bytes, kernel::SiteKind kind) {
    program_.sites.push_back({.ptx_line = inst.line,
                              .source = inst.source,
                              .function = number_,
                              .block = current_,
                              .instruction = instruction_,
                              .bytes = bytes,
                              .kind = kind,
                              .space = kernel::space_of(inst)});
    return static_cast<std::uint32_t>(program_.sites.size() - 1);
}

void Emitter::emit(const Inst& inst) {
    if (error_) return;
    check_arithmetic(inst);
    record_slow_way(inst);
    record_values(inst);
    Value* const without_nan = lanes_without_nan(inst);
    for_each_row(rows_of_result(inst), [&] { emit_families(inst); });
    check_nan(inst, without_nan);
}

void Emitter::emit_families(const Inst& inst) {
    if (emit_wide(inst)) return;
    bool done = emit_move(inst) || emit_memory(inst) || emit_compare(inst) || emit_logic(inst) ||
                emit_convert(inst) || emit_floating(inst) || emit_half(inst) || emit_integer(inst) ||
                emit_bits(inst) || emit_atomic(inst) || emit_warp(inst) || emit_barrier(inst) ||
                emit_call(inst) || emit_video(inst) || emit_matrix(inst) || emit_texture(inst) ||
                emit_misc(inst);
    if (!done) fail(inst, fmt::format("instruction '{}' is not implemented", ptx::opcode_name(inst.opcode)));
}

}  // namespace lockstep::exec::jit
