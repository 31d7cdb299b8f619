// Small LLVM functions that do something for each active lane in turn; made once a kernel, called from many
// places.
#include <fmt/format.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/MDBuilder.h>

#include <cstddef>

#include "exec/jit/program.h"

namespace lockstep::exec::jit {
namespace {

using llvm::BasicBlock;
using llvm::Function;
using llvm::FunctionType;
using llvm::IRBuilder;
using llvm::Type;
using llvm::Value;

// A loop over the set bits of a mask: for (; mask; mask &= mask - 1) body(lane).
void for_each_lane(IRBuilder<>& builder, Function* function, Value* mask,
                   llvm::function_ref<void(Value* lane)> body) {
    llvm::LLVMContext& context = builder.getContext();
    BasicBlock* entry = builder.GetInsertBlock();
    BasicBlock* head = BasicBlock::Create(context, "head", function);
    BasicBlock* loop = BasicBlock::Create(context, "lane", function);
    BasicBlock* done = BasicBlock::Create(context, "done", function);
    builder.CreateBr(head);
    builder.SetInsertPoint(head);
    llvm::PHINode* left = builder.CreatePHI(builder.getInt32Ty(), 2);
    left->addIncoming(mask, entry);
    builder.CreateCondBr(builder.CreateICmpEQ(left, builder.getInt32(0)), done, loop);
    builder.SetInsertPoint(loop);
    Value* lane = builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, builder.getTrue());
    body(builder.CreateZExt(lane, builder.getInt64Ty()));
    Value* rest = builder.CreateAnd(left, builder.CreateSub(left, builder.getInt32(1)));
    left->addIncoming(rest, builder.GetInsertBlock());
    builder.CreateBr(head);
    builder.SetInsertPoint(done);
}

Value* lane_bit(IRBuilder<>& builder, Value* lane) {
    return builder.CreateShl(builder.getInt32(1), builder.CreateTrunc(lane, builder.getInt32Ty()));
}

Function* new_function(Program& program, const std::string& name, FunctionType* type) {
    Function* function = Function::Create(type, Function::InternalLinkage, name, *program.module);
    function->addFnAttr(llvm::Attribute::NoInline);
    function->addFnAttr(llvm::Attribute::NoUnwind);
    BasicBlock::Create(program.context, "entry", function);
    return function;
}

}  // namespace

// Whether generic addresses lie in their lanes' own local memory. That has no range which all lanes share, so
// it is asked for where the known range does not hold.
static Value* in_own_local(IRBuilder<>& builder, Value* ctx, Value* address, Value* lane, int bytes) {
    Type* i64 = builder.getInt64Ty();
    auto field = [&](std::size_t offset, Type* type) {
        return builder.CreateLoad(type, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), ctx, offset));
    };
    auto like_address = [&](Value* value) {
        return address->getType()->isVectorTy() ? builder.CreateVectorSplat(warp_lanes, value) : value;
    };
    Value* local = builder.CreatePtrToInt(field(offsetof(WarpContext, local), builder.getPtrTy()), i64);
    Value* size = builder.CreateZExt(field(offsetof(WarpContext, local_bytes), builder.getInt32Ty()), i64);
    Value* room = llvm::ConstantInt::get(i64, static_cast<std::uint64_t>(bytes));
    Value* begin = builder.CreateAdd(like_address(local), builder.CreateMul(like_address(size), lane));
    Value* inside =
        builder.CreateICmpULE(builder.CreateSub(address, begin), like_address(builder.CreateSub(size, room)));
    return builder.CreateAnd(inside, like_address(builder.CreateICmpUGE(size, room)));
}

// Emits the check of one lane's address: known range, or ask the memory system (which does not return on a
// fault).
static void check_lane(Program& program, IRBuilder<>& builder, Function* function, Value* ctx, Value* range,
                       Value* site, Value* address, Value* lane, int bytes) {
    Type* i64 = builder.getInt64Ty();
    Value* begin = builder.CreateLoad(i64, range);
    Value* limit = builder.CreateLoad(i64, builder.CreateConstInBoundsGEP1_64(i64, range, 1));
    Value* ok = builder.CreateICmpULE(builder.CreateSub(address, begin), limit);
    Value* aligned = builder.getTrue();
    if (bytes > 1) {
        Value* low = builder.CreateAnd(address, llvm::ConstantInt::get(i64, bytes - 1));
        aligned = builder.CreateICmpEQ(low, llvm::ConstantInt::get(i64, 0));
    }
    BasicBlock* unknown = BasicBlock::Create(program.context, "unknown", function);
    BasicBlock* bad = BasicBlock::Create(program.context, "lookup", function);
    BasicBlock* good = BasicBlock::Create(program.context, "valid", function);
    builder.CreateCondBr(builder.CreateAnd(ok, aligned), good, unknown, program.likely());
    builder.SetInsertPoint(unknown);
    Value* own = in_own_local(builder, ctx, address, lane, bytes);
    builder.CreateCondBr(builder.CreateAnd(own, aligned), good, bad);
    builder.SetInsertPoint(bad);
    builder.CreateCall(program.access_fault(), {ctx, site, address, lane_bit(builder, lane)});
    builder.CreateBr(good);
    builder.SetInsertPoint(good);
}

// The same for all lanes at once. A function of its own, since it is rare and takes many registers.
static Function* all_in_own_local(Program& program, int bytes) {
    std::string name = fmt::format("own_local.{}", bytes);
    if (Function* known = program.module->getFunction(name)) return known;
    IRBuilder<> builder(program.context);
    Type* ptr = builder.getPtrTy();
    Type* i64 = builder.getInt64Ty();
    Function* function =
        new_function(program, name, FunctionType::get(builder.getInt1Ty(), {ptr, ptr}, false));
    builder.SetInsertPoint(&function->getEntryBlock());
    auto* lanes = llvm::FixedVectorType::get(i64, warp_lanes);
    Value* all = builder.CreateAlignedLoad(lanes, function->getArg(1), llvm::Align(8));
    std::vector<llvm::Constant*> numbers;
    for (std::uint64_t lane = 0; lane < warp_lanes; ++lane)
        numbers.push_back(llvm::ConstantInt::get(i64, lane));
    Value* own = in_own_local(builder, function->getArg(0), all, llvm::ConstantVector::get(numbers), bytes);
    Value* odd = builder.CreateAnd(builder.CreateOrReduce(all), llvm::ConstantInt::get(i64, bytes - 1));
    builder.CreateRet(builder.CreateAnd(builder.CreateAndReduce(own),
                                        builder.CreateICmpEQ(odd, llvm::ConstantInt::get(i64, 0))));
    return function;
}

// The loads or stores of local memory. Lanes have a window each, so that an offset is checked, and an address
// made of it only then.
static Function* local_mover(Program& program, const std::string& name, int bytes, bool load) {
    if (Function* known = program.module->getFunction(name)) return known;
    IRBuilder<> builder(program.context);
    Type* ptr = builder.getPtrTy();
    Type* i32 = builder.getInt32Ty();
    Type* i64 = builder.getInt64Ty();
    Function* function =
        new_function(program, name, FunctionType::get(builder.getVoidTy(), {ptr, i32, ptr, i32, ptr}, false));
    builder.SetInsertPoint(&function->getEntryBlock());
    Value* ctx = function->getArg(0);
    Value* offsets = function->getArg(2);
    Value* mask = function->getArg(3);
    Value* data = function->getArg(4);
    auto field = [&](std::size_t offset, Type* type) {
        return builder.CreateLoad(type, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), ctx, offset));
    };
    auto number = [&](std::uint64_t n) { return llvm::ConstantInt::get(i64, n); };
    const auto access = static_cast<std::uint64_t>(bytes);
    Value* local = builder.CreatePtrToInt(field(offsetof(WarpContext, local), ptr), i64);
    Value* size = builder.CreateZExt(field(offsetof(WarpContext, local_bytes), i32), i64);
    // With less than one access nothing is inside: then the limit is 0 and the first valid offset 1.
    Value* any = builder.CreateICmpUGE(size, number(access));
    Value* first = builder.CreateSelect(any, number(0), number(1));
    Value* limit = builder.CreateSelect(any, builder.CreateSub(size, number(access)), number(0));
    Type* type = builder.getIntNTy(8 * static_cast<unsigned>(bytes));
    auto align = llvm::Align(access);
    auto address_of = [&](Value* offset, Value* lane) {
        return builder.CreateAdd(offset, builder.CreateAdd(local, builder.CreateMul(size, lane)));
    };
    auto move = [&](Value* address, Value* lane) {
        Value* there = builder.CreateIntToPtr(address, ptr);
        Value* here = builder.CreateInBoundsGEP(type, data, lane);
        builder.CreateAlignedStore(builder.CreateAlignedLoad(type, load ? there : here, align),
                                   load ? here : there, align);
    };
    BasicBlock* whole = BasicBlock::Create(program.context, "whole", function);
    BasicBlock* fast = BasicBlock::Create(program.context, "fast", function);
    BasicBlock* slow = BasicBlock::Create(program.context, "slow", function);
    builder.CreateCondBr(builder.CreateICmpEQ(mask, builder.getInt32(0xffffffff)), whole, slow);
    builder.SetInsertPoint(whole);
    auto* lanes = llvm::FixedVectorType::get(i64, warp_lanes);
    Value* all = builder.CreateAlignedLoad(lanes, offsets, llvm::Align(8));
    Value* distance = builder.CreateSub(all, builder.CreateVectorSplat(warp_lanes, first));
    Value* outside = builder.CreateICmpUGT(distance, builder.CreateVectorSplat(warp_lanes, limit));
    Value* odd = builder.CreateAnd(builder.CreateOrReduce(all), number(access - 1));
    Value* bad = builder.CreateOr(builder.CreateOrReduce(builder.CreateSExt(outside, lanes)), odd);
    builder.CreateCondBr(builder.CreateICmpEQ(bad, number(0)), fast, slow, program.likely());
    builder.SetInsertPoint(fast);
    for (std::uint64_t lane = 0; lane < warp_lanes; ++lane) {
        Value* offset = builder.CreateLoad(i64, builder.CreateInBoundsGEP(i64, offsets, number(lane)));
        move(address_of(offset, number(lane)), number(lane));
    }
    builder.CreateRetVoid();

    builder.SetInsertPoint(slow);
    for_each_lane(builder, function, mask, [&](Value* lane) {
        Value* offset = builder.CreateLoad(i64, builder.CreateInBoundsGEP(i64, offsets, lane));
        Value* address = address_of(offset, lane);
        Value* inside = builder.CreateICmpULE(builder.CreateSub(offset, first), limit);
        Value* low = builder.CreateAnd(offset, number(access - 1));
        BasicBlock* wrong = BasicBlock::Create(program.context, "wrong", function);
        BasicBlock* good = BasicBlock::Create(program.context, "valid", function);
        builder.CreateCondBr(builder.CreateAnd(inside, builder.CreateICmpEQ(low, number(0))), good, wrong,
                             program.likely());
        builder.SetInsertPoint(wrong);
        builder.CreateCall(program.access_fault(),
                           {ctx, function->getArg(1), address, lane_bit(builder, lane)});
        builder.CreateBr(good);
        builder.SetInsertPoint(good);
        move(address, lane);
    });
    builder.CreateRetVoid();
    return function;
}

static Function* mover(Program& program, const std::string& name, int bytes, bool load) {
    if (Function* known = program.module->getFunction(name)) return known;
    IRBuilder<> builder(program.context);
    Type* ptr = builder.getPtrTy();
    Type* i32 = builder.getInt32Ty();
    Type* i64 = builder.getInt64Ty();
    // (ctx, range, site, addresses, mask, data)
    Function* function = new_function(
        program, name, FunctionType::get(builder.getVoidTy(), {ptr, ptr, i32, ptr, i32, ptr}, false));
    builder.SetInsertPoint(&function->getEntryBlock());
    Value* ctx = function->getArg(0);
    Value* range = function->getArg(1);
    Value* site = function->getArg(2);
    Value* addresses = function->getArg(3);
    Value* data = function->getArg(5);
    Type* type = builder.getIntNTy(8 * bytes);
    auto align = llvm::Align(bytes);
    auto move = [&](Value* address, Value* lane) {
        Value* there = builder.CreateIntToPtr(address, ptr);
        Value* here = builder.CreateInBoundsGEP(type, data, lane);
        if (load)
            builder.CreateAlignedStore(builder.CreateAlignedLoad(type, there, align), here, align);
        else
            builder.CreateAlignedStore(builder.CreateAlignedLoad(type, here, align), there, align);
    };
    // All lanes, all inside the known range: checked together, then moved without a branch.
    Value* mask = function->getArg(4);
    BasicBlock* whole = BasicBlock::Create(program.context, "whole", function);
    BasicBlock* fast = BasicBlock::Create(program.context, "fast", function);
    BasicBlock* slow = BasicBlock::Create(program.context, "slow", function);
    builder.CreateCondBr(builder.CreateICmpEQ(mask, builder.getInt32(0xffffffff)), whole, slow);
    builder.SetInsertPoint(whole);
    auto* lanes = llvm::FixedVectorType::get(i64, warp_lanes);
    Value* all = builder.CreateAlignedLoad(lanes, addresses, llvm::Align(8));
    Value* begin = builder.CreateLoad(i64, range);
    Value* limit = builder.CreateLoad(i64, builder.CreateConstInBoundsGEP1_64(i64, range, 1));
    Value* distance = builder.CreateSub(all, builder.CreateVectorSplat(warp_lanes, begin));
    Value* outside = builder.CreateICmpUGT(distance, builder.CreateVectorSplat(warp_lanes, limit));
    Value* odd = builder.CreateAnd(builder.CreateOrReduce(all), llvm::ConstantInt::get(i64, bytes - 1));
    Value* any_outside = builder.CreateOrReduce(builder.CreateSExt(outside, lanes));
    Value* bad = builder.CreateOr(any_outside, odd);
    BasicBlock* unknown = BasicBlock::Create(program.context, "unknown", function);
    builder.CreateCondBr(builder.CreateICmpEQ(bad, llvm::ConstantInt::get(i64, 0)), fast, unknown,
                         program.likely());
    builder.SetInsertPoint(unknown);
    Value* all_own = builder.CreateCall(all_in_own_local(program, bytes), {ctx, addresses});
    builder.CreateCondBr(all_own, fast, slow);
    builder.SetInsertPoint(fast);
    for (int lane = 0; lane < warp_lanes; ++lane) {
        Value* number = llvm::ConstantInt::get(i64, lane);
        move(builder.CreateLoad(i64, builder.CreateInBoundsGEP(i64, addresses, number)), number);
    }
    builder.CreateRetVoid();

    builder.SetInsertPoint(slow);
    for_each_lane(builder, function, mask, [&](Value* lane) {
        Value* address = builder.CreateLoad(i64, builder.CreateInBoundsGEP(i64, addresses, lane));
        check_lane(program, builder, function, ctx, range, site, address, lane, bytes);
        move(address, lane);
    });
    builder.CreateRetVoid();
    return function;
}

llvm::Function* Program::gather_local(int bytes) {
    return local_mover(*this, fmt::format("gather_local.{}", bytes), bytes, true);
}
llvm::Function* Program::scatter_local(int bytes) {
    return local_mover(*this, fmt::format("scatter_local.{}", bytes), bytes, false);
}

llvm::Function* Program::gather(int bytes) {
    return mover(*this, fmt::format("gather{}", bytes), bytes, true);
}
llvm::Function* Program::scatter(int bytes) {
    return mover(*this, fmt::format("scatter{}", bytes), bytes, false);
}

llvm::Function* Program::store_masked(int bytes) {
    std::string name = fmt::format("store_masked{}", bytes);
    if (Function* known = module->getFunction(name)) return known;
    IRBuilder<> builder(context);
    Type* ptr = builder.getPtrTy();
    Function* function = new_function(
        *this, name, FunctionType::get(builder.getVoidTy(), {ptr, ptr, builder.getInt32Ty()}, false));
    builder.SetInsertPoint(&function->getEntryBlock());
    Type* type = builder.getIntNTy(8 * bytes);
    for_each_lane(builder, function, function->getArg(2), [&](Value* lane) {
        Value* value = builder.CreateAlignedLoad(
            type, builder.CreateInBoundsGEP(type, function->getArg(1), lane), llvm::Align(1));
        builder.CreateAlignedStore(value, builder.CreateInBoundsGEP(type, function->getArg(0), lane),
                                   llvm::Align(1));
    });
    builder.CreateRetVoid();
    return function;
}

llvm::Function* Program::lanes_of(const std::string& name, void* address, llvm::Type* result,
                                  const std::vector<llvm::Type*>& args) {
    std::string loop_name = "lanes." + name;
    if (Function* known = module->getFunction(loop_name)) return known;
    IRBuilder<> builder(context);
    Type* ptr = builder.getPtrTy();
    std::vector<Type*> params{builder.getInt32Ty()};
    params.resize(args.size() + 2, ptr);
    Function* function =
        new_function(*this, loop_name, FunctionType::get(builder.getVoidTy(), params, false));
    builder.SetInsertPoint(&function->getEntryBlock());
    auto callee = external(name, address, FunctionType::get(result, args, false));
    for_each_lane(builder, function, function->getArg(0), [&](Value* lane) {
        std::vector<Value*> values;
        for (std::size_t i = 0; i < args.size(); ++i)
            values.push_back(builder.CreateLoad(
                args[i], builder.CreateInBoundsGEP(args[i], function->getArg(i + 1), lane)));
        Value* value = builder.CreateCall(callee, values);
        if (!result->isVoidTy())
            builder.CreateStore(value,
                                builder.CreateInBoundsGEP(result, function->getArg(args.size() + 1), lane));
    });
    builder.CreateRetVoid();
    return function;
}

llvm::Function* Program::atomic_loop(const std::string& name, int bytes, AtomicStep step) {
    std::string loop_name = "atomic." + name;
    if (Function* known = module->getFunction(loop_name)) return known;
    IRBuilder<> builder(context);
    Type* ptr = builder.getPtrTy();
    Type* i32 = builder.getInt32Ty();
    Type* i64 = builder.getInt64Ty();
    Type* type = builder.getIntNTy(8 * bytes);
    // (ctx, range, site, addresses, mask, operand b, operand c, result)
    Function* function =
        new_function(*this, loop_name,
                     FunctionType::get(builder.getVoidTy(), {ptr, ptr, i32, ptr, i32, ptr, ptr, ptr}, false));
    builder.SetInsertPoint(&function->getEntryBlock());
    for_each_lane(builder, function, function->getArg(4), [&](Value* lane) {
        Value* address = builder.CreateLoad(i64, builder.CreateInBoundsGEP(i64, function->getArg(3), lane));
        check_lane(*this, builder, function, function->getArg(0), function->getArg(1), function->getArg(2),
                   address, lane, bytes);
        auto at = [&](unsigned arg) { return builder.CreateInBoundsGEP(type, function->getArg(arg), lane); };
        Value* b = builder.CreateLoad(type, at(5));
        Value* c = builder.CreateLoad(type, at(6));
        Value* old = step(builder, function, builder.CreateIntToPtr(address, ptr), b, c);
        builder.CreateStore(old, at(7));
    });
    builder.CreateRetVoid();
    return function;
}

}  // namespace lockstep::exec::jit
