// Calls that were not inlined: the device library and the runtime's functions by name, recursion, function
// pointers.
#include <fmt/format.h>
#include <llvm/IR/Intrinsics.h>

#include <cstring>

#include "exec/device-runtime.h"
#include "exec/externals.h"
#include "exec/jit/emitter.h"
#include "exec/scalar/libdevice.h"
#include "kernel/operands.h"

namespace lockstep::exec::jit {

using ptx::Opcode;

namespace {

extern "C" void lockstep_copy_lanes(std::byte* to, std::uint64_t to_stride, const std::byte* from,
                                    std::uint64_t from_stride, std::uint64_t bytes, std::uint32_t mask) {
    for (int lane = 0; lane < warp_lanes; ++lane)
        if (mask >> lane & 1) std::memcpy(to + lane * to_stride, from + lane * from_stride, bytes);
}

}  // namespace

void Emitter::copy_lanes(Value* to, Value* to_stride, Value* from, Value* from_stride, std::uint64_t bytes,
                         Value* mask) {
    llvm::Type* i64 = int_type(64);
    auto callee = program_.external("lockstep_copy_lanes", &lockstep_copy_lanes);
    builder_.CreateCall(callee, {to, to_stride, from, from_stride, llvm::ConstantInt::get(i64, bytes), mask});
}

// The buffer that a call passes its values in: first the returns, then the parameters; each variable a lane
// after lane.
std::vector<std::uint64_t> Emitter::argument_offsets(const std::vector<const ptx::Variable*>& variables,
                                                     std::uint64_t& total) {
    std::vector<std::uint64_t> offsets;
    total = 0;
    for (const ptx::Variable* v : variables) {
        offsets.push_back(total);
        total += (v->size() * warp_lanes + 63) / 64 * 64;
    }
    return offsets;
}

// Moves the registers (or the local memory) of a parameter variable to or from its place in the buffer.
void Emitter::transfer_variable(std::uint32_t variable, Value* buffer, std::uint64_t offset, bool to_buffer,
                                Value* mask) {
    const ptx::Variable& v = function_.variables[variable];
    llvm::Type* i64 = int_type(64);
    Value* place = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), buffer, offset);
    Value* stride = llvm::ConstantInt::get(i64, v.size());
    if (v.space == ptx::Space::local) {
        Value* local = context_field(offsetof(WarpContext, local), builder_.getPtrTy(), "local");
        Value* start = builder_.CreateAdd(builder_.CreateZExt(frame_, i64),
                                          llvm::ConstantInt::get(i64, function_.local_offsets.at(variable)));
        Value* memory = builder_.CreateInBoundsGEP(builder_.getInt8Ty(), local, start);
        Value* lane_stride =
            builder_.CreateZExt(context_field(offsetof(WarpContext, local_bytes), int_type(32), ""), i64);
        if (to_buffer)
            copy_lanes(place, stride, memory, lane_stride, v.size(), mask);
        else
            copy_lanes(memory, lane_stride, place, stride, v.size(), mask);
        return;
    }
    auto found = function_.slots.find(variable);
    if (found == function_.slots.end()) return;
    for (const kernel::ParamSlot& slot : found->second) {
        int bytes = ptx::type_bytes(slot.type);
        llvm::Type* lanes = llvm::FixedVectorType::get(int_type(8 * bytes), warp_lanes);
        Value* at = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), place, slot.offset);
        Op reg;
        reg.kind = Op::Kind::reg;
        reg.id = slot.reg;
        Value* packed = llvm::ConstantInt::get(i64, bytes);
        if (to_buffer) {
            copy_lanes(at, stride, spill(read_bits(reg, 8 * bytes, false)), packed, bytes, mask);
        } else {
            Value* temporary = scratch(lanes);
            builder_.CreateStore(llvm::Constant::getNullValue(lanes), temporary);
            copy_lanes(temporary, packed, at, stride, bytes, mask);
            Value* value = builder_.CreateLoad(lanes, temporary);
            Value* old = read_register(slot.reg, false);
            store_register(slot.reg, builder_.CreateSelect(to_lanes(mask), value, old));
        }
    }
}

bool Emitter::emit_call(const Inst& inst) {
    if (inst.opcode != Opcode::call) return false;
    kernel::CallOperands call = kernel::call_operands(inst);
    Value* mask = instruction_mask(inst);
    auto* start = llvm::BasicBlock::Create(context_, "call", target_);
    auto* done = llvm::BasicBlock::Create(context_, "called", target_);
    builder_.CreateCondBr(builder_.CreateICmpNE(mask, constant(mask, 0)), start, done);
    builder_.SetInsertPoint(start);
    const ptx::Function* callee =
        call.callee->kind == Op::Kind::function ? &program_.ptx.functions[call.callee->id] : nullptr;
    if (callee && callee->declaration)
        call_external(inst, *callee, call, mask);
    else
        call_device(inst, call, mask);
    builder_.CreateBr(done);
    builder_.SetInsertPoint(done);
    active_lanes_ = nullptr;
    if (!callee || !callee->declaration) {
        // Lanes may have exited in the callee.
        Value* left = builder_.CreateAnd(
            active_mask(), context_field(offsetof(WarpContext, active), int_type(32), "active"));
        builder_.CreateStore(left, mask_);
        auto* go_on = llvm::BasicBlock::Create(context_, "return", target_);
        auto* gone = llvm::BasicBlock::Create(context_, "gone", target_);
        builder_.CreateCondBr(builder_.CreateICmpNE(left, constant(left, 0)), go_on, gone);
        builder_.SetInsertPoint(gone);
        finish_or_dispatch();
        builder_.SetInsertPoint(go_on);
    }
    return true;
}

void Emitter::call_device(const Inst& inst, const kernel::CallOperands& call, Value* mask) {
    std::vector<const ptx::Variable*> variables;
    std::vector<std::uint32_t> ids;
    std::size_t returns = 0;
    for (const Op* list : {call.returns, call.args}) {
        if (!list) continue;
        for (const Op& element : list->elements) {
            if (element.kind != Op::Kind::variable || !element.local) {
                fail(inst, "a call passes something other than .param variables; that is not implemented");
                return;
            }
            ids.push_back(element.id);
            variables.push_back(&function_.variables[element.id]);
        }
        if (list == call.returns) returns = ids.size();
    }
    // The callee finds its values in the caller's buffer, so both must agree on the size of each.
    if (call.callee->kind == Op::Kind::function &&
        !kernel::call_fits(function_, inst, program_.ptx.functions[call.callee->id])) {
        fail(inst, fmt::format("call of {}: its parameters do not match the function's",
                               program_.ptx.functions[call.callee->id].name));
        return;
    }
    std::uint64_t total = 0;
    std::vector<std::uint64_t> offsets = argument_offsets(variables, total);
    Value* buffer = scratch(llvm::ArrayType::get(int_type(64), total / 8 + 1));
    for (std::size_t i = returns; i < ids.size(); ++i)
        transfer_variable(ids[i], buffer, offsets[i], true, mask);

    Value* frame = builder_.CreateAdd(frame_, builder_.getInt32(function_.local_bytes));
    publish_records();  // the callee goes on in the same buffer
    auto invoke = [&](std::uint32_t index, Value* lanes) {
        builder_.CreateCall(program_.function_type(), program_.device_function(index),
                            {ctx_, lanes, frame, buffer, block_});
    };
    if (call.callee->kind == Op::Kind::function) {
        invoke(call.callee->id, mask);
    } else {
        // Lanes may call different functions: one after the other, the lanes of each together.
        Value* targets = read_bits(*call.callee, 64, false);
        llvm::AllocaInst* left = llvm::cast<llvm::AllocaInst>(scratch(int_type(32)));
        builder_.CreateStore(mask, left);
        auto* head = llvm::BasicBlock::Create(context_, "targets", target_);
        auto* body = llvm::BasicBlock::Create(context_, "target", target_);
        auto* bad = llvm::BasicBlock::Create(context_, "no_function", target_);
        auto* next = llvm::BasicBlock::Create(context_, "next_target", target_);
        auto* end = llvm::BasicBlock::Create(context_, "all_called", target_);
        builder_.CreateBr(head);
        builder_.SetInsertPoint(head);
        Value* rest = builder_.CreateLoad(int_type(32), left);
        builder_.CreateCondBr(builder_.CreateICmpNE(rest, constant(rest, 0)), body, end);
        builder_.SetInsertPoint(body);
        Value* lane = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, rest, builder_.getTrue());
        Value* target = builder_.CreateExtractElement(targets, lane);
        Value* same = builder_.CreateAnd(to_bits(builder_.CreateICmpEQ(targets, splat(target))), rest);
        llvm::SwitchInst* dispatch = builder_.CreateSwitch(target, bad);
        for (const std::uint32_t index : kernel::callees(function_, inst, program_.address_taken)) {
            auto* block =
                llvm::BasicBlock::Create(context_, "to." + program_.ptx.functions[index].name, target_);
            dispatch->addCase(llvm::ConstantInt::get(llvm::IntegerType::get(context_, 64),
                                                     program_.symbols.function_ids[index]),
                              block);
            builder_.SetInsertPoint(block);
            invoke(index, same);
            builder_.CreateBr(next);
        }
        builder_.SetInsertPoint(bad);
        builder_.CreateCall(program_.callback(Callback::bad_call),
                            {ctx_, builder_.getInt32(add_site(inst)), target, lane});
        builder_.CreateUnreachable();
        builder_.SetInsertPoint(next);
        builder_.CreateStore(
            builder_.CreateAnd(builder_.CreateLoad(int_type(32), left), builder_.CreateNot(same)), left);
        builder_.CreateBr(head);
        builder_.SetInsertPoint(end);
    }
    for (std::size_t i = 0; i < returns; ++i) transfer_variable(ids[i], buffer, offsets[i], false, mask);
}

// Makes sure that a library function may read or write what `address` points to, before it does. `before`:
// the arguments in front of it.
void Emitter::check_pointee(const Inst& inst, const Pointee& pointee, Value* address,
                            const std::vector<Value*>& before, Value* mask) {
    bool written = pointee.kind == Pointee::Kind::written;
    Value* site = builder_.getInt32(
        add_site(inst, pointee.bytes, written ? kernel::SiteKind::store : kernel::SiteKind::load));
    if (pointee.kind == Pointee::Kind::string) {
        builder_.CreateCall(program_.callback(Callback::check_strings),
                            {ctx_, site, mask, spill(splat(address))});
        return;
    }
    Value* counts = spill(splat(written ? builder_.getInt32(1) : before.back()));
    builder_.CreateCall(program_.callback(Callback::check_pointers),
                        {ctx_, site, mask, spill(splat(address)), counts});
}

// Functions of the device runtime get their arguments as the program has laid them out, structs as well.
void Emitter::call_runtime(const Inst& inst, const RuntimeFunction& function,
                           const kernel::CallOperands& call, Value* mask) {
    const auto list_of = [&](const Op* list) {
        std::vector<std::uint32_t> ids;
        if (list)
            for (const Op& element : list->elements) ids.push_back(element.id);
        return ids;
    };
    const std::vector<std::uint32_t> results = list_of(call.returns), arguments = list_of(call.args);
    const auto is_of = [&](std::uint32_t id, std::uint32_t bytes) {
        return function_.variables[id].size() == bytes;
    };
    bool fits = arguments.size() == function.argument_bytes.size() && results.size() <= 1 &&
                (results.empty() || is_of(results[0], function.result_bytes));
    for (std::size_t i = 0; fits && i < arguments.size(); ++i)
        fits = is_of(arguments[i], function.argument_bytes[i]);
    if (!fits)
        return fail(inst,
                    fmt::format("call of {}: its parameters do not match the function's", function.name));
    std::vector<const ptx::Variable*> variables;
    for (const std::uint32_t id : arguments) variables.push_back(&function_.variables[id]);
    std::uint64_t total = 0;
    const std::vector<std::uint64_t> offsets = argument_offsets(variables, total);
    Value* buffer = scratch(llvm::ArrayType::get(int_type(64), total / 8 + 1));
    for (std::size_t i = 0; i < arguments.size(); ++i)
        transfer_variable(arguments[i], buffer, offsets[i], true, mask);
    Value* result = scratch(llvm::ArrayType::get(int_type(32), warp_lanes * 2));
    // What a block has freed no other block may know as good: that is kept on one thread.
    if (function.name == "cudaFree") program_.order_matters = true;
    publish_records();
    builder_.CreateCall(program_.callback(Callback::device_runtime),
                        {ctx_, builder_.getInt32(add_site(inst, 1, kernel::SiteKind::store)), mask,
                         builder_.getInt32(runtime_function_number(function)), result, buffer});
    if (!results.empty()) transfer_variable(results[0], result, 0, false, mask);
}

void Emitter::call_external(const Inst& inst, const ptx::Function& callee, const kernel::CallOperands& call,
                            Value* mask) {
    llvm::Type* i32 = int_type(32);
    const bool of_heap = callee.name == "malloc" || callee.name == "free";
    Value* site = builder_.getInt32(of_heap ? own_site() : add_site(inst));
    if (of_heap && records(events::Wants::allocations)) publish_records();  // the function makes its own
    auto argument = [&](std::size_t i, int bits) -> Value* {
        Value* zero = llvm::ConstantInt::get(int_type(bits), 0);
        if (!call.args || i >= call.args->elements.size()) return splat(zero);
        const std::uint32_t variable = call.args->elements[i].id;
        auto found = function_.slots.find(variable);
        bool never_stored = function_.variables[variable].space == ptx::Space::param &&
                            (found == function_.slots.end() || found->second.empty());
        if (never_stored) return splat(zero);
        if (found == function_.slots.end() || found->second.size() > 1 || found->second[0].offset != 0) {
            fail(inst, fmt::format("argument {} of {} is not passed as one value; that is not implemented",
                                   i + 1, callee.name));
            return splat(zero);
        }
        Op reg;
        reg.kind = Op::Kind::reg;
        reg.id = found->second[0].reg;
        return read_bits(reg, bits, false);
    };
    auto result = [&](Value* value) {
        if (!call.returns || call.returns->elements.empty()) return;
        const std::uint32_t variable = call.returns->elements[0].id;
        auto found = function_.slots.find(variable);
        if (found == function_.slots.end() && function_.variables[variable].space == ptx::Space::param)
            return;  // nobody looks at it
        if (found == function_.slots.end() || found->second.size() > 1 || found->second[0].offset != 0) {
            fail(inst, fmt::format("the result of {} is not taken as one value; that is not implemented",
                                   callee.name));
            return;
        }
        Op reg;
        reg.kind = Op::Kind::reg;
        reg.id = found->second[0].reg;
        write(inst, reg, value);
    };
    // Functions of the runtime get (ctx, site, lane mask, argument arrays …, result array).
    auto runtime = [&](Callback function, const std::vector<int>& widths, int result_bits) {
        std::vector<Value*> args{ctx_, site, mask};
        for (std::size_t i = 0; i < widths.size(); ++i) args.push_back(spill(argument(i, widths[i])));
        Value* out = nullptr;
        if (result_bits) {
            llvm::Type* lanes = llvm::FixedVectorType::get(int_type(result_bits), warp_lanes);
            out = scratch(lanes);
            builder_.CreateStore(llvm::Constant::getNullValue(lanes), out);
            args.push_back(out);
        }
        builder_.CreateCall(program_.callback(function), args);
        if (out)
            result(builder_.CreateLoad(llvm::FixedVectorType::get(int_type(result_bits), warp_lanes), out));
    };
    if (callee.name == "vprintf") {
        program_.order_matters = true;
        return runtime(Callback::print, {64, 64}, 32);
    }
    if (callee.name == "__assertfail") return runtime(Callback::assert_fail, {64, 64, 32, 64, 64}, 0);
    if (callee.name == "malloc") return runtime(Callback::allocate, {64}, 64);
    if (callee.name == "free") {
        // What a block has freed no other block may know as good: that is kept on one thread.
        program_.order_matters = true;
        return runtime(Callback::release, {64}, 0);
    }

    if (const RuntimeFunction* function = find_runtime_function(callee.name))
        return call_runtime(inst, *function, call, mask);

    const LibFunction* function = find_lib_function(callee.name);
    if (!function) {
        fail(inst, fmt::format("call of {}, which is defined nowhere", callee.name));
        return;
    }
    std::vector<Value*> args;
    for (int i = 0; i < function->arg_count; ++i) {
        ScalarType type = function->args[i];
        llvm::Type* llvm_type = type_of(type);
        Value* arg =
            argument(i, type == ScalarType::i16 ? 16 : static_cast<int>(llvm_type->getScalarSizeInBits()));
        if (type == ScalarType::f32) arg = as_float(arg, Type::f32);
        if (type == ScalarType::f64) arg = as_float(arg, Type::f64);
        if (type == ScalarType::i16) arg = builder_.CreateZExt(arg, like(arg, i32));
        if (type == ScalarType::pointer) check_pointee(inst, function->pointees[i], arg, args, mask);
        args.push_back(arg);
    }
    if (function->result == ScalarType::none) {
        call_lanes_void(std::string(function->name), function->address, args, mask);
        return;
    }
    Value* value = call_lanes(*function, args, false, mask);
    if (function->result == ScalarType::i16) value = builder_.CreateTrunc(value, like(value, int_type(16)));
    result(value);
}

void Emitter::call_lanes_void(const std::string& name, void* function, const std::vector<Value*>& args,
                              Value* mask) {
    std::vector<llvm::Type*> types;
    for (Value* arg : args) types.push_back(arg->getType()->getScalarType());
    std::vector<Value*> call{mask};
    for (Value* arg : args) call.push_back(spill(splat(arg)));
    call.push_back(llvm::ConstantPointerNull::get(builder_.getPtrTy()));
    builder_.CreateCall(program_.lanes_of(name, function, builder_.getVoidTy(), types), call);
}

}  // namespace lockstep::exec::jit
